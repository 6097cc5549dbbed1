//! The legal moves of a position with their worth, and the perfect moves.
//!
//! Ranks moves, the best first. All positions after a move lie in one row, which is found once. Each move then takes the read of one entry.

use crate::chunks::{by_chunks, compress, rank};
use crate::encoding::Encoding;
use crate::error::{Damage, ProbeError};
use crate::index::{Entries, Index};
use crate::position::{MAX_MOVES, Move, Position};
use crate::rank::cells;
use crate::rank_delta::{RankDelta, Term};
use crate::reader::Access;
use crate::score::{DrawKind, Score};
use crate::symmetry::Permutation;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Deref;

/// A move and its worth to the side that makes the move. Distances are counted from the position before the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// The worth of the move.
    pub score: Score,
}

/// The moves of a position, the best first; equal moves in the order of the legal moves. Dereferences to a slice of [`RankedMove`]. The
/// moves are on the stack, unless pieces are in hand, age, take or push.
#[derive(Clone, Debug)]
pub struct RankedMoves {
    moves: [RankedMove; MAX_MOVES],
    length: usize,
    /// The moves if a position of the game may have more than [`MAX_MOVES`]; otherwise empty.
    many: Vec<RankedMove>,
}

impl RankedMoves {
    /// Every perfect move: the moves with the best value and, among these, with the shortest win or the longest loss. In a drawn position,
    /// all drawing moves.
    pub fn best(&self) -> &[RankedMove] {
        let preference = self.first().map(|best| best.score.preference());
        let end = self.iter().position(|ranked| Some(ranked.score.preference()) != preference);
        &self[..end.unwrap_or(self.len())]
    }

    /// The move of a fallible player; `None` if there are no moves. With the probability `errors`, from 0 to 1, the move is not perfect, if
    /// there are such moves. `random` is a random number, at least 0 and below 1. It decides both whether the move is perfect and which
    /// move it is. A number chooses the same move in every language.
    pub fn choose(&self, errors: f64, random: f64) -> Option<&RankedMove> {
        let (perfect, others) = self.split_at(self.best().len());
        let errors = if others.is_empty() { 0.0 } else { errors.clamp(0.0, 1.0) };
        // The random number, rescaled, is again uniform from 0 to 1 and picks the move.
        let (moves, rest) = match random < errors {
            true => (others, random / errors),
            false => (perfect, (random - errors) / (1.0 - errors)),
        };
        let index = (rest * moves.len() as f64) as usize;
        moves.get(index.min(moves.len().saturating_sub(1)))
    }
}

impl Deref for RankedMoves {
    type Target = [RankedMove];

    fn deref(&self) -> &[RankedMove] {
        if self.many.is_empty() { &self.moves[..self.length] } else { &self.many }
    }
}

impl Index {
    /// All moves of a position with their worth, the best first; none if the game is over. Two reads find the row of all positions
    /// after a move, and each move takes one more.
    ///
    /// # Errors
    /// Errors of a probe.
    pub fn ranked_moves(
        &self,
        access: Access<'_>,
        position: Position,
    ) -> Result<RankedMoves, ProbeError> {
        if !self.header.game.has_children_in_one_row() {
            let many = self.ranked_by_probes(access, position);
            return many.map(|many| RankedMoves { moves: [BLANK; MAX_MOVES], length: 0, many });
        }
        let (mut choices, mut length) = ([Choice::NONE; MAX_MOVES], 0);
        self.each_choice(access, position, |choice| {
            if let Some(slot) = choices.get_mut(length) {
                *slot = choice;
                length += 1;
            }
        })?;
        let choices = &mut choices[..length];
        // Choices contain their moves, so no two choices are equal, and an unstable sort keeps the order of moves of equal worth.
        choices.sort_unstable_by(|a, b| b.cmp(a));
        let mut ranked = RankedMoves { moves: [BLANK; MAX_MOVES], length, many: Vec::new() };
        for (slot, &choice) in ranked.moves.iter_mut().zip(&*choices) {
            *slot = self.ranked(choice)?;
        }
        Ok(ranked)
    }

    /// The ranked moves of a game in which the positions after a move may lie in several rows and layers.
    #[cold]
    fn ranked_by_probes(
        &self,
        access: Access<'_>,
        position: Position,
    ) -> Result<Vec<RankedMove>, ProbeError> {
        let game = &self.header.game;
        game.check(position)?;
        if game.end_before_moves(position).is_some() {
            return Ok(Vec::new());
        }
        let worth = |mv| {
            let score = self.probe_by(self.chunks, access, game.apply(position, mv))?.before();
            Ok(RankedMove { mv, score })
        };
        let mut ranked =
            game.moves_at(position).map(worth).collect::<Result<Vec<_>, ProbeError>>()?;
        ranked.sort_by_key(|ranked| Reverse(ranked.score.preference()));
        Ok(ranked)
    }

    /// The first perfect move; `None` if the game is over.
    ///
    /// # Errors
    /// Errors of a probe.
    pub fn best_move(
        &self,
        access: Access<'_>,
        position: Position,
    ) -> Result<Option<RankedMove>, ProbeError> {
        if !self.header.game.has_children_in_one_row() {
            return Ok(self.ranked_by_probes(access, position)?.first().copied());
        }
        let mut best = Choice::NONE;
        // Branch-free: a mispredicted branch would wait for the load of its entry and delay all later loads.
        self.each_choice(access, position, |choice| best = best.max(choice))?;
        (best != Choice::NONE).then(|| self.ranked(best)).transpose()
    }

    /// Calls `visit` with the choice of each move, in any order; never if the game is over.
    ///
    /// The position after a move has the waiter's set as its mover, so its entry is in the row of that set, and
    /// only the rank of the other set changes from move to move: see [`RankDelta`].
    #[inline(always)]
    fn each_choice(
        &self,
        access: Access<'_>,
        position: Position,
        mut visit: impl FnMut(Choice),
    ) -> Result<(), ProbeError> {
        let game = &self.header.game;
        let layer = game.layer_of_arrangement(position)?;
        let (mover_line, waiter_line) = game.have_lines(position.mover, position.waiter);
        if mover_line {
            game.check(position)?;
        }
        let next = game.graph().layers.get(layer).and_then(|layer| layer.next);
        let Some(index) = next.filter(|_| !waiter_line).map(usize::from) else {
            return Ok(());
        };
        let (row, image) = by_chunks!(self.chunks, chunks => {
            let row = self.row(chunks, access, position.waiter);
            row.map(|row| (row, self.image(chunks, &row, position.mover)))
        })?;
        let mut buffer = Vec::new();
        let entries = self.entries(access, index, &row, &mut buffer)?;
        let images = self.header.symmetries.get(row.symmetry).map_or(&[][..], Permutation::images);
        let empty = game.board() & !(position.mover | position.waiter);
        let moves = game.moves(layer);
        if moves.placements != 0 {
            let after = |to: u8| image | 1 << (images.get(usize::from(to)).unwrap_or(&0) & 63);
            by_chunks!(self.chunks, chunks => for to in cells(moves.placements & empty) {
                let (column, _) = rank(chunks, compress(chunks, after(to), row.rest));
                visit(self.choice(entries, column).of(NO_ORIGIN, to));
            });
            return Ok(());
        }
        let delta = RankDelta::new(images, row.rest, image);
        let mut landings = [Term::default(); 64];
        cells(empty).for_each(|to| landings[usize::from(to & 63)] = delta.landing(to));
        for from in cells(position.mover) {
            let lift = delta.lift(from);
            for to in cells(moves.targets(from, position)) {
                let column = lift.rank(landings[usize::from(to & 63)]);
                visit(self.choice(entries, column).of(from, to));
            }
        }
        if game.may_pass(layer, position) {
            visit(self.choice(entries, delta.rank()).of(PASS, PASS));
        }
        Ok(())
    }

    /// The choice of a move to the position in a column of a row.
    #[inline(always)]
    fn choice(&self, row: Entries<'_>, column: u32) -> Choice {
        match row {
            Entries::Bytes(codes) => {
                let code = codes.get(column as usize).unwrap_or(&u8::MAX);
                CHOICE_OF_BYTE[usize::from(*code)]
            }
            Entries::Bits(..) => Choice::new(self.header.encoding, self.code_in(row, column)),
        }
    }

    #[inline]
    fn ranked(&self, choice: Choice) -> Result<RankedMove, ProbeError> {
        let score = self.header.encoding.decode(choice.code()).ok_or(Damage::Entry)?;
        Ok(RankedMove { mv: choice.mv(), score: score.before() })
    }
}

const BLANK: RankedMove =
    RankedMove { mv: Move::Pass, score: Score::Draw { kind: DrawKind::Cycle } };

/// The origin of a new piece, as a number that is not a cell.
const NO_ORIGIN: u8 = 0xFE;

/// The origin and the target of a pass, as a number that is not a cell.
const PASS: u8 = 0xFF;

/// A move and the code of the position after the move, as one number. Better moves have greater numbers, and of equally good moves the
/// earlier has the greater number. From the highest bit on: the preference (32 bits), the complements of origin and target (8 bits each),
/// and the code (16 bits).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Choice(u64);

impl Choice {
    /// A choice that is worse than every move.
    const NONE: Choice = Choice(0);

    /// The choice of the move from 0 to 0 if the position after it has this code; [`Choice::of`] sets the move. "No such position" is
    /// preferred to every score, so that damage is noticed and not hidden by another move.
    const fn new(encoding: Encoding, code: u16) -> Choice {
        let preference = match encoding.decode_by_arithmetic(code) {
            Some(score) => Score::LOWEST.abs_diff(score.before().preference()) + 1,
            None => u32::MAX,
        };
        Choice((preference as u64) << 32 | 0xFFFF_0000 | code as u64)
    }

    /// The same choice for the move from `from` to `to`.
    #[inline(always)]
    fn of(self, from: u8, to: u8) -> Choice {
        Choice(self.0 ^ u64::from(from) << 24 ^ u64::from(to) << 16)
    }

    /// The code of the position after the move.
    fn code(self) -> u16 {
        self.0 as u16
    }

    /// The move.
    fn mv(self) -> Move {
        match (!(self.0 >> 16) as u16).to_be_bytes() {
            [PASS, _] => Move::Pass,
            [NO_ORIGIN, to] => Move::Place { to },
            [from, to] => Move::Shift { from, to },
        }
    }
}

/// The choice of each code of one byte.
static CHOICE_OF_BYTE: [Choice; 256] =
    array!(Choice::NONE; 256, |code| Choice::new(Encoding::Plies8, code as u16));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_preferred_as_their_scores_are() {
        for encoding in Encoding::ALL {
            let step = usize::from(encoding.no_position()).div_ceil(300);
            let codes =
                (0..encoding.no_position()).step_by(step).chain([encoding.no_position() - 1]);
            for (a, b) in codes.clone().flat_map(|a| codes.clone().map(move |b| (a, b))) {
                let score = |code| encoding.decode(code).unwrap().before().preference();
                let choice = |code| Choice::new(encoding, code);
                let [first, second] = [a, b].map(|code| choice(code).0 >> 32);
                assert_eq!(first.cmp(&second), score(a).cmp(&score(b)), "{encoding:?} {a} {b}");
                assert!(choice(a) < choice(encoding.no_position()).of(PASS, PASS));
                assert!(choice(a).of(PASS, PASS) > Choice::NONE);
            }
        }
    }

    #[test]
    fn a_choice_keeps_its_move_and_prefers_the_earlier() {
        let moves = [
            (0, 35, Move::Shift { from: 0, to: 35 }),
            (NO_ORIGIN, 0, Move::Place { to: 0 }),
            (NO_ORIGIN, 35, Move::Place { to: 35 }),
            (PASS, PASS, Move::Pass),
        ];
        let choices = moves.map(|(from, to, mv)| {
            let choice = Choice::new(Encoding::Plies16, 0x1234).of(from, to);
            assert_eq!((choice.mv(), choice.code()), (mv, 0x1234));
            choice
        });
        assert!(choices.is_sorted_by(|a, b| a > b));
    }
}
