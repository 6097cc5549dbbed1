//! A saved game: the players, the first position, the moves and the result.
//!
//! Writes a referee's game to a file. Reads it back and replays it, checking every move.

use crate::referee::Referee;
use morpion_core::Game;
use serde::{Deserialize, Serialize};
use thiserror::Error;

const FORMAT: &str = "morpion game record";
const VERSION: u32 = 1;

/// A game as one JSON object in a file. Records of older programs have more keys, which are not used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    format: String,
    version: u32,
    /// The game's name; empty if a list of moves does not name it.
    pub game: String,
    /// The fingerprint of the rules, in hexadecimal; empty in a list of moves or a link.
    pub fingerprint: String,
    /// Player of X: `human` or a player.
    pub x: String,
    /// Player of O.
    pub o: String,
    /// The seed of the players' choices, if it is known.
    pub seed: Option<u64>,
    /// The first position; empty for the start of the rules.
    pub start: String,
    /// The moves.
    pub moves: Vec<String>,
    /// The result; `None` if the game is not over.
    pub result: Option<RecordedResult>,
}

/// The end of a recorded game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedResult {
    /// `x` or `o`; `None` for a draw.
    pub winner: Option<char>,
    /// The name of an [`Ending`](crate::referee::Ending).
    pub ending: String,
}

/// A record that cannot be played back, or a text that is not a record: the reason in words.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct RecordError(pub(crate) String);

impl RecordError {
    fn format() -> RecordError {
        RecordError(format!(
            "not a {FORMAT} of version {VERSION}: a record is a JSON object as `play --save` writes it, or a list of moves like `1. b2 2. a1`"
        ))
    }

    fn json(error: serde_json::Error) -> RecordError {
        RecordError(format!("not a game record: {error}"))
    }
}

impl Record {
    /// The record of a game between players with these names.
    pub fn new(referee: &Referee<'_>, x: &str, o: &str, seed: u64) -> Record {
        let game = referee.game();
        Record {
            format: FORMAT.into(),
            version: VERSION,
            game: game.name().to_owned(),
            fingerprint: format!("{:016x}", game.fingerprint()),
            x: x.into(),
            o: o.into(),
            seed: Some(seed),
            start: game.format_position(referee.states()[0]),
            moves: referee.moves().iter().map(|&mv| game.format_move(mv)).collect(),
            result: result(referee),
        }
    }

    /// A record without moves of a game between two humans, which names no game, rules or first position.
    pub fn unnamed() -> Record {
        let [format, x, o] = [FORMAT, "human", "human"].map(String::from);
        Record { format, version: VERSION, x, o, ..Record::default() }
    }

    /// Plays the record back.
    ///
    /// # Errors
    /// If the record has other rules, or contains an illegal move. Errors in moves have the number of the move.
    pub fn replay<'g>(&self, game: &'g Game) -> Result<Referee<'g>, RecordError> {
        let rules = format!("{:016x}", game.fingerprint());
        let is_list = self.fingerprint.is_empty();
        if rules != self.fingerprint && !is_list {
            return Err(RecordError(format!(
                "the record is of {} ({}), and not of {} ({rules}): choose its game or rule file",
                self.game,
                self.fingerprint,
                game.name()
            )));
        }
        let start = match &self.start[..] {
            "" => game.start(),
            text => {
                game.parse_position(text).map_err(|fault| RecordError(format!("start: {fault}")))?
            }
        };
        // A word such as `0-1` is not a result if it is the notation of a move in the game.
        let is_result = |text: &&String| {
            is_list && RESULTS.contains(&&text[..]) && game.parse_move(text).is_err()
        };
        let moves = self.moves.len() - usize::from(self.moves.last().filter(is_result).is_some());
        let mut referee = Referee::from_position(game, start);
        for (number, text) in (1..).zip(&self.moves[..moves]) {
            let unreadable = |fault| RecordError(format!("move {number}: {fault}"));
            let mv = game.parse_move(text).map_err(unreadable)?;
            let illegal = |fault| RecordError(format!("move {number}, {text:?}: {fault}"));
            referee.play(mv).map_err(illegal)?;
        }
        let expected = result(&referee);
        if self.result != expected && !is_list {
            let text = |result: &Option<RecordedResult>| match result {
                None => "a game that goes on".into(),
                Some(RecordedResult { winner: Some(winner), ending }) => {
                    format!("a win of {winner} ({ending})")
                }
                Some(RecordedResult { winner: None, ending }) => format!("a draw ({ending})"),
            };
            let [found, expected] = [&self.result, &expected].map(text);
            return Err(RecordError(format!(
                "the result is {found}, but the moves lead to {expected}"
            )));
        }
        Ok(referee)
    }

    /// Reads the bytes of a record, or a list of moves as other programs write it, which leaves `game` and `fingerprint` empty.
    /// Also returns the names of the tags or keys that are not used.
    ///
    /// # Errors
    /// If the bytes are not a record.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Record, Vec<String>), RecordError> {
        let text = String::from_utf8_lossy(bytes);
        if !text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').starts_with('{')
        {
            return Record::of_list(&text);
        }
        let value: serde_json::Value = serde_json::from_slice(bytes).map_err(RecordError::json)?;
        // The version is checked before the keys, since another version may have other keys.
        if value["format"] != FORMAT || value["version"] != VERSION {
            return Err(RecordError::format());
        }
        let keys = value.as_object().map(|object| object.keys().cloned().collect());
        let mut unused: Vec<String> = keys.unwrap_or_default();
        let record: Record = serde_json::from_value(value).map_err(RecordError::json)?;
        let known = serde_json::to_value(&record).map_err(RecordError::json)?;
        unused.retain(|key| known.get(key).is_none());
        Ok((record, unused))
    }

    /// Writes the text of a file with the record.
    pub fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

/// Results at the end of a list of moves.
const RESULTS: [&str; 5] = ["1-0", "0-1", "1/2-1/2", "1/2", "*"];

/// Tags whose value is the first position.
const STARTS: [&str; 4] = ["fen", "start", "position", "setup"];

impl Record {
    /// Reads a list of moves as other programs write it: moves, without their numbers and comments, and the tags before them. Also
    /// returns the names of the tags that are not used.
    fn of_list(text: &str) -> Result<(Record, Vec<String>), RecordError> {
        let (mut record, mut unused, mut words) = (Record::unnamed(), Vec::new(), String::new());
        let mut rest = text.trim_start_matches('\u{feff}');
        while let Some(next) = rest.chars().next() {
            let is_apart = words.is_empty() || words.ends_with(char::is_whitespace);
            if let Some((name, value, after)) = tag(rest) {
                if !words.trim().is_empty() {
                    return Err(misplaced(name));
                }
                unused.extend(record.take(name, value)?);
                rest = after;
            } else if next == '{' {
                let end = rest.find('}').ok_or_else(|| RecordError(OPEN_COMMENT.into()))?;
                rest = &rest[end + 1..];
                words.push(' ');
            } else if next == ';' && is_apart {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            } else {
                words.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
        record.moves = moves(&words);
        if record.moves.is_empty() && record.start.is_empty() {
            return Err(RecordError::format());
        }
        Ok((record, unused))
    }

    /// Stores the first position if this tag contains one. Returns the tag's name if it is not used.
    fn take(&mut self, name: &str, value: String) -> Result<Option<String>, RecordError> {
        let is_flag = name.eq_ignore_ascii_case("setup") && ["0", "1"].contains(&&value[..]);
        if is_flag || !STARTS.contains(&&name.to_ascii_lowercase()[..]) {
            return Ok((!is_flag).then(|| name.to_owned()));
        }
        if !self.start.is_empty() && self.start != value {
            return Err(misplaced(name));
        }
        self.start = value;
        Ok(None)
    }
}

/// Message for a comment in braces that does not end.
const OPEN_COMMENT: &str = "a comment that does not end: write } after it";

/// Message for a tag after the first move, or for a second first position that differs.
fn misplaced(name: &str) -> RecordError {
    RecordError(format!("the tag {name}: a record is one game, with its tags before the moves"))
}

/// Splits a tag, `[NAME "VALUE"]`, from the text behind it.
fn tag(text: &str) -> Option<(&str, String, &str)> {
    let text = text.strip_prefix('[')?.trim_start();
    let (name, mut rest) = text.split_at(text.find(|c: char| c.is_whitespace() || c == '"')?);
    rest = rest.trim_start().strip_prefix('"').filter(|_| !name.is_empty())?;
    let mut value = String::new();
    loop {
        let end = rest.find(['"', '\\'])?;
        value.push_str(&rest[..end]);
        if let Some(after) = rest[end..].strip_prefix('"') {
            return Some((name, value, after.trim_start().strip_prefix(']')?));
        }
        let escaped = rest[end + 1..].chars().next()?;
        value.push(escaped);
        rest = &rest[end + 1 + escaped.len_utf8()..];
    }
}

/// The moves in a text, without the numbers before them.
fn moves(text: &str) -> Vec<String> {
    let is_end = |c: char| c.is_whitespace() || "[],;\"'".contains(c);
    let words = text.split(is_end).map(|word| {
        // `1.b2` and `1...b2` have the number in front.
        let (number, rest) = word.split_once('.').unwrap_or(("", word));
        if number.bytes().all(|byte| byte.is_ascii_digit()) {
            rest.trim_start_matches('.')
        } else {
            word
        }
    });
    // A list that begins with a move of O, as `1... b2`, is not a whole game. So `1...` is kept, and later rejected as a move.
    let first = text.split_whitespace().next().filter(|word| word.contains(".."));
    first.into_iter().chain(words).filter(|word| !word.is_empty()).map(String::from).collect()
}

fn result(referee: &Referee<'_>) -> Option<RecordedResult> {
    referee.outcome().map(|outcome| RecordedResult {
        winner: outcome.winner.map(|side| side.letter()),
        ending: outcome.ending.name().into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_games::catalogue::standard_game;

    fn example(game: &Game) -> Record {
        let mut referee = Referee::new(game);
        for text in ["a1", "b1", "b2", "c3", "c1", "a3", "a1-a2"] {
            referee.play(game.parse_move(text).unwrap()).unwrap();
        }
        Record::new(&referee, "human", "perfect:trap", 7)
    }

    #[test]
    fn a_record_is_read_back_as_written() {
        let game = standard_game("swap").unwrap();
        let record = example(&game);
        let text = record.to_text();
        let (read, unused) = Record::from_bytes(text.as_bytes()).unwrap();
        assert_eq!((&read, unused.len()), (&record, 0));
        assert_eq!(read.replay(&game).unwrap().moves().len(), 7);
        let older =
            text.replace("\"seed\": 7,", "\"seed\": 7, \"repeat\": 3, \"turns_ago\": null,");
        assert_ne!(older, text);
        let unused = ["repeat", "turns_ago"].map(String::from).to_vec();
        let older = Record::from_bytes(older.as_bytes()).unwrap();
        assert_eq!(older, (record, unused), "keys of 0.3.0");
    }

    #[test]
    fn lists_of_moves_are_read() {
        let game = standard_game("swap").unwrap();
        let moves = ["a1", "b1", "b2", "c3"];
        for (text, not_used) in [
            ("[Event \"Example\"]\r\n\r\n1. a1 2. b1\r\n3. b2 4. c3\r\n", &["Event"][..]),
            ("\u{feff}1.a1 b1 2.b2 c3 *", &[]),
            ("1. A1 {the corner; not\nthe edge} b1 ; why\n1... b2 2. c3", &[]),
            ("[\"a1\", \"b1\", \"b2\", \"c3\"]", &[]),
            ("a1,b1,b2,c3", &[]),
            ("a1;b1;b2;c3", &[]),
            ("[Site \"a \\\"b\\\" c]\"][White \"x\"] a1 b1 b2 c3", &["Site", "White"]),
        ] {
            let (record, unused) = Record::from_bytes(text.as_bytes()).unwrap();
            let referee = record.replay(&game).unwrap();
            let found = referee.moves().iter().map(|&mv| game.format_move(mv));
            assert_eq!(found.collect::<Vec<_>>(), moves, "{text}");
            assert_eq!(unused, not_used, "{text}");
        }
        for (text, first) in [("Hello there", "Hello"), ("1... a1 2. b1", "1...")] {
            let (record, _) = Record::from_bytes(text.as_bytes()).unwrap();
            let error = record.replay(&game).unwrap_err().to_string();
            assert!(error.contains(&format!("move 1: {first:?} is not a move")), "{error}");
        }
    }

    #[test]
    fn a_tag_of_a_list_sets_the_first_position() {
        let game = standard_game("swap").unwrap();
        for text in [
            "[FEN \"X../.O./... x\"]\n\n1. b1 a3\n",
            "[SetUp \"1\"]\n[FEN \"X../.O./... x\"] 1. b1 a3",
            "[Event \"x\"] [ fen  \"X../.O./... x\" ] b1 a3",
            "[Start \"X../.O./... x\"]\nb1 a3",
        ] {
            let referee = Record::from_bytes(text.as_bytes()).unwrap().0.replay(&game).unwrap();
            assert_eq!(game.format_position(referee.states()[0]), "X../.O./... x", "{text}");
            assert_eq!(referee.moves().len(), 2, "{text}");
        }
        for (text, expected) in [
            ("[FEN \"nonsense\"] a1", "start: "),
            ("[FEN X../.O./... x] b1 a3", "move 1: "),
            ("[FEN \"X../.O./... x\"] [Position \".../.../... x\"] b1", "the tag Position: "),
            ("b1 a3 [FEN \"X../.O./... x\"]", "the tag FEN: a record is one game"),
            ("a1 b1 * [Event \"two\"] a1", "the tag Event: "),
            ("a1 {a comment b1", "a comment that does not end"),
        ] {
            let read = Record::from_bytes(text.as_bytes())
                .and_then(|(record, _)| record.replay(&game).map(drop));
            let error = read.expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn an_impossible_record_is_refused() {
        let game = standard_game("swap").unwrap();
        type Change = fn(&mut Record);
        let changes: [(Change, &str); 5] = [
            (|record| record.fingerprint = "0".into(), "and not of swap ("),
            (|record| record.start = "XX".into(), "start: "),
            (|record| record.moves[1] = "z9".into(), "move 2: "),
            (|record| record.moves[1] = "a1".into(), "move 2, \"a1\": a1 is not empty"),
            (
                |record| {
                    record.result =
                        Some(RecordedResult { winner: Some('x'), ending: "line".into() });
                },
                "the result is a win of x (line), but the moves lead to a game that goes on",
            ),
        ];
        for (change, expected) in changes {
            let mut record = example(&game);
            change(&mut record);
            let error = record.replay(&game).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        }
        for (text, expected) in [
            ("", "not a morpion game record of version 1: a record is "),
            ("[]", "a list of moves like `1. b2 2. a1`"),
            ("{", "not a game record"),
            (
                r#"{"format":"morpion game record","version":9}"#,
                "not a morpion game record of version 1",
            ),
            (r#"{"format":"morpion game record","version":1}"#, "missing field"),
        ] {
            let error = Record::from_bytes(text.as_bytes()).expect_err(text).to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
