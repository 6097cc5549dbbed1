//! The best children outside, kept while the rest of the layer group is solved.
//!
//! The best child outside gives its position a code. A win decides the position, in the distance of the win at the latest. A loss *holds*
//! the position, which is not lost in a shorter distance, and a draw holds it until only draws are left. These codes are in the waiter's
//! rows, by the mover's columns. Passes load them as two planes: positions that are won by a child outside, and positions that are held.
//!
//! A pass needs only the tiles that have codes of its distance. So the codes of a tile are neighbours, and a tile is read by itself.

use crate::error::SolveError;
use crate::solve::code::Code;
use crate::solve::operator::sliced::{LOADED_TILE, Load};
use crate::solve::planes::{BLOCK_ROWS, Bits, STRIP_ROWS, STRIPS};
use crate::solve::shape::Shape;
use crate::solve::store::{Contents, Home, Homes, Share, Storage};
use morpion_core::Score;
use morpion_machine::isa::dispatch;
use morpion_machine::memory::filled;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering::Relaxed};

/// The codes that the best children outside give to positions; [`Code::none`] for positions without a child outside.
pub struct Holds<E> {
    /// The shape of the children, whose rows are the rows of the positions.
    children: Shape,
    /// The codes of each block, strip by strip, tile by tile, row by row.
    codes: Homes<Vec<E>>,
    /// The room that the codes in memory take.
    _share: Share,
    /// For each tile of 64 columns of a strip: the distances of its wins, and of its losses, as a bit for each distance modulo 64.
    tiles: Vec<[AtomicU64; 2]>,
    /// The greatest distance.
    pub deepest: AtomicU16,
    /// True if a child outside is a draw that ends.
    pub has_ends: AtomicBool,
}

/// The codes of children outside that are known in a pass.
#[derive(Clone, Copy, Debug)]
pub struct Until<E> {
    /// The greatest code of a known win, and of a known loss. If no loss is known, `loss` is the code before all losses, which is a draw.
    win: E,
    loss: E,
    /// True if draws that end count as known.
    ends: bool,
    plies: u16,
}

impl<E: Code> Until<E> {
    /// The codes of wins and losses in at most `plies`.
    pub fn new(plies: u16) -> Until<E> {
        let loss = |plies| E::of(Score::Loss { plies: Some(plies) });
        Until {
            win: E::last_win(plies),
            loss: (0..=plies).rev().find_map(loss).unwrap_or(E::draw_end()),
            ends: false,
            plies,
        }
    }

    /// All wins, losses and draws that end.
    pub fn all() -> Until<E> {
        Until { ends: true, ..Until::new(u16::MAX) }
    }

    #[inline(always)]
    fn wins(self, code: E) -> bool {
        code.is_win() & (code <= self.win)
    }

    #[inline(always)]
    pub fn holds(self, code: E) -> bool {
        let is_lost = (code > E::draw_end()) & ((code <= self.loss) | (code == E::none()));
        !(is_lost | (self.ends & (code == E::draw_end())))
    }
}

impl<E: Code> Holds<E> {
    /// Room for the codes of positions whose children have this shape.
    ///
    /// # Errors
    /// If the store fails.
    pub fn new(storage: &Storage, children: Shape) -> io::Result<Holds<E>> {
        let (blocks, tiles) = (children.blocks(), children.columns.div_ceil(LOADED_TILE));
        let bytes = (BLOCK_ROWS * children.columns * size_of::<E>()) as u64;
        let share = storage.take(children.layer, Contents::Holds, blocks, [bytes, 0]);
        Ok(Holds {
            children,
            codes: Homes::new(storage, share.blocks, blocks)?,
            _share: share,
            tiles: (0..children.strips() * tiles).map(|_| Default::default()).collect(),
            deepest: AtomicU16::new(0),
            has_ends: AtomicBool::new(false),
        })
    }

    /// Stores the codes of a strip, given the preferences of the best children, row by row.
    ///
    /// # Errors
    /// If a distance does not fit, or the store fails.
    pub fn fill(&self, strip: usize, best: &[E]) -> Result<(), SolveError> {
        let mut codes = vec![E::none(); self.children.entries_of(strip)];
        let mut deepest = 0;
        for (bits, tile) in self.tiles_of(strip).iter().zip(0..) {
            let (columns, places) = self.tile(strip, tile);
            let mut of_tile = [0; 2];
            let rows = best.chunks_exact(self.children.columns);
            for (row, codes) in rows.zip(codes[places].chunks_exact_mut(columns.len())) {
                for (code, &best) in codes.iter_mut().zip(&row[columns.clone()]) {
                    let found = best.parent().ok_or(SolveError::TooDeep)?;
                    *code = found;
                    if let Some(plies) = found.plies() {
                        of_tile[usize::from(!found.is_win())] |= 1 << (plies % 64);
                        deepest = deepest.max(plies);
                    } else if found == E::draw_end() {
                        self.has_ends.store(true, Relaxed);
                    }
                }
            }
            bits.iter().zip(of_tile).for_each(|(bits, found)| bits.store(found, Relaxed));
        }
        self.deepest.fetch_max(deepest, Relaxed);
        let first = strip * STRIP_ROWS * self.children.columns;
        match self.codes.of(strip / STRIPS) {
            Home::Scratch(scratch) => {
                scratch.write_at((first * size_of::<E>()) as u64, &E::bytes(&codes))?;
            }
            Home::Memory(mut block) => {
                if block.is_empty() {
                    let strips = self.children.strips_of(strip / STRIPS);
                    let entries = strips.map(|strip| self.children.entries_of(strip)).sum();
                    *block = filled(entries, E::none());
                }
                let first = strip % STRIPS * STRIP_ROWS * self.children.columns;
                block[first..][..codes.len()].copy_from_slice(&codes);
            }
        }
        Ok(())
    }

    /// The distances of each tile of a strip.
    fn tiles_of(&self, strip: usize) -> &[[AtomicU64; 2]] {
        let tiles = self.children.columns.div_ceil(LOADED_TILE);
        &self.tiles[strip * tiles..][..tiles]
    }

    /// The columns of a tile, and the places of its codes among the codes of the strip.
    fn tile(&self, strip: usize, tile: usize) -> (Range<usize>, Range<usize>) {
        let (start, rows) = (tile * LOADED_TILE, self.children.rows_of(strip).len());
        let columns = start..self.children.columns.min(start + LOADED_TILE);
        (columns.clone(), rows * start..rows * columns.end)
    }

    /// Returns two flags, for wins and for losses: true if a position of a block may have such a code in this distance.
    pub fn are_due(&self, block: usize, plies: u16) -> [bool; 2] {
        let of_block = self.children.strips_of(block).flat_map(|strip| self.tiles_of(strip));
        of_block.fold([false; 2], |due, tile| [0, 1].map(|of| due[of] | is_due(&tile[of], plies)))
    }

    /// Loads the planes of a block: positions that are won, and positions that are held. If `planes` are `recalled` from the previous
    /// distance, only the tiles that may have changed since are loaded.
    ///
    /// # Errors
    /// If the store fails.
    pub fn load(
        &self,
        block: usize,
        recalled: bool,
        until: Until<E>,
        planes: &mut [Vec<Bits>; 2],
    ) -> Result<(), SolveError> {
        let all = self.children.columns;
        planes.iter_mut().for_each(|plane| plane.resize(all, Bits::NONE));
        let classes = |code| u8::from(until.wins(code)) | u8::from(until.holds(code)) << 1;
        let (home, mut read) = (self.codes.of(block), Vec::new());
        for strip in self.children.strips_of(block) {
            for (bits, tile) in self.tiles_of(strip).iter().zip(0..) {
                if recalled && !bits.iter().any(|bits| is_due(bits, until.plies)) {
                    continue;
                }
                let (columns, places) = self.tile(strip, tile);
                let codes = match &home {
                    Home::Memory(codes) => &codes[strip % STRIPS * STRIP_ROWS * all..][places],
                    Home::Scratch(scratch) => {
                        let at = (strip * STRIP_ROWS * all + places.start) * size_of::<E>();
                        read.resize(places.len(), E::default());
                        E::fill(&mut read, |bytes| scratch.read_at(at as u64, bytes))?;
                        &read[..]
                    }
                };
                let planes = planes.each_mut().map(|plane| &mut plane[columns.clone()]);
                let (columns, word) = (columns.len(), strip % STRIPS);
                dispatch(Load { codes, columns, tiles: &[0], classes, word, planes });
            }
        }
        Ok(())
    }
}

/// Returns true if a tile may have an entry in this distance.
fn is_due(tile: &AtomicU64, plies: u16) -> bool {
    tile.load(Relaxed) >> (plies % 64) & 1 == 1
}
