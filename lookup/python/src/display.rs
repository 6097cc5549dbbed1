//! Drawn boards for notebooks, which show the HTML that `_repr_html_` returns.

use crate::errors::of_probe;
use crate::judge::{Fault, Judgement};
use crate::line::Line;
use crate::position::Position;
use crate::source::ask;
use crate::table::Table;
use morpion_diagram::diagram::Diagram;
use morpion_diagram::html::escaped;
use pyo3::prelude::*;

/// Limit of the boards of a line that are drawn.
const BOARDS: usize = 60;

/// Draws a position, the moves before and after it, and a caption.
fn figure(position: &Position, last: Option<&str>, next: Option<&str>, caption: &str) -> String {
    let game = position.rules();
    let read = |text: Option<&str>| text.and_then(|text| game.parse_move(text).ok());
    let (last, next) = (read(last), read(next));
    let diagram = Diagram { game, position: position.parts(), last, next, is_named: true };
    format!(
        "<figure style=\"display: inline-block; margin: .4em; text-align: center; vertical-align: top\">{}\
         <figcaption>{}</figcaption></figure>",
        diagram.document(),
        escaped(caption)
    )
}

/// Writes facts as a table of two columns.
fn facts<'f>(rows: impl IntoIterator<Item = (&'f str, String)>) -> String {
    let row = |(name, fact): (&str, String)| {
        format!("<tr><th>{}</th><td>{}</td></tr>", escaped(name), escaped(&fact))
    };
    format!("<table>{}</table>", rows.into_iter().map(row).collect::<String>())
}

/// The side to move, or the result.
fn state(position: &Position) -> String {
    let upper = |side: char| side.to_ascii_uppercase();
    match (position.winner(), position.is_over()) {
        (Some(winner), _) => format!("{} has won", upper(winner)),
        (None, true) => "draw".into(),
        (None, false) => format!("{} to move", upper(position.parts().side.letter())),
    }
}

#[pymethods]
impl Position {
    fn _repr_html_(&self) -> String {
        figure(self, None, None, &state(self))
    }
}

#[pymethods]
impl Table {
    /// `None` if the table is closed: notebooks then show the text.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let Ok(table) = self.get(py) else { return Ok(None) };
        let start = self.start(py)?;
        let answer = ask(py, &table, |table| {
            let start = table.game().start().raw;
            Ok((table.probe(start)?, table.ranked_moves(start)?))
        })?;
        let (score, ranked) = answer.map_err(|error| of_probe(py, error))?;
        let best = ranked.best().iter().map(|best| table.game().format_move(best.mv));
        let (rules, header) = (table.game().rules(), table.raw().header());
        Ok(Some(
            figure(&start, None, None, &state(&start))
                + &facts([
                    ("game", format!("{}: {}", rules.name, rules.title)),
                    ("start", score.to_string()),
                    ("best", best.collect::<Vec<_>>().join(", ")),
                    ("entries", header.entries().to_string()),
                    ("symmetries", header.symmetries.len().to_string()),
                ]),
        ))
    }
}

#[pymethods]
impl Line {
    fn _repr_html_(&self) -> String {
        let moves = std::iter::once(None).chain(self.moves.iter().map(Some)).enumerate();
        let boards = self.positions.iter().zip(moves).take(BOARDS).map(|(at, (number, last))| {
            let at = at.get();
            let caption = match last {
                Some(last) => format!("{number}. {last}"),
                None => state(at),
            };
            figure(at, last.map(String::as_str), None, &caption)
        });
        let mut html: String = boards.collect();
        let end = match (self.positions.last(), self.cycle) {
            (_, Some(0)) => "The last position repeats the first.".into(),
            (_, Some(before)) => format!("The last position repeats the one after move {before}."),
            (Some(last), None) => format!("{}.", state(last.get())),
            (None, None) => return html,
        };
        if self.positions.len() > BOARDS {
            html += &format!("<p>{} more boards.</p>", self.positions.len() - BOARDS);
        }
        html + &format!("<p>{}</p>", escaped(&end))
    }
}

#[pymethods]
impl Fault {
    fn _repr_html_(&self) -> String {
        let Fault { r#move, best, .. } = self;
        let caption = format!("{} instead of {}", r#move, best.join(", "));
        figure(self.position.get(), None, Some(r#move), &caption)
    }
}

#[pymethods]
impl Judgement {
    fn _repr_html_(&self) -> String {
        let Judgement { positions, errors, lost, slow, plies, kinds, worst } = self;
        let counts = [
            ("positions", positions.to_string()),
            ("errors", format!("{errors} ({:.1} %)", 100.0 * self.rate())),
            ("value lost", lost.to_string()),
            ("slow moves", format!("{slow}, by {plies} plies in all")),
        ];
        let kinds: Vec<(String, String)> = kinds
            .iter()
            .map(|((from, to), number)| (format!("{from} to {to}"), number.to_string()))
            .collect();
        let kinds = kinds.iter().map(|(kind, number)| (kind.as_str(), number.clone()));
        let worst: String = worst.iter().map(|fault| fault.get()._repr_html_()).collect();
        facts(counts.into_iter().chain(kinds)) + &worst
    }
}
