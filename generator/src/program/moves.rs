//! Formats the moves of a position: moves of equal worth on one line, the best first.

use crate::terminal::output::{WIDTH, wrapped};
use morpion_core::Game;
use morpion_report::phrases::in_words;
use morpion_report::ranking::{Ranked, Trap};

/// Number of columns before the names of the moves.
const INDENT: usize = 21;

/// Writes one line for all moves of the same worth. Drawing moves are also grouped by the share of replies that lose.
pub fn grouped(game: &Game, ranking: &[Ranked]) -> String {
    let worth = |ranked: &Ranked| (in_words(ranked.score), ranked.trap.and_then(share));
    let mut text = String::new();
    for equal in ranking.chunk_by(|a, b| worth(a) == worth(b)) {
        let (worth, share) = worth(&equal[0]);
        let names: Vec<String> = equal.iter().map(|ranked| game.format_move(ranked.mv)).collect();
        let moves = match share {
            Some(share) => format!("{} ({share})", names.join(" ")),
            None => names.join(" "),
        };
        let moves = wrapped(&moves, WIDTH - INDENT).join(&format!("\n{:INDENT$}", ""));
        text.push_str(&format!("  {worth:<17}  {moves}\n"));
    }
    text
}

/// Formats `88 % of replies lose`; `None` if the move ends the game.
pub fn share(trap: Trap) -> Option<String> {
    let percent = (200 * trap.losing + trap.replies).checked_div(2 * trap.replies)?;
    Some(format!("{percent} % of replies lose"))
}
