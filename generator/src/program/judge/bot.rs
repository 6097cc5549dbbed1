//! `morpion judge --player`: a program that reads positions and writes moves, compared with perfect play.

use crate::program::arena::print_judgements;
use crate::program::tables::{TableSource, whole};
use crate::terminal::prelude::*;
use morpion_core::{Game, Move, Position};
use morpion_play::arena::positions::Judged;
use morpion_play::arena::{self, Judgement};
use morpion_play::players::{Choice, Player, PlayerError, Question};
use std::io::{BufRead, BufReader, ErrorKind};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Seed of the sample.
const SEED: u64 = 0;

/// Answer of the command. The keys are part of the interface.
#[derive(Serialize)]
struct BotAnswer {
    game: String,
    /// True if the positions are a sample.
    sampled: bool,
    #[serde(flatten)]
    judgement: Judgement,
}

/// Judges the moves of a program in all positions that play can reach, or in a sample. The status is 1 if a move gives value away.
pub fn judge(
    source: &TableSource,
    command: &str,
    sample: Option<u32>,
    json: bool,
    out: &mut Output,
) -> Result<()> {
    let table = whole(source.open_or_solve()?)?;
    let game = table.game();
    let Judged { positions, sampled } = Judged::of(game, sample, SEED);
    ensure!(!positions.is_empty(), "{}: the game is over in every position", game.name());
    let bot = Mutex::new(Bot::start(command)?);
    let consider = move |question: &Question<'_>| {
        let mut bot = bot.lock().unwrap_or_else(PoisonError::into_inner);
        let mv = bot.choose(question.game, question.position).map_err(PlayerError::Refused)?;
        Choice::of(vec![mv])
    };
    stop_on_signal();
    let player = Player::new(command, consider);
    let bars = Bars::over(When::Auto, "positions", positions.len() as u64);
    let mut judgement = arena::judge(&table, &player, &positions, &bars)?;
    drop(bars);
    out.status = u8::from(judgement.kept < Some(1.0));
    if json {
        return out.json(&BotAnswer { game: game.name().to_owned(), sampled, judgement });
    }
    judgement.player = "player".into();
    print_judgements(out, &[judgement], sampled)
}

/// A running program.
struct Bot {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Bot {
    /// Starts the program by a command of the shell.
    fn start(command: &str) -> Result<Bot> {
        let (shell, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
        let piped = Command::new(shell)
            .arg(option)
            .arg(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = piped.with_context(|| format!("{command}: cannot be started"))?;
        let (input, output) =
            (child.stdin.take().context("no input")?, child.stdout.take().context("no output")?);
        Ok(Bot { child, input, output: BufReader::new(output) })
    }

    /// Asks for a move, or returns the reason why the program gives none.
    fn choose(&mut self, game: &Game, raw: Position) -> Result<Move, String> {
        let asked = game.format_position(game.situation(raw, None));
        let mut line = String::new();
        let answered = writeln!(self.input, "{asked}")
            .and_then(|()| self.input.flush())
            .and_then(|()| self.output.read_line(&mut line));
        let answer = line.trim();
        match answered {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                return Err(format!("the program does not answer {asked}: {error}"));
            }
            Ok(1..) => {}
            Ok(0) | Err(_) => {
                return Err(format!("the program has ended instead of answering {asked}"));
            }
        }
        let mv = game
            .parse_move(answer)
            .map_err(|error| format!("{asked}: the program answers {answer:?}: {error}"))?;
        game.moves_at(raw).find(|legal| *legal == mv).ok_or_else(|| {
            format!("{asked}: the program answers {answer:?}, which is not a legal move")
        })
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
