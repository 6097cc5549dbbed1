//! The legal moves of a position with their worth, and the perfect moves.
//!
//! Ranks moves, the best first. All positions after a move lie in one row, which is found once;
//! each move then costs one entry.

use crate::children::{ChildList, Children, MoveCode, NO_ORIGIN, SIMD_LANES};
use crate::chunks::{by_chunks, compress, rank};
use crate::encoding::Encoding;
use crate::error::{Damage, ProbeError};
use crate::index::{Entries, Index};
use crate::position::MAX_CELLS;
use crate::position::{MAX_MOVES, Move, Position};
use crate::rank::cells;
use crate::rank_delta::RankDelta;
use crate::reader::Access;
use crate::score::{DrawKind, Score};
use crate::steps::Form;
use crate::symmetry::Permutation;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Deref;

/// A move and its worth to the side that makes it, counted from the position before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// Its worth.
    pub score: Score,
}

/// The moves of a position, the best first; equal moves in the order of the legal moves. A slice of [`RankedMove`] that lives on the
/// stack, unless pieces age, take or push.
#[derive(Clone, Debug)]
pub struct RankedMoves {
    moves: [RankedMove; MAX_MOVES],
    length: usize,
    /// The moves of a game that may have more of them; otherwise empty.
    many: Vec<RankedMove>,
}

impl RankedMoves {
    /// Every perfect move: of the best value, then with the shortest win or the longest loss. In a drawn position, all drawing
    /// moves.
    pub fn best(&self) -> &[RankedMove] {
        let preference = self.first().map(|best| best.score.preference());
        let end = self.iter().position(|ranked| Some(ranked.score.preference()) != preference);
        &self[..end.unwrap_or(self.len())]
    }

    /// The move of a fallible player; `None` if there are no moves. With the probability `errors`, from 0 to 1, it is one that is not
    /// perfect, if there is one. `random` is a random number from 0 to below 1. It decides both whether the move is perfect and which
    /// move it is, and the same number chooses the same move in every language.
    pub fn choose(&self, errors: f64, random: f64) -> Option<&RankedMove> {
        let (perfect, others) = self.split_at(self.best().len());
        let errors = if others.is_empty() { 0.0 } else { errors.clamp(0.0, 1.0) };
        // Rescaled, the rest of the number is uniform again and picks the move.
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
        if !self.game.is_plain() {
            return self.ranked_by_probes(access, position);
        }
        self.answer(access, position, |children| {
            let mut choices = [Choice::NONE; MAX_MOVES];
            let choices = &mut choices[..children.columns.len()];
            self.each_choice(&children, |index, choice| choices[index] = choice);
            // No two are equal, so moves of equal worth keep their order.
            choices.sort_unstable_by(|a, b| b.cmp(a));
            let length = choices.len();
            let mut ranked = RankedMoves { moves: [BLANK; MAX_MOVES], length, many: Vec::new() };
            for (slot, &choice) in ranked.moves.iter_mut().zip(&*choices) {
                *slot = self.ranked(&children, choice)?;
            }
            Ok(ranked)
        })
    }

    /// The ranked moves of a game in which the positions after a move may lie in several rows and layers.
    #[cold]
    fn ranked_by_probes(
        &self,
        access: Access<'_>,
        position: Position,
    ) -> Result<RankedMoves, ProbeError> {
        let game = &self.game;
        game.check(position)?;
        let moves = game.legal_moves(position).filter(|_| game.over(position).is_none());
        let worth = |mv| {
            let score = self.probe_by(self.chunks, access, game.apply(position, mv))?.before();
            Ok(RankedMove { mv, score })
        };
        let mut many = moves.map(worth).collect::<Result<Vec<_>, ProbeError>>()?;
        many.sort_by_key(|ranked| Reverse(ranked.score.preference()));
        Ok(RankedMoves { moves: [BLANK; MAX_MOVES], length: 0, many })
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
        if !self.game.is_plain() {
            return Ok(self.ranked_by_probes(access, position)?.first().copied());
        }
        self.answer(access, position, |children| {
            let mut best = Choice::NONE;
            // Branch-free: a branch misprediction would stall on the load of an entry, and hold up the loads after it.
            self.each_choice(&children, |_, choice| best = best.max(choice));
            (best != Choice::NONE).then(|| self.ranked(&children, best)).transpose()
        })
    }

    /// Calls `answer` with all moves and the columns of the positions after them; with no moves if the game is over.
    ///
    /// The position after a move has the waiter's set as its mover, so its entry is in the row of that set, and
    /// only the rank of the other set changes from move to move: see [`RankDelta`].
    #[inline(always)]
    fn answer<A>(
        &self,
        access: Access<'_>,
        position: Position,
        answer: impl FnOnce(Children<'_>) -> Result<A, ProbeError>,
    ) -> Result<A, ProbeError> {
        let game = &self.game;
        let layer = game.layer_of_arrangement(position)?;
        let (mover_line, waiter_line) = game.have_lines(position.mover, position.waiter);
        if mover_line {
            game.check(position)?;
        }
        let next = game.graph().layers.get(layer).and_then(|layer| layer.next);
        let Some(index) = next.filter(|_| !waiter_line).map(usize::from) else {
            return answer(ChildList::<0>::new().in_row(Entries::Bytes(&[])));
        };
        let (row, image) = by_chunks!(self.chunks, chunks => {
            let row = self.row(chunks, access, position.waiter);
            row.map(|row| (row, self.image(chunks, &row, position.mover)))
        })?;
        let mut buffer = Vec::new();
        let entries = self.entries(access, index, &row, &mut buffer)?;
        let images = self.header.symmetries.get(row.symmetry).map_or(&[][..], Permutation::images);
        let empty = game.board() & !(position.mover | position.waiter);
        match game.form(layer) {
            Form::Place(allowed) => {
                let after = |to: u8| image | 1 << (images.get(usize::from(to)).unwrap_or(&0) & 63);
                let mut list = ChildList::<{ MAX_CELLS as usize }>::new();
                by_chunks!(self.chunks, chunks => for to in cells(allowed & empty) {
                    let (column, _) = rank(chunks, compress(chunks, after(to), row.rest));
                    list.push(MoveCode::of(NO_ORIGIN, to), column);
                });
                answer(list.in_row(entries))
            }
            form @ (Form::Free | Form::Linked(_)) => {
                let delta = RankDelta::new(images, row.rest, image);
                let mut list = ChildList::<{ MAX_MOVES + SIMD_LANES }>::new();
                match form {
                    Form::Linked(targets) => list.push_shifts(targets, position, &delta),
                    _ => list.push_free(empty, position, &delta),
                }
                if game.may_pass(layer, position) {
                    list.push(MoveCode::PASS, delta.rank());
                }
                answer(list.in_row(entries))
            }
            Form::General => Err(self.no_entry(position)),
        }
    }

    /// Visits the choice of each move, with the move's index.
    #[inline(always)]
    fn each_choice(&self, children: &Children<'_>, mut visit: impl FnMut(usize, Choice)) {
        let columns = children.columns.iter().enumerate();
        match children.row {
            Entries::Bytes(codes) => columns.for_each(|(index, &column)| {
                let code = codes.get(column as usize).copied().unwrap_or(u8::MAX);
                visit(index, CHOICE_OF_BYTE[usize::from(code)].of(index));
            }),
            Entries::Bits(..) => columns.for_each(|(index, &column)| {
                let code = self.code_in(children.row, column);
                visit(index, Choice::new(self.header.encoding, code).of(index));
            }),
        }
    }

    #[inline]
    fn ranked(&self, children: &Children<'_>, choice: Choice) -> Result<RankedMove, ProbeError> {
        let damaged = || ProbeError::Damaged(Damage::Entry);
        let index = choice.index();
        let (column, code) =
            children.columns.get(index).zip(children.codes.get(index)).ok_or_else(damaged)?;
        let entry = self.code_in(children.row, *column);
        let score = self.header.encoding.decode_before(entry).ok_or_else(damaged)?;
        Ok(RankedMove { mv: code.decode(), score })
    }
}

const BLANK: RankedMove =
    RankedMove { mv: Move::Pass, score: Score::Draw { kind: DrawKind::Cycle } };

/// Order of moves: the preference of the code in the high 24 bits, 255 minus the index of the move in the low 8. The greater the better, and of equal moves the
/// earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Choice(u32);

const _: () = assert!(MAX_MOVES <= 1 << 8, "the index of a move fits the low 8 bits of a choice");

impl Choice {
    /// A choice that is worse than every move.
    const NONE: Choice = Choice(0);

    /// The choice of move 0, if the position after it has this code. "No such position" is preferred to everything, so that damage
    /// is noticed and not hidden by another move.
    const fn new(encoding: Encoding, code: u16) -> Choice {
        let preference = match encoding.decode_by_arithmetic(code) {
            Some(score) => Score::LOWEST.abs_diff(score.before().preference()) + 1,
            None => u32::MAX >> 8,
        };
        Choice(preference << 8 | 0xFF)
    }

    /// The same choice for the move `index`, which is less than [`MAX_MOVES`].
    #[inline(always)]
    fn of(self, index: usize) -> Choice {
        Choice(self.0.wrapping_sub(index as u32))
    }

    #[inline(always)]
    fn index(self) -> usize {
        (!self.0 & 0xFF) as usize
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
                let [first, second] = [a, b].map(|code| Choice::new(encoding, code));
                assert_eq!(first.cmp(&second), score(a).cmp(&score(b)), "{encoding:?} {a} {b}");
                assert!(first < Choice::new(encoding, encoding.no_position()));
                assert!(first.of(MAX_MOVES) > Choice::NONE);
            }
        }
    }
}
