//! `morpion strategy`: positions that one side can force.

use super::output::{Output, Shown};
use super::position::PositionArgs;
use super::tables::whole;
use anyhow::Result;
use clap::ValueEnum;
use morpion_games::catalogue::Table;
use morpion_lookup::raw::Position;
use morpion_lookup::{Side, Value};
use morpion_report::strategy::{Reach, Won};
use morpion_report::words::{grouped, in_words};
use std::io::Write;
use std::process::ExitCode;

/// List all winning positions reachable from a position
#[derive(clap::Args)]
#[command(after_help = "\
Follows all moves of both sides from the position, and lists the positions from
which one side wins against any play. If that side is to move, one of its
perfect moves is added.

Examples:
  morpion strategy classic \"X../.X./O.O x\" --for x
  morpion strategy nine-holes-diagonals --json")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// The winning side [default: the side to move]
    #[arg(long = "for", value_name = "SIDE")]
    side: Option<Letter>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Letter {
    #[value(alias = "X")]
    X,
    #[value(alias = "O")]
    O,
}

pub fn run(args: Args, out: &mut Output) -> Result<ExitCode> {
    let (table, position, side) = args.position.open()?;
    let table = whole(table)?;
    let winner = match args.side {
        Some(Letter::X) => Side::X,
        Some(Letter::O) => Side::O,
        None => side,
    };
    let reach = Reach::new(table.game(), position, side)?;
    let strategy = Strategy { table: &table, reach, position, side, winner };
    if args.json {
        strategy.write_json(out)?
    } else {
        strategy.write_text(out)?
    }
    Ok(ExitCode::SUCCESS)
}

struct Strategy<'a> {
    table: &'a Table,
    reach: Reach,
    position: Position,
    side: Side,
    winner: Side,
}

impl Strategy<'_> {
    fn wins(&self) -> Result<bool> {
        let value = self.table.probe(self.position)?.value();
        Ok(value == if self.side == self.winner { Value::Win } else { Value::Loss })
    }

    fn text(&self, position: Position, side: Side) -> String {
        self.table.game().position(position, side).to_string()
    }

    /// Positions are written as they are found, since their text may be larger than memory.
    fn write_json(&self, out: &mut impl Write) -> Result<()> {
        let game = self.table.game();
        let name = serde_json::to_string(&game.rules().name)?;
        let (position, winner) = (self.text(self.position, self.side), self.winner.letter());
        let wins = self.wins()?;
        write!(
            out,
            "{{\"game\":{name},\"position\":\"{position}\",\"for\":\"{winner}\",\"wins\":{wins},\"won\":["
        )?;
        let mut separator = "";
        for won in self.reach.won(self.table, self.winner) {
            let Won { position, side, .. } = won?;
            write!(out, "{separator}\"{}\"", self.text(position, side))?;
            separator = ",";
        }
        write!(out, "],\"strategy\":{{")?;
        separator = "";
        for won in self.reach.won(self.table, self.winner) {
            if let Won { position, side, mv: Some(mv) } = won? {
                let text = self.text(position, side);
                write!(out, "{separator}\"{text}\":\"{}\"", game.format_move(mv))?;
                separator = ",";
            }
        }
        writeln!(out, "}}}}")?;
        Ok(())
    }

    fn write_text(&self, out: &mut impl Write) -> Result<()> {
        let game = self.table.game();
        let score = self.table.probe(self.position)?;
        let winner = self.winner.letter().to_ascii_uppercase();
        let mover = self.side.letter().to_ascii_uppercase();
        let (mut won, mut entries) = (0u64, 0u64);
        for each in self.reach.won(self.table, self.winner) {
            won += 1;
            entries += u64::from(each?.mv.is_some());
        }
        writeln!(
            out,
            "{}, from {}",
            Shown(&game.rules().title),
            self.text(self.position, self.side)
        )?;
        writeln!(out, "{mover} is to move, and it is a {} for {mover}.", in_words(score))?;
        let verdict = if self.wins()? {
            format!("{winner} wins against any play.")
        } else {
            format!("{winner} cannot force a win here; after a mistake, {winner} can:")
        };
        writeln!(out, "{verdict}")?;
        writeln!(out)?;
        writeln!(
            out,
            "{} positions that can follow are won for {winner}; in {} of them {winner} has to find a move.",
            grouped(won),
            grouped(entries)
        )?;
        for turn in [true, false] {
            writeln!(out)?;
            let heading = if turn { "Play" } else { "Already won, whatever the other side does" };
            writeln!(out, "{heading}:")?;
            for won in self.reach.won(self.table, self.winner) {
                let Won { position, side, mv } = won?;
                if mv.is_some() != turn {
                    continue;
                }
                let text = self.text(position, side);
                let score = in_words(self.table.probe(position)?);
                match mv {
                    Some(mv) => writeln!(out, "  {text}  {:<6}  {score}", game.format_move(mv))?,
                    None if self.table.over(position)?.is_some() => {
                        writeln!(out, "  {text}  the game is over")?;
                    }
                    None => writeln!(out, "  {text}  {score} for the other side")?,
                }
            }
        }
        Ok(())
    }
}
