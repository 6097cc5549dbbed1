//! The distribution of positions over values and distances, layer by layer, for programs that process it.

use morpion_core::{Census, Counts, DrawKind, Game, Layer, LayerCensus, Score};
use morpion_games::catalogue::Table;
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
    /// Pieces in hand of the side to move; `None` if no layer of the game has pieces in hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mover_hand: Option<u8>,
    /// Pieces in hand of the other side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiter_hand: Option<u8>,
}

/// The pieces of the positions of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Pieces {
    /// Pieces on the board of the side to move.
    pub mover: u8,
    /// Pieces on the board of the other side.
    pub waiter: u8,
    /// Pieces in hand of the side to move; `None` if no layer of the game has pieces in hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mover_hand: Option<u8>,
    /// Pieces in hand of the other side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiter_hand: Option<u8>,
}

impl Pieces {
    /// The pieces in layer number `layer`.
    pub fn of(game: &Game, layer: usize) -> Pieces {
        let Layer { counts: Counts { mover, waiter }, hands, .. } = game.graph().layers[layer];
        let hand = |pieces| game.has_hands().then_some(pieces);
        Pieces { mover, waiter, mover_hand: hand(hands.mover), waiter_hand: hand(hands.waiter) }
    }
}

impl Bin {
    /// Makes the bin of the positions with `score` or, without a score, of the arrangements whose mover owns a line.
    pub(crate) fn new(game: &Game, layer: usize, score: Option<Score>, count: u64) -> Bin {
        let Pieces { mover, waiter, mover_hand, waiter_hand } = Pieces::of(game, layer);
        Bin {
            mover,
            waiter,
            value: score.map_or("invalid", |score| score.value().name()),
            draw: score.and_then(Score::draw).map(DrawKind::name),
            plies: score.and_then(Score::plies),
            count,
            mover_hand,
            waiter_hand,
        }
    }
}

/// The arrangements or orbits of a table, from a census of it.
pub fn of_census(table: &Table, census: &Census) -> Vec<Bin> {
    let in_layer = |(index, layer): (usize, &LayerCensus)| {
        let scores = layer.scores(table.has_distances());
        let invalid = (layer.none > 0).then_some((None, layer.none));
        let all = scores.map(|(score, count)| (Some(score), count)).chain(invalid);
        all.map(|(score, count)| Bin::new(table.game(), index, score, count)).collect::<Vec<_>>()
    };
    census.layers.iter().enumerate().flat_map(in_layer).collect()
}
