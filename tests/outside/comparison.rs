//! A comparison of the games in which the oldest piece of a side goes: which of them is fair?

use morpion_core::{Oldest, ProbeError, Value};
use morpion_games::catalogue::Table;
use morpion_games::rules::rules_of;
use morpion_report::census::Totals;
use morpion_report::error::ReportError;
use morpion_report::phrases::{counted, grouped, in_words};
use morpion_report::ranking::{Ranked, alike, ranking};
use std::fmt::Write;

/// Compares games as a Markdown page. All of them have distances and pieces that age.
///
/// # Errors
/// If a table is damaged.
pub fn comparison(tables: &[Table]) -> Result<String, ReportError> {
    let mut rows = String::new();
    let (mut fair, mut others) = (Vec::new(), Vec::new());
    for table in tables {
        rows += &row(table)?;
        let score = table.probe(table.game().start())?;
        let list = if score.value() == Value::Draw { &mut fair } else { &mut others };
        list.push(format!("`{}`", table.game().name()));
    }
    let answer = match (fair.as_slice(), others.as_slice()) {
        ([], _) => "None of these games: one side wins each of them.".to_owned(),
        (_, []) => "All of these games: their starts are drawn.".to_owned(),
        _ => format!(
            "Fair are {}: perfect play from the start goes on forever. In the others, {}, one side wins.",
            fair.join(", "),
            others.join(", ")
        ),
    };
    Ok(format!(
        "{}\n{answer}\n\n\
         | game | board | marks | the oldest goes | start | first moves that win | drawn positions | longest win |\n\
         |---|---|---:|---|---|---:|---:|---:|\n{rows}\n{}",
        include_str!("disappearing.md"),
        first_moves(tables)?
    ))
}

/// The row of a game.
fn row(table: &Table) -> Result<String, ReportError> {
    let (game, rules) = (table.game(), rules_of(table.game()));
    let totals = Totals::of(table)?;
    let draws = totals.draws_end + totals.draws_cycle;
    let decided = totals.wins.iter().chain(&totals.losses).sum::<u64>();
    let share = 100.0 * draws as f64 / (draws + decided).max(1) as f64;
    let moves = table.ranked_moves(game.start())?;
    let wins = moves.iter().filter(|ranked| ranked.score.value() == Value::Win).count();
    let size = game
        .board_shape()
        .grid()
        .map_or(counted(game.cells().into(), "cell"), |(rows, columns)| {
            format!("{rows}×{columns}")
        });
    Ok(format!(
        "| `{}` | {size} | {} | {} | {} | {wins} of {} | {} ({share:.1} %) | {} |\n",
        game.name(),
        rules.as_ref().and_then(|rules| rules.pieces).unwrap_or(0),
        rules.and_then(|rules| rules.oldest).map_or("never", when),
        in_words(table.probe(game.start())?),
        moves.len(),
        grouped(draws),
        totals.longest_win.map_or("–".into(), |longest| longest.plies.to_string()),
    ))
}

/// The time at which the oldest piece goes.
fn when(oldest: Oldest) -> &'static str {
    match oldest {
        Oldest::First => "before the new one is placed",
        Oldest::BeforeLines => "after the placement, before lines count",
        Oldest::AfterLines => "after lines have counted",
    }
}

/// The first moves of each game, one of each set of symmetric ones.
fn first_moves(tables: &[Table]) -> Result<String, ProbeError> {
    let mut text = String::from(
        "## First moves\n\n| game | move | symmetric moves | value |\n|---|---|---|---|\n",
    );
    for table in tables {
        let game = table.game();
        let start = game.start().raw;
        for (Ranked { mv, score, .. }, moves) in alike(table, start, ranking(table, start, false)?)?
        {
            let (name, first) = (game.name(), game.format_move(mv));
            let others: Vec<String> = moves[1..].iter().map(|&mv| game.format_move(mv)).collect();
            let others = others.join(" ");
            let _ = writeln!(text, "| `{name}` | `{first}` | {others} | {} |", in_words(score));
        }
    }
    Ok(text)
}
