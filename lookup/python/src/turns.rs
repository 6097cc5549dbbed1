//! Plays turns of many games at once, for agents that learn: a move by its number, and the reply of a player that uses the table.

use crate::buffer::{Array, number, positions};
use crate::errors::of_probe;
use crate::rules::Game;
use crate::source::{OpenTable, ask_detached};
use crate::table::Table;
use morpion_lookup::{Position, ProbeError};
use pyo3::prelude::*;

/// The number for no action: only the table moves.
const NONE: i64 = -1;

/// A game after a turn.
struct Turn {
    position: Position,
    /// The result for the side that made the action: 1, 0 or -1; 0 while the game continues.
    reward: i8,
    is_over: bool,
}

impl Game {
    /// The result of a finished game for the side to move; `None` if the game is not over.
    fn result(&self, position: Position) -> Option<i8> {
        self.rules.end_at(position).map(|over| number(self.rules.final_score(over).value()))
    }

    /// Plays an action and the reply that `number` chooses; no reply if `number` is NaN. An illegal action loses and leaves the position
    /// unchanged.
    fn turn(
        &self,
        table: &OpenTable,
        position: Position,
        action: i64,
        (errors, number): (f64, f64),
    ) -> Result<Turn, ProbeError> {
        let mut after = position;
        if action != NONE {
            let wanted = usize::try_from(action).ok();
            let wanted = wanted.and_then(|action| self.actions_in_order().get(action));
            let Some(mv) = self.rules.legal_moves(position).find(|mv| wanted == Some(mv)) else {
                return Ok(Turn { position, reward: -1, is_over: true });
            };
            after = self.rules.apply(position, mv);
            if let Some(result) = self.result(after) {
                return Ok(Turn { position: after, reward: -result, is_over: true });
            }
        }
        if !number.is_nan() {
            let reply = table.ranked_moves(after)?.choose(errors, number).map(|chosen| chosen.mv);
            after = reply.map_or(after, |mv| self.rules.apply(after, mv));
        }
        let result = self.result(after);
        Ok(Turn { position: after, reward: result.unwrap_or(0), is_over: result.is_some() })
    }
}

#[pymethods]
impl Table {
    /// Makes a move in each position, by its 64-bit number (-1 for no move), and then the reply of a player that errs with the probability
    /// `errors`. A number of `numbers`, a float of at least 0 and below 1, chooses the reply; NaN means no reply. Returns the words after
    /// both moves, the rewards of the side that moved first (1, 0, -1), 1 for each game that is over, and the legal moves as bits. An
    /// illegal move loses.
    #[expect(clippy::too_many_arguments, reason = "the columns of a batch")]
    fn _turns(
        &self,
        py: Python<'_>,
        game: &Game,
        movers: &[u8],
        waiters: &[u8],
        actions: &[u8],
        errors: f64,
        numbers: &[u8],
    ) -> PyResult<[Array; 5]> {
        let table = self.get(py)?;
        let positions = positions(movers, waiters);
        let (actions, numbers) = (actions.as_chunks().0, numbers.as_chunks().0);
        let width = game.width();
        let mut legal = vec![0u8; positions.len() * width];
        let turns = ask_detached(py, &table, |table| {
            let columns = positions.iter().zip(actions).zip(numbers);
            let turns = columns.map(|((&position, &action), &number)| {
                let number = f64::from_ne_bytes(number);
                game.turn(table, position, i64::from_ne_bytes(action), (errors, number))
            });
            turns.collect::<Result<Vec<Turn>, ProbeError>>()
        })?;
        let turns = turns.map_err(|error| of_probe(py, error))?;
        for (turn, row) in turns.iter().zip(legal.chunks_exact_mut(width)) {
            game.rules.legal_moves(turn.position).for_each(|mv| game.mark(row, mv));
        }
        let after: Vec<Position> = turns.iter().map(|turn| turn.position).collect();
        let rewards: Vec<u8> = turns.iter().map(|turn| turn.reward as u8).collect();
        let over: Vec<u8> = turns.iter().map(|turn| turn.is_over.into()).collect();
        let [movers, waiters] = Array::pair(&after);
        let [rewards, over] = [Array::new(rewards, "b"), Array::new(over, "B")];
        Ok([movers, waiters, rewards, over, Array::rows(legal, "B", width)])
    }
}
