//! Plays from the table, and never errs.

use super::player::{Choice, Player, PlayerError, PlayerKind, Turn, keep_greatest};
use morpion_games::catalogue::Table;
use morpion_lookup::raw::Position;
use morpion_lookup::{Game, Move, ProbeError, Value};
use std::cmp::Reverse;

pub const KIND: PlayerKind = PlayerKind {
    name: "perfect",
    usage: "perfect[:first|random|trap]",
    about: "perfect moves from the table; of equal ones the first, any, or the one that leaves the fewest good answers",
    examples: &["perfect:first", "perfect:random", "perfect:trap"],
    make,
};

#[derive(Clone, Copy)]
enum Style {
    First,
    Random,
    Trap,
}

struct Perfect {
    style: Style,
}

fn make(parameters: Option<&str>) -> Result<Box<dyn Player>, String> {
    let style = match parameters {
        None | Some("first") => Style::First,
        Some("random") => Style::Random,
        Some("trap") => Style::Trap,
        Some(_) => return Err("perfect:first, perfect:random or perfect:trap".into()),
    };
    Ok(Box::new(Perfect { style }))
}

impl Player for Perfect {
    fn name(&self) -> String {
        match self.style {
            Style::First => "perfect:first",
            Style::Random => "perfect:random",
            Style::Trap => "perfect:trap",
        }
        .into()
    }

    fn consider(&self, turn: &Turn<'_>) -> Result<Choice, PlayerError> {
        let table = turn.table.ok_or_else(|| PlayerError::NoTable { player: self.name() })?;
        let ranked = table.ranked_moves(turn.position)?;
        let mut moves: Vec<Move> = ranked.best().iter().map(|ranked| ranked.mv).collect();
        match self.style {
            Style::First => moves.truncate(1),
            // A win needs no trap.
            _ if ranked.first().is_some_and(|best| best.score.value() == Value::Win) => {}
            Style::Random => {}
            Style::Trap => set_trap(turn.game, table, turn.position, &mut moves)?,
        }
        Choice::of(moves)
    }

    fn needs_table(&self) -> bool {
        true
    }
}

/// Keeps the moves after which the fewest answers keep what the other side has: its draw, or its win.
fn set_trap(
    game: &Game,
    table: &Table,
    position: Position,
    moves: &mut Vec<Move>,
) -> Result<(), ProbeError> {
    let mut answers = Vec::with_capacity(moves.len());
    for &mv in moves.iter() {
        let after = position.after(mv);
        // If the game ends, there is no reply in which to err.
        let good = if game.over(after).is_some() {
            usize::MAX
        } else {
            let replies = table.ranked_moves(after)?;
            let value = replies.first().map(|best| best.score.value());
            replies.iter().filter(|reply| Some(reply.score.value()) == value).count()
        };
        answers.push((mv, good));
    }
    keep_greatest(&mut answers, |(_, good)| Reverse(good));
    *moves = answers.into_iter().map(|(mv, _)| mv).collect();
    Ok(())
}
