//! Games as links to the page of `morpion serve`, such as `http://localhost:8080/#/swap?moves=b2+a1&o=perfect`.

use crate::record::{Record, RecordError};
use form_urlencoded::{Serializer, parse};
use morpion_core::Game;

/// The error for a text that is not a link to a game.
const OTHER: &str = "not a link to a game: copy the address of a game on the page, such as http://localhost:8080/#/swap?moves=b2+a1";

/// Returns true if a text is a link, not a position.
pub fn is_link(text: &str) -> bool {
    text.contains("#/")
}

/// Reads the game of a link. The record does not name its rules.
///
/// # Errors
/// If the text is not a link to a game.
pub fn read(text: &str) -> Result<Record, RecordError> {
    let other = || RecordError(OTHER.into());
    let (_, page) = text.split_once("#/").ok_or_else(other)?;
    let (game, query) = page.split_once('?').unwrap_or((page, ""));
    if game.is_empty() || game.contains('/') {
        return Err(other());
    }
    let mut record = Record::unnamed();
    record.game = game.into();
    for (field, value) in parse(query.as_bytes()) {
        match &*field {
            "position" => record.start = value.into(),
            "moves" => record.moves = value.split_whitespace().map(str::to_owned).collect(),
            "x" => record.x = value.into(),
            "o" => record.o = value.into(),
            "seed" => record.seed = Some(value.parse().map_err(|_| other())?),
            // Other fields only change the page's display.
            _ => {}
        }
    }
    Ok(record)
}

/// Writes the link to a recorded game: the part of the address from `#` on.
pub fn write(record: &Record, game: &Game) -> String {
    let is_from_start = record.start == game.format_position(game.start());
    let start = if is_from_start { "" } else { &record.start };
    let [x, o] = [&record.x, &record.o].map(|name| if name == "human" { "" } else { name });
    let seed = record.seed.filter(|_| !x.is_empty() || !o.is_empty());
    let seed = seed.map_or(String::new(), |seed| seed.to_string());
    let moves = record.moves.join(" ");
    let mut query = Serializer::new(String::new());
    for (field, value) in
        [("position", start), ("moves", &moves), ("x", x), ("o", o), ("seed", &seed)]
    {
        if !value.is_empty() {
            query.append_pair(field, value);
        }
    }
    let query = query.finish();
    format!("#/{}{}{query}", record.game, if query.is_empty() { "" } else { "?" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::Referee;
    use morpion_games::catalogue::standard_game;

    #[test]
    fn links_and_records_convert_into_each_other() {
        let game = standard_game("swap").unwrap();
        let address = "http://localhost:8080/#/swap?position=XO./.../...+x&moves=b2+a3&at=1&o=perfect:trap&seed=7";
        let linked = read(address).unwrap();
        assert_eq!(linked.start, "XO./.../... x");
        let referee = linked.replay(&game).unwrap();
        let record = Record::new(&referee, "human", "perfect:trap", 7);
        assert_eq!(record.moves, ["b2", "a3"]);
        assert_eq!(read(&write(&record, &game)).unwrap(), linked);
        let bare = Record::new(&Referee::new(&game), "human", "human", 7);
        assert_eq!(write(&bare, &game), "#/swap");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "swap",
            "http://localhost:8080/",
            "#/",
            "#own?rules=x",
            "#puzzle?day=1",
            "#heaps/nim",
            "#/swap?seed=-1",
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), OTHER, "{text}");
        }
        let game = standard_game("swap").unwrap();
        let linked = read("#/swap?moves=b2+b2").unwrap();
        let error = linked.replay(&game).err().unwrap().to_string();
        assert!(error.contains("move 2"), "{error}");
    }
}
