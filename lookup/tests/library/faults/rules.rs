//! Faults of rules: rules that no game has, in headers that are sound otherwise.

use super::{Refused, Sound, plain};
use morpion_lookup::raw::rank::subsets;
use morpion_lookup::raw::{
    During, Mills, Movement, Oldest, Opening, Point, Start, Stuck, Travel, cell_name,
};
use morpion_lookup::{Board, ErrorKind, Game, Rules, Side};

/// Faults of the rules of version 1.
pub(super) fn version_1() -> Vec<Refused> {
    let wheel: &[(&str, Change)] = &[
        ("name-empty", |rules| rules.name.clear()),
        ("name-with-a-space", |rules| rules.name = "a wheel".into()),
        ("name-of-65-letters", |rules| rules.name = "w".repeat(65)),
        ("title-with-a-line-feed", |rules| rules.title = "two\nlines".into()),
        ("title-with-an-escape", |rules| rules.title = "\u{1b}[2J".into()),
        ("title-with-a-delete", |rules| rules.title = "\u{7f}".into()),
        ("title-with-a-next-line", |rules| rules.title = "two\u{85}lines".into()),
        ("title-of-1025-bytes", |rules| rules.title = format!("{}a", "é".repeat(512))),
        ("lines-none", |rules| rules.lines.clear()),
        ("lines-with-an-empty-one", |rules| rules.lines[0] = 0),
        ("lines-off-the-board", |rules| rules.lines.push(1 << 7)),
        ("lines-out-of-order", |rules| rules.lines.swap(0, 1)),
        ("lines-one-twice", |rules| rules.lines.insert(1, rules.lines[0])),
        ("lines-one-within-another", |rules| rules.lines.push(0x7f)),
        ("pieces-none", |rules| rules.pieces = Some(0)),
        ("pieces-more-than-cells", |rules| rules.pieces = Some(4)),
        ("movement-without-pieces", |rules| rules.pieces = None),
        ("links-higher-cell-first", |rules| links(rules)[0] = (1, 0)),
        ("links-to-the-same-cell", |rules| links(rules)[0] = (0, 0)),
        ("links-off-the-board", |rules| links(rules).push((6, 7))),
        ("links-out-of-order", |rules| links(rules).swap(0, 1)),
        ("links-one-twice", |rules| links(rules).insert(1, (0, 1))),
        ("opening-forbids-nothing", |rules| rules.opening.as_mut().unwrap().forbidden = 0),
        ("opening-off-the-board", |rules| rules.opening.as_mut().unwrap().forbidden = 1 << 7),
    ];
    let shisima: &[(&str, Change)] = &[
        ("start-without-movement", |rules| rules.movement = None),
        ("start-with-an-opening", |rules| {
            rules.opening = Some(Opening { forbidden: 1, during: During::First });
        }),
        ("start-of-two-pieces", |rules| start_of(rules).x = 3),
        ("start-of-four-pieces", |rules| start_of(rules).o = 0o740),
        ("start-off-the-board", |rules| start_of(rules).o = 1 << 9 | 3 << 7),
        ("start-on-the-same-cells", |rules| start_of(rules).o = 7),
        ("start-with-a-line", |rules| {
            *start_of(rules) = Start { x: 0o421, o: 0o016, side: Side::O };
        }),
    ];
    let [wheel, shisima] = [changed(Sound::wheel, wheel), changed(Sound::shisima, shisima)];
    wheel.into_iter().chain(shisima).collect()
}

/// Faults of the board, and too many lines.
pub(super) fn boards() -> Vec<Refused> {
    let board = |rows, columns, open| Board::of_squares(rows, columns, open);
    let files = [
        ("board-of-no-cells", Board::plain(0)),
        ("board-of-37-cells", Board::plain(37)),
        ("board-of-42-squares", Board::new(6, 7)),
        ("board-of-27-columns", Board::new(1, 27)),
        ("board-of-holes-alone", board(3, 3, 0)),
        ("board-off-its-squares", board(1, 3, 0b1011)),
        ("board-of-129-squares", board(43, 3, 0x7f)),
    ];
    let with_board = |board: Board, lines: Vec<u64>| {
        Sound::wheel().with_rules(|rules| *rules = Rules::new("board", board, lines))
    };
    let mut refused: Vec<Refused> = files
        .into_iter()
        .map(|(name, board)| plain(name, ErrorKind::Rules, with_board(board, vec![1])))
        .collect();
    let many = with_board(Board::plain(36), subsets(36, 3).take(4097).collect());
    refused.push(plain("lines-4097", ErrorKind::Rules, many));
    refused
}

/// Faults of the rules of version 2.
pub(super) fn version_2() -> Vec<Refused> {
    let wheel: &[(&str, Change)] = &[
        ("names-six", |rules| _ = rules.names.pop()),
        ("names-in-capitals", |rules| rules.names[0] = "N".into()),
        ("names-of-seven-letters", |rules| rules.names[0] = "northly".into()),
        ("names-empty", |rules| rules.names[0].clear()),
        ("names-pass", |rules| rules.names[0] = "pass".into()),
        ("names-one-twice", |rules| rules.names[0] = rules.names[1].clone()),
        ("layout-six", |rules| _ = rules.layout.pop()),
        ("layout-one-twice", |rules| rules.layout[0] = rules.layout[1]),
        ("pass-without-a-cell-to-place-on", |rules| {
            movement(rules).stuck = Stuck::Pass;
            rules.opening.as_mut().unwrap().forbidden = 0b111_1000;
        }),
        ("layout-away-from-the-corner", |rules| {
            rules.layout.iter_mut().for_each(|point| *point = Point { x: point.x + 1, ..*point });
        }),
    ];
    let shisima: &[(&str, Change)] = &[
        ("extensions-too-few", |rules| {
            extend(rules);
            rules.prolongations.pop();
        }),
        ("extensions-off-the-board", |rules| {
            extend(rules);
            rules.prolongations[0] = 1 << 9;
        }),
        ("extensions-of-their-own-line", |rules| {
            extend(rules);
            rules.prolongations[0] = rules.lines[0];
        }),
        ("extensions-all-empty", |rules| rules.prolongations = vec![0; rules.lines.len()]),
        ("extensions-out-of-order", |rules| {
            extend(rules);
            rules.lines.insert(0, rules.lines[0]);
            rules.prolongations.insert(0, 1 << 8);
        }),
        ("extensions-of-a-line-within-a-line", |rules| {
            extend(rules);
            rules.lines.push(rules.lines[3] | 1 << 7);
            rules.prolongations.push(rules.prolongations[3]);
        }),
        ("names-of-the-board", |rules| {
            rules.names = (0..9).map(|cell| cell_name(rules.board, cell)).collect();
        }),
    ];
    let [wheel, shisima] = [changed(Sound::wheel, wheel), changed(Sound::shisima, shisima)];
    wheel.into_iter().chain(shisima).collect()
}

/// Faults of the rules that only version 3 has, beside moves of other rules.
pub(super) fn version_3() -> Vec<Refused> {
    let changes: &[(&str, Change)] = &[
        ("ages-without-movement", |rules| {
            (rules.movement, rules.oldest) = (None, Some(Oldest::First));
        }),
        ("ages-without-a-number-of-pieces", |rules| {
            (rules.pieces, rules.oldest) = (None, Some(Oldest::First));
        }),
        ("ages-of-nine-pieces", |rules| {
            rules.board = Board::plain(36);
            (rules.pieces, rules.oldest) = (Some(9), Some(Oldest::AfterLines));
        }),
        ("ages-beside-links", |rules| {
            movement(rules).to = Travel::Links(vec![(0, 1)]);
            rules.oldest = Some(Oldest::First);
        }),
        ("ages-beside-a-pass", |rules| {
            (movement(rules).stay, rules.oldest) = (true, Some(Oldest::First));
        }),
        ("mills-without-movement", |rules| {
            (rules.movement, rules.mills) = (None, Some(Mills::new()));
        }),
        ("mills-with-ages", |rules| {
            (rules.oldest, rules.mills) = (Some(Oldest::First), Some(Mills::new()));
        }),
        ("mills-in-misere", |rules| {
            (rules.misere, rules.mills) = (true, Some(Mills::new()));
        }),
        ("mills-of-more-than-all-pieces", |rules| {
            rules.mills = Some(Mills::new());
            rules.pieces = Some(2);
        }),
        ("mills-that-pass-on-a-full-board", |rules| {
            let mut mills = Mills::new();
            mills.full = Some(Stuck::Pass);
            rules.mills = Some(mills);
        }),
        ("pushes-with-a-number-of-pieces", |rules| movement(rules).to = Travel::Push),
        ("pushes-off-a-grid", |rules| {
            (rules.pieces, movement(rules).to) = (None, Travel::Push);
            rules.board = Board::plain(9);
        }),
        ("pushes-with-a-pass", |rules| {
            (rules.pieces, movement(rules).to) = (None, Travel::Push);
            movement(rules).stay = true;
        }),
    ];
    let file = |&(name, change): &(&str, Change)| {
        let bytes = Sound::swap().with(|full| {
            full.graph = Some(Game::new(full.rules.clone()).unwrap().graph().clone());
            change(&mut full.rules);
        });
        plain(name, ErrorKind::Rules, bytes)
    };
    changes.iter().map(file).collect()
}

type Change = fn(&mut Rules);

/// The files of changed rules.
fn changed(sound: fn() -> Sound, changes: &[(&str, Change)]) -> Vec<Refused> {
    let file = |&(name, change): &(&str, Change)| {
        plain(name, ErrorKind::Rules, sound().with_rules(change))
    };
    changes.iter().map(file).collect()
}

pub(super) fn movement(rules: &mut Rules) -> &mut Movement {
    rules.movement.as_mut().unwrap()
}

fn links(rules: &mut Rules) -> &mut Vec<(u8, u8)> {
    match &mut movement(rules).to {
        Travel::Links(links) => links,
        _ => panic!("no links"),
    }
}

fn start_of(rules: &mut Rules) -> &mut Start {
    rules.start.as_mut().unwrap()
}

/// Extends each line by the lowest cell outside it.
fn extend(rules: &mut Rules) {
    rules.prolongations = rules.lines.iter().map(|line| !line & (line + 1)).collect();
}
