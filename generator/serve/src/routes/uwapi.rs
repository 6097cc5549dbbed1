//! The universal web API of GamesCrafters, from which GamesmanUni shows games.
//!
//! Uses the viewer's terms: a draw that ends is a *tie*, and each move has the next position and its button.
//! <https://github.com/GamesCrafters/GamesCraftersUWAPI> defines the formats. The viewer contains the pictures.

use super::served::State;
use crate::interface::handler::short;
use crate::interface::part::{All, Found, Query};
use crate::library::ServedGame;
use crate::refusal::Refusal;
use axum::Router;
use morpion_lookup::raw::Travel;
use morpion_lookup::{DrawKind, Game, Move, Position, ProbeError, Score};
use morpion_report::description::Summary;
use morpion_report::geometry::points;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// Every game has one variant.
const VARIANT: &str = "regular";

/// Remoteness of a draw by cycle, and of an end at an unknown distance.
const INFINITE: i32 = -200;
const UNKNOWN: i32 = -100;

/// Values of positions and moves, best first.
const VALUES: [&str; 4] = ["win", "tie", "draw", "lose"];

/// Version of the viewer's drawing, without animation.
const GUI: &str = "v2";

/// The routes, each with and without a slash at its end.
pub(super) fn router() -> Router<State> {
    let mut router = Router::new().route("/", short(games).serve(true));
    for slash in ["", "/"] {
        let below = |path: &str| format!("/{{game}}/{VARIANT}{path}{slash}");
        router = router
            .route(&format!("/{{game}}{slash}"), short(game).serve(true))
            .route(&below(""), short(variant).serve(true))
            .route(&below("/positions"), short(position).serve(true))
            .route(&below("/instructions"), short(instructions).serve(true));
    }
    router
}

/// Lists the games that the viewer's notation can write.
fn games(All(games): All<ServedGame>) -> Result<Value, Refusal> {
    let listed = games.iter().filter(|served| is_shown(served.table.game())).map(|served| {
        json!({ "id": served.summary.game, "name": name(served), "type": "twoPlayer", "gui": GUI })
    });
    Ok(listed.collect())
}

/// Returns true if a position is a board and a side: the viewer's notation has no pieces in hand and no ages.
fn is_shown(game: &Game) -> bool {
    !game.has_ages() && game.graph().takes.is_none()
}

/// The title of a game. The viewer shows it above the moves of a match, up to the first colon.
fn name(served: &ServedGame) -> String {
    served.summary.title.replace(':', " –")
}

fn game(Found(served): Found<ServedGame>) -> Result<Value, Refusal> {
    Ok(json!({
        "id": served.summary.game,
        "name": name(&served),
        "allowCustomVariantCreation": false,
        "supportsWinBy": false,
        "variants": [{ "id": VARIANT, "name": "Regular", "gui": GUI }],
    }))
}

fn variant(Found(served): Found<ServedGame>) -> Result<Value, Refusal> {
    let game = served.table.game();
    let start = format(game, game.start());
    Ok(json!({
        "id": VARIANT,
        "name": "Regular",
        "gui": GUI,
        "startPosition": start,
        "autoguiStartPosition": start,
        "imageAutoGUIData": pictures(game),
    }))
}

fn instructions(Found(served): Found<ServedGame>) -> Result<Value, Refusal> {
    let Summary { game, title, .. } = &served.summary;
    Ok(json!({ "instructions": format!("# {game}\n\n{title}.\n") }))
}

#[derive(Deserialize, JsonSchema)]
struct PositionQuery {
    /// The position. Without it, the start.
    p: Option<String>,
}

fn position(
    (Found(served), Query(query)): (Found<ServedGame>, Query<PositionQuery>),
) -> Result<Value, Refusal> {
    let at = read(&served, query.p.as_deref())?;
    Ok(served.ask(|| answer(&served, at))?)
}

/// Describes a position and its moves, the best one first. `deltaRemoteness` of a move is the difference of its distance
/// from the distance of the best move of equal value: how much nearer for lost moves, how much farther for all others. An end at
/// an unknown distance counts as farther than any known one.
fn answer(served: &ServedGame, at: Position) -> Result<Value, ProbeError> {
    let (table, game) = (&served.table, served.table.game());
    let mut moves = VALUES.map(|_| Vec::new());
    for best in table.ranked_moves(at)?.iter() {
        let next = table.game().after(at, best.mv);
        let (remoteness, mut shown) = rated(game, next, table.probe(next)?);
        shown["move"] = game.format_move(best.mv).into();
        shown["autoguiMove"] = button(game, best.mv).into();
        shown["moveValue"] = value(best.score).into();
        moves[rank(best.score)].push((remoteness, shown));
    }
    let (_, mut shown) = rated(game, at, table.probe(at)?);
    let mut listed = Vec::new();
    for (value, mut moves) in VALUES.into_iter().zip(moves) {
        let farthest = moves.iter().map(|(remoteness, _)| *remoteness).fold(0, i32::max);
        let far =
            |remoteness: i32| if remoteness == UNKNOWN { farthest + 1 } else { remoteness.max(0) };
        let all = moves.iter().map(|(remoteness, _)| far(*remoteness));
        let best = if value == "lose" { all.max() } else { all.min() }.unwrap_or_default();
        let delta = |remoteness: i32| (far(remoteness) - best).abs();
        moves.sort_by_key(|(remoteness, _)| delta(*remoteness));
        listed.extend(moves.into_iter().map(|(remoteness, mut shown)| {
            shown["deltaRemoteness"] = delta(remoteness).into();
            shown
        }));
    }
    shown["moves"] = listed.into();
    Ok(shown)
}

/// A position with its value for the side to move, and the number of moves to the end.
fn rated(game: &Game, position: Position, score: Score) -> (i32, Value) {
    let remoteness = match score {
        // Known even if the table has no distances.
        _ if game.over(position).is_some() => 0,
        Score::Win { plies } | Score::Loss { plies } => plies.map_or(UNKNOWN, i32::from),
        Score::Draw { kind: DrawKind::Cycle } => INFINITE,
        Score::Draw { kind: DrawKind::End } => to_the_end(game, position),
    };
    let text = format(game, position);
    let shown = json!({
        "position": text,
        "autoguiPosition": text,
        "positionValue": value(score),
        "remoteness": remoteness,
    });
    (remoteness, shown)
}

fn value(score: Score) -> &'static str {
    VALUES[rank(score)]
}

/// Rank of a value in [`VALUES`].
fn rank(score: Score) -> usize {
    match score {
        Score::Win { .. } => 0,
        Score::Draw { kind: DrawKind::End } => 1,
        Score::Draw { kind: DrawKind::Cycle } => 2,
        Score::Loss { .. } => 3,
    }
}

/// Number of moves until a draw that ends. Without movement, every play until nobody can place a piece has the same number.
fn to_the_end(game: &Game, mut position: Position) -> i32 {
    if game.has_cycles() {
        return UNKNOWN;
    }
    let mut moves = 0;
    while let Some(mv) = game.legal_moves(position).next() {
        position = game.after(position, mv);
        moves += 1;
    }
    moves
}

/// The side to move, 1 or 2, and the cells: `1_x---o---`.
fn format(game: &Game, position: Position) -> String {
    let (x, o) = position.raw.sides(position.side);
    let cells = (0..game.cells()).map(|cell| match (x >> cell & 1, o >> cell & 1) {
        (0, 0) => '-',
        (_, 0) => 'x',
        _ => 'o',
    });
    let turn = if position.side == game.start().side { "1_" } else { "2_" };
    turn.chars().chain(cells).collect()
}

/// Reads the output of [`format`], or a position in the notation of this project.
fn read(served: &ServedGame, text: Option<&str>) -> Result<Position, Refusal> {
    let game = served.table.game();
    let (turn, cells) = match text.and_then(|text| text.split_once('_')) {
        Some(("1", cells)) => (game.start().side, cells),
        Some(("2", cells)) => (game.start().side.other(), cells),
        _ => return served.position(text),
    };
    served.position(Some(&format!("{cells} {}", turn.letter())))
}

/// Drawing of a move's button. A pass is a word in a list.
fn button(game: &Game, mv: Move) -> String {
    match mv {
        Move::Place { to } => format!("A_-_{to}"),
        Move::Shift { from, to } | Move::Push { from, to } => format!("M_{from}_{to}"),
        Move::Take { take, .. } => format!("A_x_{take}"),
        Move::Pass => game.format_move(mv),
    }
}

/// Picture of the board and of the pieces, if the viewer has one.
fn pictures(game: &Game) -> Value {
    let drawn = matches!(
        game.rules().movement.as_ref().map(|movement| &movement.to),
        Some(Travel::Links(links)) if links.len() == 16
    );
    // Each has the picture, its size, the place of the first cell, the distance between cells, and the size of a piece.
    let points = points(game);
    let board = game.rules().board;
    let on_square = |(cell, at): (u8, &[f64; 2])| {
        board.square(cell).is_some_and(|(row, column)| *at == [column, row].map(f64::from))
    };
    let is_grid = (0..).zip(&points).all(on_square);
    let whole = |&(rows, columns): &(u8, u8)| is_grid && rows * columns == game.cells();
    let [width, height] =
        [0, 1].map(|axis| points.iter().map(|point| point[axis]).fold(0.0, f64::max) + 1.0);
    let (background, space, [x, y], step, size) = match board.grid().filter(whole) {
        Some((3, 3)) if drawn => (Some("achi/board.svg"), [100.0, 100.0], [10.0, 10.0], 40.0, 15.0),
        Some((3, 3)) => (Some("yote/grid3x3.svg"), [30.0, 40.0], [5.0, 15.0], 10.0, 9.0),
        Some((4, 4)) => (Some("tactix/grid.svg"), [4.0, 4.0], [0.5, 0.5], 1.0, 0.8),
        Some((5, 5)) => (Some("teeko/board.svg"), [600.0, 600.0], [100.0, 100.0], 100.0, 80.0),
        _ => (None, [width, height], [0.5, 0.5], 1.0, 0.8),
    };
    let centers: Vec<[f64; 2]> =
        points.iter().map(|at| [x + step * at[0], y + step * at[1]]).collect();
    let piece = |image| json!({ "image": image, "scale": size });
    let mut theme = json!({
        "space": space,
        "centers": centers,
        "charImages": {
            "x": piece("general/blackpiece.svg"),
            "o": piece("general/whitepiece.svg"),
        },
        "circleButtonRadius": 0.16 * step,
        "arrowWidth": 0.1 * step,
        "entitiesOverArrows": true,
    });
    if let Some(background) = background {
        theme["background"] = background.into();
    }
    json!({ "defaultTheme": "regular", "themes": { "regular": theme } })
}
