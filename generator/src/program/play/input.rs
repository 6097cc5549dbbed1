//! Reads the lines that a player types: moves and commands.

use crate::terminal::output::{WIDTH, wrapped};
use morpion_core::{Game, Move};
use std::iter::repeat;
use std::path::PathBuf;

/// A parsed line of input.
#[derive(Debug, PartialEq, Eq)]
pub enum Input {
    Move(Move),
    Hint,
    Review,
    Moves,
    Undo,
    Board,
    Help,
    Rules,
    New,
    Save(PathBuf),
    Load(PathBuf),
    Link,
    Quit,
    Yes,
    No,
    Nothing,
}

/// Help for the moves of a game.
pub fn notation(game: &Game) -> String {
    let cell = |cell: u8| game.format_cell(cell.min(game.cells() - 1));
    let mut ways: Vec<String> = Vec::new();
    if game.pushes() {
        let (from, to) =
            (cell(0), cell(game.board_shape().grid().map_or(1, |(_, columns)| columns - 1)));
        ways.push(format!("{from}>{to} takes the cube on {from} and pushes it in at {to}"));
    } else {
        ways.push(format!("{} places a piece there", cell(1)));
    }
    if game.graph().has_cycles() && !game.pushes() && !game.has_ages() {
        ways.push(format!("{}-{} moves a piece", cell(0), cell(1)));
    }
    let graph = game.graph();
    let mut steps = graph.phases.iter().flatten();
    if graph.passes_if_blocked() || steps.any(|step| step.is_pass()) {
        ways.push("pass passes".into());
    }
    if game.graph().takes.is_some() {
        ways.push(format!("a line takes a piece: {}x{}", cell(1), cell(4)));
    }
    wrapped(&ways.join("; "), WIDTH - 14)
        .iter()
        .zip(["MOVE"].into_iter().chain(repeat("")))
        .map(|(line, title)| format!("{title:<14}{line}\n"))
        .collect()
}

/// Reads a line. The error describes valid input.
pub fn read(game: &Game, line: &str) -> Result<Input, String> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let file = |input: fn(PathBuf) -> Input| match rest.trim() {
        "" => Err(format!("{word:?} needs a file: write {word} FILE")),
        name => Ok(input(name.into())),
    };
    // If a cell has the name of a command, the name means the cell.
    if game.about().names.iter().any(|name| name.eq_ignore_ascii_case(line)) {
        return Ok(Input::Move(read_move(game, line)?));
    }
    Ok(match (word.to_ascii_lowercase().as_str(), rest) {
        ("", _) => Input::Nothing,
        ("save", _) => file(Input::Save)?,
        ("load", _) => file(Input::Load)?,
        ("hint", "") => Input::Hint,
        ("review", "") => Input::Review,
        ("moves", "") => Input::Moves,
        ("undo", "") => Input::Undo,
        ("board", "") => Input::Board,
        ("help" | "?", "") => Input::Help,
        ("rules", "") => Input::Rules,
        ("link", "") => Input::Link,
        ("new", "") => Input::New,
        ("quit" | "exit", "") => Input::Quit,
        ("yes" | "y", "") => Input::Yes,
        ("no" | "n", "") => Input::No,
        _ => Input::Move(read_move(game, line)?),
    })
}

fn read_move(game: &Game, text: &str) -> Result<Move, String> {
    game.parse_move(text).map_err(|error| format!("{error}; help lists everything"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_games::catalogue::standard_game;

    #[test]
    fn moves_and_commands_are_read() {
        let game = standard_game("classic5x4k4").unwrap();
        for (text, expected) in [
            ("b1", Input::Move(Move::Place { to: 1 })),
            ("A1-D5", Input::Move(Move::Shift { from: 0, to: 19 })),
            ("Pass", Input::Move(Move::Pass)),
            ("save my game.json", Input::Save("my game.json".into())),
            ("  ", Input::Nothing),
            ("HINT", Input::Hint),
            ("review", Input::Review),
            ("Rules", Input::Rules),
        ] {
            assert_eq!(read(&game, text), Ok(expected), "{text}");
        }
        for text in ["1/2", "e1", "a1-", "save", "hint now"] {
            let error = read(&game, text).expect_err(text);
            assert!(error.contains("expected") || error.contains("write save FILE"), "{error}");
        }
    }
}
