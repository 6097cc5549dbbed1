//! `morpion puzzle`: puzzles in the terminal, the same puzzles as on the page.

use super::play::board;
use super::play::hint::hints;
use super::play::input::{command, read_move};
use super::tables::{Tables, open_all, open_or_solve};
use crate::terminal::lines::Prompts;
use crate::terminal::prelude::*;
use morpion_core::{Move, Situation};
use morpion_games::catalogue::short_title;
use morpion_play::puzzles::{Filter, LONGEST, Puzzle, only_move, printed, puzzle, resistance};
use morpion_report::ranking::ranking;
use std::time::{SystemTime, UNIX_EPOCH};

/// Solve puzzles: find the only move that wins or keeps the draw
#[derive(clap::Args)]
pub struct Args {
    /// Puzzles of this game only, by name, table file or rule file; a game without a table is solved on the fly
    #[arg(value_name = "GAME|FILE")]
    game: Option<String>,
    /// Puzzles of this grade only, from 1 (easy) to 5 (hard)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=5))]
    grade: Option<u8>,
    /// Number of the first puzzle [default: days since 1970-01-01, which gives the puzzle of the day]
    #[arg(long, value_name = "N")]
    number: Option<u64>,
    /// Write a sheet for A4: puzzles and, with GAME, its rules and questions about it; the answers are on page 2
    #[arg(long, value_name = "FILE.html", conflicts_with = "json")]
    sheet: Option<PathBuf>,
    #[command(flatten)]
    tables: Tables,
    /// Print the puzzle as a JSON object
    #[arg(long)]
    json: bool,
}

/// Seconds in a day.
const DAY: u64 = 86_400;

/// Maximum number of moves of a refutation that are shown.
const SHOWN: usize = 12;

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let folders = args.tables.folders();
    let mut tables = Vec::new();
    if let Some(name) = &args.game {
        tables.push(open_or_solve(&args.tables, name, false, |_| true)?.0);
    } else {
        open_all(&folders, |name| {
            tables.push(folders.open(name)?.0);
            Ok(())
        })?;
    }
    let game = args.game.is_some().then(|| tables[0].game().name());
    let filter = Filter { game, grade: args.grade };
    let today =
        || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / DAY);
    let first = args.number.unwrap_or_else(today);
    let all: Vec<&Table> = tables.iter().collect();
    if let Some(file) = &args.sheet {
        let sheet = printed(&all, first, filter)?;
        write_file(file, &sheet.context("no puzzles: choose another grade")?)?;
        return Ok(writeln!(
            out,
            "{}: a sheet for A4, with the answers on page 2",
            Shown(file.display())
        )?);
    }
    match args.json {
        true => out.json(&find(&all, first, filter)?.0),
        false => play(&all, first, filter, out),
    }
}

/// Finds the puzzle with a number, and the table of its game.
fn find<'t>(tables: &[&'t Table], number: u64, filter: Filter<'_>) -> Result<(Puzzle, &'t Table)> {
    puzzle(tables, number, filter)?.context("no such puzzle: choose another game or grade")
}

/// Asks puzzles from the number `first` on, until the player leaves.
fn play(tables: &[&Table], first: u64, filter: Filter<'_>, out: &mut Output) -> Result<()> {
    let out = &mut out.coloured();
    let mut prompts = Prompts::default();
    let mut streak = 0;
    for number in first.. {
        let (puzzle, table) = find(tables, number, filter)?;
        let short = short_title(table.game());
        writeln!(out, "Puzzle {number}, grade {}: {}", puzzle.grade, Shown(short))?;
        if table.game().title() != short {
            write_wrapped(out, table.game().title())?;
        }
        let position = table.game().parse_position(&puzzle.position)?;
        let mut attempt = Attempt {
            table,
            wins: puzzle.value == "win",
            position,
            last: None,
            was_helped: false,
            prompts: &mut prompts,
            out: &mut *out,
        };
        match (attempt.run()?, attempt.was_helped) {
            (Ending::Left, _) => break,
            (Ending::Skipped, _) => streak = 0,
            (Ending::Solved, true) => {
                streak = 0;
                writeln!(out, "Done, with help. Solved in a row: 0")?;
            }
            (Ending::Solved, false) => {
                streak += 1;
                writeln!(out, "Solved. Solved in a row: {streak}")?;
            }
        }
        if !wants_another(&mut prompts, out)? {
            break;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Asks whether to show the next puzzle, until the player answers yes or no. The end of the input means no.
fn wants_another(prompts: &mut Prompts, out: &mut impl Write) -> Result<bool> {
    while let Some(line) = prompts.ask("Enter for the next puzzle, or quit> ", out)? {
        match line.trim().to_lowercase().as_str() {
            "" | "yes" | "y" | "next" => return Ok(true),
            "quit" | "exit" | "no" | "n" => return Ok(false),
            _ => writeln!(out, "This puzzle is over: press Enter for the next one, or type: quit")?,
        }
    }
    Ok(false)
}

/// Result of a puzzle.
enum Ending {
    Solved,
    Skipped,
    /// The input ended, or the player left.
    Left,
}

/// A puzzle that is being solved.
struct Attempt<'t, W> {
    table: &'t Table,
    /// True to find a win, false to keep a draw.
    wins: bool,
    position: Situation,
    /// The cell of the last reply.
    last: Option<u8>,
    /// True after a wrong move, a hint, or a move that was shown.
    was_helped: bool,
    prompts: &'t mut Prompts,
    out: &'t mut W,
}

impl<W: Write> Attempt<'_, W> {
    /// Asks for the moves, one after another.
    fn run(&mut self) -> Result<Ending> {
        let (table, game) = (self.table, self.table.game());
        write!(self.out, "{}", board::links(game))?;
        for _ in 0..LONGEST {
            let Some(right) = only_move(table, self.position)? else {
                let reached = if self.wins { "win" } else { "keep the draw" };
                writeln!(self.out, "Now several moves {reached}.")?;
                break;
            };
            self.draw()?;
            self.set_task()?;
            if let Some(ending) = self.ask(right)? {
                return Ok(ending);
            }
            self.position = game.after(self.position, right);
            let other = self.position.side;
            let Some(reply) = resistance(table, self.position)? else {
                self.last = right.target();
                self.draw()?;
                break;
            };
            self.position = game.after(self.position, reply);
            self.last = reply.target();
            writeln!(self.out, "{} answers {}.", other.letter(), game.format_move(reply))?;
        }
        Ok(Ending::Solved)
    }

    fn draw(&mut self) -> Result<()> {
        let board = board::draw(self.table.game(), self.position, self.last);
        Ok(writeln!(self.out, "\n{board}")?)
    }

    /// Prints the result that the move has to reach.
    fn set_task(&mut self) -> Result<()> {
        let letter = self.position.side.letter();
        let aim = match self.wins {
            true => format!("{} for {letter}", in_words(self.table.probe(self.position)?)),
            false => format!("{letter} to move and keep the draw"),
        };
        Ok(writeln!(self.out, "{aim}: find the only move.")?)
    }

    /// The hint that names the piece of the right move, or its row if the piece is new.
    fn hint(&self, right: Move) -> Result<String> {
        let game = self.table.game();
        let row = |cell| game.about().board.square(cell).map(|(row, _)| row + 1);
        if let Move::Place { to } = right
            && let Some(row) = row(to)
        {
            return Ok(format!("Place a piece in row {row}."));
        }
        let ranking = ranking(self.table, self.position.raw, true)?;
        let hints = hints(game, &ranking);
        let at = usize::from(hints.len() > 2);
        hints.into_iter().nth(at).context("the puzzle has a right move")
    }

    /// Asks until the right move is typed or shown. Returns an ending if the player gives up earlier.
    fn ask(&mut self, right: Move) -> Result<Option<Ending>> {
        let game = self.table.game();
        let prompt = board::prompt(self.position.side);
        while let Some(line) = self.prompts.ask(&prompt, self.out)? {
            let (word, rest) = command(game, &line);
            match (word.as_str(), rest) {
                ("", _) => {}
                ("quit" | "exit", "") => return Ok(Some(Ending::Left)),
                ("skip", "") => return Ok(Some(Ending::Skipped)),
                ("show", "") => {
                    self.was_helped = true;
                    writeln!(self.out, "The move is {}.", game.format_move(right))?;
                    return Ok(None);
                }
                ("board", "") => self.draw()?,
                ("hint", "") => {
                    self.was_helped = true;
                    let hint = self.hint(right)?;
                    writeln!(self.out, "{hint}")?;
                }
                ("moves", "") => {
                    let legal = game.moves_at(self.position).map(|mv| game.format_move(mv));
                    writeln!(self.out, "{}", legal.collect::<Vec<_>>().join(" "))?;
                }
                ("help" | "?", "") => {
                    writeln!(self.out, "Type a move, or: hint, show, skip, board, moves, quit")?;
                }
                _ => match read_move(game, &line) {
                    Err(error) => writeln!(self.out, "{error}")?,
                    Ok(mv) if mv == right => {
                        writeln!(self.out, "Right: {}.", game.format_move(mv))?;
                        return Ok(None);
                    }
                    Ok(mv) => self.refute(mv)?,
                },
            }
        }
        writeln!(self.out)?;
        Ok(Some(Ending::Left))
    }

    /// Shows the consequence of a wrong move: the move, and the perfect line after it.
    fn refute(&mut self, mv: Move) -> Result<()> {
        let (table, game) = (self.table, self.table.game());
        let (text, position) = (game.format_move(mv), self.position);
        let moves = table.ranked_moves(position)?;
        let Some(ranked) = moves.iter().find(|ranked| ranked.mv == mv) else {
            return Ok(writeln!(self.out, "{text} is not legal here")?);
        };
        self.was_helped = true;
        let (worth, letter) = (in_words(ranked.score), position.side.letter());
        writeln!(self.out, "{text}: {worth} for {letter}; try another move.")?;
        let line = table.line(game.after(position, mv), SHOWN)?;
        let names: Vec<String> = line.moves.iter().map(|best| game.format_move(best.mv)).collect();
        if !names.is_empty() {
            let more = if line.end.is_none() { " …" } else { "" };
            let other = position.side.other().letter();
            writeln!(self.out, "{other} answers: {}{more}", names.join(" "))?;
        }
        Ok(())
    }
}
