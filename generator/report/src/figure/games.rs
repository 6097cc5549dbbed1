//! A comparison of games: a row for each with its value at the start, its entries, its longest win, its share of draws, and the
//! CPU time of solving it.

use super::{Logarithmic, RIGHT, WIDTH, figure, rectangle, rounded, text};
use crate::census::Totals;
use crate::error::ReportError;
use crate::words::{grouped, in_words};
use morpion_games::catalogue::Table;
use std::time::Duration;
use svg::Node;
use svg::node::element::{Group, Line, Title};

/// The numbers of one game.
#[derive(Clone, Debug)]
pub struct Row {
    name: String,
    entries: u64,
    solved: Option<Solved>,
    cpu: Option<Duration>,
}

/// The results of a game with a table.
#[derive(Clone, Debug)]
struct Solved {
    start: String,
    longest_win: Option<u16>,
    /// Share of the valid arrangements.
    draws: f64,
}

impl Row {
    /// The row of a game without a table. Only its number of entries is known.
    #[must_use]
    pub fn unbuilt(name: &str, entries: u64) -> Row {
        Row { name: name.into(), entries, solved: None, cpu: None }
    }

    /// Reads the row of a table; `cpu` is the CPU time of solving the game, if it was measured.
    ///
    /// # Errors
    /// If the table is damaged.
    pub fn of(table: &Table, cpu: Option<Duration>) -> Result<Row, ReportError> {
        let totals = Totals::of(table)?;
        let draws = totals.draws_end + totals.draws_cycle;
        let all = draws + totals.wins.iter().sum::<u64>() + totals.losses.iter().sum::<u64>();
        let solved = Solved {
            start: in_words(table.probe(table.game().start().raw)?),
            longest_win: totals.longest_win.map(|deepest| deepest.plies),
            draws: draws as f64 / all.max(1) as f64,
        };
        let name = table.game().name().to_owned();
        Ok(Row { name, entries: table.raw().header().entries(), solved: Some(solved), cpu })
    }
}

const FIRST: f64 = 84.0;
const STEP: f64 = 22.0;
/// Left ends of the columns of bars, and their length.
const COLUMNS: [f64; 4] = [250.0, 402.0, 530.0, 630.0];
const LENGTH: f64 = 60.0;

/// Draws the comparison.
#[must_use]
pub fn draw(rows: &[Row]) -> String {
    let height = FIRST + STEP * rows.len() as f64 + 40.0;
    let subtitle =
        "start: under perfect play, for the side to move; draws: of all valid arrangements";
    let mut document = figure(height, 16.0, "Solved games", subtitle);
    let heads = [
        (16.0, "game"),
        (136.0, "start"),
        (COLUMNS[0], "entries (log)"),
        (COLUMNS[1], "longest win, plies"),
        (COLUMNS[2], "draws, %"),
        (COLUMNS[3], "CPU time, s (log)"),
    ];
    for (x, head) in heads {
        document.append(text(x, FIRST - 14.0, head).set("font-weight", "bold"));
    }
    let entries = Logarithmic::new(LENGTH, rows.iter().map(|row| row.entries));
    let micros = |cpu: Duration| cpu.as_micros() as u64;
    let times = Logarithmic::new(LENGTH, rows.iter().filter_map(|row| row.cpu.map(micros)));
    let longest = |row: &Row| row.solved.as_ref().and_then(|solved| solved.longest_win);
    let most = rows.iter().filter_map(longest).max().unwrap_or(1).max(1);
    for (index, row) in rows.iter().enumerate() {
        let y = FIRST + STEP * index as f64;
        document.append(rule(y - 4.0));
        document.append(text(16.0, y + 11.0, &row.name));
        let start = row.solved.as_ref().map_or("not built", |solved| &solved.start);
        document.append(text(136.0, y + 11.0, start));
        let mut bar = |column: usize, class: &str, length: f64, words: String| {
            document.append(bar(COLUMNS[column], y, class, length, &words));
        };
        bar(0, "reached", entries.at(row.entries), grouped(row.entries));
        if let Some(plies) = longest(row) {
            bar(1, "win", f64::from(plies) / f64::from(most) * LENGTH, plies.to_string());
        }
        if let Some(solved) = &row.solved {
            let percent = 100.0 * solved.draws;
            bar(2, "draw", solved.draws * LENGTH, format!("{percent:.1}"));
        }
        if let Some(cpu) = row.cpu {
            bar(3, "all", times.at(micros(cpu)), seconds(cpu));
        }
    }
    document.append(rule(FIRST + STEP * rows.len() as f64 - 4.0));
    let note = "An empty place: not built, without distances or without wins, or not solved for this figure.";
    document.append(text(16.0, height - 16.0, note));
    format!("{document}\n")
}

/// A bar and its number to the right.
fn bar(x: f64, y: f64, class: &str, length: f64, number: &str) -> Group {
    Group::new()
        .add(rectangle(class, x, y, length.max(0.5), 14.0).add(Title::new(number)))
        .add(text(x + length + 4.0, y + 11.0, number).set("font-size", 10))
}

/// Formats a time in seconds, with about two significant digits if it is short.
fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let decimals = match seconds {
        ..0.1 => 4,
        ..100.0 => 2,
        _ => 0,
    };
    format!("{seconds:.decimals$}")
}

/// A line between two rows.
fn rule(y: f64) -> Line {
    let y = rounded(y);
    Line::new()
        .set("class", "grid")
        .set("x1", WIDTH - RIGHT)
        .set("y1", y)
        .set("x2", RIGHT)
        .set("y2", y)
}
