//! Players that are chosen by name, from random to perfect.
//!
//! A player is made from a name and its parameters. To add one, write its file in this folder, and add it to [`KINDS`].

mod best_first;
mod cubic;
mod perfect;
mod rules;
mod sighted;

/// All kinds of players, the weakest first.
pub const KINDS: &[PlayerKind] = &[
    kind("random", "any legal move", Make::Fixed(|question| Choice::of(question.moves()))),
    kind(
        "child",
        "a win at hand, else any move",
        Make::Fixed(|question| sighted::consider(question, CHILD)),
    ),
    kind(
        "cubic",
        "the cell with the greatest sum, over its lines, of the cube of own minus other pieces",
        Make::Fixed(cubic::consider),
    ),
    kind(
        "best-first",
        "the move after which most own pairs are open; made lines before all",
        Make::Fixed(best_first::consider),
    ),
    kind(
        "rules",
        "win, else block, else make two of three, else centre, corner, side",
        Make::Fixed(rules::consider),
    ),
    kind(
        "club",
        "a club player: makes threats and blocks them, and looks no further",
        Make::Fixed(|question| sighted::consider(question, CLUB)),
    ),
    kind(
        "minimax:DEPTH",
        "looks DEPTH half-moves ahead, then counts the lines still possible for each side",
        Make::Parameters(|depth| search::make("minimax", Pruning::None, depth)),
    ),
    kind(
        "alphabeta:DEPTH",
        "as minimax, leaving out what cannot change the answer",
        Make::Parameters(|depth| search::make("alphabeta", Pruning::AlphaBeta, depth)),
    ),
    kind(
        "perfect[:first|random|trap]",
        "perfect moves from the table; of equal ones the first, any, or the one that is hardest to answer",
        Make::Parameters(perfect::make),
    ),
];

pub mod lines;
mod player;
pub mod search;

pub(crate) use sighted::{CHILD, CLUB, seen};

pub use player::{Choice, Player, PlayerError, PlayerKind, Question};

use player::Make;
use search::Pruning;
use thiserror::Error;

const fn kind(usage: &'static str, about: &'static str, make: Make) -> PlayerKind {
    PlayerKind { usage, about, make }
}

/// The text is not the name of a player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown player {found:?}: write {expected}")]
pub struct ParsePlayerError {
    /// The text.
    pub found: String,
    /// Description of valid names or parameters.
    pub expected: String,
}

/// Makes the player named by `text`: a name of [`KINDS`], then a colon and parameters if the player has any.
///
/// # Errors
/// [`ParsePlayerError`] with the valid names or parameters.
pub fn parse(text: &str) -> Result<Player, ParsePlayerError> {
    let (name, parameters) = match text.split_once(':') {
        Some((name, parameters)) => (name, Some(parameters)),
        None => (text, None),
    };
    let unknown = |expected| ParsePlayerError { found: text.chars().take(64).collect(), expected };
    let Some(kind) = KINDS.iter().find(|kind| kind.name() == name) else {
        let usages: Vec<_> = KINDS.iter().map(|kind| kind.usage).collect();
        return Err(unknown(usages.join(", ")));
    };
    kind.player(parameters).map_err(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_and_every_example_is_read_back() {
        let examples = [
            &["random", "child", "cubic", "best-first", "rules", "club"][..],
            &["minimax:2", "minimax:4", "alphabeta:4", "alphabeta:6"],
            &["perfect:first", "perfect:random", "perfect:trap"],
        ]
        .concat();
        for &example in &examples {
            assert_eq!(parse(example).map(|player| player.name), Ok(example.into()));
        }
        for kind in KINDS {
            let is_of_kind = |example: &&str| example.split(':').next() == Some(kind.name());
            assert!(examples.iter().any(is_of_kind), "{}", kind.usage);
        }
    }

    #[test]
    fn errors_describe_valid_input() {
        for (text, expected) in [
            (
                "deep-blue",
                "random, child, cubic, best-first, rules, club, minimax:DEPTH, alphabeta:DEPTH",
            ),
            ("", "random, child, cubic"),
            ("random:3", "random without parameters"),
            ("minimax", "minimax:DEPTH with a depth from 1 to 36"),
            ("minimax:0", "depth from 1 to 36"),
            ("alphabeta:-2", "depth from 1 to 36"),
            ("alphabeta:99999999999999999999", "depth from 1 to 36"),
            ("perfect:best", "perfect:first, perfect:random or perfect:trap"),
        ] {
            let error = parse(text).err().expect(text).to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
