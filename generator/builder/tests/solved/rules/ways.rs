//! Moves with conditions, defined cell by cell, and the library's game that has them.

use super::kinds::{self, ABOVE, Kind};
use super::{Moves, Spec};
use morpion_core::{Condition, Game, LayerGraph, Step};
use morpion_games::rules::parse;
use morpion_machine::splitmix::splitmix;
use proptest::prelude::*;

/// Gives half of the games moves with random conditions.
pub fn random(games: impl Strategy<Value = Spec>) -> impl Strategy<Value = Spec> {
    let seed = proptest::option::of(any::<u64>());
    (games, seed).prop_map(|(spec, seed)| match seed {
        Some(seed) => spec.with_random_ways(seed),
        None => spec,
    })
}

/// Content that a cell must have before a move.
#[derive(Clone, Copy, Debug)]
pub enum Need {
    Empty,
    Own,
    Other,
    Taken,
}

/// A move that is allowed if the cells have what it needs.
#[derive(Clone, Debug)]
pub struct Way {
    pub from: u8,
    pub to: u8,
    pub needs: Vec<(u8, Need)>,
}

impl Way {
    /// Returns true if the cells have what the way needs.
    pub fn is_open(&self, own: u64, other: u64) -> bool {
        self.needs.iter().all(|&(cell, need)| {
            let [own, other] = [own, other].map(|set| set >> cell & 1 == 1);
            match need {
                Need::Empty => !own && !other,
                Need::Own => own,
                Need::Other => other,
                Need::Taken => own || other,
            }
        })
    }

    fn step(&self) -> Step {
        let mut condition = Condition::EMPTY;
        for &(cell, need) in &self.needs {
            let set = match need {
                Need::Empty => &mut condition.clear,
                Need::Own => &mut condition.own,
                Need::Other => &mut condition.other,
                Need::Taken => &mut condition.taken,
            };
            *set |= 1 << cell;
        }
        Step { condition, ..Step::shift(self.from, 1 << self.to) }
    }
}

impl Spec {
    /// The game of the rule file. Its moves along links are replaced if no rule file can state the moves of the test.
    pub fn game(&self) -> Game {
        let game = match parse("t.toml", &self.toml()) {
            Ok(game) => game,
            Err(error) => panic!("{error}\n{}", self.toml()),
        };
        let Some(moves) = self.moves.as_ref().filter(|moves| moves.is_unwritten) else {
            return game;
        };
        let board = game.board();
        let mut steps: Vec<Step> =
            (0..).zip(&moves.targets).map(|(from, &to)| Step::shift(from, to)).collect();
        steps.extend(moves.ways.iter().map(Way::step));
        let flies = matches!(&self.kind, Kind::Mills(mills) if mills.fly > 0);
        let mut graph: LayerGraph = game.graph().clone();
        for phase in &mut graph.phases {
            let is_flight =
                |step: &Step| step.from.is_some_and(|from| step.to == board & !(1 << from));
            let stays = |step: &Step| step.from.is_none() || flies && is_flight(step);
            if phase.iter().all(stays) {
                continue;
            }
            phase.retain(|step| step.from.is_none());
            phase.extend(steps.iter().filter(|step| step.to != 0));
            phase.sort_by_key(Step::place_in_phase);
            phase.dedup();
        }
        let lines = game.lines().to_vec();
        let with = game.prolongations().to_vec();
        Game::new(game.about().clone(), lines, with, graph).unwrap()
    }

    /// The game in which some moves along links need something of one or two other cells. No rule file says them.
    fn with_random_ways(mut self, seed: u64) -> Spec {
        let cells = self.cells;
        let is_linked = |moves: &&mut Moves| moves.targets.iter().any(|&to| to != 0);
        let Some(moves) = self.moves.as_mut().filter(is_linked) else { return self };
        let mut number = 0;
        let mut random = |below: u64| {
            number += 1;
            splitmix(seed, number) % below
        };
        for from in 0..cells {
            for to in (0..cells).filter(|to| *to != from) {
                let is_linked = moves.targets[usize::from(from)] >> to & 1 == 1;
                let rarely = u64::from(cells);
                // A phase has at most 1,024 steps, and up to 36 of them are those without conditions.
                if moves.ways.len() >= 900 {
                    continue;
                }
                if random(3) == 0 || !is_linked && random(rarely) > 0 {
                    continue;
                }
                moves.targets[usize::from(from)] &= !(1 << to);
                for _ in 0..1 + random(2) {
                    let mut need = || {
                        let needs = [Need::Empty, Need::Own, Need::Other, Need::Taken];
                        (random(cells.into()) as u8, needs[random(4) as usize])
                    };
                    let mut needs = vec![need(), need()];
                    needs.truncate(1 + random(2) as usize);
                    moves.ways.push(Way { from, to, needs });
                }
            }
        }
        moves.is_unwritten = true;
        self
    }

    /// The game in which a piece moves into some cells only if it is linked with a piece of the other side.
    pub fn with_moves_beside(mut self, linked: &[u64], into: u64) -> Spec {
        let moves = self.moves.as_mut().unwrap();
        let mut ways = std::mem::take(&mut moves.ways);
        for (from, targets) in
            (0..).zip(std::mem::replace(&mut moves.targets, vec![0; self.cells.into()]))
        {
            let targets = (0..self.cells).filter(|to| targets >> to & 1 == 1);
            ways.extend(targets.map(|to| Way { from, to, needs: Vec::new() }));
        }
        for way in ways {
            if into >> way.to & 1 == 0 {
                moves.ways.push(way);
                continue;
            }
            for cell in
                (0..self.cells).filter(|cell| linked[usize::from(way.from)] >> cell & 1 == 1)
            {
                let needs = [&way.needs[..], &[(cell, Need::Other)]].concat();
                moves.ways.push(Way { needs, ..way });
            }
        }
        self
    }

    /// All positions of the layers with entries; those that play can reach are among them if the game begins with an empty board.
    pub fn positions(&self) -> Vec<(u64, u64)> {
        let with_hand = |(set, hand): (u64, u8)| set | u64::from(hand) << ABOVE;
        let line_ends = matches!(self.kind, Kind::Plain | Kind::Ageing(_));
        let mut all = Vec::new();
        for [own, hand, others, other_hand] in kinds::numbers(self) {
            let waiters = kinds::words(self, others);
            for mover in kinds::words(self, own) {
                for &waiter in &waiters {
                    let (a, b) = (with_hand((mover, hand)), with_hand((waiter, other_hand)));
                    let is_over = line_ends && self.has_line(mover);
                    if mover & waiter & ((1 << ABOVE) - 1) == 0 && !is_over {
                        all.push((a, b));
                    }
                }
            }
        }
        all
    }
}
