//! The answers: moves with their worth, and perfect ones.

use crate::chunks::{by_chunks, choose};
use crate::error::ProbeError;
use crate::game::{Counts, Move, Over, Position};
use crate::rank::cells;
use crate::rules::MAX_CELLS;
use crate::score::{DrawKind, Encoding, Score};
use crate::symmetry::Permutation;
use crate::table::{LAYER_MISSING, NO_ENTRY, Row, Table};
use core::ops::Deref;

/// The most moves a position can have: 9 pieces with 18 free cells of 36, and the pass.
pub const MAX_MOVES: usize = 163;

/// A move and what it is worth to the side that makes it, counted from the position before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// Its worth.
    pub score: Score,
}

/// The moves of a position, the best first; equal ones in the order of [`crate::Game::moves`]. A slice of
/// [`RankedMove`] that lives on the stack.
#[derive(Clone, Debug)]
pub struct RankedMoves {
    moves: [RankedMove; MAX_MOVES],
    length: usize,
}

impl RankedMoves {
    /// Every perfect move: of the best value, then with the shortest win or the longest loss; all drawing moves where the
    /// value is a draw.
    pub fn best(&self) -> &[RankedMove] {
        let preference = self.first().map(|best| best.score.preference());
        let end = self.iter().position(|ranked| Some(ranked.score.preference()) != preference);
        &self[..end.unwrap_or(self.length)]
    }
}

impl Deref for RankedMoves {
    type Target = [RankedMove];

    fn deref(&self) -> &[RankedMove] {
        &self.moves[..self.length]
    }
}

impl Table<'_> {
    /// All moves of a position with their worth, the best first; none where the game is over.
    ///
    /// All positions after a move lie in one row, so this costs one canonicalisation and one read a move. Nothing is
    /// allocated.
    ///
    /// # Errors
    /// As [`Table::probe`].
    pub fn moves(&self, position: Position) -> Result<RankedMoves, ProbeError> {
        let mut choices = [Choice(0); MAX_MOVES];
        let mut length = 0;
        let list = |choice| {
            if let Some(slot) = choices.get_mut(length) {
                *slot = choice;
                length += 1;
            }
        };
        self.each_choice(position, list)?;
        let choices = &mut choices[..length];
        // No two are equal, so that this keeps the order of moves among those of equal worth.
        choices.sort_unstable_by(|a, b| b.cmp(a));
        let mut ranked = RankedMoves { moves: [BLANK; MAX_MOVES], length };
        for (slot, choice) in ranked.moves.iter_mut().zip(choices) {
            *slot = choice.ranked(self.header().encoding)?;
        }
        Ok(ranked)
    }

    /// A perfect move: the first of those in [`RankedMoves::best`]; `None` where the game is over. Costs as much as
    /// [`Table::moves`] but for sorting. Nothing is allocated.
    ///
    /// # Errors
    /// As [`Table::probe`].
    pub fn best(&self, position: Position) -> Result<Option<RankedMove>, ProbeError> {
        let mut best = Choice(0);
        self.each_choice(position, |choice| best = best.max(choice))?;
        (best != Choice(0)).then(|| best.ranked(self.header().encoding)).transpose()
    }

    /// Whether the game is over in a position, and why.
    ///
    /// # Errors
    /// [`ProbeError::Position`] where the game has no such position.
    pub fn over(&self, position: Position) -> Result<Option<Over>, ProbeError> {
        self.game().check(position)?;
        Ok(self.game().over(position))
    }

    /// Calls `visit` with every move, in the order of [`crate::Game::moves`].
    ///
    /// The position after a move has the waiter's set as its mover, so its entry stands in the row of that set, and
    /// only the rank of the other set changes from move to move. In the frame of the row the mover's cells are
    /// a₀ < a₁ < …; without one of them and with a new cell y in place j the rank is
    /// Σ_{t<j} C(aₜ, t + 1) + C(y, j + 1) + Σ_{t≥j} C(aₜ, t + 2): one sum for each j, and one coefficient a move.
    #[inline(always)]
    fn each_choice(
        &self,
        position: Position,
        mut visit: impl FnMut(Choice),
    ) -> Result<(), ProbeError> {
        let game = self.game();
        let counts = game.counts(position)?;
        let (mover_line, waiter_line) = game.lines_of(position);
        if mover_line {
            game.check(position)?;
        }
        let moves_pieces = game.is_movement(counts);
        let placed = u8::from(!moves_pieces);
        let child = Counts { mover: counts.waiter, waiter: counts.mover + placed };
        let Some(index) = game.layer_index(child).filter(|_| !waiter_line) else {
            return Ok(());
        };
        let (row, image) = self.row_of_waiter(position)?;
        let images =
            self.header().symmetries.get(row.symmetry).map_or(&[][..], Permutation::images);
        let frame = Frame::new(images, row.rest, image);
        let missing = ProbeError::Damaged(LAYER_MISSING);
        let encoding = self.header().encoding;
        if encoding == Encoding::Plies8 {
            let codes = self.row_of_bytes(index, &row).ok_or(missing)?;
            let look = |from, to, column: u32| {
                let code = codes.get(column as usize).copied().unwrap_or(u8::MAX);
                let preference = PREFERENCES[usize::from(code)].into();
                visit(Choice::new(preference, from, to, code.into()));
            };
            self.each_rank(position, moves_pieces, &frame, look);
        } else {
            let start = self.row_address(index, &row).ok_or(missing)?;
            let look = |from, to, column: u32| {
                let code = self.read_code(start.wrapping_add(u64::from(column) * self.bits()));
                let code = code.unwrap_or(encoding.none());
                visit(Choice::new(preference(encoding, code), from, to, code));
            };
            self.each_rank(position, moves_pieces, &frame, look);
        }
        Ok(())
    }

    /// Where all answers are: the row of the waiter's set, and the mover's set moved by the row's symmetry.
    fn row_of_waiter(&self, position: Position) -> Result<(Row, u64), ProbeError> {
        by_chunks!(self.chunks(), C => {
            let (row, _) = self.row::<C>(position.waiter)?;
            Ok((row, self.image::<C>(&row, position.mover)))
        })
    }

    /// Calls `look` with every move (the cell it is from, or [`PLACE`], and the one it goes to, or twice [`PASS`]) and
    /// the column of the position after it.
    #[inline(always)]
    fn each_rank(
        &self,
        position: Position,
        moves_pieces: bool,
        frame: &Frame<'_>,
        mut look: impl FnMut(u8, u8, u32),
    ) {
        let game = self.game();
        let empty = game.board() & !(position.mover | position.waiter);
        if moves_pieces {
            for from in cells(position.mover) {
                let lifted = frame.below(from);
                let sums = frame.sums(lifted);
                for to in cells(game.neighbours(from) & empty) {
                    look(from, to, frame.rank_with(&sums, lifted, to));
                }
            }
            if game.rules().movement.as_ref().is_some_and(|movement| movement.stay) {
                look(PASS, PASS, frame.rank());
            }
        } else {
            let sums = frame.sums(NOTHING);
            for to in cells(game.placements(position)) {
                look(PLACE, to, frame.rank_with(&sums, NOTHING, to));
            }
        }
    }
}

/// The index of no cell of the mover.
const NOTHING: usize = usize::MAX;

/// Beyond all cells: in place of the cell a piece comes from, where it is new.
const PLACE: u8 = 0xFE;

/// Beyond all cells and after everything else: in place of both cells, a pass.
const PASS: u8 = 0xFF;

const BLANK: RankedMove =
    RankedMove { mv: Move::Pass, score: Score::Draw { kind: DrawKind::Cycle } };

/// A move and the code after it as one number: the greater the better, and the greater the earlier in the order of
/// moves. A code that is none is greater than all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Choice(u64);

impl Choice {
    #[inline(always)]
    fn new(preference: u32, from: u8, to: u8, code: u16) -> Choice {
        let later = u64::from(!u16::from_be_bytes([from, to]));
        Choice((u64::from(preference) << 32) | (later << 16) | u64::from(code))
    }

    #[inline]
    fn ranked(self, encoding: Encoding) -> Result<RankedMove, ProbeError> {
        let score = encoding.decode(self.0 as u16).ok_or(ProbeError::Damaged(NO_ENTRY))?;
        let mv = match (!((self.0 >> 16) as u16)).to_be_bytes() {
            [PASS, PASS] => Move::Pass,
            [PLACE, to] => Move::Place { to },
            [from, to] => Move::Shift { from, to },
        };
        Ok(RankedMove { mv, score: score.before() })
    }
}

/// How good a code is for the side that moved there: the same order as [`Score::preference`] of the score before it,
/// from 1; a code that is none before all.
const fn preference(encoding: Encoding, code: u16) -> u32 {
    let none = encoding.none() as u32;
    let code = code as u32;
    if matches!(encoding, Encoding::Wdl) {
        return [2, 1, 3, 4][code as usize & 3];
    }
    let half = none / 2 + 1;
    let draw = code == 0 || code == half - 1;
    // A loss of the other side: the fewer plies the better. A win of it: the more the better.
    let decided = if code >= half { half + 1 + (none - code) } else { code };
    let order = if draw { half } else { decided };
    if code == none { none + 2 } else { order }
}

/// The preferences of the codes of one byte.
static PREFERENCES: [u16; 256] = {
    let mut preferences = [0; 256];
    let mut code = 0;
    while code < 256 {
        preferences[code] = preference(Encoding::Plies8, code as u16) as u16;
        code += 1;
    }
    preferences
};

/// The mover's cells in the frame of the waiter's row.
struct Frame<'t> {
    images: &'t [u8],
    /// By cell after the symmetry: its number among the cells that the representative leaves.
    places: [u8; 64],
    /// By cell after the symmetry: how many of the mover's cells are below it.
    below: [u8; 64],
    /// The places of the mover's cells, ascending.
    own: [u8; 64],
    size: usize,
}

/// The most cells of a mover, and one.
const MAX_PIECES: usize = MAX_CELLS as usize / 2 + 1;

impl<'t> Frame<'t> {
    #[inline(always)]
    fn new(images: &'t [u8], rest: u64, mover: u64) -> Frame<'t> {
        let (mut places, mut below, mut own) = ([0; 64], [0; 64], [0; 64]);
        let (mut place, mut size) = (0, 0);
        for (cell, (its_place, its_below)) in
            places.iter_mut().zip(&mut below).enumerate().take(images.len())
        {
            (*its_place, *its_below) = (place, size);
            own[usize::from(size) & 63] = place;
            place += (rest >> cell & 1) as u8;
            size += (mover >> cell & 1) as u8;
        }
        Frame { images, places, below, own, size: usize::from(size) }
    }

    /// How many of the mover's cells are below the image of `cell`: the index of `cell` itself if it is one of them.
    #[inline(always)]
    fn below(&self, cell: u8) -> usize {
        usize::from(self.below[self.image(cell)])
    }

    #[inline(always)]
    fn image(&self, cell: u8) -> usize {
        usize::from(self.images.get(usize::from(cell)).copied().unwrap_or(0)) & 63
    }

    /// For each place of a new cell among the mover's cells without number `lifted`, what these add to the rank.
    #[inline(always)]
    fn sums(&self, lifted: usize) -> [u32; MAX_PIECES] {
        let mut sums = [0u32; MAX_PIECES];
        let (mut low, mut high) = (0u32, 0u32);
        let left = self.size.min(MAX_PIECES - 1) - usize::from(lifted < self.size);
        let cell = |index: usize| self.own[(index + usize::from(index >= lifted)) & 63];
        for (index, sum) in sums.iter_mut().enumerate().take(left) {
            *sum = low;
            low = low.wrapping_add(choose(cell(index), index + 1));
        }
        sums[left] = low;
        for index in (0..left).rev() {
            high = high.wrapping_add(choose(cell(index), index + 2));
            sums[index] = sums[index].wrapping_add(high);
        }
        sums
    }

    /// The rank with the new cell `to`.
    #[inline(always)]
    fn rank_with(&self, sums: &[u32; MAX_PIECES], lifted: usize, to: u8) -> u32 {
        let image = self.image(to);
        let below = usize::from(self.below[image]);
        let index = below - usize::from(below > lifted);
        sums[index.min(MAX_PIECES - 1)].wrapping_add(choose(self.places[image], index + 1))
    }

    /// The rank of the mover's cells as they are.
    #[inline(always)]
    fn rank(&self) -> u32 {
        let own = self.own.iter().take(self.size).enumerate();
        own.fold(0u32, |sum, (index, &place)| sum.wrapping_add(choose(place, index + 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_preferred_as_their_scores_are() {
        for encoding in [Encoding::Plies8, Encoding::Plies16, Encoding::Wdl] {
            let step = usize::from(encoding.none()).div_ceil(300);
            let codes = (0..encoding.none()).step_by(step).chain([encoding.none() - 1]);
            for (a, b) in codes.clone().flat_map(|a| codes.clone().map(move |b| (a, b))) {
                let score = |code| encoding.decode(code).unwrap().before().preference();
                assert_eq!(
                    preference(encoding, a).cmp(&preference(encoding, b)),
                    score(a).cmp(&score(b)),
                    "{encoding:?} {a} {b}"
                );
                assert!(preference(encoding, a) < preference(encoding, encoding.none()));
                assert!(preference(encoding, a) > 0);
            }
        }
    }

    #[test]
    fn a_choice_keeps_its_move() {
        let moves = [
            (PLACE, 35, Move::Place { to: 35 }),
            (0, 35, Move::Shift { from: 0, to: 35 }),
            (PASS, PASS, Move::Pass),
        ];
        for (from, to, mv) in moves {
            let choice = Choice::new(1, from, to, 128);
            assert_eq!(choice.ranked(Encoding::Plies8).unwrap().mv, mv);
        }
    }
}
