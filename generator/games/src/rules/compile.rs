//! From rules to a game: lines in canonical form, the layers with their moves, and the start.

use super::data::Rules;
use super::fault::Faults;
use super::layers::graph_of;
use super::lines::{Lines, normalised};
use morpion_core::{About, Game, SHIFT, Side, Start};

/// Compiles checked rules to a game. Replaces the start in `about`.
pub(super) fn compiled(
    rules: &Rules,
    mut about: About,
    lines: &Lines,
    faults: &Faults,
) -> Option<Game> {
    let (lines, mut prolongations): (Vec<u64>, Vec<u64>) = normalised(lines).into_iter().unzip();
    if prolongations.iter().all(|&cells| cells == 0) {
        prolongations.clear();
    }
    let graph = graph_of(rules, about.board, &lines);
    let hand = graph.layers.first().map_or(0, |layer| u64::from(layer.hands.mover));
    let empty = Start { x: hand << SHIFT, o: hand << SHIFT, side: Side::X };
    about.start = rules.start.unwrap_or(empty);
    let fault = |error| faults.of("moves", format!("{error}; write fewer moves or layers"));
    Game::new(about, lines, prolongations, graph).map_or_else(fault, Some)
}
