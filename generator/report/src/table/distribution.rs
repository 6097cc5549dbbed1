//! The distribution of positions over values and distances, layer by layer, for programs that process it.

use morpion_core::Counts;
use morpion_games::catalogue::Table;
use morpion_lookup::raw::Census;
use morpion_lookup::{DrawKind, Game, Score};
use schemars::JsonSchema;
use serde::Serialize;

/// Number of positions of one layer with one value and distance. The keys are the columns of the CSV.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// Pieces of the side to move.
    pub mover: u8,
    /// Pieces of the other side.
    pub waiter: u8,
    /// `win`, `draw` or `loss` for the side to move; `invalid` if it owns a line.
    pub value: &'static str,
    /// `end` or `cycle` for a draw.
    pub draw: Option<&'static str>,
    /// Half-moves to the end; `None` for a draw or if the table has no distances.
    pub plies: Option<u16>,
    /// Number of positions or arrangements.
    pub count: u64,
    /// Pieces of the side to move in hand; `None` if no layer of the game has pieces in hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mover_hand: Option<u8>,
    /// Pieces of the other side in hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiter_hand: Option<u8>,
    /// Number of the layer.
    #[serde(skip)]
    pub layer: usize,
}

/// The pieces in hand of the positions of a layer; `None` if no layer of the game has pieces in hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Hands {
    /// Pieces of the side to move in hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mover_hand: Option<u8>,
    /// Pieces of the other side in hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiter_hand: Option<u8>,
}

impl Hands {
    /// The pieces in hand in layer number `layer`.
    pub fn of(game: &Game, layer: usize) -> Hands {
        let layers = &game.raw().graph().layers;
        if layers.iter().all(|layer| layer.hands == Counts::default()) {
            return Hands::default();
        }
        let Counts { mover, waiter } = layers[layer].hands;
        Hands { mover_hand: Some(mover), waiter_hand: Some(waiter) }
    }
}

impl Bin {
    pub(crate) fn new(game: &Game, layer: usize, score: Score, count: u64) -> Bin {
        let bin = Bin::invalid(game, layer, count);
        let draw = score.draw().map(DrawKind::name);
        Bin { value: score.value().name(), draw, plies: score.plies(), ..bin }
    }

    /// Arrangements whose mover owns a line.
    fn invalid(game: &Game, layer: usize, count: u64) -> Bin {
        let Counts { mover, waiter } = game.raw().graph().layers[layer].counts;
        let Hands { mover_hand, waiter_hand } = Hands::of(game, layer);
        Bin {
            mover,
            waiter,
            value: "invalid",
            draw: None,
            plies: None,
            count,
            mover_hand,
            waiter_hand,
            layer,
        }
    }
}

/// The arrangements or orbits of a table, from a census of it.
pub fn of_census(table: &Table, census: &Census) -> Vec<Bin> {
    let has_distances = table.has_distances();
    let mut bins = Vec::new();
    let game = table.game();
    for (index, layer) in census.layers.iter().enumerate() {
        let scores = layer.scores(has_distances);
        bins.extend(scores.map(|(score, count)| Bin::new(game, index, score, count)));
        if layer.none > 0 {
            bins.push(Bin::invalid(game, index, layer.none));
        }
    }
    bins
}
