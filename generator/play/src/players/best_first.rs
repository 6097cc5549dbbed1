//! Greedy: chooses the move that leaves the mover most open pairs.

use super::lines::{decided, open_pairs, sign};
use super::player::{Choice, PlayerError, Question};
use morpion_core::Value;

pub fn consider(question: &Question<'_>) -> Result<Choice, PlayerError> {
    let Question { game, position, .. } = *question;
    question.greatest(|mv| match decided(game, position, mv) {
        Some(Value::Win) => i32::MAX,
        Some(Value::Loss) => i32::MIN,
        Some(Value::Draw) | None => {
            let after = game.apply(position, mv);
            sign(game) * open_pairs(game, after.waiter, after.mover) as i32
        }
    })
}
