//! A lesson: how one side keeps its win or its draw, with as few positions as possible.
//!
//! The owner of a lesson has one move in each position; the other side has all its moves. Symmetric positions occur once. The
//! moves are chosen among the perfect moves such that few positions remain. A lesson is a tree of [`Step`]s. A position that
//! would occur again refers to its first occurrence.

mod exchange;
mod fewest;
mod graph;
mod growing;
mod likeness;
pub mod page;
mod rows;
pub mod text;

use crate::error::ReportError;
use crate::phrases::{capital, counted, grouped};
use crate::worth::Worth;
use fewest::closed_set;
use graph::{Graph, moves};
use likeness::Likeness;
use morpion_core::{Damage, Game, Move, Position, ProbeError, Side, Situation, Value};
use morpion_games::catalogue::Table;
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// A lesson. The keys of its JSON form are part of the interface.
#[derive(Clone, Debug, Serialize)]
pub struct Lesson {
    /// The side that the lesson is for: `x` or `o`.
    #[serde(rename = "for")]
    pub owner: char,
    /// The first position.
    pub position: String,
    /// `win` or `draw`, for the owner.
    #[serde(flatten)]
    pub worth: Worth,
    /// Number of half-moves after which the lesson ends, because the whole lesson would be too long; absent if it is whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_plies: Option<usize>,
    /// Number of positions of both sides, up to symmetry.
    pub positions: usize,
    /// A lower bound of the number of positions of any lesson that consists of perfect moves. If it equals `positions`, the
    /// lesson is minimal.
    pub at_least: usize,
    /// The other side's first moves, if the other side begins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<Reply>,
    /// The positions in which the owner has to know a move, in the order of the page, numbered from 1.
    pub steps: Vec<Step>,
    #[serde(skip)]
    pub(crate) side: Side,
}

/// A position in which the owner has to know a move.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// Number of the step, from 1.
    pub number: usize,
    /// The position.
    pub position: String,
    /// `win` or `draw`, for the owner.
    #[serde(flatten)]
    pub worth: Worth,
    /// The move to play.
    #[serde(rename = "move")]
    pub mv: String,
    /// The continuation.
    #[serde(flatten)]
    pub then: Then,
    #[serde(skip)]
    pub(crate) raw: Position,
    #[serde(skip)]
    pub(crate) played: Move,
}

/// The continuation after the owner's move.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// The game is over: `line`, `full` or `stuck`.
    Over(&'static str),
    /// All replies of the other side; empty if the lesson ends here before the game.
    Replies(Vec<Reply>),
    /// The position is symmetric to the position after another step's move, and that step has the replies.
    AsAfter(Again),
}

/// Replies of the other side that lead to symmetric positions.
#[derive(Clone, Debug, Serialize)]
pub struct Reply {
    /// The moves. `position` and `then` belong to the first move.
    pub moves: Vec<String>,
    /// The position after the first move.
    pub position: String,
    /// The continuation.
    #[serde(flatten)]
    pub then: Next,
    #[serde(skip)]
    pub(crate) raw: Position,
    #[serde(skip)]
    pub(crate) played: Move,
}

/// The continuation after a reply.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Next {
    /// The game is over: `line`, `full` or `stuck`.
    Over(&'static str),
    /// The number of the step that follows.
    Step(usize),
    /// The position is symmetric to the position of a step that follows another reply.
    As(Again),
}

/// A reference to a step whose position is symmetric.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Again {
    /// The number of the step; 0 if the other side begins and the position is the first one.
    pub step: usize,
    /// The symmetry that takes the step's position to this one; `null` if the positions are equal.
    pub symmetry: Option<&'static str>,
}

impl Lesson {
    /// Chooses a lesson for `owner` from a position, in at most a few seconds. If more than 10,000 positions can follow perfect
    /// moves of the owner, the lesson has only the first plies.
    ///
    /// # Errors
    /// If the owner loses, or if the table is damaged.
    pub fn new(table: &Table, position: Situation, owner: Side) -> Result<Lesson, ReportError> {
        let is_own = position.side == owner;
        let score = table.probe(position)?;
        let value = if is_own { score.value() } else { score.value().reversed() };
        if value == Value::Loss {
            let (owner, other) = (owner.letter(), owner.other().letter());
            return Err(ReportError::Lost { owner, other });
        }
        let graph = Graph::new(table, position.raw, is_own)?;
        let (members, at_least) = closed_set(&graph.nodes);
        let mut walk = Walk {
            table,
            graph: &graph,
            members: &members,
            owner,
            likeness: Likeness::new(table),
            steps: Vec::new(),
            replies: Vec::new(),
            reached: HashMap::new(),
        };
        walk.run(position.raw, is_own)?;
        let positions = walk.reached.len();
        let (replies, steps) = walk.numbered();
        Ok(Lesson {
            owner: owner.letter(),
            position: table.game().format_position(position),
            worth: Worth { value: value.name(), ..score.into() },
            first_plies: graph.plies,
            positions,
            at_least: at_least.min(positions),
            replies,
            steps,
            side: owner,
        })
    }

    /// Says in a sentence whether a lesson with fewer positions may exist, or how many moves the lesson covers.
    #[must_use]
    pub fn size(&self) -> String {
        let bound = match self.first_plies {
            Some(plies) => {
                let begins = usize::from(self.replies.is_empty());
                let moves = counted(((plies + begins) / 2) as u64, "move");
                return format!(
                    "These are the first {moves} of {}: the whole lesson would be too long.",
                    capital(self.side)
                );
            }
            None if self.positions == self.at_least => {
                return "No lesson of perfect moves has fewer positions.".into();
            }
            // A bound below half of the positions says too little.
            None if self.at_least < self.positions / 2 => String::new(),
            None => format!(", with at least {} positions", grouped(self.at_least as u64)),
        };
        format!("There may be a smaller lesson of perfect moves{bound}.")
    }
}

impl Step {
    /// The replies to the step's move; empty if the game is over, or if another step has the replies.
    #[must_use]
    pub fn replies(&self) -> &[Reply] {
        match &self.then {
            Then::Replies(replies) => replies,
            Then::Over(_) | Then::AsAfter(_) => &[],
        }
    }
}

/// A line of the tree: a reply of the other side, and the owner's answer.
#[derive(Clone, Copy)]
struct Branch<'l> {
    /// Number of lines above this one on the way to the root.
    depth: usize,
    /// The reply; `None` in the first line if the owner begins.
    reply: Option<&'l Reply>,
    /// The step that follows; `None` if the game is over or the position occurs elsewhere.
    step: Option<&'l Step>,
}

impl<'l> Branch<'l> {
    /// All lines of a lesson, each before the lines below it.
    fn in_order(replies: &'l [Reply], steps: &'l [Step]) -> Vec<Branch<'l>> {
        let mut todo = Branch::first(replies, steps);
        todo.reverse();
        let mut lines = Vec::new();
        while let Some(line) = todo.pop() {
            todo.extend(line.next(steps).into_iter().rev());
            lines.push(line);
        }
        lines
    }

    /// The first lines of a lesson.
    fn first(replies: &'l [Reply], steps: &'l [Step]) -> Vec<Branch<'l>> {
        match steps.first() {
            Some(step) if replies.is_empty() => {
                vec![Branch { depth: 0, reply: None, step: Some(step) }]
            }
            _ => Branch::all(0, replies, steps),
        }
    }

    /// The lines below this one.
    fn next(&self, steps: &'l [Step]) -> Vec<Branch<'l>> {
        Branch::all(self.depth + 1, self.step.map_or(&[], Step::replies), steps)
    }

    fn all(depth: usize, replies: &'l [Reply], steps: &'l [Step]) -> Vec<Branch<'l>> {
        let branch = |reply: &'l Reply| {
            let step = match reply.then {
                Next::Step(number) => steps.get(number - 1),
                Next::Over(_) | Next::As(_) => None,
            };
            Branch { depth, reply: Some(reply), step }
        };
        replies.iter().map(branch).collect()
    }
}

/// A walk through the chosen positions, the nearest to the root first. Of symmetric positions, only the nearest one is continued.
struct Walk<'l> {
    table: &'l Table,
    graph: &'l Graph,
    members: &'l HashSet<u32>,
    owner: Side,
    likeness: Likeness<'l>,
    steps: Vec<Step>,
    replies: Vec<Reply>,
    /// The first reached position of each class, with the number of a step: the step of this position if the owner is to move,
    /// otherwise the step whose move leads there. The number is 0 at a root where the other side moves, and after replies that end
    /// the game.
    reached: HashMap<u32, (usize, Position)>,
}

impl<'l> Walk<'l> {
    fn game(&self) -> &'l Game {
        self.table.game()
    }

    /// The text of a position in which the owner is to move.
    fn text(&self, raw: Position) -> String {
        self.game().format_position(self.game().situation(raw, Some(self.owner)))
    }

    fn run(&mut self, root: Position, is_own: bool) -> Result<(), ProbeError> {
        let node = self.graph.node(root, is_own);
        self.reached.insert(node, (0, root));
        if self.game().end_at(root).is_none() {
            match is_own {
                true => _ = self.enter(root, node)?,
                false => self.replies = self.replies_in(root)?,
            }
        }
        let mut at = 0;
        while at < self.steps.len() {
            self.steps[at].then = self.continuation(at)?;
            at += 1;
        }
        Ok(())
    }

    /// Adds the step of an unfinished game, and returns its number.
    fn enter(&mut self, raw: Position, node: u32) -> Result<usize, ProbeError> {
        let node_after = |mv: &Move| self.graph.node(self.game().apply(raw, *mv), false);
        let chosen = |mv: &Move| self.members.contains(&node_after(mv));
        let played = moves(self.table, raw, true)?.into_iter().find(chosen);
        let played = played.ok_or(Damage::Entry)?;
        let number = self.steps.len() + 1;
        self.reached.insert(node, (number, raw));
        self.steps.push(Step {
            number,
            position: self.text(raw),
            worth: self.table.probe(raw)?.into(),
            mv: self.game().format_move(played),
            then: Then::Replies(Vec::new()),
            raw,
            played,
        });
        Ok(number)
    }

    fn continuation(&mut self, at: usize) -> Result<Then, ProbeError> {
        let Step { number, raw, played, .. } = self.steps[at];
        let position = self.game().apply(raw, played);
        let node = self.graph.node(position, false);
        let again = self.again(node, position);
        self.reached.entry(node).or_insert((number, position));
        if let Some(over) = self.game().end_at(position) {
            return Ok(Then::Over(over.name()));
        }
        if let Some(again) = again {
            return Ok(Then::AsAfter(again));
        }
        if self.graph.nodes[node as usize].next.is_empty() {
            return Ok(Then::Replies(Vec::new()));
        }
        Ok(Then::Replies(self.replies_in(position)?))
    }

    /// The replies in a position of the other side, grouped by the classes to which they lead.
    fn replies_in(&mut self, position: Position) -> Result<Vec<Reply>, ProbeError> {
        let mut replies: Vec<(u32, Reply)> = Vec::new();
        for mv in moves(self.table, position, false)? {
            let raw = self.game().apply(position, mv);
            let node = self.graph.node(raw, true);
            let name = self.game().format_move(mv);
            match replies.iter_mut().find(|(other, _)| *other == node) {
                Some((_, reply)) => reply.moves.push(name),
                None => {
                    let then = self.answer(raw, node)?;
                    let text = self.text(raw);
                    let reply = Reply { moves: vec![name], position: text, then, raw, played: mv };
                    replies.push((node, reply));
                }
            }
        }
        Ok(replies.into_iter().map(|(_, reply)| reply).collect())
    }

    fn answer(&mut self, raw: Position, node: u32) -> Result<Next, ProbeError> {
        if let Some(over) = self.game().end_at(raw) {
            self.reached.insert(node, (0, raw));
            return Ok(Next::Over(over.name()));
        }
        Ok(match self.again(node, raw) {
            Some(again) => Next::As(again),
            None => Next::Step(self.enter(raw, node)?),
        })
    }

    /// A reference to the first position of this class; `None` if the class was not reached before.
    fn again(&self, node: u32, position: Position) -> Option<Again> {
        let &(step, first) = self.reached.get(&node)?;
        Some(Again { step, symmetry: self.likeness.name(first, position) })
    }

    /// Numbers the steps in the order of the page: each step before the steps that follow it.
    fn numbered(self) -> (Vec<Reply>, Vec<Step>) {
        let Walk { mut steps, mut replies, .. } = self;
        // Number 0 is the first position if the other side begins.
        let mut numbers = vec![0; steps.len() + 1];
        let lines = Branch::in_order(&replies, &steps);
        for (number, step) in (1..).zip(lines.iter().filter_map(|line| line.step)) {
            numbers[step.number] = number;
        }
        let renumber = |replies: &mut [Reply]| {
            for reply in replies {
                match &mut reply.then {
                    Next::Step(step) | Next::As(Again { step, .. }) => *step = numbers[*step],
                    Next::Over(_) => {}
                }
            }
        };
        renumber(&mut replies);
        for step in &mut steps {
            step.number = numbers[step.number];
            match &mut step.then {
                Then::Replies(replies) => renumber(replies),
                Then::AsAfter(again) => again.step = numbers[again.step],
                Then::Over(_) => {}
            }
        }
        steps.sort_by_key(|step| step.number);
        (replies, steps)
    }
}
