//! Facts about games, side by side: a column for each game.

use crate::terminal::prelude::*;
use morpion_play::appraisal::{AgainstPerfect, Appraisal, FirstMoves, Level};
use morpion_play::arena::interval;
use morpion_report::phrases::{self, in_columns};
use std::iter;

/// Prints a column for each game. All columns have the same rows.
pub fn print(out: &mut impl Write, appraisals: &[Appraisal]) -> Result<()> {
    let Some(first) = appraisals.first() else { return Ok(()) };
    let classes = appraisals.iter().map(|appraisal| appraisal.first_moves.len()).max().unwrap_or(0);
    let columns: Vec<Vec<Field>> = appraisals.iter().map(|one| rows(one, classes.max(1))).collect();
    let row = |at: usize| {
        let cells = columns.iter().map(|column| column[at].1.clone());
        iter::once(columns[0][at].0.clone()).chain(cells).collect()
    };
    let lines: Vec<Vec<String>> = (0..columns[0].len()).map(row).collect();
    write!(out, "{}", in_columns(&lines, 1 + columns.len()))?;
    writeln!(out)?;
    for appraisal in appraisals {
        let name =
            if appraisals.len() > 1 { format!("{}: ", appraisal.game) } else { String::new() };
        for sentence in iter::once(&appraisal.verdict).chain(&appraisal.remedies) {
            write_wrapped(out, format_args!("{name}{sentence}"))?;
        }
    }
    let (_, high) = interval(0.5, first.games.into());
    let width = 100.0 * (high - 0.5);
    Ok(writeln!(out, "\nshares of games are ±{width:.1} % at most")?)
}

/// A label and its cell.
type Field = (String, String);

/// Lists the labels and cells of a game. First moves have `classes` rows, so that all games have the same number of rows.
fn rows(appraisal: &Appraisal, classes: usize) -> Vec<Field> {
    let Appraisal { game, first_moves, choices, longest_win, levels, .. } = appraisal;
    let mut rows = Vec::new();
    let mut add = |label: &str, cell: String| rows.push((label.to_owned(), cell));
    add("game", game.clone());
    add("start", in_words(appraisal.worth));
    let names: Vec<String> = first_moves.iter().map(name).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let first = first_moves.iter().zip(names);
    let first = first.map(|(class, name)| format!("{name:<width$}  {}", first_move(class)));
    let labels = iter::once("first moves").chain(iter::repeat(""));
    let first = labels.zip(first.chain(iter::repeat(String::new())));
    first.take(classes).for_each(|(label, cell)| add(label, cell));
    let longest = longest_win.as_ref();
    let longest = longest.map(|win| format!("{}  {}", phrases::plies(win.plies), win.position));
    add("longest win", longest.unwrap_or("-".into()));
    let which = if choices.sampled { "sampled positions" } else { "positions" };
    let only = percent(choices.only_moves, choices.choices);
    let share = format!("{only} of {} {which}", grouped(choices.choices));
    add("only one good move", share);
    let played = grouped(appraisal.games_played());
    add("games played", format!("{played}, {} of each pair", grouped(appraisal.games)));
    let mut section = |title: &str, cell: &dyn Fn(&Level) -> String| {
        add("", String::new());
        add(title, String::new());
        levels.iter().for_each(|level| add(&format!("  {}", level.player), cell(level)));
    };
    section("X / draw / O", &shares);
    section("half-moves", &|Level { length, .. }| {
        format!("{:.1} ({} to {})", length.mean, length.shortest, length.longest)
    });
    // In a game that a side wins, only mistakes lead to draws.
    let is_draw = appraisal.worth.value == "draw";
    section("draws thrown away", &|level| thrown(level.against_perfect.filter(|_| is_draw)));
    rows
}

/// Formats `b2`, or `a1 ×4` for four symmetric moves.
fn name(FirstMoves { moves, .. }: &FirstMoves) -> String {
    match &moves[..] {
        [] => String::new(),
        [only] => only.clone(),
        [first, ..] => format!("{first} ×{}", moves.len()),
    }
}

fn first_move(class: &FirstMoves) -> String {
    let mut text = in_words(class.worth);
    if let Some(trap) = class.trap.filter(|trap| trap.replies > 0) {
        text += &format!(", {:.0} %", 100.0 * f64::from(trap.losing) / f64::from(trap.replies));
    }
    text
}

pub fn shares(Level { results, .. }: &Level) -> String {
    let all = f64::from(results.games().max(1));
    let counts = [results.x_wins, results.draws, results.o_wins];
    let [x, draw, o] = counts.map(|count| 100.0 * f64::from(count) / all);
    let broken = match results.broken_off {
        0 => String::new(),
        games => format!(" ({} declared drawn)", grouped(games)),
    };
    format!("{x:.1} / {draw:.1} / {o:.1}{broken}")
}

fn thrown(others: Option<AgainstPerfect>) -> String {
    match others {
        Some(AgainstPerfect { drawn, draws_lost, .. }) if drawn > 0 => {
            let share = percent(draws_lost.into(), drawn.into());
            format!("{share} of {}", counted(drawn.into(), "game"))
        }
        _ => "-".into(),
    }
}

/// Formats a share in percent; `-` if `all` is 0.
pub fn percent(part: u64, all: u64) -> String {
    if all == 0 {
        return "-".into();
    }
    format!("{:.1} %", 100.0 * part as f64 / all as f64)
}
