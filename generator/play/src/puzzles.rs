//! Puzzles: positions in which only one move wins, or only one keeps the draw, among several plausible moves.
//!
//! Returns the [`Puzzle`] with a given number, which depends only on the number and the tables. Random games are
//! played, and their positions are tried in random order.

use crate::dice::Dice;
use crate::players::lines::{decided, winning_moves};
use crate::players::{CHILD, CLUB, seen};
use morpion_core::{Game, Move, ProbeError, RankedMove, Situation, Value};
use morpion_games::catalogue::Table;
use morpion_report::ranking::ranking;
use morpion_report::sheet::{self, Task};
use serde::Serialize;
use std::collections::BTreeSet;

/// The shortest and the longest win of a puzzle, in plies. A shorter win is too obvious, and a longer win is tedious.
const PLIES_TO_WIN: std::ops::RangeInclusive<u16> = 3..=9;

/// The minimum number of plausible moves besides the right move. A forced block has no other plausible move.
const ALTERNATIVES: usize = 2;

/// The number of random games played for one puzzle of a game, and their maximum plies.
const GAMES: usize = 100;
const PLIES: usize = 36;

/// The number of random games in which [`grades`] looks for puzzles. With only [`GAMES`], it would miss some grades.
const SAMPLE: usize = 2 * GAMES;

/// The maximum number of moves to find.
pub const LONGEST: u32 = 5;

/// Grades, from the easiest to the hardest.
pub const GRADES: std::ops::RangeInclusive<u8> = 1..=5;

/// A position in which only one move wins, or only one keeps the draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Puzzle {
    /// The game's name.
    pub game: String,
    /// The position.
    pub position: String,
    /// The aim of the side to move: `win` or `draw`.
    pub value: &'static str,
    /// Half-moves to the end of a win under perfect play; `null` for a draw.
    pub plies: Option<u16>,
    /// Moves to find against the longest resistance, until several moves win or keep the draw, or the game is over.
    pub length: u32,
    /// Number of moves, besides the right move, that do not lose within 2 plies.
    pub alternatives: u32,
    /// Chance that weak players miss the first move.
    pub missed: Missed,
    /// Grade from 1 (easy) to 5 (hard).
    pub grade: u8,
}

/// Chance in percent that a player with limited foresight misses the right move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Missed {
    /// A player who sees 1 ply ahead.
    pub child: u32,
    /// A player who sees 3 plies ahead.
    pub club: u32,
}

/// Selection of puzzles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter<'a> {
    /// Only puzzles of this game.
    pub game: Option<&'a str>,
    /// Only puzzles of this grade.
    pub grade: Option<u8>,
}

impl Puzzle {
    /// The puzzle of this position; `None` if the position is not suitable.
    fn at(table: &Table, position: Situation) -> Result<Option<Puzzle>, ProbeError> {
        let moves = table.ranked_moves(position)?;
        let [right, others @ ..] = &moves[..] else { return Ok(None) };
        let (value, plies) = (right.score.value(), right.score.plies());
        let has_length =
            value != Value::Win || plies.is_some_and(|plies| PLIES_TO_WIN.contains(&plies));
        if !is_first_alone(&moves) || value == Value::Loss || !has_length {
            return Ok(None);
        }
        let game = table.game();
        let plausible = |other: &&RankedMove| !loses_at_once(game, position, other.mv);
        let alternatives = others.iter().filter(plausible).count();
        if alternatives < ALTERNATIVES {
            return Ok(None);
        }
        let puzzle = Puzzle {
            game: game.name().to_owned(),
            position: game.format_position(position),
            value: value.name(),
            plies,
            length: solution(table, position)?.len().div_ceil(2) as u32,
            alternatives: alternatives as u32,
            missed: Missed { child: missed(&moves, CHILD), club: missed(&moves, CLUB) },
            grade: 0,
        };
        Ok(Some(Puzzle { grade: grade(&puzzle), ..puzzle }))
    }
}

/// The grades of a game's puzzles, from the easiest to the hardest. A very rare grade may be missing from the list, and
/// [`puzzle`] may find no puzzle of a rare grade with some numbers.
///
/// # Errors
/// If the table is damaged.
pub fn grades(table: &Table) -> Result<Vec<u8>, ProbeError> {
    let mut found = BTreeSet::new();
    if !table.has_distances() {
        return Ok(Vec::new());
    }
    let mut dice = Dice::new(0);
    for _ in 0..SAMPLE {
        for position in random_game(table.game(), &mut dice) {
            found.extend(Puzzle::at(table, position)?.map(|puzzle| puzzle.grade));
        }
    }
    Ok(found.into_iter().collect())
}

/// Returns the puzzle with this number and the table of its game, or `None` if no game has one. Tables without distances have no
/// puzzles.
///
/// # Errors
/// If a table is damaged.
pub fn puzzle<'t>(
    tables: &[&'t Table],
    number: u64,
    filter: Filter<'_>,
) -> Result<Option<(Puzzle, &'t Table)>, ProbeError> {
    let mut dice = Dice::new(number);
    let wanted = filter.grade.unwrap_or(GRADES.start() + dice.below(5) as u8);
    let is_wanted = |table: &&Table| {
        let name = table.game().name();
        // Kinds of games that were added later have puzzles only by name, so that published numbers keep their puzzles.
        table.has_distances()
            && filter.game.map_or(table.game().has_children_in_one_row(), |wanted| wanted == name)
    };
    let mut tables: Vec<&Table> = tables.iter().copied().filter(is_wanted).collect();
    while !tables.is_empty() {
        let table = tables.swap_remove(dice.below(tables.len() as u64) as usize);
        let found = puzzle_of(table, wanted, &mut dice)?;
        if let Some(puzzle) = found
            && (filter.grade.is_none() || puzzle.grade == wanted)
        {
            return Ok(Some((puzzle, table)));
        }
    }
    Ok(None)
}

/// The number of puzzles on a sheet, and the greatest number of puzzles to try. More are tried, since games with few puzzles
/// repeat them.
const PRINTED: usize = 6;
const TRIED: u64 = 60;

/// Writes a sheet of different puzzles for A4, beginning with the number `first`. A sheet of one game has questions about the
/// game in place of one puzzle. Returns `None` if there is nothing to print.
///
/// # Errors
/// If a table is damaged.
pub fn printed(
    tables: &[&Table],
    first: u64,
    filter: Filter<'_>,
) -> Result<Option<String>, ProbeError> {
    let of = |name: &str| tables.iter().copied().find(|table| table.game().name() == name);
    let about = filter.game.and_then(of);
    let (mut puzzles, mut tasks) = (Vec::new(), Vec::new());
    for number in first..first.saturating_add(TRIED) {
        if tasks.len() + usize::from(about.is_some()) == PRINTED {
            break;
        }
        let Some((puzzle, table)) = puzzle(tables, number, filter)? else {
            // Only a grade may be missing by chance.
            if filter.grade.is_none() { break } else { continue }
        };
        if puzzles.contains(&puzzle) {
            continue;
        }
        let (game, position) = (table.game(), table.game().parse_position(&puzzle.position)?);
        let source = format!("puzzle\u{a0}{number}, grade\u{a0}{}", puzzle.grade);
        let (plies, solution) = (puzzle.plies, solution(table, position)?);
        tasks.push(Task { game, position, plies, solution, source });
        puzzles.push(puzzle);
    }
    let is_empty = tasks.is_empty() && about.is_none();
    (!is_empty).then(|| sheet::tasks(&tasks, about)).transpose()
}

/// The puzzle whose grade is nearest to `wanted`, among the puzzles in random games; `None` if they contain no puzzle.
fn puzzle_of(table: &Table, wanted: u8, dice: &mut Dice) -> Result<Option<Puzzle>, ProbeError> {
    let game = table.game();
    let mut nearest: Option<Puzzle> = None;
    for _ in 0..GAMES {
        // Positions are tried in random order, since otherwise most puzzles would be first moves.
        let mut positions = random_game(game, dice);
        while !positions.is_empty() {
            let at = dice.below(positions.len() as u64) as usize;
            let position = positions.swap_remove(at);
            let Some(puzzle) = Puzzle::at(table, position)? else { continue };
            if puzzle.grade == wanted {
                return Ok(Some(puzzle));
            }
            let distance = |puzzle: &Puzzle| puzzle.grade.abs_diff(wanted);
            if nearest.as_ref().is_none_or(|nearest| distance(&puzzle) < distance(nearest)) {
                nearest = Some(puzzle);
            }
        }
    }
    Ok(nearest)
}

/// The positions of a random game, without its first and last position.
fn random_game(game: &Game, dice: &mut Dice) -> Vec<Situation> {
    let mut position = game.start();
    let mut positions = Vec::with_capacity(PLIES);
    for _ in 0..PLIES {
        // Games that end early have few positions. So a move that ends the game is played only if every move ends it.
        let (over, others): (Vec<Move>, Vec<Move>) =
            game.moves_at(position).partition(|&mv| decided(game, position.raw, mv).is_some());
        let Some(&mv) = dice.pick(if others.is_empty() { &over } else { &others }) else { break };
        position = game.after(position, mv);
        if game.end_at(position).is_some() {
            break;
        }
        positions.push(position);
    }
    positions
}

/// The grade of a puzzle: 1, and one more for every two points. A puzzle gets one point for each move to find after the first, at
/// most 3. It gets one point for 4 plausible alternatives, and two for 8; one point if a child misses the move in 90 % of cases;
/// one point if a club player misses the move in 50 % of cases, and two in 80 %.
fn grade(puzzle: &Puzzle) -> u8 {
    let reached = |number: u32, steps: &[u32]| steps.iter().filter(|&&step| number >= step).count();
    let points = reached(puzzle.length, &[2, 3, 4])
        + reached(puzzle.alternatives, &[4, 8])
        + reached(puzzle.missed.child, &[90])
        + reached(puzzle.missed.club, &[50, 80]);
    GRADES.start() + (points / 2) as u8
}

/// The moves of a solution, with the replies that resist longest between them. The solution ends with the last move to find.
/// After this move, several moves win or keep the draw, or the game is over.
///
/// # Errors
/// If the table is damaged.
pub fn solution(table: &Table, mut position: Situation) -> Result<Vec<Move>, ProbeError> {
    let (game, mut moves) = (table.game(), Vec::new());
    for _ in 0..LONGEST {
        let Some(right) = only_move(table, position)? else { break };
        position = game.after(position, right);
        moves.push(right);
        let Some(reply) = resistance(table, position)? else { return Ok(moves) };
        position = game.after(position, reply);
        moves.push(reply);
    }
    moves.pop();
    Ok(moves)
}

/// The reply that resists longest: the longest loss, or the drawing move that is hardest to answer; `None` if the game is over.
///
/// # Errors
/// If the table is damaged.
pub fn resistance(table: &Table, position: Situation) -> Result<Option<Move>, ProbeError> {
    Ok(ranking(table, position.raw, true)?.first().map(|best| best.mv))
}

/// The only move that keeps the value of a position; `None` if several moves keep it, or if there is only one legal move.
///
/// # Errors
/// If the table is damaged.
pub fn only_move(table: &Table, position: Situation) -> Result<Option<Move>, ProbeError> {
    let moves = table.ranked_moves(position)?;
    Ok(is_first_alone(&moves).then(|| moves[0].mv))
}

/// Checks that only the first of several ranked moves keeps the value of the position.
pub(crate) fn is_first_alone(moves: &[RankedMove]) -> bool {
    let value = |at: usize| moves.get(at).map(|ranked| ranked.score.value());
    moves.len() > 1 && value(0) != value(1)
}

/// Checks that a move loses, or lets the other side win with its next move.
fn loses_at_once(game: &Game, position: Situation, mv: Move) -> bool {
    match decided(game, position.raw, mv) {
        Some(value) => value == Value::Loss,
        None => winning_moves(game, game.apply(position, mv)) > 0,
    }
}

/// Chance in percent that a player who sees `sees` plies ahead misses the first of `moves`. That player takes any later
/// end for a draw, and chooses at random among moves that look equal.
fn missed(moves: &[RankedMove], sees: u8) -> u32 {
    let seen = |ranked: &RankedMove| seen(ranked.score, sees);
    let most = moves.iter().map(seen).max().unwrap_or(0);
    let equal = moves.iter().filter(|ranked| seen(ranked) == most).count() as u32;
    match moves.first() {
        Some(right) if seen(right) == most => 100 - 100 / equal,
        _ => 100,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str) -> Table {
        morpion_lookup::Table::builtin(name).unwrap()
    }

    fn numbered(tables: &[&Table], number: u64, filter: Filter<'_>) -> Option<Puzzle> {
        puzzle(tables, number, filter).unwrap().map(|(puzzle, _)| puzzle)
    }

    #[test]
    fn a_puzzle_has_one_right_move_and_plausible_others_and_its_number_names_it() {
        let tables = ["classic", "tapatan", "swap"].map(table);
        let tables: Vec<&Table> = tables.iter().collect();
        let (mut games, mut values, mut grades) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for number in 0..100 {
            let puzzle = numbered(&tables, number, Filter::default()).unwrap();
            let is_its = |table: &&&Table| table.game().name() == puzzle.game;
            let table = tables.iter().find(is_its).unwrap();
            let position = table.game().parse_position(&puzzle.position).unwrap().raw;
            let score = table.probe(position).unwrap();
            assert_eq!((score.value().name(), score.plies()), (puzzle.value, puzzle.plies));
            assert!(puzzle.plies.is_none_or(|plies| PLIES_TO_WIN.contains(&plies)));
            let moves = table.ranked_moves(position).unwrap();
            let right = moves.iter().filter(|mv| mv.score.value() == score.value());
            assert_eq!(right.count(), 1, "{puzzle:?}");
            let lost =
                |mv: &&RankedMove| mv.score.value() == Value::Loss && mv.score.plies() <= Some(2);
            let lost = moves.iter().filter(lost).count();
            assert_eq!(puzzle.alternatives as usize, moves.len() - 1 - lost, "{puzzle:?}");
            assert!(puzzle.alternatives >= 2);
            assert_eq!(numbered(&tables, number, Filter::default()), Some(puzzle.clone()));
            games.insert(puzzle.game);
            values.insert(puzzle.value);
            grades.insert(puzzle.grade);
        }
        assert_eq!(games.len(), 3, "{games:?}");
        assert_eq!(values.len(), 2);
        assert!(grades.len() >= 3, "{grades:?}");
    }

    #[test]
    fn puzzles_are_filtered_by_game_and_grade() {
        let tables = ["classic", "tapatan", "swap"].map(table);
        let tables: Vec<&Table> = tables.iter().collect();
        for (number, (game, grade)) in
            (0..).zip([(Some("tapatan"), Some(2)), (Some("swap"), None), (None, Some(3))])
        {
            let puzzle = numbered(&tables, number, Filter { game, grade }).unwrap();
            assert!(game.is_none_or(|game| puzzle.game == game), "{puzzle:?}");
            assert!(grade.is_none_or(|grade| puzzle.grade == grade), "{puzzle:?}");
        }
        assert_eq!(numbered(&tables, 1, Filter { game: Some("rota"), grade: None }), None);
    }

    #[test]
    fn listed_grades_have_puzzles() {
        for (name, expected) in
            [("classic", 1..=3), ("rota", 1..=2), ("tapatan", 1..=4), ("shisima", 1..=3)]
        {
            let table = table(name);
            let found = grades(&table).unwrap();
            assert_eq!(found, expected.collect::<Vec<u8>>(), "{name}");
            for (number, grade) in
                (0..20).flat_map(|number| found.iter().map(move |&grade| (number, grade)))
            {
                let filter = Filter { game: Some(name), grade: Some(grade) };
                assert!(numbered(&[&table], number, filter).is_some(), "{name}, grade {grade}");
            }
        }
    }

    #[test]
    fn players_miss_moves_beyond_their_foresight() {
        let table = table("classic");
        // O has to answer the corner with the centre.
        let position = table.game().parse_position("X../.../... o").unwrap().raw;
        let moves = table.ranked_moves(position).unwrap();
        // All 8 moves look equal to players who do not see the losses after 6 and 8 plies.
        assert_eq!((missed(&moves, CHILD), missed(&moves, CLUB)), (88, 88));
        assert_eq!(missed(&moves, 9), 0);
    }
}
