//! The trait of players: something that chooses moves.
//!
//! For a turn, a position with what may be used to judge it, a player returns the moves that it finds equally good, of
//! which chance picks one. So a player has no state, can be shared, is reproducible from a seed, and its errors can be
//! counted exactly instead of sampled.

use crate::dice::Dice;
use morpion_games::catalogue::Table;
use morpion_lookup::raw::Position;
use morpion_lookup::{Game, Move, ProbeError};
use thiserror::Error;

/// A kind of player, as [`super::parse`] finds it by name.
#[derive(Clone, Copy, Debug)]
pub struct PlayerKind {
    /// Its name.
    pub name: &'static str,
    /// Its notation with parameters, such as `minimax:DEPTH`.
    pub usage: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// Examples of its use that suit small games, for lists to choose from.
    pub examples: &'static [&'static str],
    /// Makes one from what follows the colon of its name, if anything.
    pub(crate) make: Make,
}

/// Makes a player from its parameters; the error is what was expected.
pub(crate) type Make = fn(Option<&str>) -> Result<Box<dyn Player>, String>;

/// A player: chooses moves.
pub trait Player: Send + Sync {
    /// The name with its parameters, as [`super::parse`] reads it.
    fn name(&self) -> String;

    /// The moves that this player finds best here, in the order of [`Game::legal_moves`]; each is chosen equally often. They
    /// are legal, and there is at least one.
    ///
    /// # Errors
    /// If the game is over, if a table is needed and missing or damaged, or if a search would visit more
    /// positions than [`Turn::limit`].
    fn consider(&self, turn: &Turn<'_>) -> Result<Choice, PlayerError>;

    /// Picks one of the moves of [`Player::consider`].
    ///
    /// # Errors
    /// Errors of [`Player::consider`].
    fn choose(&self, turn: &Turn<'_>, dice: &mut Dice) -> Result<(Move, Choice), PlayerError> {
        let choice = self.consider(turn)?;
        let mv = *dice.pick(&choice.moves).ok_or(PlayerError::Over)?;
        Ok((mv, choice))
    }

    /// Checks that [`Turn::table`] is needed.
    fn needs_table(&self) -> bool {
        false
    }
}

/// The turn of a player: the position, and the means to judge it.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The game that is played.
    pub game: &'a Game,
    /// The position, of which [`Game::check`] approves; the player has its `mover`.
    pub position: Position,
    /// A table of that game, if there is one.
    pub table: Option<&'a Table>,
    /// Number of positions that a search may visit; `None`: any number.
    pub limit: Option<u64>,
}

impl<'a> Turn<'a> {
    /// The legal moves, none where the game is over.
    pub fn moves(&self) -> Vec<Move> {
        match self.game.over(self.position) {
            Some(_) => Vec::new(),
            None => self.game.legal_moves(self.position).collect(),
        }
    }

    /// The legal moves whose `worth` is greatest.
    ///
    /// # Errors
    /// [`PlayerError::Over`] where there are none.
    pub(crate) fn greatest<W: Ord>(
        &self,
        mut worth: impl FnMut(Move) -> W,
    ) -> Result<Choice, PlayerError> {
        let mut moves = self.moves();
        keep_greatest(&mut moves, &mut worth);
        Choice::of(moves)
    }
}

/// Answer of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The moves it likes equally well, at least one.
    pub moves: Vec<Move>,
    /// Positions visited, by those who search: the present one and everything after it.
    pub nodes: Option<u64>,
    /// The worth it found for the position, by those who search; see [`super::search`] for the unit.
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

/// Reason why a player does not move.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// There is nothing to choose.
    #[error("the game is over")]
    Over,
    /// A player who plays from a table has none.
    #[error("{player} plays from a table, and there is none of this game")]
    NoTable {
        /// The player.
        player: String,
    },
    /// The table gives no answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The search is larger than the asker allowed.
    #[error("the search visits more than {limit} positions")]
    TooLong {
        /// The most positions allowed.
        limit: u64,
    },
}

/// Keeps the items whose `worth` is greatest, in their order.
pub(crate) fn keep_greatest<T: Copy, W: Ord>(items: &mut Vec<T>, mut worth: impl FnMut(T) -> W) {
    let worths: Vec<W> = items.iter().map(|&item| worth(item)).collect();
    let Some(greatest) = worths.iter().max() else { return };
    let mut kept = worths.iter().map(|worth| worth == greatest);
    items.retain(|_| kept.next() == Some(true));
}

/// Reads the parameters of a player that has none.
pub(super) fn plain<P: Player + 'static>(
    parameters: Option<&str>,
    player: P,
) -> Result<Box<dyn Player>, String> {
    match parameters {
        None => Ok(Box::new(player)),
        Some(_) => Err(format!("{} without parameters", player.name())),
    }
}
