//! The answers: moves with their worth, and perfect ones.

use crate::chunks::{by_chunks, choose};
use crate::error::ProbeError;
use crate::game::{Counts, Move, Over, Position};
use crate::rank::cells;
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
        let length = self.each_choice(position, 0, |length, choice| {
            choices.get_mut(length).map_or(length, |slot| {
                *slot = choice;
                length + 1
            })
        })?;
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
        // Without a branch: a wrong guess would wait for an entry to come from memory, and the reads behind it with it.
        let best = self.each_choice(position, Choice(0), |best, choice| {
            let better = u64::from(choice > best).wrapping_neg();
            Choice(best.0 & !better | choice.0 & better)
        })?;
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

    /// Folds all moves, in the order of [`crate::Game::moves`], into a state that begins as `state`.
    ///
    /// The position after a move has the waiter's set as its mover, so its entry stands in the row of that set, and
    /// only the rank of the other set changes from move to move: see [`Frame`].
    #[inline(always)]
    fn each_choice<S>(
        &self,
        position: Position,
        state: S,
        mut visit: impl FnMut(S, Choice) -> S,
    ) -> Result<S, ProbeError> {
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
            return Ok(state);
        };
        let (row, image) = self.row_of_waiter(position)?;
        let images =
            self.header().symmetries.get(row.symmetry).map_or(&[][..], Permutation::images);
        let frame = Frame::new(images, row.rest, image);
        let missing = ProbeError::Damaged(LAYER_MISSING);
        let encoding = self.header().encoding;
        if encoding == Encoding::Plies8 {
            let codes = self.row_of_bytes(index, &row).ok_or(missing)?;
            let look = |state, mv, column: u32| {
                let code = codes.get(column as usize).copied().unwrap_or(u8::MAX);
                visit(state, Choice(PREFERENCES[usize::from(code)]).of(mv))
            };
            Ok(self.each_rank(position, moves_pieces, &frame, state, look))
        } else {
            let start = self.row_address(index, &row).ok_or(missing)?;
            let look = |state, mv, column: u32| {
                let code = self.read_code(start.wrapping_add(u64::from(column) * self.bits()));
                visit(state, Choice::new(encoding, code.unwrap_or(encoding.none())).of(mv))
            };
            Ok(self.each_rank(position, moves_pieces, &frame, state, look))
        }
    }

    /// Where all answers are: the row of the waiter's set, and the mover's set moved by the row's symmetry.
    fn row_of_waiter(&self, position: Position) -> Result<(Row, u64), ProbeError> {
        by_chunks!(self.chunks(), C => {
            let (row, _) = self.row::<C>(position.waiter)?;
            Ok((row, self.image::<C>(&row, position.mover)))
        })
    }

    /// Folds all moves: calls `look` with the state, the move, as [`number`] has it, and the column of the position after it.
    #[inline(always)]
    fn each_rank<S>(
        &self,
        position: Position,
        moves_pieces: bool,
        frame: &Frame<'_>,
        mut state: S,
        mut look: impl FnMut(S, u16, u32) -> S,
    ) -> S {
        let game = self.game();
        if moves_pieces {
            let empty = game.board() & !(position.mover | position.waiter);
            let mut drops = [Drop::default(); 64];
            for cell in cells(empty) {
                drops[usize::from(cell & 63)] = frame.drop(cell);
            }
            for from in cells(position.mover) {
                let lift = frame.lift(from);
                for to in cells(game.neighbours(from) & empty) {
                    state = look(state, number(from, to), lift.rank(&drops[usize::from(to & 63)]));
                }
            }
            if game.rules().movement.as_ref().is_some_and(|movement| movement.stay) {
                state = look(state, number(PASS, PASS), frame.rank());
            }
        } else {
            let lift = frame.lift_nothing();
            for to in cells(game.placements(position)) {
                state = look(state, number(PLACE, to), lift.rank(&frame.drop(to)));
            }
        }
        state
    }
}

/// Beyond all cells: in place of the cell a piece comes from, where it is new.
const PLACE: u8 = 0xFE;

/// Beyond all cells and after everything else: in place of both cells, a pass.
const PASS: u8 = 0xFF;

const BLANK: RankedMove =
    RankedMove { mv: Move::Pass, score: Score::Draw { kind: DrawKind::Cycle } };

/// A move as a number that is smaller the earlier it comes in the order of moves.
#[inline(always)]
fn number(from: u8, to: u8) -> u16 {
    (u16::from(from) << 8) | u16::from(to)
}

/// A move and the code after it as one number: the greater the better, and the greater the earlier in the order of
/// moves. A code that is none is greater than all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Choice(u64);

impl Choice {
    /// The choice of a code, still without its move.
    const fn new(encoding: Encoding, code: u16) -> Choice {
        Choice((preference(encoding, code) as u64) << 32 | code as u64)
    }

    #[inline(always)]
    fn of(self, mv: u16) -> Choice {
        Choice(self.0 | u64::from(!mv) << 16)
    }

    #[inline]
    fn ranked(self, encoding: Encoding) -> Result<RankedMove, ProbeError> {
        let score = encoding.decode_before(self.0 as u16).ok_or(ProbeError::Damaged(NO_ENTRY))?;
        let mv = match (!((self.0 >> 16) as u16)).to_be_bytes() {
            [PASS, PASS] => Move::Pass,
            [PLACE, to] => Move::Place { to },
            [from, to] => Move::Shift { from, to },
        };
        Ok(RankedMove { mv, score })
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

/// The choices of the codes of one byte, without their moves.
static PREFERENCES: [u64; 256] = {
    let mut preferences = [0; 256];
    let mut code = 0;
    while code < 256 {
        preferences[code] = Choice::new(Encoding::Plies8, code as u16).0;
        code += 1;
    }
    preferences
};

/// The mover's cells in the frame of the waiter's row, a₀ < a₁ < … by their places there, and what ranks are made of.
///
/// A piece goes from aᵢ to y, which has b of the mover's cells below it. Behind the move, the cells below y and below aᵢ
/// keep their numbers t, those above both too; those between move by one. The rank Σ C(cell, number + 1) is thus made of
/// the sums Pₛ(b) = Σ_{t<b} C(aₜ, t + s), s = 0, 1, 2, in two parts: one that depends on y alone and one on aᵢ alone,
/// either for b ≤ i or for b > i. All modulo 2³².
struct Frame<'t> {
    images: &'t [u8],
    /// By cell after the symmetry: its number among the cells that the representative leaves.
    places: [u8; 64],
    /// By cell after the symmetry: how many of the mover's cells are below it.
    below: [u8; 64],
    /// P₀, P₁ and P₂.
    sums: [[u32; 4]; 32],
    size: usize,
}

/// A new cell of the mover: its part of the rank.
#[derive(Clone, Copy, Default)]
struct Drop {
    /// For b ≤ i and for b > i.
    terms: [u32; 2],
    below: u32,
}

/// A cell of the mover that is left: its part of the rank.
struct Lift {
    /// For b ≤ i and for b > i.
    terms: [u32; 2],
    index: u32,
}

impl Lift {
    #[inline(always)]
    fn rank(&self, drop: &Drop) -> u32 {
        let between = usize::from(drop.below > self.index);
        drop.terms[between].wrapping_add(self.terms[between])
    }
}

impl<'t> Frame<'t> {
    #[inline(always)]
    fn new(images: &'t [u8], rest: u64, mover: u64) -> Frame<'t> {
        // Filled in where it stays: copying it would take longer than filling it in.
        let mut frame =
            Frame { images, places: [0; 64], below: [0; 64], sums: [[0; 4]; 32], size: 0 };
        let (mut own, mut place, mut size) = ([0u8; 64], 0u8, 0u8);
        // Which cells are the mover's cannot be guessed, so every cell is written as if it were one.
        for cell in 0..images.len().min(64) {
            (frame.places[cell], frame.below[cell]) = (place, size);
            own[usize::from(size & 63)] = place;
            place += (rest >> cell & 1) as u8;
            size += (mover >> cell & 1) as u8;
        }
        frame.size = usize::from(size & 31);
        let mut sums = [0u32; 3];
        for (index, &cell) in own.iter().enumerate().take(frame.size) {
            for (shift, sum) in sums.iter_mut().enumerate() {
                *sum = sum.wrapping_add(choose(cell, index + shift));
            }
            frame.sums[(index + 1) & 31] = [sums[0], sums[1], sums[2], 0];
        }
        frame
    }

    #[inline(always)]
    fn image(&self, cell: u8) -> usize {
        usize::from(self.images.get(usize::from(cell)).copied().unwrap_or(0) & 63)
    }

    /// Moving a piece to the new cell `to`.
    #[inline(always)]
    fn drop(&self, to: u8) -> Drop {
        let image = self.image(to);
        let below = usize::from(self.below[image] & 31);
        let [p0, p1, p2, _] = self.sums[below];
        let term = |k: usize, plus: u32, minus: u32| {
            choose(self.places[image], k).wrapping_add(plus).wrapping_sub(minus)
        };
        Drop { terms: [term(below + 1, p1, p2), term(below, p0, p1)], below: below as u32 }
    }

    /// Moving the piece on `from`, a cell of the mover.
    #[inline(always)]
    fn lift(&self, from: u8) -> Lift {
        let index = usize::from(self.below[self.image(from)] & 31);
        let [_, p1, p2, _] = self.sums[index];
        let [next0, next1, ..] = self.sums[(index + 1) & 31];
        let all = self.rank();
        let terms =
            [p2.wrapping_add(all).wrapping_sub(next1), p1.wrapping_add(all).wrapping_sub(next0)];
        Lift { terms, index: index as u32 }
    }

    /// Placing a new piece: nothing is lifted.
    #[inline(always)]
    fn lift_nothing(&self) -> Lift {
        Lift { terms: [self.sums[self.size & 31][2]; 2], index: u32::MAX }
    }

    /// The rank of the mover's cells as they are: P₁ of all.
    #[inline(always)]
    fn rank(&self) -> u32 {
        self.sums[self.size & 31][1]
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
            let choice = Choice::new(Encoding::Plies8, 128).of(number(from, to));
            assert_eq!(choice.ranked(Encoding::Plies8).unwrap().mv, mv);
        }
    }
}
