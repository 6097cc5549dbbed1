//! Plays perfectly from the table.

use super::player::{Choice, Player, PlayerError, PlayerKind, Turn, keep_greatest};
use morpion_lookup::{Move, Value};
use morpion_report::ranking::Trap;

pub const KIND: PlayerKind = PlayerKind {
    name: "perfect",
    usage: "perfect[:first|random|trap]",
    about: "perfect moves from the table; of equal ones the first, any, or the one that is hardest to answer",
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
            // A winning player needs no trap.
            _ if ranked.first().is_some_and(|best| best.score.value() == Value::Win) => {}
            Style::Random => {}
            Style::Trap => {
                let found = Trap::of_moves(table, turn.position, &moves)?;
                let mut traps: Vec<(Move, Trap)> = moves.into_iter().zip(found).collect();
                keep_greatest(&mut traps, |(_, trap)| trap.hardness());
                moves = traps.into_iter().map(|(mv, _)| mv).collect();
            }
        }
        Choice::of(moves)
    }

    fn needs_table(&self) -> bool {
        true
    }
}
