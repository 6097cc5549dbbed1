//! The tests' own representation of games, and an independent solver: passes over a dictionary of positions, without
//! symmetry, ranking or layers.

pub mod grid;
pub mod kinds;
mod read;
pub mod ways;

use kinds::Kind;
use morpion_core::{DrawKind, Move, Over, Score, Stuck};
use morpion_games::rules::During;
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};
use ways::Way;

/// Any result for a side without a legal move, by its name in a rule file.
pub fn stuck() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(Stuck::ALL.map(Stuck::name).to_vec())
}

/// Any restriction of the opening, by its name in a rule file.
pub fn during() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(During::ALL.map(During::name).to_vec())
}

/// A game in the representation of the tests.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The rule file from which the game was read.
    pub written: Option<String>,
    /// `[board]` and `[lines]` as in the rule file.
    pub board: String,
    pub cells: u8,
    /// The lines, each with the cells of which its owner must not own any.
    pub lines: Vec<(u64, u64)>,
    pub each: Option<u8>,
    pub moves: Option<Moves>,
    pub forbidden: Vec<u8>,
    /// The forbidden cells by their names in the rule file; if empty, by their numbers.
    pub forbidden_names: Vec<String>,
    pub during: &'static str,
    pub start: Option<String>,
    pub misere: bool,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub struct Moves {
    /// Cells to which a piece may always move; `to` is the key in the rule file.
    pub to: String,
    pub targets: Vec<u64>,
    /// Other moves.
    pub ways: Vec<Way>,
    /// True if the rule file does not say these moves.
    pub is_unwritten: bool,
    pub stay: bool,
    pub stuck: &'static str,
}

impl Moves {
    /// Moves without conditions.
    pub fn new(to: &str, targets: Vec<u64>, stay: bool, stuck: &'static str) -> Moves {
        Moves { to: to.into(), targets, ways: Vec::new(), is_unwritten: false, stay, stuck }
    }

    /// Returns true if a piece may move from one cell to another, which is empty.
    pub fn allow(&self, own: u64, other: u64, from: u8, to: u8) -> bool {
        let is_open = |way: &Way| (way.from, way.to) == (from, to) && way.is_open(own, other);
        self.targets[usize::from(from)] >> to & 1 == 1 || self.ways.iter().any(is_open)
    }
}

impl Spec {
    pub fn toml(&self) -> String {
        if let Some(text) = &self.written {
            return text.clone();
        }
        let mut text = format!("name = \"t\"\n{}\n", self.board);
        if let Some(each) = self.each {
            text += &format!("[pieces]\neach = {each}\n");
        }
        if let Some(moves) = &self.moves {
            text += &format!(
                "[moves]\n{}\nstay = {}\nstuck = \"{}\"\n",
                moves.to, moves.stay, moves.stuck
            );
        }
        if let Kind::Mills(mills) = &self.kind {
            text += &mills.toml();
        }
        if let Some(start) = &self.start {
            text += &format!("[opening]\nstart = \"{start}\"\n");
        } else if !self.forbidden.is_empty() {
            let forbidden = match self.forbidden_names.is_empty() {
                true => format!("{:?}", self.forbidden),
                false => format!("{:?}", self.forbidden_names),
            };
            text += &format!("[opening]\nforbidden = {forbidden}\nduring = \"{}\"\n", self.during);
        }
        text + &format!("[goal]\nmisere = {}\n", self.misere)
    }

    /// Returns true if no piece may be placed on the cell after so many placements.
    fn is_forbidden(&self, cell: u8, placed: usize) -> bool {
        let is_restricted = match self.during {
            "first" => placed == 0,
            "each-first" => placed < 2,
            "placing" => true,
            other => panic!("define {other} here"),
        };
        is_restricted && self.forbidden.contains(&cell)
    }

    fn has_line(&self, set: u64) -> bool {
        self.lines.iter().any(|(line, with)| line & set == *line && with & set == 0)
    }

    pub fn children(&self, mover: u64, waiter: u64) -> Vec<(Move, (u64, u64))> {
        if !matches!(self.kind, Kind::Plain) {
            return kinds::children(self, mover, waiter);
        }
        let empty = |cell: &u8| (mover | waiter) >> cell & 1 == 0;
        let ply = (mover | waiter).count_ones() as usize;
        let mut children = Vec::new();
        if self.each.is_none_or(|each| mover.count_ones() < u32::from(each)) {
            for to in (0..self.cells).filter(empty).filter(|to| !self.is_forbidden(*to, ply)) {
                children.push((Move::Place { to }, (waiter, mover | 1 << to)));
            }
        } else if let Some(moves) = &self.moves {
            for from in (0..self.cells).filter(|from| mover >> from & 1 == 1) {
                for to in
                    (0..self.cells).filter(empty).filter(|&to| moves.allow(mover, waiter, from, to))
                {
                    children
                        .push((Move::Shift { from, to }, (waiter, mover & !(1 << from) | 1 << to)));
                }
            }
            if moves.stay || moves.stuck == "pass" && children.is_empty() {
                children.push((Move::Pass, (waiter, mover)));
            }
        }
        children
    }

    pub fn finished(&self, mover: u64, waiter: u64) -> Option<(Over, Score)> {
        let (win, loss) = (Score::Win { plies: Some(0) }, Score::Loss { plies: Some(0) });
        let draw = Score::Draw { kind: DrawKind::End };
        let over = kinds::finished(self, mover, waiter);
        if over.is_some() || matches!(self.kind, Kind::Mills(_)) {
            return over;
        }
        if self.has_line(waiter) {
            return Some((Over::Line, if self.misere { win } else { loss }));
        }
        self.children(mover, waiter).is_empty().then(|| {
            match self.moves.as_ref().map(|moves| moves.stuck) {
                None => (Over::Full, draw),
                Some("draw") => (Over::Stuck, draw),
                Some("win") => (Over::Stuck, win),
                Some("loss") => (Over::Stuck, loss),
                Some(other) => panic!("define {other} here"),
            }
        })
    }

    /// Clears the forbidden cells if a side that has to place could be left without a cell, and would have to pass.
    pub fn placing_is_possible(mut self) -> Spec {
        let passes = self.moves.as_ref().is_some_and(|moves| moves.stuck == "pass");
        let placed = 2 * usize::from(self.each.unwrap_or(0));
        if passes && usize::from(self.cells) < placed + self.forbidden.len() {
            self.forbidden.clear();
        }
        self
    }

    /// The positions that play can reach.
    pub fn reached(&self, start: (u64, u64)) -> HashSet<(u64, u64)> {
        let (mut reached, mut todo) = (HashSet::from([start]), vec![start]);
        while let Some((mover, waiter)) = todo.pop() {
            if self.finished(mover, waiter).is_none() {
                let children = self.children(mover, waiter).into_iter().map(|(_, child)| child);
                todo.extend(children.filter(|&child| reached.insert(child)));
            }
        }
        reached
    }

    /// The score of each of these positions, and of those that play can reach from them.
    pub fn solve(&self, positions: Vec<(u64, u64)>) -> HashMap<(u64, u64), Score> {
        let mut children: HashMap<(u64, u64), Vec<(u64, u64)>> = HashMap::new();
        let mut scores: HashMap<(u64, u64), Score> = HashMap::new();
        let mut todo = positions;
        while let Some(position) = todo.pop() {
            if children.contains_key(&position) {
                continue;
            }
            let (mover, waiter) = position;
            let next = match self.finished(mover, waiter) {
                Some((_, score)) => {
                    scores.insert(position, score);
                    Vec::new()
                }
                None => self.children(mover, waiter).into_iter().map(|(_, child)| child).collect(),
            };
            todo.extend(&next);
            children.insert(position, next);
        }
        // Wins and losses by distance, then the draws that end; each step is repeated until it adds nothing.
        for plies in 1.. {
            let found: Vec<_> = children
                .iter()
                .filter(|(position, _)| !scores.contains_key(position))
                .filter_map(|(position, next)| {
                    let value = |child| scores.get(child);
                    if next.iter().any(|child| matches!(value(child), Some(Score::Loss { .. }))) {
                        Some((*position, Score::Win { plies: Some(plies) }))
                    } else if next
                        .iter()
                        .all(|child| matches!(value(child), Some(Score::Win { .. })))
                    {
                        Some((*position, Score::Loss { plies: Some(plies) }))
                    } else {
                        None
                    }
                })
                .collect();
            if found.is_empty() {
                break;
            }
            scores.extend(found);
        }
        loop {
            let settled =
                |child| matches!(scores.get(child), Some(Score::Win { .. } | Score::Draw { .. }));
            let open = children.iter().filter(|(position, _)| !scores.contains_key(position));
            let ends: Vec<_> = open
                .filter(|(_, next)| next.iter().all(settled))
                .map(|(position, _)| *position)
                .collect();
            if ends.is_empty() {
                break;
            }
            scores.extend(
                ends.into_iter().map(|position| (position, Score::Draw { kind: DrawKind::End })),
            );
        }
        for position in children.keys() {
            scores.entry(*position).or_insert(Score::Draw { kind: DrawKind::Cycle });
        }
        scores
    }
}
