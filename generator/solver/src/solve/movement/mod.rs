//! Solves a layer group whose moves stay inside it, by retrograde analysis, distance by distance: the movement layer, or two layers that
//! lead to each other. A [`Movement`] takes the decided entries of one layer, the children, and finds the entries that they decide in the
//! layer before, the parents. The best children of the parents outside of the layer group take part too ([`Holds`]).
//!
//! A pass writes the entries sent to a block to its rows. Newly lost children decide their parents as wins, and newly won children may
//! decide their parents as losses. An operator finds these parents, and they are sent on. Blocks remember planes of children and parents,
//! so that only the first pass reads whole rows.
//!
//! A code contains its distance, so rows that are ahead of a checkpoint can be reset to the distance of the checkpoint. The first pass
//! after a checkpoint finds all decided parents again, and rows ignore parents that are decided already. Entries that are never decided are
//! draws by cycle. Draws that end are found by the same kind of passes, in which known draws that end count as won.

mod remembered;

use crate::error::SolveError;
use crate::sets::FoldedSets;
use crate::solve::code::Code;
use crate::solve::exchange::{Inbox, Outbox, Places, beyond};
use crate::solve::holds::{Holds, Until};
use crate::solve::log;
use crate::solve::movement::remembered::{BlockPlanes, Remembered};
use crate::solve::operator::layer_rules::LayerRules;
use crate::solve::operator::sliced::{ColumnMoves, Exists, LOADED_TILE, LaneMoves, Load};
use crate::solve::planes::{Bits, STRIPS};
use crate::solve::rows::Rows;
use crate::solve::shape::Shape;
use crate::solve::store::Storage;
use crate::solve::transposition::Transposition;
use morpion_core::{Score, rank::cells};
use morpion_machine::isa::dispatch;
use morpion_machine::threads::Pool;
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Children that are new in a pass.
#[derive(Clone, Copy, PartialEq, Eq)]
enum New {
    /// The entries that arrive.
    Arriving,
    /// All decided entries of the rows, in the first pass.
    Decided,
    /// The draws that end, which count as won from this pass on.
    Ends,
}

/// The task of one pass over all blocks.
pub struct Pass<E> {
    new: New,
    /// Codes of the parents that the pass finds: wins and losses at this distance, or draws that end.
    win: Option<E>,
    loss: Option<E>,
    /// The codes of children outside that are known.
    until: Until<E>,
    /// The distance of the parents that the pass finds; `None` for draws.
    plies: Option<u16>,
}

impl<E: Code> Pass<E> {
    /// A pass that finds wins and losses in `distance` + 1. They follow from entries in `distance` that were sent or,
    /// in the first pass, from all entries in the rows.
    pub fn values(distance: u16, is_first: bool) -> Pass<E> {
        let next = distance.saturating_add(1);
        let plies = Some(next);
        Pass {
            new: if is_first { New::Decided } else { New::Arriving },
            win: E::of(Score::Win { plies }),
            loss: E::of(Score::Loss { plies }),
            until: Until::new(next),
            plies,
        }
    }

    /// A pass that finds draws that end.
    pub fn ends(is_first: bool) -> Pass<E> {
        Pass {
            new: if is_first { New::Ends } else { New::Arriving },
            win: Some(E::draw_end()),
            loss: Some(E::draw_end()),
            until: Until::all(),
            plies: None,
        }
    }

    /// The plane in which the bit of an undecided child changes when it gets this code: `unwon`, or `lost`. Draws that end count as won.
    fn plane<'p>(&self, code: u16, unwon: &'p mut [Bits], lost: &'p mut [Bits]) -> &'p mut [Bits] {
        if E::new(code).is_win() || self.plies.is_none() { unwon } else { lost }
    }
}

/// Changes that a pass may make in a block.
#[derive(Clone, Copy)]
struct Changes {
    /// Lost children, or wins by children outside, may be new.
    wins: bool,
    /// Won children may be new, or children outside that held a parent may be won.
    losses: bool,
    /// The planes of children outside may change.
    outside: bool,
}

/// Buffers of a thread.
#[derive(Default)]
struct Buffers {
    /// A bit for each entry of a strip.
    keys: Vec<u64>,
    /// The records of a block.
    records: Vec<u8>,
    /// The children that are newly lost.
    lost: Vec<Bits>,
    /// The parents of some children.
    parents: Vec<Bits>,
}

/// State that all passes from one layer of a layer group to the layer before it share.
pub struct Movement<'f, E> {
    sets: &'f FoldedSets,
    /// The layer whose positions are found.
    pub parents: Shape,
    /// The rows of the layer after a move.
    pub children: Rows<E>,
    transposition: Transposition<'f>,
    moves: ColumnMoves,
    /// The children outside of the parents; `None` if they have none.
    pub holds: Option<Holds<E>>,
    remembered: Remembered,
    buffers: Pool<Buffers>,
    /// The moves of each block in memory.
    lane_moves: Vec<OnceLock<LaneMoves>>,
    /// Number of entries of own blocks that were decided. The caller may reset this number.
    pub decided: AtomicU64,
}

impl<'f, E: Code> Movement<'f, E> {
    /// Prepares the passes from the rows of `children` to `parents`.
    ///
    /// # Errors
    /// If the store fails.
    pub fn new(
        sets: &'f FoldedSets,
        parents: Shape,
        children: Rows<E>,
        holds: Option<Holds<E>>,
        storage: &Storage,
    ) -> io::Result<Movement<'f, E>> {
        Ok(Movement {
            sets,
            parents,
            transposition: Transposition::new(sets, &parents),
            moves: ColumnMoves::new(&LayerRules::new(&sets.layout.game, parents.layer)),
            remembered: Remembered::new(storage, &children, holds.is_some())?,
            holds,
            buffers: Pool::default(),
            lane_moves: std::iter::repeat_with(OnceLock::new).take(children.in_memory()).collect(),
            decided: AtomicU64::new(0),
            children,
        })
    }

    /// Performs the pass over one block.
    pub fn pass(
        &self,
        block: usize,
        pass: &Pass<E>,
        inbox: &Inbox,
        outbox: &mut Outbox,
    ) -> Result<(), SolveError> {
        let Some(changes) = self.changes(block, pass, inbox) else { return Ok(()) };
        let mut buffers = self.buffers.take();
        buffers.lost.clear();
        buffers.lost.resize(self.children.shape.columns, Bits::NONE);
        self.remembered.with(block, pass.new != New::Decided, |planes| {
            match pass.new {
                New::Arriving => {
                    if !self.write(block, pass, inbox, planes, &mut buffers.lost)? {
                        self.append(block, pass, inbox, planes, &mut buffers)?;
                    }
                }
                New::Decided | New::Ends => self.load(block, pass, planes, &mut buffers.lost)?,
            }
            if let Some(holds) = self.holds.as_ref().filter(|_| changes.outside) {
                let is_recalled = pass.new == New::Arriving;
                holds.load(block, is_recalled, pass.until, &mut planes.outside)?;
            }
            self.find(block, pass, changes, planes, &mut buffers, outbox);
            Ok([changes.losses, true, true, changes.outside, changes.outside])
        })?;
        self.buffers.put(buffers);
        Ok(())
    }

    /// Returns the changes that a pass may make in a block; `None` if nothing arrived, and no child outside is due.
    fn changes(&self, block: usize, pass: &Pass<E>, inbox: &Inbox) -> Option<Changes> {
        if pass.new != New::Arriving {
            return Some(Changes { wins: true, losses: true, outside: true });
        }
        let waiting = inbox.waiting(self.children.shape.strips_of(block));
        let due = self.holds.as_ref().zip(pass.plies);
        let [win, loss] = due.map_or([false; 2], |(holds, plies)| holds.are_due(block, plies));
        if waiting.is_empty() && !win && !loss {
            return None;
        }
        let has_arrived = |is_win| waiting.iter().any(|&code| E::new(code).is_win() == is_win);
        Some(match pass.plies {
            Some(_) => Changes {
                wins: win | has_arrived(false),
                losses: loss | has_arrived(true),
                outside: win | loss,
            },
            // Draws that end count as won.
            None => Changes { wins: false, losses: true, outside: false },
        })
    }

    /// Loads the children of a block from its rows: the newly lost children, the children that are not won and, if the rows are stored, the
    /// undecided children.
    fn load(
        &self,
        block: usize,
        pass: &Pass<E>,
        planes: &mut BlockPlanes,
        lost: &mut [Bits],
    ) -> Result<(), SolveError> {
        let columns = self.children.shape.columns;
        let BlockPlanes { unwon, decided, undecided, .. } = planes;
        if pass.new == New::Decided {
            let stored = if block < self.children.in_memory() { 0 } else { columns };
            for (plane, columns) in
                [(&mut *unwon, columns), (decided, columns), (&mut *undecided, stored)]
            {
                plane.clear();
                plane.resize(columns, Bits::NONE);
            }
        }
        let (is_first, draw) = (pass.new == New::Decided, E::draw_end());
        let classes = |code: E| {
            let is_lost = is_first & (code > draw) & (code < E::none());
            // Draws that end count as won after the first passes.
            let is_unwon = (code < E::new(1)) | (code > draw) | (is_first & (code == draw));
            u8::from(is_lost) | u8::from(is_unwon) << 1 | u8::from(code == E::default()) << 2
        };
        let tiles: Vec<usize> = (0..columns.div_ceil(LOADED_TILE)).collect();
        self.children.read(block, &mut |strip, codes| {
            let (tiles, word) = (&tiles[..], strip % STRIPS);
            if undecided.is_empty() {
                let planes = [&mut *lost, &mut *unwon];
                dispatch(Load { codes, columns, tiles, classes, word, planes });
            } else {
                let planes = [&mut *lost, &mut *unwon, &mut *undecided];
                dispatch(Load { codes, columns, tiles, classes, word, planes });
            }
            Ok(())
        })
    }

    /// Appends the entries that arrived at a block to its log, if they are undecided.
    fn append(
        &self,
        block: usize,
        pass: &Pass<E>,
        inbox: &Inbox,
        planes: &mut BlockPlanes,
        Buffers { keys, records, lost, .. }: &mut Buffers,
    ) -> Result<(), SolveError> {
        let columns = self.children.shape.columns;
        records.clear();
        for strip in self.children.shape.strips_of(block) {
            let (word, entries) = (strip % STRIPS, self.children.shape.entries_of(strip));
            for arrived in inbox.take(strip) {
                let plane = pass.plane(arrived.code, &mut planes.unwon, lost);
                keys.clear();
                keys.resize(entries.div_ceil(64), 0);
                let mut count = 0;
                arrived.each_key(|key| {
                    let key = key as usize;
                    let (lane, column) = (1 << (key / columns), key % columns);
                    let undecided = planes.undecided.get_mut(column).filter(|_| key < entries);
                    let undecided = &mut undecided.ok_or_else(beyond)?.0[word];
                    if *undecided & lane != 0 {
                        *undecided &= !lane;
                        plane[column].0[word] ^= lane;
                        keys[key / 64] |= 1 << (key % 64);
                        count += 1;
                    }
                    Ok(())
                })?;
                self.count(arrived.code, count)?;
                if count > 0 {
                    log::add(records, word, arrived.code, keys, count);
                }
            }
        }
        self.children.append(block, records)
    }

    /// Writes the entries that arrived at a block, if they are undecided. Returns false if its rows are not in memory.
    fn write(
        &self,
        block: usize,
        pass: &Pass<E>,
        inbox: &Inbox,
        planes: &mut BlockPlanes,
        lost: &mut [Bits],
    ) -> Result<bool, SolveError> {
        let columns = self.children.shape.columns;
        self.children.change(block, &mut |strip, codes| {
            let word = strip % STRIPS;
            for arrived in inbox.take(strip) {
                let plane = pass.plane(arrived.code, &mut planes.unwon, lost);
                let (code, mut count) = (E::new(arrived.code), 0);
                arrived.each(codes, |key, entry| {
                    if *entry == E::default() {
                        *entry = code;
                        let (lane, column) =
                            (1 << (key as usize / columns), key as usize % columns);
                        plane[column].0[word] ^= lane;
                        count += 1;
                    }
                })?;
                self.count(arrived.code, count)?;
            }
            Ok(())
        })
    }

    /// Counts entries that were decided with `code`. Fails if the distance of this code does not fit.
    fn count(&self, code: u16, decided: usize) -> Result<(), SolveError> {
        if code == E::none().code() && decided > 0 {
            return Err(SolveError::TooDeep);
        }
        self.decided.fetch_add(decided as u64, Ordering::Relaxed);
        Ok(())
    }

    /// The moves of a block's rows.
    fn lane_moves(&self, block: usize) -> LaneMoves {
        let rules = LayerRules::new(&self.sets.layout.game, self.parents.layer);
        let waiter = |row| self.children.shape.mover(self.sets, row);
        let waiters: Vec<u64> = self.children.shape.rows_of_block(block).map(waiter).collect();
        LaneMoves::new(&rules, &self.moves, &waiters)
    }

    /// Finds and sends the newly decided parents.
    fn find(
        &self,
        block: usize,
        pass: &Pass<E>,
        changes: Changes,
        planes: &mut BlockPlanes,
        Buffers { lost, parents, .. }: &mut Buffers,
        outbox: &mut Outbox,
    ) {
        let (rows, own) = (self.children.shape.rows_of_block(block), OnceLock::new());
        let lane_moves = self.lane_moves.get(block).unwrap_or(&own);
        let lane_moves = lane_moves.get_or_init(|| self.lane_moves(block));
        let mut lanes = Bits::NONE;
        let ends = !self.sets.layout.game.graph().may_take();
        let in_play = |row: usize| !ends || !self.children.shape.has_line(self.sets, row);
        let in_play = rows.clone().enumerate().filter(|&(_, row)| in_play(row));
        in_play.for_each(|(lane, _)| lanes.set(lane));
        let movers = &self.moves.columns.words;
        let mut places = Places::new(&self.transposition, movers, rows, outbox);
        let mut send = |parents: &[Bits], decided: &mut [Bits], code: Option<E>| {
            let code = code.unwrap_or(E::none()).code();
            for (column, (&parents, decided)) in parents.iter().zip(decided).enumerate() {
                let new = parents & !*decided & lanes;
                *decided = *decided | parents;
                for (word, &bits) in new.0.iter().enumerate() {
                    for lane in cells(bits).map(usize::from) {
                        places.send(word * 64 + lane, column, code);
                    }
                }
            }
        };
        let [won, held] = &planes.outside;
        if changes.wins {
            self.parents_of(lane_moves, lost, won, parents);
            send(parents, &mut planes.decided, pass.win);
        }
        if changes.losses {
            // A parent is lost if it has no child in `unwon` and no child outside holds it.
            self.parents_of(lane_moves, &planes.unwon, held, parents);
            parents.iter_mut().for_each(|parents| *parents = !*parents);
            send(parents, &mut planes.decided, pass.loss);
        }
        places.flush();
    }

    /// Finds the parents of some children, and the parents with a child `outside`.
    fn parents_of(
        &self,
        lanes: &LaneMoves,
        children: &[Bits],
        outside: &[Bits],
        parents: &mut Vec<Bits>,
    ) {
        parents.clear();
        parents.resize(children.len(), Bits::NONE);
        if children.iter().any(|bits| *bits != Bits::NONE) {
            dispatch(Exists { moves: &self.moves, lanes, children, parents });
        }
        parents.iter_mut().zip(outside).for_each(|(found, &outside)| *found = *found | outside);
    }
}
