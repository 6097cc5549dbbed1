//! The moves of a position for people: moves of equal worth in one line, the best first.

use super::output::{WIDTH, wrapped};
use morpion_lookup::Game;
use morpion_report::ranking::{Ranked, Trap};
use morpion_report::words::in_words;

/// Columns before the names of the moves.
const INDENT: usize = 21;

/// A line for all moves of the same worth; drawing moves are also grouped by how hard they are to answer.
pub fn grouped(game: &Game, ranking: &[Ranked]) -> String {
    let worth = |ranked: &Ranked| (in_words(ranked.score), ranked.trap);
    let mut text = String::new();
    for equal in ranking.chunk_by(|a, b| worth(a) == worth(b)) {
        let names: Vec<String> = equal.iter().map(|ranked| game.format_move(ranked.mv)).collect();
        let moves = match equal[0].trap {
            Some(trap) if trap.replies > 0 => format!("{}  ({})", names.join(" "), replies(trap)),
            _ => names.join(" "),
        };
        let moves = wrapped(&moves, WIDTH - INDENT).join(&format!("\n{:INDENT$}", ""));
        text.push_str(&format!("  {:<17}  {moves}\n", in_words(equal[0].score)));
    }
    text
}

/// `7 of 8 replies lose`.
pub fn replies(trap: Trap) -> String {
    format!("{} of {} replies lose", trap.losing, trap.replies)
}
