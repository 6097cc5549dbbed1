//! Puzzles: positions in which exactly one move wins.
//!
//! In: tables and a number. Out: the puzzle of that number, the same for the same tables: positions are drawn at random
//! from all that a game's table holds, and of the first few that fit, the one whose win takes longest is the puzzle.

use super::library::ServedGame;
use morpion_games::arrangements::{in_layer, nth};
use morpion_lookup::raw::Position;
use morpion_lookup::{ProbeError, Side, Value};
use morpion_play::dice::Dice;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The shortest win that is a puzzle: with one of a single half-move there is nothing to find.
const SHORTEST: u16 = 3;

/// How many fitting positions are collected before one is chosen, and how many are drawn at most.
const CANDIDATES: usize = 6;
const DRAWN: usize = 600;

/// The puzzles of an export: one for each day of a year and a day.
pub(crate) const EXPORTED: u64 = 366;

/// A position in which exactly one move wins.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Puzzle {
    /// The game's name.
    pub game: String,
    /// The position, whose side to move wins.
    pub position: String,
    /// Half-moves to the end under perfect play.
    pub plies: u16,
}

/// The puzzle of this number; `None` where no game has one. `check` is called between positions, and gives up where it fails.
///
/// # Errors
/// Where a table is damaged, and those of `check`.
pub(crate) fn puzzle<E: From<ProbeError>>(
    games: &[Arc<ServedGame>],
    number: u64,
    check: &dyn Fn() -> Result<(), E>,
) -> Result<Option<Puzzle>, E> {
    let mut dice = Dice::new(number);
    let first = dice.below(games.len() as u64) as usize;
    for game in games.iter().cycle().skip(first).take(games.len()) {
        if let Some(puzzle) = puzzle_of(game, &mut dice, check)? {
            return Ok(Some(puzzle));
        }
    }
    Ok(None)
}

fn puzzle_of<E: From<ProbeError>>(
    game: &ServedGame,
    dice: &mut Dice,
    check: &dyn Fn() -> Result<(), E>,
) -> Result<Option<Puzzle>, E> {
    let rules = game.table.game();
    let layers: Vec<_> =
        rules.layers().into_iter().map(|counts| (counts, in_layer(rules, counts))).collect();
    let arrangements: u64 = layers.iter().map(|(_, size)| size).sum();
    let mut found: Vec<(u16, Position)> = Vec::new();
    for _ in 0..DRAWN {
        check()?;
        let mut number = dice.below(arrangements);
        let layer = layers.iter().find(|(_, size)| {
            let is_here = number < *size;
            number -= if is_here { 0 } else { *size };
            is_here
        });
        let Some(&(counts, _)) = layer else { break };
        let position = nth(rules, counts, number);
        if rules.check(position).is_err() {
            continue;
        }
        if let Some(plies) = only_win(game, position)? {
            found.push((plies, position));
            if found.len() == CANDIDATES {
                break;
            }
        }
    }
    let deepest = found.into_iter().max_by_key(|&(plies, _)| plies);
    Ok(deepest.map(|(plies, position)| {
        let side =
            rules.side_to_move(position).unwrap_or([Side::X, Side::O][dice.below(2) as usize]);
        let position = rules.format_position(position, side);
        Puzzle { game: game.summary.game.clone(), position, plies }
    }))
}

/// The distance of a win that one move alone keeps, where the table has distances.
fn only_win(game: &ServedGame, position: Position) -> Result<Option<u16>, ProbeError> {
    let score = game.table.probe(position)?;
    let Some(plies) = score.plies().filter(|&plies| plies >= SHORTEST) else { return Ok(None) };
    if score.value() != Value::Win {
        return Ok(None);
    }
    let moves = game.table.ranked_moves(position)?;
    let winning = moves.iter().filter(|ranked| ranked.score.value() == Value::Win).count();
    Ok((winning == 1).then_some(plies))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::{All, Named};
    use crate::library::Library;

    fn library(names: &[&str]) -> All<ServedGame> {
        let tables = names.iter().map(|name| morpion_lookup::Table::builtin(name).unwrap().into());
        Library::new(tables.collect()).unwrap().all().clone()
    }

    fn numbered(library: &[Arc<ServedGame>], number: u64) -> Option<Puzzle> {
        puzzle::<ProbeError>(library, number, &|| Ok(())).unwrap()
    }

    #[test]
    fn a_puzzle_has_one_winning_move_and_is_the_same_for_the_same_number() {
        let library = library(&["classic", "tapatan", "swap"]);
        let mut games = std::collections::BTreeSet::new();
        for number in 0..100 {
            let puzzle = numbered(&library, number).unwrap();
            let game = ServedGame::find(&library, &puzzle.game).ok().unwrap();
            let position = game.table.game().parse_position(&puzzle.position).unwrap().raw;
            let moves = game.table.ranked_moves(position).unwrap();
            let winning = moves.iter().filter(|ranked| ranked.score.value() == Value::Win);
            assert_eq!(winning.count(), 1, "{puzzle:?}");
            assert_eq!(game.table.probe(position).unwrap().plies(), Some(puzzle.plies));
            assert!(puzzle.plies >= SHORTEST);
            assert_eq!(numbered(&library, number).unwrap().position, puzzle.position);
            games.insert(puzzle.game);
        }
        assert_eq!(games.len(), 3, "{games:?}");
    }

    #[test]
    fn where_nobody_wins_there_is_no_puzzle() {
        let game = morpion_games::rules::parse(
            "none",
            "name = \"none\"\n[board]\nrows = 2\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 2",
        );
        let bytes = morpion_solver::build::table::solve(
            &game.unwrap(),
            &morpion_machine::progress::Unobserved,
        );
        let table = morpion_games::catalogue::Table::from_source(bytes.unwrap().into()).unwrap();
        assert!(numbered(Library::new(vec![table]).unwrap().all(), 1).is_none());
    }
}
