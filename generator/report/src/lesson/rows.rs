//! The lines of a lesson's tree, which text and page share.

use super::{Again, Lesson, Next, Reply, Step, Then};
use crate::diagram::Diagram;
use crate::phrases::{counted, plies};
use morpion_core::{Game, Over, Position, Side, Situation, Value};

/// A line of the tree: a reply of the other side, and the owner's answer.
pub(super) struct Branch<'l> {
    /// Number of lines above this one on the way to the root.
    pub depth: usize,
    /// The reply; `None` in the first line if the owner begins.
    pub reply: Option<&'l Reply>,
    /// The step that follows; `None` if the game is over or the position occurs elsewhere.
    pub step: Option<&'l Step>,
}

/// All lines, in the order of the page.
pub(super) fn rows(lesson: &Lesson) -> Vec<Branch<'_>> {
    let mut rows = Vec::new();
    let mut todo: Vec<Branch<'_>> = match lesson.replies.is_empty() {
        true => lesson
            .steps
            .first()
            .map(|step| Branch { depth: 0, reply: None, step: Some(step) })
            .into_iter()
            .collect(),
        false => following(lesson, 0, &lesson.replies),
    };
    while let Some(row) = todo.pop() {
        if let Some(step) = row.step {
            todo.extend(following(lesson, row.depth + 1, step.replies()));
        }
        rows.push(row);
    }
    rows
}

/// The lines of some replies, the last one first.
fn following<'l>(lesson: &'l Lesson, depth: usize, replies: &'l [Reply]) -> Vec<Branch<'l>> {
    let row = |reply: &'l Reply| {
        let step = match reply.then {
            Next::Step(number) => lesson.steps.get(number - 1),
            Next::Over(_) | Next::As(_) => None,
        };
        Branch { depth, reply: Some(reply), step }
    };
    replies.iter().rev().map(row).collect()
}

impl Branch<'_> {
    /// The position in which the owner is to move.
    pub fn position(&self, game: &Game, lesson: &Lesson) -> Situation {
        let raw = match (self.step, self.reply) {
            (Some(step), _) => step.raw,
            (None, Some(reply)) => reply.raw,
            (None, None) => Position { mover: 0, waiter: 0 },
        };
        Situation { board: game.board_shape(), raw, side: lesson.side }
    }

    /// The diagram of the position, with the reply before and the owner's move.
    pub fn diagram<'g>(&self, game: &'g Game, lesson: &Lesson) -> Diagram<'g> {
        Diagram {
            game,
            position: self.position(game, lesson),
            last: self.reply.map(|reply| reply.played),
            next: self.step.map(|step| step.played),
            is_named: true,
        }
    }

    /// The reply with all replies that lead to symmetric positions: `O a1 (c1 a3)`.
    pub fn reply(&self, owner: Side) -> Option<String> {
        let (first, others) = self.reply?.moves.split_first()?;
        let others =
            if others.is_empty() { String::new() } else { format!(" ({})", others.join(" ")) };
        Some(format!("{} {first}{others}", capital(owner.other())))
    }

    /// The owner's move: `X b2`.
    pub fn answer(&self, owner: Side) -> Option<String> {
        Some(format!("{} {}", capital(owner), self.step?.mv))
    }

    /// Returns the number of the step that has the replies of this line, and its words: `as after 5, turned left`.
    pub fn reference(&self) -> Option<(usize, String)> {
        let (again, words) = match (self.step, self.reply) {
            (Some(Step { then: Then::AsAfter(again), .. }), _) => (again, "as after"),
            (None, Some(Reply { then: Next::As(again), .. })) => (again, "as"),
            _ => return None,
        };
        let Again { step, symmetry } = *again;
        let place =
            if step == 0 { "as at the beginning".into() } else { format!("{words} {step}") };
        Some((step, symmetry.map_or(place.clone(), |symmetry| format!("{place}, {symmetry}"))))
    }

    /// Says how the game ends after this line; `None` if it continues.
    pub fn ending(&self, game: &Game, owner: Side) -> Option<String> {
        match (self.step, self.reply) {
            (Some(step), _) if matches!(step.then, Then::Over(_)) => {
                ending(game, game.apply(step.raw, step.played), owner.other())
            }
            (None, Some(reply)) => ending(game, reply.raw, owner),
            _ => None,
        }
    }
}

fn ending(game: &Game, position: Position, mover: Side) -> Option<String> {
    let over = game.end_at(position)?;
    Some(match (game.final_score(over).value(), over) {
        (Value::Win, _) => format!("{} wins", capital(mover)),
        (Value::Loss, _) => format!("{} wins", capital(mover.other())),
        (Value::Draw, Over::Full) => "draw: the board is full".into(),
        (Value::Draw, _) => format!("draw: {} cannot move", capital(mover)),
    })
}

pub(super) fn capital(side: Side) -> char {
    side.letter().to_ascii_uppercase()
}

/// The first sentences of a lesson: its result and its size.
pub(super) fn summary(lesson: &Lesson) -> [String; 2] {
    let owner = capital(lesson.side);
    let result = match (lesson.value, lesson.plies) {
        ("win", Some(length)) => {
            format!("{owner} wins against any play, in {} at most.", plies(length))
        }
        ("win", None) => format!("{owner} wins against any play."),
        _ => format!("{owner} draws against any play, and wins after a mistake."),
    };
    let positions = counted(lesson.positions as u64, "position");
    let moves = counted(lesson.steps.len() as u64, "move");
    [result, format!("{positions}, {moves} to know. {}", lesson.size())]
}

/// Explains the notation of the tree, in two sentences.
pub(super) const LEGEND: [&str; 2] = [
    "Moves in brackets lead to the same position, turned or mirrored.",
    "\"as 5\": continue at line 5, with the board turned or mirrored as it says.",
];
