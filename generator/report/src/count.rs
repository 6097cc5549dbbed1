//! Counting the positions that play can reach, by following it, and what they are worth.

use morpion_games::progress::{Progress, Stopped};
use morpion_games::symmetry::group::{group, symmetries_of_board};
use morpion_games::symmetry::orbits::Images;
use morpion_games::symmetry::ranker::Ranker;
use morpion_lookup::raw::Permutation;
use morpion_lookup::raw::rank::{binomial, compress, expand, subsets};
use morpion_lookup::{Counts, Game, Position, ProbeError, Score, Table};
use rayon::prelude::*;
use serde::Serialize;
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

/// What counts as one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// Every position by itself.
    None,
    /// All that the grid's rotations and reflections that keep the rules make of each other.
    Board,
    /// All that the symmetries of the rules make of each other, or, where these are too many to be listed, the others
    /// that tables are folded by in their place.
    Rules,
}

impl Symmetry {
    /// The permutations of the cells that make one position of another, ascending. Searched for, whatever a table says.
    ///
    /// # Errors
    /// Where `progress` asks for a stop.
    pub fn permutations(
        self,
        game: &Game,
        progress: &dyn Progress,
    ) -> Result<Vec<Permutation>, Stopped> {
        match self {
            Symmetry::None => Ok(vec![Permutation::identity(game.cells())]),
            Symmetry::Board => Ok(symmetries_of_board(game)),
            Symmetry::Rules => Ok(group(game, progress)?.1),
        }
    }
}

/// Why nothing was counted.
#[derive(Debug, Error)]
pub enum CountError {
    /// The table is damaged.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The observer asked for a stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The reachable positions of a game, counted. The keys of the JSON form are part of the interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Count {
    /// The game's name.
    pub game: String,
    /// `none`, `board` or `rules`.
    pub symmetry: &'static str,
    /// All of them: the side to move told apart from the side waiting, but not which of them is X.
    pub positions: u64,
    /// Those reached by placing alone, by pieces on the board; `None` from a preset start.
    pub plies: Option<Vec<u64>>,
    /// Those where the game is over.
    pub terminal: u64,
    /// Those the mover wins.
    pub win: u64,
    /// Those the mover loses.
    pub loss: u64,
    /// Those that are drawn.
    pub draw: u64,
    /// Greatest distance of a win; `None` where there is none or the table has no distances.
    pub longest_win: Option<u16>,
    /// Greatest distance of a loss, likewise.
    pub longest_loss: Option<u16>,
}

/// The arrangements of one layer by number: rank of the mover's set, then of the waiter's among the cells left.
struct Dense {
    counts: Counts,
    board: u64,
    columns: u64,
    movers: Vec<u64>,
    waiters: Vec<u64>,
    mover_ranks: Ranker,
    waiter_ranks: Ranker,
}

impl Dense {
    fn new(game: &Game, counts: Counts) -> Dense {
        let (cells, mover, waiter) =
            (u32::from(game.cells()), u32::from(counts.mover), u32::from(counts.waiter));
        Dense {
            counts,
            board: game.board(),
            columns: binomial(cells - mover, waiter),
            movers: subsets(cells, mover).collect(),
            waiters: subsets(cells - mover, waiter).collect(),
            mover_ranks: Ranker::new(cells, mover),
            waiter_ranks: Ranker::new(cells - mover, waiter),
        }
    }

    fn number(&self, position: Position) -> u64 {
        let waiter = compress(position.waiter, self.board & !position.mover);
        u64::from(self.mover_ranks.rank(position.mover)) * self.columns
            + u64::from(self.waiter_ranks.rank(waiter))
    }

    fn none(&self) -> BitSet {
        BitSet::new(self.movers.len() as u64 * self.columns)
    }

    /// Visits the positions in `set`, in parallel.
    fn each(&self, set: &BitSet, visit: impl Fn(Position) + Sync) {
        self.movers.par_iter().enumerate().for_each(|(row, &mover)| {
            let left = self.board & !mover;
            let first = row as u64 * self.columns;
            set.each(first, first + self.columns, |number| {
                let waiter = expand(self.waiters[(number - first) as usize], left);
                visit(Position { mover, waiter });
            });
        });
    }
}

/// A set of numbers that threads fill together.
struct BitSet(Vec<AtomicU64>);

impl BitSet {
    fn new(length: u64) -> BitSet {
        BitSet((0..length.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Puts `number` in; whether it is new.
    fn insert(&self, number: u64) -> bool {
        let bit = 1 << (number % 64);
        let word = &self.0[(number / 64) as usize];
        word.load(Ordering::Relaxed) & bit == 0 && word.fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    fn each(&self, start: u64, end: u64, mut visit: impl FnMut(u64)) {
        let mut at = start;
        while at < end {
            let word = self.0[(at / 64) as usize].load(Ordering::Relaxed) >> (at % 64);
            if word == 0 {
                at = (at / 64 + 1) * 64;
                continue;
            }
            at += u64::from(word.trailing_zeros());
            if at < end {
                visit(at);
            }
            at += 1;
        }
    }

    fn len(&self) -> u64 {
        self.0.par_iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum()
    }
}

/// Follows play from the start and counts what it reaches.
///
/// Memory: one bit an arrangement of the two greatest neighbouring layers, twice with symmetry.
///
/// # Errors
/// Where the table is damaged, or `progress` asks for a stop.
pub fn count(
    table: &Table,
    symmetry: Symmetry,
    progress: &dyn Progress,
) -> Result<Count, CountError> {
    let game = table.game();
    let layers = game.layers();
    let tally = Tally::new(table, symmetry, progress)?;
    let mut plies = Vec::new();
    let mut dense = Dense::new(game, layers[0]);
    let mut reached = dense.none();
    reached.insert(dense.number(game.start().0));
    for (index, &counts) in layers.iter().enumerate() {
        progress.check()?;
        plies.push(tally.classes(&dense, &reached));
        if game.is_movement(counts) {
            follow_moves(game, &dense, &mut reached, progress)?;
        }
        tally.add(&dense, &reached);
        let Some(&next) = layers.get(index + 1) else { break };
        let next = Dense::new(game, next);
        let children = next.none();
        dense.each(&reached, |position| {
            if !game.has_line(position.waiter) {
                game.legal_moves(position).for_each(|mv| {
                    children.insert(next.number(position.after(mv)));
                });
            }
        });
        (dense, reached) = (next, children);
    }
    Ok(tally.finish(game.rules().start.is_none().then_some(plies))?)
}

/// Adds to `reached` everything that moves lead to.
fn follow_moves(
    game: &Game,
    dense: &Dense,
    reached: &mut BitSet,
    progress: &dyn Progress,
) -> Result<(), Stopped> {
    let mut fresh = dense.none();
    let copy = |from: &BitSet, to: &BitSet| {
        from.0
            .iter()
            .zip(&to.0)
            .for_each(|(from, to)| to.store(from.load(Ordering::Relaxed), Ordering::Relaxed));
    };
    copy(reached, &fresh);
    while fresh.0.iter().any(|word| word.load(Ordering::Relaxed) != 0) {
        progress.check()?;
        let next = dense.none();
        dense.each(&fresh, |position| {
            if !game.has_line(position.waiter) {
                for mv in game.legal_moves(position) {
                    let number = dense.number(position.after(mv));
                    if reached.insert(number) {
                        next.insert(number);
                    }
                }
            }
        });
        fresh = next;
    }
    Ok(())
}

/// The sums while layers go by.
struct Tally<'t> {
    table: &'t Table,
    symmetry: Symmetry,
    images: Vec<Images>,
    values: [AtomicU64; 3],
    terminal: AtomicU64,
    longest: [AtomicU64; 2],
    fault: std::sync::Mutex<Option<ProbeError>>,
}

impl<'t> Tally<'t> {
    fn new(
        table: &'t Table,
        symmetry: Symmetry,
        progress: &dyn Progress,
    ) -> Result<Tally<'t>, Stopped> {
        let permutations = symmetry.permutations(table.game(), progress)?;
        Ok(Tally {
            table,
            symmetry,
            images: permutations.iter().map(Images::new).collect(),
            values: Default::default(),
            terminal: AtomicU64::new(0),
            longest: Default::default(),
            fault: std::sync::Mutex::new(None),
        })
    }

    /// The least image of a position.
    fn canonical(&self, position: Position) -> Position {
        let image = |images: &Images| Position {
            mover: images.apply(position.mover),
            waiter: images.apply(position.waiter),
        };
        self.images.iter().map(image).min().unwrap_or(position)
    }

    /// How many classes `reached` falls into.
    fn classes(&self, dense: &Dense, reached: &BitSet) -> u64 {
        self.representatives(dense, reached).as_ref().unwrap_or(reached).len()
    }

    /// One position of each class, or `None` where every position is its own.
    fn representatives(&self, dense: &Dense, reached: &BitSet) -> Option<BitSet> {
        (self.symmetry != Symmetry::None).then(|| {
            let representatives = dense.none();
            dense.each(reached, |position| {
                representatives.insert(dense.number(self.canonical(position)));
            });
            representatives
        })
    }

    fn add(&self, dense: &Dense, reached: &BitSet) {
        let representatives = self.representatives(dense, reached);
        dense.each(representatives.as_ref().unwrap_or(reached), |position| {
            debug_assert_eq!(u32::from(dense.counts.mover), position.mover.count_ones());
            let score = match self.table.probe(position) {
                Ok(score) => score,
                Err(fault) => {
                    *self.fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner) =
                        Some(fault);
                    return;
                }
            };
            self.values[score.value() as usize].fetch_add(1, Ordering::Relaxed);
            if self.table.game().over(position).is_some() {
                self.terminal.fetch_add(1, Ordering::Relaxed);
            }
            // One more than the distance, so that 0 is none.
            let longest = match score {
                Score::Win { plies: Some(plies) } => Some((0, plies)),
                Score::Loss { plies: Some(plies) } => Some((1, plies)),
                _ => None,
            };
            if let Some((index, plies)) = longest {
                self.longest[index].fetch_max(u64::from(plies) + 1, Ordering::Relaxed);
            }
        });
    }

    fn finish(self, plies: Option<Vec<u64>>) -> Result<Count, ProbeError> {
        if let Some(fault) =
            self.fault.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
        {
            return Err(fault);
        }
        let [win, draw, loss] = self.values.map(AtomicU64::into_inner);
        let [longest_win, longest_loss] = self
            .longest
            .map(|longest| longest.into_inner().checked_sub(1).map(|plies| plies as u16));
        Ok(Count {
            game: self.table.game().rules().name.clone(),
            symmetry: match self.symmetry {
                Symmetry::None => "none",
                Symmetry::Board => "board",
                Symmetry::Rules => "rules",
            },
            positions: win + draw + loss,
            plies,
            terminal: self.terminal.into_inner(),
            win,
            loss,
            draw,
            longest_win,
            longest_loss,
        })
    }
}
