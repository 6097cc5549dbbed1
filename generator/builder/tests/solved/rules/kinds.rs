//! Ageing pieces, lines that take and pushes, each defined again: lists of cells, rows of squares and numbers in hand, without the steps and
//! the layers of the library.
//!
//! Positions are words as `tables/FORMAT.md` describes them, which are read and written here by the definition of a permutation's number.

use super::{Moves, Spec};
use morpion_core::{DrawKind, Move, Over, Score};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The rules of a game beyond placing and moving.
#[derive(Clone, Debug)]
pub enum Kind {
    Plain,
    /// The oldest piece goes: `first`, `before-lines` or `after-lines`.
    Ageing(&'static str),
    Mills(Mills),
    Pushes {
        rows: i32,
        columns: i32,
    },
}

/// `[mills]` as in the rule file.
#[derive(Clone, Debug)]
pub struct Mills {
    pub takes: &'static str,
    pub least: u8,
    pub fly: u8,
    pub full: Option<&'static str>,
    pub mixed: bool,
}

/// The first bit of a word above its cells.
pub const ABOVE: u32 = 36;

const CELLS: u64 = (1 << ABOVE) - 1;

type Child = (Move, (u64, u64));

impl Mills {
    pub fn toml(&self) -> String {
        let Mills { takes, least, fly, full, mixed } = self;
        let full = full.map_or(String::new(), |full| format!("full = \"{full}\"\n"));
        format!(
            "[mills]\ntakes = \"{takes}\"\nleast = {least}\nfly = {fly}\nmixed = {mixed}\n{full}"
        )
    }
}

/// The cells of a set, ascending.
fn list(set: u64) -> Vec<u8> {
    (0..ABOVE as u8).filter(|cell| set >> cell & 1 == 1).collect()
}

fn factorial(number: usize) -> u64 {
    (1..=number as u64).product()
}

/// The pieces of a word, the oldest first.
fn by_age(word: u64) -> Vec<u8> {
    let mut left = list(word & CELLS);
    let mut number = word >> ABOVE & 0xFFFF;
    let mut pieces = Vec::new();
    while !left.is_empty() {
        let later = factorial(left.len() - 1);
        pieces.push(left.remove((number / later) as usize));
        number %= later;
    }
    pieces
}

/// The word of pieces, the oldest first.
fn aged(pieces: &[u8]) -> u64 {
    let mut word = u64::from(!pieces.is_empty()) << 52;
    for (index, piece) in pieces.iter().enumerate() {
        let later = &pieces[index + 1..];
        let lower = later.iter().filter(|other| *other < piece).count() as u64;
        word += ((lower * factorial(later.len())) << ABOVE) | (1 << piece);
    }
    word
}

/// The words of so many pieces, in all orders if they age.
pub fn words(spec: &Spec, pieces: u8) -> Vec<u64> {
    let has_ages = matches!(spec.kind, Kind::Ageing(_));
    let mut orders = vec![Vec::new()];
    for _ in 0..pieces {
        let longer = |order: &Vec<u8>| {
            let is_next = |cell: &u8| match has_ages {
                true => !order.contains(cell),
                false => order.last().is_none_or(|last| last < cell),
            };
            let next = (0..spec.cells).filter(is_next);
            next.map(|cell| [&order[..], &[cell]].concat()).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    let set = |order: &[u8]| order.iter().fold(0, |set, cell| set | 1 << cell);
    orders.iter().map(|order| if has_ages { aged(order) } else { set(order) }).collect()
}

/// All numbers of pieces to which turns may lead, as the side to move sees them: on the board and in hand, and those of the other side.
pub fn numbers(spec: &Spec) -> Vec<[u8; 4]> {
    let each = spec.each.unwrap_or_default();
    let (least, most, mixed) = match &spec.kind {
        Kind::Pushes { .. } => {
            let own = |other| (0..=spec.cells - other).map(move |own| [own, 0, other, 0]);
            return (0..=spec.cells).flat_map(own).collect();
        }
        Kind::Plain | Kind::Ageing(_) => {
            let last = spec.each.map_or(spec.cells, |each| 2 * each);
            let first = if spec.start.is_some() { last } else { 0 };
            return (first..=last).map(|ply| [ply / 2, 0, ply.div_ceil(2), 0]).collect();
        }
        Kind::Mills(mills) => {
            (mills.least, if mills.takes.starts_with("two") { 2 } else { 1 }, mills.mixed)
        }
    };
    let mut found =
        vec![if spec.start.is_some() { [each, 0, each, 0] } else { [0, each, 0, each] }];
    let shortest = spec.lines.iter().map(|(line, _)| line.count_ones() as u8).min().unwrap();
    let mut next = 0;
    while let Some(&[own, hand, other, other_hand]) = found.get(next) {
        next += 1;
        let moved = (own > 0 && (hand == 0 || mixed)).then_some([own, hand]);
        let placed = (hand > 0 && own + other < spec.cells).then(|| [own + 1, hand - 1]);
        for [own, hand] in [moved, placed].into_iter().flatten() {
            // Each line more takes a piece more at least.
            let lines = (own + 1).saturating_sub(shortest);
            for taken in 0..=other.min(most).min(lines) {
                let after = [other - taken, other_hand, own, hand];
                let is_few = other_hand == 0 && other - taken < least;
                if !is_few && !found.contains(&after) {
                    found.push(after);
                }
            }
        }
    }
    found
}

pub fn children(spec: &Spec, mover: u64, waiter: u64) -> Vec<Child> {
    match &spec.kind {
        Kind::Plain => unreachable!("defined elsewhere"),
        Kind::Ageing(timing) => ageing(spec, timing, mover, waiter),
        Kind::Mills(mills) => turns(spec, mills, mover, waiter),
        Kind::Pushes { rows, columns } => pushes(*rows, *columns, mover, waiter),
    }
}

fn ageing(spec: &Spec, timing: &str, mover: u64, waiter: u64) -> Vec<Child> {
    let (own, other) = (by_age(mover), by_age(waiter));
    let is_complete = own.len() == usize::from(spec.each.unwrap());
    let after = |to: u8| {
        let all = [&own[..], &[to]].concat();
        let keeps = !is_complete || timing == "after-lines" && spec.has_line(aged(&all) & CELLS);
        if keeps { all } else { all[1..].to_vec() }
    };
    let is_free = |to: &u8| {
        let goes_first = is_complete && timing == "first" && *to == own[0];
        let is_forbidden = !is_complete && spec.is_forbidden(*to, own.len() + other.len());
        (!own.contains(to) || goes_first) && !other.contains(to) && !is_forbidden
    };
    let cells = (0..spec.cells).filter(is_free);
    cells.map(|to| (Move::Place { to }, (waiter, aged(&after(to))))).collect()
}

fn turns(spec: &Spec, mills: &Mills, mover: u64, waiter: u64) -> Vec<Child> {
    let (own, other) = (mover & CELLS, waiter & CELLS);
    let (hand, other_hand) = (mover >> ABOVE, waiter >> ABOVE);
    let (each, moves) = (u64::from(spec.each.unwrap()), spec.moves.as_ref().unwrap());
    let empty: Vec<u8> = (0..spec.cells).filter(|cell| (own | other) >> cell & 1 == 0).collect();
    let mut steps: Vec<(Option<u8>, u8)> = Vec::new();
    if hand > 0 {
        let placed = (2 * each - hand - other_hand) as usize;
        let allowed = empty.iter().filter(|to| !spec.is_forbidden(**to, placed));
        steps.extend(allowed.map(|&to| (None, to)));
    }
    let may_move = hand == 0 || mills.mixed;
    let flies = hand == 0 && own.count_ones() <= u32::from(mills.fly);
    for from in list(own).into_iter().filter(|_| may_move) {
        let linked = |to: &&u8| flies || moves.allow(own, other, from, **to);
        steps.extend(empty.iter().filter(linked).map(|&to| (Some(from), to)));
    }
    let mut children = Vec::new();
    for (from, to) in steps {
        let after = own & !from.map_or(0, |from| 1 << from) | 1 << to;
        let hand = if from.is_none() { hand - 1 } else { hand };
        let child = |taken: u64| (waiter & !taken, after | hand << ABOVE);
        let taken = taken(spec, mills, after, to, other);
        for &(take, also) in &taken {
            let both = 1 << take | also.map_or(0, |also: u8| 1 << also);
            children.push((Move::Take { from, to, take, also }, child(both)));
        }
        if taken.is_empty() {
            let mv = from.map_or(Move::Place { to }, |from| Move::Shift { from, to });
            children.push((mv, child(0)));
        }
    }
    let may_pass = moves.stay && may_move && own != 0;
    if may_pass || moves.stuck == "pass" && children.is_empty() {
        children.push((Move::Pass, (waiter, mover)));
    }
    children
}

/// The pieces of the other side that may be taken after a piece has come to `to`: one of them each time, or two.
fn taken(spec: &Spec, mills: &Mills, own: u64, to: u8, other: u64) -> Vec<(u8, Option<u8>)> {
    // A line that is made whenever another one is made does not count.
    let is_extra = |&(line, with): &(u64, u64)| {
        let is_within =
            |&(a, b): &(u64, u64)| (a, b) != (line, with) && a & !line == 0 && b & !with == 0;
        spec.lines.iter().any(is_within)
    };
    let lines_of = |set: u64, cell: u8| -> BTreeSet<u64> {
        let lines = spec.lines.iter().filter(|line| !is_extra(line));
        let made = lines.filter(|(line, with)| line & set == *line && with & set == 0);
        made.map(|(line, _)| *line).filter(|line| line >> cell & 1 == 1).collect()
    };
    let is_in_line = |set: u64, cell: u8| !lines_of(set, cell).is_empty();
    if !is_in_line(own, to) {
        return Vec::new();
    }
    let all = list(other);
    let outside: Vec<u8> = all.iter().copied().filter(|&cell| !is_in_line(other, cell)).collect();
    let (which, two) = match mills.takes.strip_prefix("two-") {
        Some(which) => (which, lines_of(own, to).len() > 1),
        None => (mills.takes, false),
    };
    let pieces = match which {
        "any" => all,
        "outside" => outside,
        "outside-first" if outside.is_empty() => all,
        "outside-first" => outside,
        other => panic!("define {other} here"),
    };
    if !two || pieces.len() == 1 {
        return pieces.into_iter().map(|piece| (piece, None)).collect();
    }
    let pair = |a: u8, b: u8| (a < b).then_some((a, Some(b)));
    pieces.iter().flat_map(|&a| pieces.iter().filter_map(move |&b| pair(a, b))).collect()
}

fn pushes(rows: i32, columns: i32, mover: u64, waiter: u64) -> Vec<Child> {
    // A square is the mover's, the waiter's or blank.
    let square = |cell: i32| (mover >> cell & 1, waiter >> cell & 1);
    let mut children = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let is_inside = row > 0 && row + 1 < rows && column > 0 && column + 1 < columns;
            let from = row * columns + column;
            if is_inside || square(from) == (0, 1) {
                continue;
            }
            let across: Vec<i32> = (0..columns).map(|column| row * columns + column).collect();
            let down: Vec<i32> = (0..rows).map(|row| row * columns + column).collect();
            for (line, at) in [(across, column), (down, row)] {
                for end in [0, line.len() - 1] {
                    if end == at as usize {
                        continue;
                    }
                    let mut pieces: Vec<_> = line.iter().map(|&cell| square(cell)).collect();
                    pieces.remove(at as usize);
                    pieces.insert(end, (1, 0));
                    let (mut own, mut other) = (mover, waiter);
                    for (cell, (x, o)) in line.iter().zip(pieces) {
                        own = own & !(1 << cell) | x << cell;
                        other = other & !(1 << cell) | o << cell;
                    }
                    let mv = Move::Push { from: from as u8, to: line[end] as u8 };
                    children.push((mv, (other, own)));
                }
            }
        }
    }
    children
}

/// The end of a game that a line does not end, or that an own line ends first.
pub fn finished(spec: &Spec, mover: u64, waiter: u64) -> Option<(Over, Score)> {
    let lost = Score::Loss { plies: Some(0) };
    let won = Score::Win { plies: Some(0) };
    let named = |result: &str| match result {
        "draw" => Score::Draw { kind: DrawKind::End },
        "win" => won,
        "loss" => lost,
        other => panic!("define {other} here"),
    };
    match &spec.kind {
        Kind::Pushes { .. } if spec.has_line(mover) => {
            Some((Over::OwnLine, if spec.misere { lost } else { won }))
        }
        Kind::Mills(mills) => {
            let on_board = (mover & CELLS).count_ones();
            if mover >> ABOVE == 0 && on_board < u32::from(mills.least) {
                return Some((Over::Few, lost));
            }
            let is_full = ((mover | waiter) & CELLS).count_ones() == u32::from(spec.cells);
            let is_over = children(spec, mover, waiter).is_empty();
            is_over.then(|| match mills.full.filter(|_| is_full) {
                Some(result) => (Over::Full, named(result)),
                None => (Over::Stuck, named(spec.moves.as_ref().unwrap().stuck)),
            })
        }
        _ => None,
    }
}

/// Draws a game of another kind on the board of a game that is drawn, small enough for the dictionary.
pub fn random(games: impl Strategy<Value = Spec>) -> impl Strategy<Value = Spec> {
    let timings = ["first", "before-lines", "after-lines"];
    let ageing = proptest::sample::select(timings.to_vec());
    let one = ["any", "outside", "outside-first"];
    let two = ["two-any", "two-outside", "two-outside-first"];
    let takes = proptest::sample::select([one, two].concat());
    let full = proptest::option::of(proptest::sample::select(vec!["win", "draw", "loss"]));
    let mills = (takes, any::<(prop::sample::Index, prop::sample::Index)>(), full, any::<bool>());
    (games, any::<bool>(), ageing, mills).prop_map(|(spec, ages, timing, mills)| {
        match &spec.moves {
            Some(moves) if ages => {
                let stuck = if moves.stuck == "pass" { "loss" } else { moves.stuck };
                let to = format!("oldest = \"{timing}\"");
                let moves = Some(Moves::new(&to, Vec::new(), false, stuck));
                // Orders multiply the positions.
                let each = spec.each.map(|each| each.min(3));
                Spec { each, moves, kind: Kind::Ageing(timing), ..spec }
            }
            Some(_) => with_mills(spec, mills),
            None => spec,
        }
    })
}

type Drawn = (&'static str, (prop::sample::Index, prop::sample::Index), Option<&'static str>, bool);

fn with_mills(spec: Spec, (takes, (least, fly), full, mixed): Drawn) -> Spec {
    let (each, moves) = (spec.each.unwrap(), spec.moves.as_ref().unwrap());
    let least = 1 + least.index(each.into()) as u8;
    // As many as may fly, or none.
    let flying: Vec<u8> = [0].into_iter().chain(least..=each).collect();
    let is_any = moves.to.contains("\"any\"");
    let fly = if is_any { 0 } else { *fly.get(&flying) };
    let may_pass = moves.stay || moves.stuck == "pass";
    let full = full.filter(|_| 2 * each == spec.cells && !may_pass);
    let kind = Kind::Mills(Mills { takes, least, fly, full, mixed });
    Spec { kind, misere: false, ..spec }
}
