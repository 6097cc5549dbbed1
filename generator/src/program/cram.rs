//! `morpion cram`: dominoes on a board.

use super::Tables;
use super::nim::prove;
use super::progress::{When, asked_to_stop, stop_on_signal};
use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget};
use morpion_generator::impartial::cram::{Board, MAX_DENSE, Regions, dense};
use morpion_generator::impartial::dominoes;
use morpion_generator::impartial::table::{self, Writer};
use morpion_generator::usage::usage;
use morpion_lookup::grundy::{Cram, GrundyTable, Header};
use serde::Serialize;
use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Cram: dominoes on two free neighbouring cells; whoever cannot place one has lost
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  morpion cram build 4x5
  morpion cram query 3x4 \"X.../XX../....\"
  morpion cram value 3x7 4x6")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Build(BuildArgs),
    Info(InfoArgs),
    Query(QueryArgs),
    Value(ValueArgs),
    Verify(VerifyArgs),
}

pub fn run(args: Args) -> Result<ExitCode> {
    match args.command {
        Command::Build(args) => build(args),
        Command::Info(args) => info(args),
        Command::Query(args) => query(args),
        Command::Value(args) => value(args),
        Command::Verify(args) => verify(args),
    }
}

/// Reads `MxN`, rows by columns.
fn board(text: &str) -> Result<Board, String> {
    text.parse()
}

fn file_name(board: Board) -> String {
    format!("cram-{board}.{}", table::EXTENSION)
}

fn open(file: &Path) -> Result<GrundyTable<'static>> {
    // SAFETY: tables are only ever replaced by renaming a new file over them.
    unsafe { GrundyTable::map(file) }.with_context(|| file.display().to_string())
}

/// Work out all positions of a board and write the table
#[derive(clap::Args)]
#[command(after_help = "\
A table has one byte for every set of occupied cells, 1 GiB for 5x6. Boards of more than 30 cells get no table, only the value of the
empty board.

Examples:
  morpion cram build 4x5
  morpion cram build 5x6 --json")]
struct BuildArgs {
    /// Rows and columns
    #[arg(value_name = "MxN", value_parser = board)]
    board: Board,
    /// Where the table goes
    #[arg(long, value_name = "DIR", default_value = "tables")]
    out: PathBuf,
    /// Progress on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    progress: When,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Built {
    board: String,
    cells: u32,
    /// Of the empty board.
    value: u8,
    outcome: &'static str,
    /// Positions in the table.
    positions: Option<u64>,
    greatest: Option<u8>,
    bytes: Option<u64>,
    file: Option<String>,
    seconds: f64,
    cpu_seconds: f64,
}

fn build(args: BuildArgs) -> Result<ExitCode> {
    stop_on_signal();
    let (began, before) = (Instant::now(), usage().cpu_seconds);
    let board = args.board;
    let bar = bar(args.progress, board);
    let (value, greatest, file) = if board.cells() <= MAX_DENSE {
        let values = dense(board, |done| {
            if asked_to_stop() {
                // Nothing is written before the end, so there is nothing to clean up.
                std::process::exit(130);
            }
            bar.set_position(done as u64);
        });
        let greatest = values.iter().max().copied().unwrap_or(0);
        let header = Cram { rows: board.rows as u8, columns: board.columns as u8, greatest };
        let file = table::save(&args.out, &file_name(board), |out| {
            let mut writer = Writer::new(out, &Header::Cram(header))?;
            values.chunks(1 << 20).try_for_each(|chunk| writer.put(chunk))?;
            writer.finish()?;
            Ok(())
        })?;
        (values[0], Some(greatest), Some(file))
    } else {
        (Regions::new().value(board, 0), None, None)
    };
    bar.finish_and_clear();
    let built = Built {
        board: board.to_string(),
        cells: board.cells(),
        value,
        outcome: outcome(value),
        positions: file.is_some().then(|| 1 << board.cells()),
        greatest,
        bytes: file.as_ref().and_then(|file| Some(std::fs::metadata(file).ok()?.len())),
        file: file.map(|file| file.display().to_string()),
        seconds: began.elapsed().as_secs_f64(),
        cpu_seconds: usage().cpu_seconds - before,
    };
    if args.json {
        println!("{}", serde_json::to_string(&built)?);
    } else {
        println!(
            "{}  empty board: value {}, {}  {}",
            built.board,
            built.value,
            built.outcome,
            built.file.as_deref().unwrap_or("no table above 30 cells")
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn bar(when: When, board: Board) -> ProgressBar {
    let target = if std::io::stderr().is_terminal() && when != When::Never {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let length = if board.cells() <= MAX_DENSE { Some(1 << board.cells()) } else { None };
    ProgressBar::with_draw_target(length, target)
}

fn outcome(value: u8) -> &'static str {
    if value == 0 { "loss" } else { "win" }
}

/// The table of a board, or of a file.
fn find(tables: &Tables, text: &str) -> Result<(PathBuf, GrundyTable<'static>)> {
    let file = match board(text) {
        Ok(board) => tables.folders().find(&file_name(board)).with_context(|| {
            format!("cram {text} has no table; build it with: morpion cram build {text}")
        })?,
        Err(_) if text.ends_with(table::EXTENSION) => text.into(),
        Err(error) => bail!(error),
    };
    let table = open(&file)?;
    table.cram().with_context(|| file.display().to_string())?;
    Ok((file, table))
}

/// Tell what a table holds
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  morpion cram info 4x5 --json")]
struct InfoArgs {
    /// Rows and columns, or a table file
    #[arg(value_name = "MxN|TABLE")]
    board: String,
    #[command(flatten)]
    tables: Tables,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

fn info(args: InfoArgs) -> Result<ExitCode> {
    let (file, table) = find(&args.tables, &args.board)?;
    describe(&table, Some(&file), args.json)
}

#[derive(Serialize)]
struct Facts {
    board: String,
    value: u8,
    outcome: &'static str,
    positions: u64,
    greatest: u8,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

/// Prints the facts of a table of cram.
pub fn describe(table: &GrundyTable, file: Option<&Path>, json: bool) -> Result<ExitCode> {
    let header = table.cram()?;
    let value = table.cells(0)?;
    let facts = Facts {
        board: format!("{}x{}", header.rows, header.columns),
        value,
        outcome: outcome(value),
        positions: table.values().len() as u64,
        greatest: header.greatest,
        bytes: table.bytes().len() as u64,
        file: file.map(|file| file.display().to_string()),
    };
    if json {
        println!("{}", serde_json::to_string(&facts)?);
    } else {
        println!("board         {}", facts.board);
        println!("empty board   value {}, {}", facts.value, facts.outcome);
        println!("positions     {}", facts.positions);
        println!("greatest      {}", facts.greatest);
        println!("bytes         {}", facts.bytes);
    }
    Ok(ExitCode::SUCCESS)
}

/// Ask for the value of positions, who wins, and every winning domino
#[derive(clap::Args)]
#[command(after_help = "\
A position is its rows from the top, . a free cell and X an occupied one: X.../XX../....
A cell is column letter and row number from the top: a1 is the top left one. Without a table the position is worked on the fly.

Examples:
  morpion cram query 3x4 \"X.../XX../....\"
  morpion cram query 4x5 --json < positions.txt")]
struct QueryArgs {
    /// Rows and columns
    #[arg(value_name = "MxN", value_parser = board)]
    board: Board,
    /// Positions; without any, one a line from standard input, one answer a line
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,
    #[command(flatten)]
    tables: Tables,
    /// One JSON object a position
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Refused<'a> {
    error: String,
    input: &'a str,
}

/// Values from a table, or worked on the fly.
enum Values {
    Table(GrundyTable<'static>),
    Regions(Regions),
}

impl Values {
    fn value(&mut self, board: Board, occupied: u64) -> Result<u8> {
        Ok(match self {
            Values::Table(table) => table.cells(occupied)?,
            Values::Regions(regions) => regions.value(board, occupied),
        })
    }
}

fn query(args: QueryArgs) -> Result<ExitCode> {
    let board = args.board;
    let mut values = match args.tables.folders().find(&file_name(board)) {
        Some(file) => {
            let table = open(&file)?;
            let header = table.cram()?;
            if (u32::from(header.rows), u32::from(header.columns)) != (board.rows, board.columns) {
                bail!("{}: a table of another board, expected {board}", file.display());
            }
            Values::Table(table)
        }
        None => Values::Regions(Regions::new()),
    };
    let mut all_answered = true;
    let mut out = std::io::stdout().lock();
    let mut one = |text: &str, out: &mut dyn Write| -> Result<()> {
        let answered = dominoes::parse(board, text)
            .and_then(|occupied| dominoes::answer(board, occupied, |set| values.value(board, set)));
        match answered {
            Ok(answer) if args.json => writeln!(out, "{}", serde_json::to_string(&answer)?)?,
            Ok(answer) => {
                let moves: Vec<String> = answer.moves.iter().map(|m| m.join("-")).collect();
                writeln!(
                    out,
                    "{}  value {}  {}  {}",
                    answer.position,
                    answer.value,
                    answer.outcome,
                    moves.join(" ")
                )?;
            }
            Err(error) => {
                all_answered = false;
                if args.json {
                    let refused = Refused { error: error.to_string(), input: text.trim() };
                    writeln!(out, "{}", serde_json::to_string(&refused)?)?;
                } else {
                    eprintln!("morpion: {text:?}: {error}");
                }
            }
        }
        Ok(out.flush()?)
    };
    if args.positions.is_empty() {
        for line in std::io::stdin().lock().lines() {
            let line = line?;
            if !line.trim().is_empty() {
                one(&line, &mut out)?;
            }
        }
    } else {
        for text in &args.positions {
            one(text, &mut out)?;
        }
    }
    Ok(if all_answered { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

/// Tell the values of empty boards, without a table
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  morpion cram value 3x7 4x6 --json")]
struct ValueArgs {
    /// Rows and columns
    #[arg(value_name = "MxN", value_parser = board, required = true)]
    boards: Vec<Board>,
    /// One JSON object a board
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Empty {
    board: String,
    value: u8,
    outcome: &'static str,
    /// Shapes of regions known by then.
    shapes: usize,
    cpu_seconds: f64,
}

fn value(args: ValueArgs) -> Result<ExitCode> {
    let mut regions = Regions::new();
    for board in args.boards {
        let before = usage().cpu_seconds;
        let value = regions.value(board, 0);
        let empty = Empty {
            board: board.to_string(),
            value,
            outcome: outcome(value),
            shapes: regions.shapes(),
            cpu_seconds: usage().cpu_seconds - before,
        };
        if args.json {
            println!("{}", serde_json::to_string(&empty)?);
        } else {
            println!("{:<6} value {value}  {}", empty.board, empty.outcome);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prove a table: every value the mex of its followers'
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  morpion cram verify 4x5")]
struct VerifyArgs {
    /// Rows and columns, or a table file
    #[arg(value_name = "MxN|TABLE")]
    board: String,
    #[command(flatten)]
    tables: Tables,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

fn verify(args: VerifyArgs) -> Result<ExitCode> {
    let file = match board(&args.board) {
        Ok(board) => args.tables.folders().find(&file_name(board)).with_context(|| {
            format!("cram {0} has no table; build it with: morpion cram build {0}", args.board)
        })?,
        Err(_) => PathBuf::from(&args.board),
    };
    prove(&file, u64::MAX, When::Auto, args.json)
}
