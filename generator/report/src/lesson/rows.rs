//! The texts and diagrams of the lines of a lesson's tree, which text and page share.

use super::{Again, Branch, Lesson, Next, Reply, Step, Then};
use crate::diagram::{Diagram, NAMES};
use crate::phrases::{capital, counted};
use crate::worth::winner;
use morpion_core::{Game, Over, Position, Side, Situation};

impl Branch<'_> {
    /// The position in which the owner is to move.
    pub fn position(&self, game: &Game, lesson: &Lesson) -> Situation {
        let raw = match (self.step, self.reply) {
            (Some(step), _) => step.raw,
            (None, Some(reply)) => reply.raw,
            (None, None) => Position { mover: 0, waiter: 0 },
        };
        game.situation(raw, Some(lesson.side))
    }

    /// The diagram of the position, with the reply before and the owner's move.
    pub fn diagram<'g>(&self, game: &'g Game, lesson: &Lesson) -> Diagram<'g> {
        Diagram {
            game,
            position: self.position(game, lesson),
            last: self.reply.map(|reply| reply.played),
            next: self.step.map(|step| step.played),
            names: NAMES,
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

    /// Returns the number of the step that has the replies of this line, and the text of the reference: `as after 5, turned
    /// left`.
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

    /// Says how the game ends after this line, or shows by `…` that the lesson ends before the game; otherwise `None`.
    pub fn ending(&self, game: &Game, owner: Side) -> Option<String> {
        match (self.step, self.reply) {
            (Some(Step { then: Then::Replies(replies), .. }), _) if replies.is_empty() => {
                Some("…".into())
            }
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
    Some(match (winner(game.final_score(over).value(), mover), over) {
        (Some(side), _) => format!("{} wins", capital(side)),
        (None, Over::Full) => "draw: the board is full".into(),
        (None, _) => format!("draw: {} cannot move", capital(mover)),
    })
}

/// The first sentences of a lesson: its result and its size.
pub(super) fn summary(lesson: &Lesson) -> [String; 2] {
    let owner = capital(lesson.side);
    let result = match (lesson.worth.value, lesson.worth.plies) {
        ("win", Some(length)) => {
            // `length` counts the half-moves of both sides. The winner makes half of them, rounded up if the winner begins.
            let moves = counted(length.div_ceil(2).into(), "move");
            format!("{owner} wins against any play, in {moves} at most.")
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
