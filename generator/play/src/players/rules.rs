//! The beginner's rules: win, else block, else make two of three, else prefer centre, corner, side. A fork beats them.

use super::lines::{decided, nearly_made, sign, through, winning_moves};
use super::player::{Choice, PlayerError, Question, keep_greatest};
use morpion_core::{Move, Position, Value};
use std::cmp::Reverse;

pub fn consider(question: &Question<'_>) -> Result<Choice, PlayerError> {
    let Question { game, position, .. } = *question;
    let mut moves = question.moves();
    // Win. In misère, do not make a line.
    keep_greatest(&mut moves, |mv| match decided(game, position, mv) {
        Some(Value::Win) => 1,
        Some(Value::Loss) => -1,
        Some(Value::Draw) | None => 0,
    });
    if moves.iter().any(|&mv| decided(game, position, mv) == Some(Value::Win)) {
        return Choice::of(moves);
    }
    // Block: leave the other side as few winning moves as possible. Only a fork leaves a winning move.
    keep_greatest(&mut moves, |mv| Reverse(winning_moves(game, game.apply(position, mv))));
    // Make two of three with the moved piece. In misère, avoid that.
    let pairs = |mv: &Move| {
        let Position { mover: other, waiter: own } = game.apply(position, *mv);
        let without = mv.target().map_or(own, |to| own & !(1 << to));
        nearly_made(game, own, other) > nearly_made(game, without, other)
    };
    keep_greatest(&mut moves, |mv| sign(game) * i32::from(pairs(&mv)));
    // Prefer centre, then corner, then side.
    keep_greatest(&mut moves, |mv| mv.target().map_or(0, |to| through(game, to)));
    Choice::of(moves)
}
