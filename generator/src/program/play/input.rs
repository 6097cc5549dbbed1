//! Reads the lines that a player types: moves and commands.

use crate::terminal::output::{WIDTH, wrapped};
use morpion_core::{Game, Move};
use std::iter::repeat;

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

/// Splits a line into its first word, in lower case, and the text after it. The name of a cell is a move, even if a command has the
/// same name.
pub fn command<'l>(game: &Game, line: &'l str) -> (String, &'l str) {
    let line = line.trim();
    if game.about().names.iter().any(|name| name.eq_ignore_ascii_case(line)) {
        return ("move".into(), line);
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word.to_ascii_lowercase(), rest.trim())
}

/// Reads a move. The error describes valid input.
pub fn read_move(game: &Game, line: &str) -> Result<Move, String> {
    game.parse_move(line.trim()).map_err(|error| format!("{error}; help lists everything"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_games::catalogue::standard_game;
    use morpion_games::rules::parse;

    #[test]
    fn moves_and_commands_are_read() {
        let game = standard_game("classic5x4k4").unwrap();
        for (text, expected) in [
            ("b1", Move::Place { to: 1 }),
            ("A1-D5", Move::Shift { from: 0, to: 19 }),
            ("Pass", Move::Pass),
        ] {
            assert_eq!(read_move(&game, text), Ok(expected), "{text}");
        }
        for text in ["1/2", "e1", "a1-", "hint now"] {
            let error = read_move(&game, text).expect_err(text);
            assert!(error.contains("expected"), "{error}");
        }
        for (text, expected) in [
            ("save  my game.json", ("save", "my game.json")),
            ("  ", ("", "")),
            ("HINT\n", ("hint", "")),
        ] {
            let (word, rest) = command(&game, text);
            assert_eq!((word.as_str(), rest), expected, "{text}");
        }
    }

    #[test]
    fn the_name_of_a_cell_is_a_move() {
        let rules = "name = \"named\"\n[board]\ncells = 3\nnames = [\"hint\", \"b\", \"c\"]\n\
                     [lines]\nsets = [[\"b\", \"c\"]]\n";
        let game = parse("named.toml", rules).unwrap();
        assert_eq!(command(&game, "Hint").0, "move");
        assert_eq!(command(&game, "hint b").0, "hint");
    }
}
