//! The universal game interface, by which tournament managers ask engines for moves.
//!
//! Answers the commands of a manager, one per line, from a table. The protocol is
//! <https://github.com/kz04px/cutegames/blob/master/ugi.md>. It resembles UCI in chess, and `query` asks for the side
//! to move and the result. Positions and moves have the same notation as elsewhere in this project. The third
//! occurrence of a position ends the game.

use crate::dice::Dice;
use crate::players::PlayerError;
use crate::record::replayed;
use crate::referee::Referee;
use morpion_core::{Score, Side};
use morpion_games::catalogue::Table;

/// An engine that plays from a table.
#[derive(Debug)]
pub struct Engine<'t> {
    table: &'t Table,
    /// The game so far; `None` after a position that was refused.
    referee: Option<Referee<'t>>,
    /// Percentage of moves that are not perfect.
    errors: u64,
    dice: Dice,
}

impl<'t> Engine<'t> {
    /// An engine at the start of the game, which plays perfectly.
    pub fn new(table: &'t Table) -> Engine<'t> {
        Engine { table, referee: Some(Referee::new(table.game())), errors: 0, dice: Dice::new(0) }
    }

    /// Answers a line with any number of lines; `None` after `quit`. An unknown command is ignored, and answered by an
    /// `info string`.
    pub fn answer(&mut self, line: &str) -> Option<Vec<String>> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let answers = match words[..] {
            ["ugi"] => Ok(self.introduction()),
            ["isready"] => Ok(vec!["readyok".into()]),
            ["uginewgame"] => {
                self.referee = Some(Referee::new(self.table.game()));
                Ok(Vec::new())
            }
            ["setoption", "name", name, "value", value] => self.set(name, value).map(|()| vec![]),
            ["position", ref rest @ ..] => {
                let referee = self.position(rest);
                self.referee = referee.as_ref().ok().cloned();
                referee.map(|_| vec![])
            }
            ["query", question] => self.query(question).map(|answer| vec![answer]),
            ["go", ..] => Ok(self.go().unwrap_or_else(|error| {
                // Managers wait for a move.
                vec![format!("info string error: {error}"), "bestmove (none)".into()]
            })),
            ["stop"] | [] => Ok(Vec::new()),
            ["quit"] => return None,
            _ => Err(format!("{:?} is not a command of UGI", shown(line.trim()))),
        };
        Some(answers.unwrap_or_else(|error| vec![format!("info string error: {error}")]))
    }

    fn introduction(&self) -> Vec<String> {
        vec![
            format!("id name morpion {} {}", env!("CARGO_PKG_VERSION"), self.name()),
            "id author the authors of morpion".into(),
            "option name Errors type spin default 0 min 0 max 100".into(),
            "option name Seed type spin default 0 min 0 max 4294967295".into(),
            "ugiok".into(),
        ]
    }

    fn name(&self) -> &str {
        self.table.game().name()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = value.parse::<u32>().ok();
        let wrong =
            |expected| format!("option {name}: {:?} is not valid: use {expected}", shown(value));
        match name.to_ascii_lowercase().as_str() {
            "errors" => {
                let percent = number.filter(|percent| *percent <= 100);
                self.errors = percent.ok_or_else(|| wrong("0 to 100"))?.into();
            }
            "seed" => self.dice = Dice::new(number.ok_or_else(|| wrong("a number"))?.into()),
            _ => return Err(format!("unknown option {:?}: use Errors or Seed", shown(name))),
        }
        Ok(())
    }

    /// Reads a position: `startpos` or `fen` and a position, then perhaps `moves` and the moves since.
    fn position(&self, words: &[&str]) -> Result<Referee<'t>, String> {
        let game = self.table.game();
        let end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let (named, moves) = words.split_at(end);
        let referee = match named {
            ["startpos"] => Referee::new(game),
            ["fen", text @ ..] if !text.is_empty() => {
                let position =
                    game.parse_position(&text.join(" ")).map_err(|error| error.to_string())?;
                Referee::from_position(game, position)
            }
            _ => return Err("write position startpos, or position fen POSITION".into()),
        };
        replayed(referee, moves.get(1..).unwrap_or_default()).map_err(|error| error.to_string())
    }

    fn referee(&self) -> Result<&Referee<'t>, String> {
        self.referee.as_ref().ok_or_else(|| "the last position was refused: send another".into())
    }

    fn query(&self, question: &str) -> Result<String, String> {
        let referee = self.referee()?;
        let outcome = referee.outcome();
        let answer = match question {
            "gameover" if outcome.is_some() => "true",
            "gameover" => "false",
            "p1turn" if referee.side() == self.first() => "true",
            "p1turn" => "false",
            "result" => match outcome {
                None => "none",
                Some(outcome) => match outcome.winner {
                    None => "draw",
                    Some(side) if side == self.first() => "p1win",
                    Some(_) => "p2win",
                },
            },
            _ => {
                let question = shown(question);
                return Err(format!("unknown query {question:?}: use gameover, p1turn or result"));
            }
        };
        Ok(format!("response {answer}"))
    }

    /// The player who begins the game.
    fn first(&self) -> Side {
        self.table.game().start().side
    }

    /// Chooses a move, and returns it with its value and the line that follows. Reads the table without searching, so
    /// it needs no time limit.
    fn go(&mut self) -> Result<Vec<String>, String> {
        let referee = self.referee()?;
        let position = referee.position();
        let moves = match referee.outcome() {
            Some(_) => return Err(PlayerError::Over.to_string()),
            None => self.table.ranked_moves(position).map_err(|error| error.to_string())?,
        };
        let (perfect, others) = moves.split_at(moves.best().len());
        let errs = !others.is_empty() && self.dice.below(100) < self.errors;
        let candidates = if errs { others } else { perfect };
        let chosen = self.dice.pick(candidates).ok_or_else(|| PlayerError::Over.to_string())?;
        let game = self.table.game();
        let mut line = self.table.line(game.after(position, chosen.mv));
        line.try_for_each(|best| best.map(drop)).map_err(|error| error.to_string())?;
        let mv = game.format_move(chosen.mv);
        let rest = line.moves().iter().map(|&mv| game.format_move(mv));
        let line: Vec<String> = [mv.clone()].into_iter().chain(rest).collect();
        let score = in_chess(chosen.score);
        let info = format!("info depth {} score {score} pv {}", line.len(), line.join(" "));
        Ok(vec![info, format!("bestmove {mv}")])
    }
}

/// A score in the notation of chess: moves until mate, counting one side only, or hundredths of a pawn.
fn in_chess(score: Score) -> String {
    match score {
        Score::Win { plies: Some(plies) } => format!("mate {}", plies.div_ceil(2)),
        Score::Loss { plies: Some(plies) } => format!("mate -{}", plies.div_ceil(2)),
        Score::Win { plies: None } => "cp 10000".into(),
        Score::Loss { plies: None } => "cp -10000".into(),
        Score::Draw { .. } => "cp 0".into(),
    }
}

/// Truncates quoted input.
fn shown(text: &str) -> String {
    text.chars().take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_lookup::Table;

    fn talk(game: &str, lines: &[&str]) -> Vec<String> {
        let table = Table::builtin(game).unwrap();
        let mut engine = Engine::new(&table);
        lines.iter().flat_map(|line| engine.answer(line).unwrap()).collect()
    }

    #[test]
    fn a_game_is_played_and_its_end_is_known() {
        let answers = talk(
            "tapatan",
            &[
                "position startpos",
                "query p1turn",
                "go movetime 10",
                "position startpos moves b2 a1 c1 a3 a2",
                "query p1turn",
                "query gameover",
                "query result",
                "go depth 3",
            ],
        );
        assert_eq!(answers[0], "response true");
        assert!(answers[1].starts_with("info depth 9 score mate 5 pv b2 "), "{}", answers[1]);
        assert_eq!(
            answers[2..6],
            ["bestmove b2", "response false", "response false", "response none"]
        );
        assert!(answers[6].contains(" score cp 0 pv "), "{}", answers[6]);
        let answers = talk(
            "classic",
            &["position fen XX./OO./... x moves c1", "query gameover", "query result", "go"],
        );
        assert_eq!(
            answers,
            [
                "response true",
                "response p1win",
                "info string error: the game is over",
                "bestmove (none)"
            ]
        );
    }

    #[test]
    fn a_position_for_the_third_time_is_a_draw() {
        let dance = "a3-b3 c1-c2 b3-a3 c2-c1 ".repeat(2);
        let position = format!("position fen XXO/O../X.O x moves {dance}");
        let answers = talk("swap", &[position.trim(), "query gameover", "query result"]);
        assert_eq!(answers, ["response true", "response draw"]);
    }

    #[test]
    fn errors_have_the_requested_rate() {
        let table = Table::builtin("swap").unwrap();
        let mut engine = Engine::new(&table);
        engine.answer("setoption name Errors value 30").unwrap();
        engine.answer("position fen X../.O./..X o").unwrap();
        let mut wrong = 0;
        for _ in 0..1_000 {
            let answers = engine.answer("go infinite").unwrap();
            wrong += usize::from(answers[1] == "bestmove c1" || answers[1] == "bestmove a3");
        }
        assert!((250..350).contains(&wrong), "{wrong}");
    }

    #[test]
    fn unknown_commands_are_reported_and_ignored() {
        for (line, error) in [
            ("position", "write position startpos"),
            ("position fen", "write position startpos"),
            ("position fen XX./.../... x", "2 X and 0 O"),
            ("position startpos moves b2 b2", "move 2, \"b2\": b2 is not empty"),
            ("position startpos moves z9", "z9"),
            ("setoption name Errors value 101", "\"101\" is not valid: use 0 to 100"),
            ("setoption name Hash value 16", "unknown option \"Hash\": use Errors or Seed"),
            ("query winner", "unknown query \"winner\": use gameover, p1turn or result"),
            ("castle", "\"castle\" is not a command of UGI"),
        ] {
            let answers = talk("classic", &["position startpos moves b2", line, "query p1turn"]);
            assert!(
                answers[0].starts_with("info string error: ") && answers[0].contains(error),
                "{answers:?}"
            );
            // Nothing is answered for the position before.
            let turn = match line.starts_with("position") {
                true => "info string error: the last position was refused: send another",
                false => "response false",
            };
            assert_eq!(answers[1..], [turn], "{line}");
            let answers = talk("classic", &["position startpos moves b2", line, "go", "go"]);
            let moves = answers.iter().filter(|answer| answer.starts_with("bestmove "));
            let is_refused = line.starts_with("position");
            let [first, second]: [&String; 2] = moves.collect::<Vec<_>>().try_into().unwrap();
            assert_eq!(
                [first, second].map(|mv| mv == "bestmove (none)"),
                [is_refused; 2],
                "{line}"
            );
        }
        let table = Table::builtin("classic").unwrap();
        assert_eq!(Engine::new(&table).answer(" quit "), None);
        assert_eq!(talk("classic", &["", "stop", "isready"]), ["readyok"]);
        assert_eq!(talk("classic", &["ugi"]).last().unwrap(), "ugiok");
    }
}
