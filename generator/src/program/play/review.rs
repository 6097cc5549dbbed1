//! Reviews a game with its table. Prints a line for each move, with mistakes marked, and a graph of the values.

use super::board::coloured;
use crate::terminal::prelude::*;
use morpion_core::{RankedMove, Side, Value};
use morpion_play::arena::Shortfall;
use morpion_play::referee::Referee;
use morpion_report::phrases::capital;
use std::fmt::Write;

/// Number of columns of the graph that fit on a line after the names of its rows.
const COLUMNS: usize = 68;

/// Maximum number of better moves that are named.
const NAMED: usize = 6;

/// The marks of mistakes, the same as on the page.
const LEGEND: &str = "\
?   a win turned into a draw, or a draw into a loss
??  a win turned into a loss";

/// The rows of the graph, by the value for X.
const ROWS: [(Value, &str); 3] =
    [(Value::Win, "X wins"), (Value::Draw, "draw"), (Value::Loss, "O wins")];

/// Reviews a game by perfect play. The referee's rules of repetition are ignored, since they change no value.
///
/// # Errors
/// If the table is damaged.
pub fn review(referee: &Referee, table: &Table) -> Result<String> {
    let game = referee.game();
    let (mut text, mut worth_to_x, mut given_away) = (String::new(), Vec::new(), Vec::new());
    let width = referee.moves().iter().map(|&mv| game.format_move(mv).len()).max().unwrap_or(0);
    for (number, &position) in (1..).zip(referee.states()) {
        let value = table.probe(position)?.value();
        worth_to_x.push(if position.side == Side::X { value } else { value.reversed() });
        let Some(&mv) = referee.moves().get(number - 1) else { break };
        let ranked = table.ranked_moves(position)?;
        let Some(played) = ranked.iter().find(|ranked| ranked.mv == mv) else { continue };
        let letter = capital(position.side);
        let (moved, worth) = (game.format_move(mv), in_words(played.score));
        let given =
            Shortfall::of(played.score, ranked.first().map_or(played.score, |best| best.score));
        let (is_mistake, mark) = (given.steps > 0, "?".repeat(given.steps.into()));
        let side = coloured(position.side, letter);
        let line = format!("{number:>3}  {side} {moved:<width$} {mark:<2}  {worth}");
        text.push_str(line.trim_end());
        if is_mistake {
            let better: Vec<&RankedMove> =
                ranked.iter().filter(|ranked| ranked.score.value() == value).collect();
            let names: Vec<String> =
                better.iter().take(NAMED).map(|ranked| game.format_move(ranked.mv)).collect();
            let more = if better.len() > NAMED { " …" } else { "" };
            let _ = write!(text, "; a {} with {}{more}", value.name(), names.join(" "));
            given_away.push(format!("{letter} the {} with move {number}", value.name()));
        }
        text.push('\n');
    }
    match &given_away[..] {
        [] => text.push_str("\nNobody gave anything away.\n"),
        all => {
            let given_away = wrapped(&format!("Given away: {}.", all.join(", ")), WIDTH);
            let _ = writeln!(text, "\n{}\n{LEGEND}", given_away.join("\n"));
        }
    }
    graph(&mut text, &worth_to_x);
    Ok(text)
}

/// Draws the values, one column per position, the start first. A long game continues below.
fn graph(text: &mut String, worth_to_x: &[Value]) {
    for part in worth_to_x.chunks(COLUMNS) {
        text.push('\n');
        for (row, name) in ROWS {
            let marks: String =
                part.iter().map(|&value| if value == row { '#' } else { '.' }).collect();
            let _ = writeln!(text, "{name:>6}  {marks}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_lookup::Table;

    #[test]
    fn mistakes_are_marked_and_lower_the_graph() {
        let table: Table = Table::builtin("classic").unwrap();
        let game = table.game();
        let mut referee = Referee::new(game);
        // O answers the centre with a side, X misses the win, and then O gives the win back.
        for mv in ["b2", "b1", "b3", "a2", "a1", "c1", "c3"] {
            referee.play(game.parse_move(mv).unwrap()).unwrap();
        }
        let text = anstream::adapter::strip_str(&review(&referee, &table).unwrap()).to_string();
        let marked: Vec<&str> = text.lines().filter(|line| line.contains(" ? ")).collect();
        assert!(marked[0].starts_with("  2  O b1 ?   loss in "), "{text}");
        assert!(marked[0].contains("; a draw with a1 c1 a3 c3"), "{text}");
        assert!(
            text.contains("Given away: O the draw with move 2, X the win with move 3, "),
            "{text}"
        );
        let rows: Vec<&str> = text.lines().rev().take(3).collect();
        assert!(rows[2].starts_with("X wins  ..#."), "{text}");
        for column in 8..rows[0].len() {
            let marks = rows.iter().filter(|row| row.as_bytes()[column] == b'#').count();
            assert_eq!(marks, 1, "{text}");
        }
    }
}
