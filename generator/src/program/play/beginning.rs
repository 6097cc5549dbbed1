//! The position from which a session begins: the start of the rules, a position, or the game of a link or record.

use anyhow::{Context, Result};
use morpion_lookup::Game;
use morpion_play::link::Link;
use morpion_play::record::Record;
use morpion_play::referee::Referee;
use std::path::{Path, PathBuf};

/// The beginning of a session.
pub enum Beginning {
    /// At the start of the rules.
    Start,
    /// At a position, as the user has written it.
    Position(String),
    /// After the moves of a link to the page.
    Link(Link),
    /// After the moves of a record in a file.
    Record(PathBuf, Record),
}

impl Beginning {
    /// Reads the values of `--from` and `--load`, of which at most one is given.
    pub fn read(from: Option<&str>, load: Option<&Path>) -> Result<Beginning> {
        Ok(match (load, from) {
            (Some(path), _) => {
                let record = Record::read(path).with_context(|| path.display().to_string())?;
                Beginning::Record(path.into(), record)
            }
            (None, Some(text)) if Link::is_link(text) => Beginning::Link(text.parse()?),
            (None, Some(text)) => Beginning::Position(text.to_owned()),
            (None, None) => Beginning::Start,
        })
    }

    /// The name of the game, if the link or record contains it.
    pub fn game(&self) -> Option<&str> {
        match self {
            Beginning::Start | Beginning::Position(_) => None,
            Beginning::Link(link) => Some(&link.game),
            Beginning::Record(_, record) => Some(&record.game[..]).filter(|game| !game.is_empty()),
        }
    }

    /// Sets up the game and replays its moves.
    pub fn referee<'g>(&self, game: &'g Game) -> Result<Referee<'g>> {
        match self {
            Beginning::Start => Ok(Referee::new(game)),
            Beginning::Position(text) => {
                let position = game.parse_position(text).with_context(|| format!("{text:?}"))?;
                Ok(Referee::from_position(game, position))
            }
            Beginning::Link(link) => link.replay(game).context("the link"),
            Beginning::Record(path, record) => {
                record.replay(game).with_context(|| path.display().to_string())
            }
        }
    }

    /// The players of X and O in the link or record.
    pub fn players(&self) -> [Option<String>; 2] {
        match self {
            Beginning::Start | Beginning::Position(_) => [None, None],
            Beginning::Link(link) => {
                link.players.clone().map(|player| Some(player.unwrap_or_else(|| "human".into())))
            }
            Beginning::Record(_, record) => {
                [&record.x, &record.o].map(|player| Some(player.clone()))
            }
        }
    }

    /// The seed of the players' choices in the link or record.
    pub fn seed(&self) -> Option<u64> {
        match self {
            Beginning::Start | Beginning::Position(_) => None,
            Beginning::Link(link) => link.seed,
            Beginning::Record(_, record) => Some(record.seed),
        }
    }
}
