//! `/api/v1/players`, the moves that the players choose, the games that they play to judge a game, and `/api/v1/puzzles`:
//! positions in which only one move wins, or only one keeps the draw. The same seed gives the same move, and the same number
//! the same puzzle.

use crate::interface::answer::Written;
use crate::interface::operation::Operation;
use crate::interface::part::{ByName, Head, Part, Query};
use crate::job::{Job, alone};
use crate::library::{POSITION, ServedGame};
use crate::refusal::Refusal;
use crate::served::Served;
use morpion_games::catalogue::Table;
use morpion_play::appraisal::Appraisal;
use morpion_play::dice::Dice;
use morpion_play::players::{KINDS, PlayerError, Question, parse};
use morpion_play::puzzles::{Filter, GRADES, Puzzle, grades, puzzle as find_puzzle};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

/// The maximum number of positions that an opponent may visit for a move: about a second of work.
pub(super) const SEARCH: u64 = 3_000_000;

#[derive(Serialize, JsonSchema)]
pub(super) struct Players {
    /// The weakest first.
    players: Vec<ListedPlayer>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Player")]
struct ListedPlayer {
    /// Value for `player` in a request for a move.
    player: &'static str,
    /// Notation of the player's parameters.
    usage: &'static str,
    /// One-line description.
    title: &'static str,
}

pub(super) fn players((): ()) -> Result<Players, Refusal> {
    let listed = KINDS.iter().flat_map(|kind| {
        let listed = |player| ListedPlayer { player, usage: kind.usage, title: kind.about };
        kind.examples().map(listed)
    });
    Ok(Players { players: listed.collect() })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveQuery {
    /// A position, as in a request for its value.
    #[schemars(regex(pattern = POSITION))]
    position: Option<String>,
    /// An opponent from the list in `/api/v1/players`.
    #[schemars(example = &"perfect:first")]
    player: String,
    /// Seed of the choice: the same seed gives the same move. Without it, a random seed.
    #[schemars(example = 7)]
    seed: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Played {
    /// The game's name.
    game: String,
    /// The position in canonical form.
    position: String,
    /// The opponent in canonical form.
    player: String,
    /// Seed that gives the same move again.
    seed: u64,
    /// The move as text.
    #[serde(rename = "move")]
    mv: String,
    /// Positions visited; absent if the player does not search.
    nodes: Option<u64>,
    /// Value that the search found.
    worth: Option<i32>,
}

pub(super) fn choose(
    (ByName(served), Query(query)): (ByName<ServedGame>, Query<MoveQuery>),
    _: &Job,
) -> Result<Played, Refusal> {
    let name = served.summary.game.clone();
    let position = served.position(query.position.as_deref())?;
    let player = parse(&query.player).map_err(|error| Refusal::new(404, error))?;
    // The answer contains the seed, so it must be a whole number that JavaScript can represent.
    let seed = query.seed.unwrap_or_else(|| RandomState::new().hash_one(&name) >> 11);
    let table = &served.table;
    let game = table.game();
    let question =
        Question { game, position: position.raw, table: Some(table), limit: Some(SEARCH) };
    let chosen = player.choose(&question, &mut Dice::new(seed));
    let (mv, choice) = chosen.map_err(|error| match error {
        PlayerError::Probe(error) => error.into(),
        // The game is over, or the search would take too long.
        other => Refusal::new(404, other),
    })?;
    Ok(Played {
        position: table.game().format_position(position),
        game: name,
        player: player.name(),
        seed,
        mv: game.format_move(mv),
        nodes: choice.nodes,
        worth: choice.worth,
    })
}

pub(super) fn judge(
    ByName(game): ByName<ServedGame>,
    job: &Job,
) -> Result<Written<Appraisal>, Refusal> {
    let _alone = if game.is_appraised() { None } else { Some(alone()?) };
    Ok(Written::new(game.appraisal(job).map_err(|error| unjudged(error, job))?))
}

/// The refusal if a game cannot be judged.
pub(super) fn unjudged(error: PlayerError, job: &Job) -> Refusal {
    match error {
        PlayerError::Stopped(_) => job.given_up(),
        error @ PlayerError::NoDistances { .. } => Refusal::new(404, error),
        other => Refusal::new(500, other),
    }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Puzzles {
    /// Only games with puzzles.
    games: Vec<Graded>,
}

#[derive(Serialize, JsonSchema)]
struct Graded {
    /// The game's name.
    game: String,
    /// The grades of its puzzles, from 1 (easy) to 5 (hard). A very rare grade may be missing.
    grades: Vec<u8>,
}

pub(super) fn puzzles(served: Arc<Served>, job: &Job) -> Result<Puzzles, Refusal> {
    let mut graded = Vec::new();
    for game in served.games.iter() {
        let grades = match game.grades.get() {
            Some(grades) => grades,
            None => {
                let found = grades(&game.table, &|| job.check())?;
                game.grades.get_or_init(|| found)
            }
        };
        if !grades.is_empty() {
            graded.push(Graded { game: game.summary.game.clone(), grades: grades.clone() });
        }
    }
    Ok(Puzzles { games: graded })
}

#[derive(JsonSchema)]
pub(super) struct Number {
    /// Any number. For the puzzle of the day, use the number of days since 1 January 1970.
    #[schemars(example = 20000)]
    number: u64,
}

impl Part for Number {
    fn describe(operation: &mut Operation<'_>) {
        operation.parameters::<Number>("path");
        operation.refuses(&[400]);
    }

    fn read(head: &Head) -> Result<Number, Refusal> {
        let name = &head.name;
        let invalid = |_| Refusal::new(400, format!("number {name:?}: use a whole number"));
        name.parse().map(|number| Number { number }).map_err(invalid)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PuzzleQuery {
    /// Name of a game; without it, all games.
    #[schemars(example = &"tapatan")]
    game: Option<String>,
    /// Grade from 1 (easy) to 5 (hard); without it, all grades.
    #[schemars(example = 2, range(min = 1, max = 5))]
    grade: Option<u8>,
}

/// The number and the filter of a puzzle, and the tables with the games to choose from.
pub(super) type Asked = (Number, (Query<PuzzleQuery>, Arc<Served>));

pub(super) fn puzzle(
    (Number { number }, (Query(PuzzleQuery { game, grade }), served)): Asked,
    job: &Job,
) -> Result<Puzzle, Refusal> {
    if grade.is_some_and(|grade| !GRADES.contains(&grade)) {
        return Err(Refusal::new(400, "grade: choose one from 1 to 5"));
    }
    let tables: Vec<&Table> = served.games.iter().map(|game| &game.table).collect();
    let filter = Filter { game: game.as_deref(), grade };
    let found = find_puzzle(&tables, number, filter, &|| job.check())?;
    let none = || Refusal::new(404, "no such puzzle here; choose another game or grade");
    found.ok_or_else(none)
}
