//! Games as links to the page of `morpion serve`.

use crate::record::{Record, RecordError, replayed};
use crate::referee::Referee;
use form_urlencoded::{Serializer, parse};
use morpion_lookup::Game;
use std::fmt;
use std::str::FromStr;

/// A game as the page encodes it in its address, such as `http://localhost:8080/#/swap?moves=b2+a1&o=perfect`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The game's name.
    pub game: String,
    /// The first position; `None` for the start of the rules.
    pub start: Option<String>,
    /// The moves.
    pub moves: Vec<String>,
    /// The players of X and O; `None` for a human.
    pub players: [Option<String>; 2],
    /// The seed of the players' choices.
    pub seed: Option<u64>,
}

impl Link {
    /// Returns true if a text is a link, not a position.
    pub fn is_link(text: &str) -> bool {
        text.contains("#/")
    }

    /// The link to a recorded game that starts from `start`, or from the start of the rules.
    pub fn of(record: &Record, start: Option<&str>) -> Link {
        let player = |name: &String| (name != "human").then(|| name.clone());
        Link {
            game: record.game.clone(),
            start: start.map(str::to_owned),
            moves: record.moves.clone(),
            players: [player(&record.x), player(&record.o)],
            seed: Some(record.seed),
        }
    }

    /// Plays the game back.
    ///
    /// # Errors
    /// If the link does not fit the rules. Errors in moves have the number of the move.
    pub fn replay<'g>(&self, game: &'g Game) -> Result<Referee<'g>, RecordError> {
        let start = match &self.start {
            Some(text) => game.parse_position(text).map_err(RecordError::Start)?,
            None => game.start(),
        };
        replayed(Referee::from_position(game, start), &self.moves)
    }
}

/// The text is not a link to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a link to a game: copy the address of a game on the page, such as http://localhost:8080/#/swap?moves=b2+a1"
)]
pub struct ParseLinkError;

impl FromStr for Link {
    type Err = ParseLinkError;

    fn from_str(text: &str) -> Result<Link, ParseLinkError> {
        let (_, page) = text.split_once("#/").ok_or(ParseLinkError)?;
        let (game, query) = page.split_once('?').unwrap_or((page, ""));
        if game.is_empty() || game.contains('/') || ["own", "puzzle", "editor"].contains(&game) {
            return Err(ParseLinkError);
        }
        let mut link = Link {
            game: game.into(),
            start: None,
            moves: vec![],
            players: [None, None],
            seed: None,
        };
        for (field, value) in parse(query.as_bytes()) {
            match &*field {
                "position" => link.start = Some(value.into()),
                "moves" => link.moves = value.split_whitespace().map(str::to_owned).collect(),
                "x" => link.players[0] = Some(value.into()),
                "o" => link.players[1] = Some(value.into()),
                "seed" => link.seed = Some(value.parse().map_err(|_| ParseLinkError)?),
                // Other fields only change the page's display.
                _ => {}
            }
        }
        Ok(link)
    }
}

/// The part of the address from `#` on.
impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut query = Serializer::new(String::new());
        let [x, o] = &self.players;
        let moves = Some(self.moves.join(" ")).filter(|moves| !moves.is_empty());
        let seed = self.seed.filter(|_| x.is_some() || o.is_some()).map(|seed| seed.to_string());
        for (field, value) in
            [("position", &self.start), ("moves", &moves), ("x", x), ("o", o), ("seed", &seed)]
        {
            if let Some(value) = value {
                query.append_pair(field, value);
            }
        }
        let query = query.finish();
        write!(f, "#/{}{}{query}", self.game, if query.is_empty() { "" } else { "?" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_games::catalogue::standard_game;

    #[test]
    fn links_and_records_convert_into_each_other() {
        let game = standard_game("swap").unwrap();
        let address = "http://localhost:8080/#/swap?position=XO./.../...+x&moves=b2+a3&at=1&o=perfect:trap&seed=7";
        let link: Link = address.parse().unwrap();
        assert_eq!(link.start.as_deref(), Some("XO./.../... x"));
        let referee = link.replay(&game).unwrap();
        let record = Record::new(&referee, "human", "perfect:trap", 7);
        assert_eq!(record.moves, ["b2", "a3"]);
        let again = Link::of(&record, Some(&record.start));
        assert_eq!(again, link);
        assert_eq!(again.to_string().parse(), Ok(link));
        let bare = Link { start: None, moves: vec![], players: [None, None], ..again };
        assert_eq!(bare.to_string(), "#/swap");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "swap",
            "http://localhost:8080/",
            "#/",
            "#/own?rules=x",
            "#/puzzle?day=1",
            "#/heaps/nim",
            "#/swap?seed=-1",
        ] {
            assert_eq!(text.parse::<Link>(), Err(ParseLinkError), "{text}");
        }
        let game = standard_game("swap").unwrap();
        let link: Link = "#/swap?moves=b2+b2".parse().unwrap();
        let error = link.replay(&game).err().unwrap().to_string();
        assert!(error.contains("move 2"), "{error}");
    }
}
