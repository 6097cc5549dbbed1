//! `/api/v1/rules`: games described by a visitor.
//!
//! Describes the game of a rule file, lists its moves, solves it and returns its table, with which the page answers queries, or
//! judges it. The server stores nothing: every request contains the rules. Files are neither read nor written.

use crate::interface::body::Body;
use crate::job::{Job, alone};
use crate::library::APPRAISED;
use crate::refusal::Refusal;
use crate::routes::games::given;
use crate::routes::play::{SEARCH, unjudged};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use morpion_core::Game;
use morpion_games::catalogue::Table;
use morpion_games::reach::walk::arrangements;
use morpion_games::rules::{self, NamedGame};
use morpion_play::appraisal::{Appraisal, appraise};
use morpion_play::dice::Dice;
use morpion_play::players::{Question, parse};
use morpion_report::description::{Description, Shape};
use morpion_solver::error::SolveError;
use morpion_solver::layout::Layout;
use morpion_solver::table;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Maximum length of the rules, in characters.
const RULES: usize = 16 << 10;

/// Maximum entries of a game that is solved. It takes about a second on two cores, and ten megabytes.
const ENTRIES: u64 = 6_000_000;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OwnRules {
    /// A rule file in TOML.
    #[schemars(length(max = 16384))]
    rules: String,
}

impl Body for OwnRules {
    const EXAMPLE: &str =
        r#"{"rules": "name = \"mine\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3"}"#;
    const IS_CHECKED: bool = true;
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Outline {
    /// The game's name.
    game: String,
    /// One-line description.
    title: String,
    /// Number of cells.
    cells: u8,
    /// Pieces of each side; `null` if play ends when the board is full.
    pieces: Option<u8>,
    /// `true` if pieces move after they are placed.
    moving: bool,
    start: OutlineStart,
    #[serde(flatten)]
    shape: Shape,
    /// Number of ways to put the pieces on the board.
    arrangements: f64,
    /// Number of entries of its table; `null` if no table has so many.
    entries: Option<u64>,
    /// `true` if the game is small enough to be solved by the server.
    small: bool,
    /// Warnings for odd rules, each as `rules:LINE: KEY: …`.
    warnings: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct OutlineStart {
    /// The position as text.
    position: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OwnPosition {
    /// A rule file in TOML.
    #[schemars(length(max = 16384))]
    rules: String,
    /// A position as text. Without it, the start.
    #[serde(default, deserialize_with = "given")]
    position: Option<String>,
    /// An opponent from the list in `/api/v1/players` that needs no table, whose move is wanted too.
    #[serde(default, deserialize_with = "given")]
    player: Option<String>,
    /// Seed of its choice.
    #[serde(default)]
    seed: u64,
}

impl Body for OwnPosition {
    const EXAMPLE: &str = r#"{"rules": "name = \"mine\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3", "player": "club"}"#;
    const IS_CHECKED: bool = true;
}

/// A position without values, for games that are too large to be solved here.
#[derive(Serialize, JsonSchema)]
pub(super) struct OwnMoves {
    /// The position in canonical form.
    position: String,
    /// The end of the game; `null` while it continues.
    over: Option<&'static str>,
    /// The value of a finished game for the side to move: `win`, `loss` or `draw`.
    value: Option<&'static str>,
    /// The legal moves.
    moves: Vec<OwnMove>,
    /// The move of the opponent; `null` if none was asked for, or the game is over.
    chosen: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct OwnMove {
    /// The move as text.
    #[serde(rename = "move")]
    mv: String,
    /// The position after it.
    position: String,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Solved {
    description: Description,
    /// The bytes of its table, in Base64.
    table: String,
}

pub(super) fn outline((): (), asked: OwnRules, job: &Job) -> Result<Outline, Refusal> {
    let named = game(&asked.rules)?;
    let entries = match Layout::new(&named.game, None, job) {
        Err(SolveError::Stopped(_)) => return Err(job.given_up()),
        layout => layout.ok().map(|layout| layout.entries()),
    };
    Ok(Outline::of(&named, entries))
}

pub(super) fn moves((): (), asked: OwnPosition, _: &Job) -> Result<OwnMoves, Refusal> {
    let game = game(&asked.rules)?.game;
    let invalid = |error: &dyn std::fmt::Display| Refusal::new(422, error);
    let position = match &asked.position {
        Some(text) => game.parse_position(text).map_err(|error| invalid(&error))?,
        None => game.start(),
    };
    let over = game.end_at(position);
    let chosen = match asked.player.filter(|_| over.is_none()) {
        Some(name) => {
            let player = parse(&name).map_err(|error| invalid(&error))?;
            let question =
                Question { game: &game, position: position.raw, table: None, limit: Some(SEARCH) };
            let chosen = player.choose(&question, &mut Dice::new(asked.seed));
            Some(game.format_move(chosen.map_err(|error| invalid(&error))?.0))
        }
        None => None,
    };
    let next =
        |mv| OwnMove { mv: game.format_move(mv), position: game.after(position, mv).to_string() };
    Ok(OwnMoves {
        position: position.to_string(),
        over: over.map(|over| over.name()),
        value: over.and(game.ended(position.raw)).map(|score| score.value().name()),
        moves: game.moves_at(position).map(next).collect(),
        chosen,
    })
}

pub(super) fn solve((): (), asked: OwnRules, job: &Job) -> Result<Solved, Refusal> {
    let _alone = alone()?;
    let bytes = solved(&game(&asked.rules)?.game, job)?;
    let encoded = STANDARD.encode(&bytes);
    let description = Description::of(&Table::from_source(bytes.into())?)?;
    Ok(Solved { description, table: encoded })
}

pub(super) fn judge((): (), asked: OwnRules, job: &Job) -> Result<Appraisal, Refusal> {
    let _alone = alone()?;
    let bytes = solved(&game(&asked.rules)?.game, job)?;
    let table = Table::from_source(bytes.into())?;
    appraise(&table, APPRAISED, job).map_err(|error| unjudged(error, job))
}

/// Reads rules.
///
/// # Errors
/// 400 if they are longer than [`RULES`] characters, 422 with all faults, one a line, if they are invalid.
fn game(text: &str) -> Result<NamedGame, Refusal> {
    Refusal::beyond(400, [text.chars().count(), RULES], "characters of rules")?;
    rules::parse_named("rules", text).map_err(|error| Refusal::new(422, error))
}

impl Outline {
    /// Describes a game by its rules and the number of its entries.
    fn of(named: &NamedGame, entries: Option<u64>) -> Outline {
        let (game, rules) = (&named.game, &named.rules);
        Outline {
            game: rules.name.clone(),
            title: rules.title.clone(),
            cells: game.cells(),
            pieces: rules.pieces,
            moving: rules.movement.is_some(),
            start: OutlineStart { position: game.start().to_string() },
            shape: Shape::of(game),
            arrangements: arrangements(game) as f64,
            entries,
            small: entries.is_some_and(|entries| entries <= ENTRIES),
            warnings: named.warnings(),
        }
    }
}

/// Solves a game in memory. Returns its table.
///
/// # Errors
/// 422 if it is too large, 503 if the job gives up.
fn solved(game: &Game, job: &Job) -> Result<Vec<u8>, Refusal> {
    let too_large = |refusal: Refusal| {
        Refusal::new(422, refusal.message() + ": morpion build FILE.toml solves larger games")
    };
    let refuse = |error: SolveError| match error {
        SolveError::Stopped(_) => job.given_up(),
        other => Refusal::new(422, other),
    };
    let entries = Layout::new(game, None, job).map_err(refuse)?.entries();
    Refusal::beyond(422, [entries, ENTRIES], "entries").map_err(too_large)?;
    table::solve(game, job).map_err(refuse)
}
