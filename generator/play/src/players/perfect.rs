//! Plays perfectly from the table.

use super::player::{Choice, Player, PlayerError, keep_greatest};
use morpion_core::{Move, Position, Value};
use morpion_games::catalogue::Table;
use morpion_report::ranking::Trap;

#[derive(Clone, Copy)]
enum Style {
    First,
    Random,
    Trap,
}

/// Makes a player of the style that its parameters name.
pub fn make(parameters: Option<&str>) -> Result<Player, String> {
    let word = parameters.unwrap_or("first");
    let style = match word {
        "first" => Style::First,
        "random" => Style::Random,
        "trap" => Style::Trap,
        _ => return Err("perfect:first, perfect:random or perfect:trap".into()),
    };
    let name = format!("perfect:{word}");
    let mut player = Player::new(&name.clone(), move |question| match question.table {
        None => Err(PlayerError::Refused(format!(
            "{name} plays from a table, and there is none of this game"
        ))),
        Some(table) if !table.ends_wins() => Err(PlayerError::Refused(format!(
            "{name} needs a table with distances: with values alone it could go round in circles"
        ))),
        Some(table) => best(style, table, question.position),
    });
    player.needs_table = true;
    Ok(player)
}

/// The best moves by the table that this style plays.
fn best(style: Style, table: &Table, position: Position) -> Result<Choice, PlayerError> {
    let ranked = table.ranked_moves(position)?;
    let mut moves: Vec<Move> = ranked.best().iter().map(|ranked| ranked.mv).collect();
    match style {
        Style::First => moves.truncate(1),
        // A winning player needs no trap.
        _ if ranked.first().is_some_and(|best| best.score.value() == Value::Win) => {}
        Style::Random => {}
        Style::Trap => {
            let found = Trap::of_moves(table, position, &moves)?;
            let mut traps: Vec<(Move, Trap)> = moves.into_iter().zip(found).collect();
            keep_greatest(&mut traps, |(_, trap)| trap.hardness());
            moves = traps.into_iter().map(|(mv, _)| mv).collect();
        }
    }
    Choice::of(moves)
}
