//! Faults of a game: fields that a reader cannot interpret, in headers that are sound otherwise.

use super::fields::{Effect, Fields, Layer, Step};
use super::{Change, Refused, Sound, changed, plain};
use morpion_core::Condition;
use morpion_core::rank::subsets;
use morpion_lookup::{Board, ErrorKind};

/// Faults of what people see: name, title, names and places of cells.
pub(super) fn seen() -> Vec<Refused> {
    changed(
        Sound::wheel,
        &[
            ("name-empty", |fields| fields.name.clear()),
            ("name-with-a-space", |fields| fields.name = "a wheel".into()),
            ("name-of-65-letters", |fields| fields.name = "w".repeat(65).into()),
            ("title-with-a-line-feed", |fields| fields.title = "two\nlines".into()),
            ("title-with-an-escape", |fields| fields.title = "\u{1b}[2J".into()),
            ("title-with-a-delete", |fields| fields.title = "\u{7f}".into()),
            ("title-with-a-next-line", |fields| fields.title = "two\u{85}lines".into()),
            ("title-of-1025-bytes", |fields| fields.title = ("é".repeat(512) + "a").into()),
            ("names-six", |fields| _ = fields.names.pop()),
            ("names-in-capitals", |fields| fields.names[0] = "N".into()),
            ("names-of-seven-letters", |fields| fields.names[0] = "northly".into()),
            ("names-empty", |fields| fields.names[0].clear()),
            ("names-pass", |fields| fields.names[0] = "pass".into()),
            ("names-one-twice", |fields| fields.names[0] = fields.names[1].clone()),
            ("names-not-utf8", |fields| fields.names[0] = vec![0xff]),
            ("places-six", |fields| _ = fields.places.pop()),
            ("places-one-twice", |fields| fields.places[0] = fields.places[1]),
            ("places-one-to-the-right", |fields| {
                fields.places.iter_mut().for_each(|place| place.x += 1);
            }),
            ("places-one-down", |fields| fields.places.iter_mut().for_each(|place| place.y += 1)),
        ],
    )
}

/// Faults of the board. The files have the lines, the moves and the symmetries of the wheel, without its names.
pub(super) fn boards() -> Vec<Refused> {
    let files = [
        ("board-of-no-cells", Board::Plain { cells: 0 }),
        ("board-of-37-cells", Board::Plain { cells: 37 }),
        ("board-of-42-squares", Board::Grid { rows: 6, columns: 7 }),
        ("board-of-27-columns", Board::Grid { rows: 1, columns: 27 }),
        ("board-of-holes-alone", Board::of_squares(3, 3, 0)),
        ("board-off-its-squares", Board::of_squares(1, 7, 0b1111_1011)),
        ("board-of-129-squares", Board::of_squares(43, 3, 0x7f)),
    ];
    let with_board = |board: Board| {
        Sound::wheel().with(|fields| {
            fields.board = board;
            (fields.names, fields.places) = (Vec::new(), Vec::new());
            // The identity of any board on which there is one.
            let cells = board.cells().min(36) as u8;
            fields.symmetries = vec![(0..cells).collect()];
        })
    };
    let refused = |(name, board)| plain(name, ErrorKind::Header, with_board(board));
    files.into_iter().map(refused).collect()
}

/// Starts that are not positions of the game.
pub(super) fn start() -> Vec<Refused> {
    changed(
        Sound::shisima,
        &[
            ("start-of-two-pieces", |fields| fields.start.x = 3),
            ("start-of-four-pieces", |fields| fields.start.o = 0o740),
            ("start-off-the-board", |fields| fields.start.o = 1 << 9 | 3 << 7),
            ("start-with-bits-above-the-cells", |fields| fields.start.o |= 1 << 36),
            ("start-on-the-same-cells", |fields| fields.start.o = fields.start.x),
            ("start-with-a-line", |fields| {
                // The cells of a line for the side to move, and three others.
                let line = fields.lines[0];
                let others = subsets(9, 3).find(|set| set & line == 0).unwrap();
                (fields.start.x, fields.start.o, fields.start.side) = (line, others, 0);
            }),
        ],
    )
}

/// Faults of the lines and of the cells that extend them.
pub(super) fn lines() -> Vec<Refused> {
    changed(
        Sound::wheel,
        &[
            ("lines-with-an-empty-one", |fields| fields.lines[0] = 0),
            ("lines-off-the-board", |fields| fields.lines.push(1 << 7)),
            ("lines-4097", |fields| fields.lines = vec![0b111; 4097]),
            ("extensions-all-empty", |fields| fields.extensions = vec![0; fields.lines.len()]),
            ("extensions-too-few", |fields| fields.extensions = vec![0; fields.lines.len() - 1]),
            ("extensions-off-the-board", |fields| {
                fields.extensions = vec![1 << 7; fields.lines.len()];
            }),
        ],
    )
}

/// The first step, which must place a piece on any cell.
fn placing(fields: &mut Fields) -> &mut Step {
    let step = &mut fields.phases[0][0];
    assert!(step.from.is_none() && step.effect.choice == 0);
    step
}

const OLDEST_FIRST: Effect = Effect { choice: 2, path: None, oldest: Some(0) };
const PASS: Effect = Effect { choice: 3, path: None, oldest: None };

/// Faults of the kinds of moves.
pub(super) fn steps() -> Vec<Refused> {
    let swap: &[(&str, Change)] = &[
        ("steps-from-off-the-board", |fields| fields.phases[1][8].from = Some(9)),
        ("steps-from-cell-64", |fields| fields.phases[1][8].from = Some(64)),
        ("steps-to-off-the-board", |fields| placing(fields).to |= 1 << 9),
        ("steps-to-nothing", |fields| placing(fields).to = 0),
        ("steps-equal", |fields| fields.phases[1][1] = fields.phases[1][0].clone()),
        ("steps-out-of-order", |fields| fields.phases[1].swap(0, 1)),
        ("steps-that-place-twice", |fields| {
            let again = Step { to: 1 << 9 >> 1, ..placing(fields).clone() };
            fields.phases[0].push(again);
        }),
        ("steps-of-a-piece-while-the-oldest-goes", |fields| {
            fields.phases[1][0].effect = OLDEST_FIRST;
        }),
        ("steps-of-pieces-that-age", |fields| placing(fields).effect = OLDEST_FIRST),
        ("conditions-off-the-board", |fields| fields.phases[1][0].condition.taken = 1 << 9),
        ("conditions-of-a-new-piece", |fields| placing(fields).condition.clear = 1),
        ("passes-with-a-target", |fields| placing(fields).effect = PASS),
        ("passes-of-a-piece", |fields| {
            let step = fields.phases[1].last_mut().unwrap();
            (step.to, step.effect) = (0, PASS);
        }),
        ("phases-257", |fields| fields.phases.resize(257, Vec::new())),
    ];
    let aged: &[(&str, Change)] = &[
        ("steps-oldest-choice", |fields| fields.phases[1][0].effect.oldest = Some(3)),
        ("conditions-while-the-oldest-goes", |fields| fields.phases[1][0].condition.own = 1),
        ("steps-of-two-effects", |fields| {
            let step = &mut fields.phases[1][0];
            let other = Step { to: step.to & !1, ..step.clone() };
            step.to = 1;
            fields.phases[1]
                .push(Step { effect: Effect { choice: 0, path: None, oldest: None }, ..other });
        }),
    ];
    let quixo: &[(&str, Change)] = &[
        ("pushes-along-a-path-off-the-board", |fields| path(fields, |path| path | 1 << 9)),
        ("pushes-along-a-path-of-one-cell", |fields| {
            fields.phases[0][0].to = 1;
            path(fields, |_| 1);
        }),
        ("pushes-beyond-their-path", |fields| path(fields, |_| 0o070)),
        ("pushes-from-no-cell", |fields| fields.phases[0][0].from = None),
        ("pushes-to-two-cells", |fields| fields.phases[0][0].to |= 1 << 4),
        ("pushes-with-a-condition", |fields| fields.phases[0][0].condition.clear = 1 << 4),
        ("pushes-that-take", |fields| fields.takes = Some(0)),
    ];
    let mut refused = [
        changed(Sound::swap, swap),
        changed(Sound::disappearing, aged),
        changed(Sound::quixo3, quixo),
    ]
    .into_iter()
    .flatten()
    .collect::<Vec<_>>();
    let step = |from: Option<u8>| {
        let effect = Effect { choice: 0, path: None, oldest: None };
        move |to: u64| Step { from, to, condition: Condition::EMPTY, effect: effect.clone() }
    };
    let many = Sound::swap().with(|fields| {
        let steps = (1..=511).map(step(None)).chain((1..=511).map(step(Some(0))));
        fields.phases[0] = steps.chain((1..=3).map(step(Some(1)))).collect();
    });
    refused.push(plain("steps-1025", ErrorKind::Header, many));
    refused
}

/// Changes the path of the first push.
fn path(fields: &mut Fields, change: fn(u64) -> u64) {
    let path = &mut fields.phases[0][0].effect.path;
    *path = path.map(change);
}

/// Faults of the layers.
pub(super) fn layers() -> Vec<Refused> {
    let same = |layer: &Layer| layer.clone();
    let wheel: &[(&str, Change)] = &[
        ("layers-none", |fields| fields.layers.clear()),
        ("layers-of-no-phase", |fields| fields.layers[0].phase = fields.phases.len() as u8),
        ("layers-of-8-pieces-on-7-cells", |fields| fields.layers[1].waiter = 8),
        ("layers-of-255-pieces", |fields| fields.layers[1].mover = 255),
        ("layers-with-the-same-pieces", |fields| {
            (fields.layers[2].mover, fields.layers[2].waiter) =
                (fields.layers[1].mover, fields.layers[1].waiter);
        }),
    ];
    let mill: &[(&str, Change)] = &[("layers-with-the-same-pieces-in-hand", |fields| {
        let first = &fields.layers[0];
        let pieces = (first.mover, first.waiter, first.hands);
        let second = &mut fields.layers[1];
        (second.mover, second.waiter, second.hands) = pieces;
    })];
    let opening: &[(&str, Change)] = &[("start-of-the-other-side", |fields| fields.start.side = 1)];
    let mut refused =
        [changed(Sound::wheel, wheel), changed(Sound::mill, mill), changed(Sound::wheel, opening)]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>();
    let twice = Sound::mill().with(|fields| {
        let ended = fields.layers.iter().find(|layer| layer.ended == 1).map(same).unwrap();
        fields.layers.push(ended);
    });
    refused.push(plain("layers-that-ended-twice", ErrorKind::Header, twice));
    let one = Sound::mill().with(|fields| {
        let ended = fields.layers.iter().find(|layer| layer.ended == 1).map(same).unwrap();
        fields.layers.push(Layer { ended: 0, ..ended });
        fields.rows.push(1);
    });
    refused.push(plain("layers-of-which-one-ended", ErrorKind::Header, one));
    let aged = Sound::disappearing().with(|fields| {
        // Nine pieces on nine cells, all of one side.
        (fields.layers[1].mover, fields.layers[1].waiter) = (9, 0);
    });
    refused.push(plain("layers-of-nine-pieces-that-age", ErrorKind::Header, aged));
    let both = Sound::disappearing().with(|fields| fields.layers[1].hands = (1, 0));
    refused.push(plain("layers-of-pieces-that-age-in-hand", ErrorKind::Header, both));
    refused
}
