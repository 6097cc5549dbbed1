//! Players, which choose moves.
//!
//! A player receives a position and the means to judge it. It returns the moves that it finds equally good, and chance
//! picks one of them. So a player has no state, can be shared, and is reproducible from a seed. Its errors can be
//! counted exactly instead of sampled.

use crate::dice::Dice;
use morpion_core::{Game, Move, Position, ProbeError, TableError};
use morpion_games::catalogue::Table;
use morpion_machine::progress::Stopped;
use thiserror::Error;

/// A kind of player, as [`super::parse`] finds it by name.
#[derive(Clone, Copy, Debug)]
pub struct PlayerKind {
    /// The name, followed by the notation of its parameters, such as `minimax:DEPTH`.
    pub usage: &'static str,
    /// One line for help texts.
    pub about: &'static str,
    /// The way to make a player of this kind.
    pub(super) make: Make,
}

/// A way to make a player.
#[derive(Clone, Copy, Debug)]
pub(super) enum Make {
    /// A player without parameters.
    Fixed(fn(&Question<'_>) -> Result<Choice, PlayerError>),
    /// Makes a player from the parameters after the colon, if there are any. The error describes valid parameters.
    Parameters(fn(Option<&str>) -> Result<Player, String>),
}

impl PlayerKind {
    /// The part of `usage` before the parameters.
    pub fn name(&self) -> &'static str {
        self.usage.split([':', '[']).next().unwrap_or_default()
    }

    /// Makes a player of this kind.
    pub(super) fn player(&self, parameters: Option<&str>) -> Result<Player, String> {
        match (self.make, parameters) {
            (Make::Parameters(make), _) => make(parameters),
            (Make::Fixed(consider), None) => Ok(Player::new(self.usage, consider)),
            (Make::Fixed(_), Some(_)) => Err(format!("{} without parameters", self.usage)),
        }
    }
}

/// The function that finds the best moves of a player in a position.
type Consider = dyn Fn(&Question<'_>) -> Result<Choice, PlayerError> + Send + Sync;

/// A player of any game.
pub struct Player {
    /// The name with its parameters, as [`super::parse`] reads it.
    pub name: String,
    /// True if the player needs [`Question::table`].
    pub needs_table: bool,
    consider: Box<Consider>,
}

impl Player {
    /// Makes a player from the function `consider`, which returns the best moves: at least one, in the order of the legal moves.
    /// Each of these moves is chosen with the same probability.
    pub fn new(
        name: &str,
        consider: impl Fn(&Question<'_>) -> Result<Choice, PlayerError> + Send + Sync + 'static,
    ) -> Player {
        Player { name: name.into(), needs_table: false, consider: Box::new(consider) }
    }

    /// The moves that this player finds best in the position of the question.
    ///
    /// # Errors
    /// If the game is over, if the player needs a table that is missing or damaged, or if a search would visit more
    /// positions than [`Question::limit`].
    pub fn consider(&self, question: &Question<'_>) -> Result<Choice, PlayerError> {
        (self.consider)(question)
    }

    /// Picks one of the moves of [`Player::consider`].
    ///
    /// # Errors
    /// Errors of [`Player::consider`].
    pub fn choose(
        &self,
        question: &Question<'_>,
        dice: &mut Dice,
    ) -> Result<(Move, Choice), PlayerError> {
        let choice = self.consider(question)?;
        let mv = *dice.pick(&choice.moves).ok_or(PlayerError::Over)?;
        Ok((mv, choice))
    }
}

/// A position in which a player has to find the best moves, and the means to find them.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The game that is played.
    pub game: &'a Game,
    /// A valid position of the game. The player has the pieces of `mover`.
    pub position: Position,
    /// A table of the game, if there is one.
    pub table: Option<&'a Table>,
    /// Maximum number of positions that a search may visit; `None` for no limit.
    pub limit: Option<u64>,
}

impl<'a> Question<'a> {
    /// The legal moves; empty if the game is over.
    pub fn moves(&self) -> Vec<Move> {
        self.game.legal_moves(self.position).collect()
    }

    /// The legal moves whose `worth` is greatest.
    ///
    /// # Errors
    /// [`PlayerError::Over`] if there are no legal moves.
    pub(crate) fn greatest<W: Ord>(
        &self,
        mut worth: impl FnMut(Move) -> W,
    ) -> Result<Choice, PlayerError> {
        let mut moves = self.moves();
        keep_greatest(&mut moves, &mut worth);
        Choice::of(moves)
    }
}

/// A player's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The moves that the player finds equally good, at least one.
    pub moves: Vec<Move>,
    /// Number of positions visited, the present position included. `None` if the player does not search.
    pub nodes: Option<u64>,
    /// Worth of the position, in the unit of [`super::search`]. `None` if the player does not search.
    pub worth: Option<i32>,
}

impl Choice {
    /// A choice without a search.
    ///
    /// # Errors
    /// [`PlayerError::Over`] if `moves` is empty.
    pub fn of(moves: Vec<Move>) -> Result<Choice, PlayerError> {
        if moves.is_empty() {
            return Err(PlayerError::Over);
        }
        Ok(Choice { moves, nodes: None, worth: None })
    }
}

/// Reason why a player does not move, or why games are not judged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The player cannot choose a move, for this reason.
    #[error("{0}")]
    Refused(String),
    /// The table cannot be read.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The table's census cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The search exceeds its limit, a number of positions.
    #[error("the search visits more than {0} positions")]
    TooLong(u64),
    /// The observer of the games requested a stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Keeps the items whose `worth` is greatest, and their order.
pub(crate) fn keep_greatest<T: Copy, W: Ord>(items: &mut Vec<T>, mut worth: impl FnMut(T) -> W) {
    let worths: Vec<W> = items.iter().map(|&item| worth(item)).collect();
    let Some(greatest) = worths.iter().max() else { return };
    let mut kept = worths.iter().map(|worth| worth == greatest);
    items.retain(|_| kept.next() == Some(true));
}
