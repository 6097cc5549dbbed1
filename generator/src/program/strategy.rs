//! `morpion strategy`: a lesson for one side, and all positions that one side can force.

use super::query::position;
use super::tables::{TableSource, whole, with_distances};
use anyhow::Result;
use clap::ValueEnum;
use morpion_games::catalogue::Table;
use morpion_lookup::{Position, Side, Value, raw};
use morpion_report::error::ReportError;
use morpion_report::lesson::{Lesson, page, text};
use morpion_report::phrases::{grouped, in_words};
use morpion_report::strategy::{Reach, Won};
use morpion_terminal::output::{Output, Shown, write_file};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Teach one side to keep its win or draw, with few positions
#[derive(clap::Args)]
#[command(after_help = "\
Prints a lesson: one move for its side in each position, all replies of the
other side, and symmetric positions once. The moves are perfect, and chosen such
that few positions remain. The output says whether there is a smaller lesson. A
lesson for a win gets nearer to it with each move; a lesson for a draw never
loses.

--all lists all positions instead that can follow after any moves of both sides,
and from which one side wins. If that side is to move, one of its perfect moves
is added.

--json has the positions of --all as \"won\", and their moves as \"strategy\". The
lesson is \"lesson\", unless --all is given; null if its side loses, or if too
many positions can follow.

Examples:
  morpion strategy achi
  morpion strategy classic --for o --html lesson.html
  morpion strategy classic \"X../.X./O.O x\" --for x --all
  morpion strategy nine-holes-diagonals --json")]
pub struct Args {
    #[command(flatten)]
    source: TableSource,
    /// A position as in `morpion query`; without it the start
    #[arg(value_name = "POSITION")]
    position: Option<String>,
    /// The side to teach [default: the side that wins; in a draw, the side to move]
    #[arg(long = "for", value_name = "SIDE")]
    side: Option<Letter>,
    /// List all winning positions that can follow instead
    #[arg(long)]
    all: bool,
    /// Also write the lesson as a page that unfolds, and prints on A4
    #[arg(long, value_name = "FILE.html", conflicts_with = "all")]
    html: Option<PathBuf>,
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
    let table = args.source.open_or_solve()?;
    let position = position(table.game(), args.position.as_deref())?;
    let table = whole(with_distances(table)?)?;
    let owner = match args.side {
        Some(Letter::X) => Side::X,
        Some(Letter::O) => Side::O,
        None if table.probe(position)?.value() == Value::Loss => position.side.other(),
        None => position.side,
    };
    let game = table.game();
    let lesson = (!args.all).then(|| Lesson::new(&table, position, owner)).transpose();
    let lesson = match lesson {
        // The positions of --all exist without a lesson too.
        Err(ReportError::Lost { .. } | ReportError::TooManyPositions { .. })
            if args.json && args.html.is_none() =>
        {
            None
        }
        lesson => lesson?,
    };
    if let (Some(file), Some(lesson)) = (&args.html, &lesson) {
        write_file(file, &page::page(game, lesson, None))?;
    }
    match &lesson {
        Some(lesson) if !args.json => {
            writeln!(out, "{}", Shown(game.title()))?;
            write!(out, "{}", text::text(game, lesson))?;
        }
        _ => {
            let reach = Reach::new(game, position.raw, position.side)?;
            let strategy = Strategy { table: &table, reach, position, winner: owner };
            match args.json {
                true => strategy.write_json((!args.all).then_some(lesson.as_ref()), out)?,
                false => strategy.write_text(out)?,
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

struct Strategy<'a> {
    table: &'a Table,
    reach: Reach,
    position: Position,
    winner: Side,
}

impl Strategy<'_> {
    fn wins(&self) -> Result<bool> {
        let value = self.table.probe(self.position)?.value();
        Ok(value == if self.position.side == self.winner { Value::Win } else { Value::Loss })
    }

    fn text(&self, raw: raw::Position, side: Side) -> String {
        self.table.game().format_position(Position { raw, side, ..self.position })
    }

    /// Positions are written as they are found, since their text may be larger than memory. `lesson` is written too if it was asked for.
    fn write_json(&self, lesson: Option<Option<&Lesson>>, out: &mut impl Write) -> Result<()> {
        let game = self.table.game();
        let name = serde_json::to_string(game.name())?;
        let (position, winner) = (game.format_position(self.position), self.winner.letter());
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
        write!(out, "}}")?;
        if let Some(lesson) = lesson {
            write!(out, ",\"lesson\":{}", serde_json::to_string(&lesson)?)?;
        }
        writeln!(out, "}}")?;
        Ok(())
    }

    fn write_text(&self, out: &mut impl Write) -> Result<()> {
        let game = self.table.game();
        let score = self.table.probe(self.position)?;
        let winner = self.winner.letter().to_ascii_uppercase();
        let mover = self.position.side.letter().to_ascii_uppercase();
        let (mut won, mut entries) = (0u64, 0u64);
        for each in self.reach.won(self.table, self.winner) {
            won += 1;
            entries += u64::from(each?.mv.is_some());
        }
        writeln!(out, "{}, from {}", Shown(game.title()), self.position)?;
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
                    None if game.raw().over(position).is_some() => {
                        writeln!(out, "  {text}  the game is over")?;
                    }
                    None => writeln!(out, "  {text}  {score} for the other side")?,
                }
            }
        }
        Ok(())
    }
}
