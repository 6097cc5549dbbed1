//! `/api/v1/games`: games with a table, their positions and moves, and perfect lines of play.

use super::play;
use crate::interface::answer::{Page, Text, Written};
use crate::interface::batch::{self, Answers};
use crate::interface::body::Body;
use crate::interface::handler::{long, post, short};
use crate::interface::part::{ByName, GameName, Named, Query, unknown};
use crate::interface::routes::Routes;
use crate::job::Job;
use crate::library::{POSITION, ServedGame};
use crate::refusal::Refusal;
use crate::served::Served;
use morpion_core::Value;
use morpion_games::catalogue::standard_text;
use morpion_report::answer::Answer;
use morpion_report::description::{Description, Summary};
use morpion_report::lesson::{Lesson, page::page};
use morpion_report::line::LineAnswer;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use std::sync::Arc;

pub(super) fn add(routes: Routes) -> Routes {
    let at = |name: &str| format!("/api/v1/games/{{game}}{name}");
    routes
        .route("/api/v1/games", ["games", "All games, small ones first."], &[], short(games))
        .route(&at(""), ["game", "Rules, geometry, and census of a game."], &[], short(game))
        .route(&at("/rules"), ["ruleFile", "The rule file of a standard game."], &[], short(rules))
        .route(
            &at("/position"),
            ["position", "Values of a position and its moves."],
            &[500],
            short(position),
        )
        .route(&at("/line"), ["line", "One line of perfect play."], &[500], long(line))
        .route(
            &at("/lesson"),
            ["lesson", "A lesson for the side that wins, or draws, as a page."],
            &[422],
            long(lesson),
        )
        .route(
            &at("/move"),
            ["move", "The move that an opponent chooses."],
            &[500],
            long(play::choose),
        )
        .route(
            &at("/judge"),
            ["judge", "Facts by which to judge a game."],
            &[500],
            long(play::judge),
        )
        .route(
            &at("/positions"),
            ["positions", "Values of many positions."],
            &[500],
            post(positions),
        )
        .route(
            &at("/replay"),
            ["replay", "Values of the positions after each of some moves."],
            &[500],
            post(replay),
        )
}

impl Named for ServedGame {
    const PARAMETER: [&str; 3] = ["game", "The game's name.", "swap"];

    fn find(Served { games, .. }: &Served, name: &str) -> Result<Arc<ServedGame>, Refusal> {
        let found = games.iter().find(|game| game.summary.game == name).cloned();
        found.ok_or_else(|| unknown(name, games.iter().map(|game| game.summary.game.as_str())))
    }
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Games")]
struct GameList {
    /// Small games first.
    games: Vec<Summary>,
}

fn games(served: Arc<Served>) -> Result<GameList, Refusal> {
    Ok(GameList { games: served.games.iter().map(|game| game.summary.clone()).collect() })
}

fn game(ByName(game): ByName<ServedGame>) -> Result<Written<Description>, Refusal> {
    Ok(Written::new(game.description.clone()))
}

/// A standard game need not be served.
fn rules((name, served): (GameName, Arc<Served>)) -> Result<Text, Refusal> {
    let served = served.games.iter().find(|game| game.summary.game == name.0);
    let rules = served.map_or_else(|| standard_text(&name.0), |game| game.rules);
    let missing = || Refusal::new(404, "the rule file of this game is not in the program");
    rules.map(Text).ok_or_else(missing)
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PositionQuery {
    /// Rows from the top with `X`, `O` and `.`, separated by `/`, then a space and the side to move. The side may be
    /// omitted if the number of pieces determines it. Pieces in hand follow, of X and of O (`3/2`), or the pieces of X and
    /// of O that age, the oldest first (`c1,a2/b2`). Without a position, the start.
    #[schemars(example = &"X../.O./..X o", regex(pattern = POSITION))]
    position: Option<String>,
}

/// A position of a game.
type Asked = (ByName<ServedGame>, Query<PositionQuery>);

fn position((ByName(game), Query(query)): Asked) -> Result<Answer, Refusal> {
    let position = game.position(query.position.as_deref())?;
    Ok(game.ask(|| Answer::new(&game.table, position, true))?)
}

fn line((ByName(game), Query(query)): Asked, job: &Job) -> Result<LineAnswer, Refusal> {
    let position = game.position(query.position.as_deref())?;
    let mut line = game.table.line(position);
    for best in line.by_ref() {
        best?;
        job.check()?;
    }
    Ok(LineAnswer::new(game.table.game(), &line))
}

/// The most entries of a game with a lesson, which is then found within seconds.
const LESSON: u64 = 20_000;

fn lesson(ByName(game): ByName<ServedGame>, _: &Job) -> Result<Page, Refusal> {
    let (table, start) = (&game.table, game.table.game().start());
    Refusal::beyond(422, [table.raw().header().entries(), LESSON], "entries")?;
    let invalid = |error: &dyn std::fmt::Display| Refusal::new(422, error);
    let owner = match table.probe(start).map_err(|error| invalid(&error))?.value() {
        Value::Loss => start.side.other(),
        _ => start.side,
    };
    let lesson = Lesson::new(table, start, owner).map_err(|error| invalid(&error))?;
    let back = format!("../../../../#/{}", table.game().name());
    Ok(Page(page(table.game(), &lesson, Some(&back))))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GameBatch {
    /// Positions as text.
    positions: Vec<String>,
    /// Adds `trap` to drawing moves, as in the answer to a single position. Takes about ten times as long.
    #[serde(default)]
    traps: bool,
}

impl Body for GameBatch {
    const EXAMPLE: &str = r#"{"positions": ["X../.O./..X o", "what"]}"#;
}

fn positions(
    ByName(game): ByName<ServedGame>,
    batch: GameBatch,
    job: &Job,
) -> Result<Answers<Answer, String>, Refusal> {
    batch::answers(job, &batch.positions, |text| {
        let position = game.position(Some(text))?;
        Ok(Answer::new(&game.table, position, batch.traps)?)
    })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Replay {
    /// A position as text; without it, the start.
    #[serde(default, deserialize_with = "given")]
    #[schemars(regex(pattern = POSITION))]
    position: Option<String>,
    /// Moves as text, one after the other. The first illegal one gets an error, and ends the answers.
    moves: Vec<String>,
    /// Adds `trap` to drawing moves, as in the answer to a single position. Takes about ten times as long.
    #[serde(default)]
    traps: bool,
}

/// Reads a text that may be absent but not `null`.
pub(super) fn given<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Option<String>, D::Error> {
    String::deserialize(deserializer).map(Some)
}

impl Body for Replay {
    const EXAMPLE: &str = r#"{"position": "X../.O./..X o", "moves": ["b1", "a2"]}"#;
}

fn replay(
    ByName(served): ByName<ServedGame>,
    replay: Replay,
    job: &Job,
) -> Result<Answers<Answer, String>, Refusal> {
    let (table, game) = (&served.table, served.table.game());
    let mut at = Some(served.position(replay.position.as_deref())?);
    let answers = replay.moves.iter().map_while(|text| {
        let before = at?;
        let next = game.parse_move(text).and_then(|mv| game.play(before, mv));
        at = next.as_ref().ok().copied();
        let answer = next
            .map_err(|error| Refusal::new(404, error))
            .and_then(|next| Ok(Answer::new(table, next, replay.traps)?));
        Some((text, answer))
    });
    batch::write(job, answers)
}
