//! Sheets for A4, in one design: tasks with their answers on the back, and a board with pieces to cut out.

use crate::diagram::{Diagram, PIECE, UNIT, is_empty, length, piece};
use crate::html::document;
use crate::phrases::{capital, counted, rules};
use crate::worth::winner;
use maud::{Markup, html};
use morpion_core::{Game, Move, Position, ProbeError, RankedMove, Side, Situation, Value};
use morpion_games::catalogue::{Table, short_title};
use morpion_games::rules::rules_of;

/// Lengths on paper, in millimetres: the longer sides of a board to play on, of the board of a task and of an answer, the space for the
/// names of rows and columns, and the diameter of the largest piece.
const BOARD: f64 = 170.0;
const TASK: f64 = 48.0;
const ANSWER: f64 = 36.0;
const NAMES: f64 = 5.0;
const PIECES: f64 = 26.0;

/// A position in which one move alone wins, or keeps the draw.
pub struct Task<'g> {
    /// The game.
    pub game: &'g Game,
    /// The position.
    pub position: Situation,
    /// Half-moves to the win; `None` if the aim is a draw.
    pub plies: Option<u16>,
    /// The right moves, with the replies between them.
    pub solution: Vec<Move>,
    /// Words that name the task.
    pub source: String,
}

/// Writes a sheet of tasks. With `about`, the sheet begins with the start of that game and questions about it.
///
/// # Errors
/// If the table is damaged.
pub fn tasks(tasks: &[Task<'_>], about: Option<&Table>) -> Result<String, ProbeError> {
    let questions = about.map_or(Ok(Vec::new()), questions)?;
    let mut games: Vec<&Game> = about.into_iter().map(Table::game).collect();
    for task in tasks {
        if games.iter().all(|game| game.name() != task.game.name()) {
            games.push(task.game);
        }
    }
    let title = match games[..] {
        [game] => format!("{}: find the move", short_title(game)),
        _ => "Find the move".to_owned(),
    };
    let sheet = html! {
        section {
            header { h1 { (title) } span.line { "Name" } }
            @for game in &games { p.rules { b { (short_title(game)) ". " } (rules(game)) } }
            div.tasks {
                @if let Some(table) = about {
                    figure {
                        (drawn(table.game(), table.game().start(), None, TASK))
                        figcaption { @for [question, _] in &questions { (question) span.line {} } }
                    }
                }
                @for (task, number) in tasks.iter().zip(1..) {
                    figure {
                        (drawn(task.game, task.position, None, TASK))
                        figcaption {
                            b { (number) ". " (goal(task)) }
                            span.line {}
                            small { @if about.is_none() { (short_title(task.game)) ", " } (task.source) }
                        }
                    }
                }
            }
        }
        section {
            h1 { "Answers" }
            @for [question, answer] in &questions { p { (question) " " b { (answer) } } }
            @if !tasks.is_empty() { p { "Between the right moves are the replies that resist longest." } }
            div.answers { @for (task, number) in tasks.iter().zip(1..) { (answer(task, number)) } }
        }
    };
    Ok(paper(&title, &sheet))
}

fn goal(Task { position, plies, .. }: &Task<'_>) -> String {
    let side = capital(position.side);
    match plies {
        Some(plies) => {
            format!("{side} to move: win in {}.", counted(plies.div_ceil(2).into(), "move"))
        }
        None => format!("{side} to move: keep the draw."),
    }
}

fn answer(Task { game, position, solution, .. }: &Task<'_>, number: usize) -> Markup {
    let mut sides = [position.side, position.side.other()].into_iter().cycle();
    html! {
        figure {
            (drawn(game, *position, solution.first().copied(), ANSWER))
            figcaption {
                b { (number) "." }
                @for &mv in solution { " " span { (sides.next().map_or('X', capital)) " " (game.format_move(mv)) } }
            }
        }
    }
}

/// Questions about a game, with the answers of its table.
fn questions(table: &Table) -> Result<Vec<[String; 2]>, ProbeError> {
    let (game, start) = (table.game(), table.game().start());
    let score = table.probe(start)?;
    let Position { mover, waiter } = start.raw;
    let (first, second) = (start.side, start.side.other());
    let results = [
        winner(score.value(), first),
        winner(table.probe(Position { mover: waiter, waiter: mover })?.value(), second),
    ];
    let wins = |winner: Option<Side>| {
        winner.map_or("nobody wins".into(), |side| format!("{} wins", capital(side)))
    };
    let length = score.plies().map(|plies| counted(plies.div_ceil(2).into(), "move"));
    let who = match (results[0], length) {
        (None, _) => "Nobody: it is a draw.".into(),
        (winner, None) => format!("{}.", wins(winner)),
        (winner, Some(moves)) => format!("{} in {moves}.", wins(winner)),
    };
    let matters = match results {
        [one, other] if one == other => format!("No: {}, whoever begins.", wins(one)),
        [Some(one), Some(_)] => {
            format!("Yes: whoever begins {}.", if one == first { "wins" } else { "loses" })
        }
        [one, other] => {
            let [first, second] = [first, second].map(capital);
            format!("Yes: if {first} begins, {}; if {second} begins, {}.", wins(one), wins(other))
        }
    };
    Ok(vec![
        [format!("Who wins if {} begins and nobody makes a mistake?", capital(first)), who],
        ["Does it matter who begins?".into(), matters],
        ["Which first move is good?".into(), first_moves(game, &table.ranked_moves(start)?)],
    ])
}

/// Says which moves have which value, the best ones first.
fn first_moves(game: &Game, moves: &[RankedMove]) -> String {
    let value = |ranked: &RankedMove| ranked.score.value();
    let groups: Vec<_> = moves.chunk_by(|one, other| value(one) == value(other)).collect();
    let sentence = |(at, group): (usize, &&[RankedMove])| {
        let is_only = groups.len() == 1;
        let verb = match (value(&group[0]), group.len() == 1 && !is_only) {
            (Value::Win, true) => "wins",
            (Value::Win, false) => "win",
            (Value::Draw, true) => "keeps the draw",
            (Value::Draw, false) => "keep the draw",
            (Value::Loss, true) => "loses",
            (Value::Loss, false) => "lose",
        };
        let mut names: Vec<Move> = group.iter().map(|ranked| ranked.mv).collect();
        names.sort_unstable();
        let names: Vec<String> = names.into_iter().map(|mv| game.format_move(mv)).collect();
        match at + 1 == groups.len() && group.len() > 1 {
            _ if is_only => format!("All first moves {verb}."),
            true => format!("All others {verb}."),
            false => format!("{} {verb}.", names.join(", ")),
        }
    };
    groups.iter().enumerate().map(sentence).collect::<Vec<_>>().join(" ")
}

/// Writes a board to play on, its rules, and its pieces.
#[must_use]
pub fn board(game: &Game) -> String {
    let empty = Situation { raw: Position { mover: 0, waiter: 0 }, ..game.start() };
    let sheet = html! {
        section {
            h1 { (short_title(game)) }
            p.rules { (rules(game)) }
            (drawn(game, empty, None, BOARD))
        }
        div.pieces {
            h2 { "Pieces to cut out" }
            @for (side, count) in [Side::X, Side::O].into_iter().zip(pieces(game)) {
                @for number in 1..=count { (piece_to_cut(game, side, number)) }
            }
        }
        @if !is_empty(game.start()) {
            h2 { "The start" }
            (drawn(game, game.start(), None, TASK))
        }
    };
    paper(game.title(), &sheet)
}

/// The number of pieces of X and of O. If a side can own every cell, it gets as many pieces as there are cells.
fn pieces(game: &Game) -> [u8; 2] {
    let cells = game.cells();
    match rules_of(game).map(|rules| (rules.pieces, rules.movement.is_some())) {
        Some((Some(each), _)) => [each; 2],
        Some((None, false)) => [cells.div_ceil(2), cells / 2],
        Some((None, true)) | None => [cells; 2],
    }
}

/// Draws a piece with the line to cut along. Pieces that age have numbers, and leave the board in the order of their numbers.
fn piece_to_cut(game: &Game, side: Side, number: u8) -> Markup {
    let radius = PIECE + 5.0;
    let diameter = (2.0 * radius * BOARD / length(game, true)).min(PIECES);
    let [corner, width, diameter] = [-radius, 2.0 * radius, diameter.floor()];
    let height = if side == Side::X { 11.0 } else { 2.5 };
    html! {
        svg viewBox={ (corner) " " (corner) " " (width) " " (width) } width={ (diameter) "mm" } height={ (diameter) "mm" } {
            circle r=(radius - 0.5) fill="none" stroke="#888" stroke-width="0.5" stroke-dasharray="2" {}
            g fill="none" stroke-width="5" stroke-linecap="round" transform="scale(0.8)" { (piece(side, [0.0, 0.0])) }
            @if game.has_ages() { text y=(height) font-size="7" text-anchor="middle" font-family="sans-serif" { (number) } }
        }
    }
}

/// Draws a position on a board whose longer side has `side` millimetres.
fn drawn(game: &Game, position: Situation, next: Option<Move>, side: f64) -> Markup {
    let cell = UNIT * side / length(game, is_empty(position) && side == BOARD);
    Diagram { game, position, last: None, next, names: NAMES * UNIT / cell }.on_paper(cell)
}

fn paper(title: &str, sheet: &Markup) -> String {
    document(title, include_str!("sheet.css"), &html! { article.paper { (sheet) } })
}
