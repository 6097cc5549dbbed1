//! Headers of small games made in a test, whose tables are folded by the identity alone.

use morpion_core::{
    About, Counts, Encoding, Group, Header, Layer, LayerGraph, Permutation, Start, Step, Stuck,
    rank::binomial, serialise,
};
use morpion_lookup::{
    Board, Game, Over, Side, Value,
    raw::{Census, LayerCensus},
};

/// A game on a board whose cells have these names, if there are any. Each side places `each` pieces, and then the game is over.
pub fn placing(name: &str, board: Board, names: &[&str], lines: Vec<u64>, each: u8) -> Game {
    let (cells, plies) = (board.cells(), 2 * each);
    let layer = |ply: u8| Layer {
        counts: Counts { mover: ply / 2, waiter: ply.div_ceil(2) },
        hands: Counts::default(),
        phase: u8::from(ply == plies),
        next: None,
        turn: Some(if ply.is_multiple_of(2) { Side::X } else { Side::O }),
        ended: false,
    };
    let graph = LayerGraph {
        phases: vec![vec![Step::place((1 << cells) - 1)], Vec::new()],
        layers: (0..=plies).map(layer).collect(),
        line: Value::Loss,
        blocked: Stuck::Draw,
        blocked_reason: Over::Full,
        full: None,
        takes: None,
        own_lines: false,
    };
    let about = About {
        name: name.into(),
        title: String::new(),
        rules: String::new(),
        board,
        names: names.iter().copied().map(String::from).collect(),
        layout: Vec::new(),
        start: Start { x: 0, o: 0, side: Side::X },
    };
    Game::new(about, lines, Vec::new(), graph).unwrap()
}

/// The header of the game's table, and the bytes of a census without numbers.
pub fn unfolded(game: Game) -> (Header, Vec<u8>) {
    let identity = vec![Permutation::identity(game.cells())];
    let rows = |size| binomial(game.cells().into(), u32::from(size));
    let header = Header::new(&game, Encoding::Plies8, Group::Trivial, identity, rows).unwrap();
    let layers = vec![LayerCensus::default(); header.layers.len()];
    (header, serialise(&Census { layers, ..Census::default() }).unwrap())
}
