//! From rules to a game: canonical form, the layers with their moves, and the start.

use super::data::{Rules, RulesError};
use super::layers::graph_of;
use super::validate::{check, normalise};
use morpion_core::{About, Game, SHIFT, Side, Start};

impl Rules {
    /// The rules in canonical form: lines ascending, none of which contains another; a restriction of no cell is
    /// none. Compares every line with every smaller one.
    ///
    /// # Errors
    /// If the rules are invalid. The error names the first invalid key as in a rule file.
    pub fn canonical(mut self) -> Result<Rules, RulesError> {
        check(&self)?;
        normalise(&mut self);
        Ok(self)
    }

    /// The game of rules in canonical form. `text` is their rule file in canonical form, without name and title.
    ///
    /// # Errors
    /// If a table cannot contain the game.
    pub fn game(&self, text: String) -> Result<Game, RulesError> {
        let graph = graph_of(self);
        let hand = graph.layers.first().map_or(0, |layer| u64::from(layer.hands.mover));
        let empty = Start { x: hand << SHIFT, o: hand << SHIFT, side: Side::X };
        let Rules { name, title, board, names, layout, lines, prolongations, start, .. } =
            self.clone();
        let start = start.unwrap_or(empty);
        let about = About { name, title, rules: text, board, names, layout, start };
        Game::new(about, lines, prolongations, graph).map_err(|error| RulesError {
            key: "moves",
            found: error.to_string(),
            expected: "fewer moves or layers",
        })
    }
}
