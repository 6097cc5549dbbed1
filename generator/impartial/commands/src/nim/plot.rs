//! `morpion nim plot`: an SVG picture of a game's values.

use super::source::{finite, heaps_to_compute, solve_with_progress};
use anyhow::Result;
use morpion_impartial::octal::{Task, named, plot};
use morpion_terminal::output::{Output, Shown, write_file};
use morpion_terminal::progress::When;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Draw the values of a game by heap, and the number of its rare heaps, as an SVG
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  morpion nim plot kayles --heaps 200
  morpion nim plot treblecross --heaps 2^16 --out treblecross.svg")]
pub struct Args {
    /// An octal code, or a name
    #[arg(value_name = "CODE")]
    code: String,
    /// Last heap
    #[arg(long, value_name = "N", default_value = "4096", value_parser = heaps_to_compute)]
    heaps: usize,
    /// Write to this file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print the file name as one JSON object (needs --out)
    #[arg(long, requires = "out")]
    json: bool,
}

#[derive(Serialize)]
struct Drawn {
    code: String,
    heaps: usize,
    file: String,
    bytes: usize,
}

pub fn run(args: Args, out: &mut Output) -> Result<ExitCode> {
    let code = named::resolve(&args.code)?;
    let (values, mask) = match code.closed() {
        Some(closed) => {
            let value = |n: usize| closed.value(n as u64).map_or(0, |v| v as u32);
            ((0..=args.heaps).map(value).collect(), None)
        }
        None => {
            let moves = finite(&code)?;
            let solution = solve_with_progress(&moves, Task::all(args.heaps), When::Auto, &code)?;
            let mask = (!moves.split.is_empty()).then(|| solution.mask(&moves).0);
            (solution.values.iter().collect::<Vec<u32>>(), mask)
        }
    };
    let svg = plot::svg(&code.to_string(), &values, mask);
    let Some(path) = &args.out else {
        write!(out, "{svg}")?;
        return Ok(ExitCode::SUCCESS);
    };
    let file = path.display().to_string();
    write_file(path, &svg)?;
    if args.json {
        let drawn = Drawn { code: code.to_string(), heaps: args.heaps, file, bytes: svg.len() };
        out.json(&drawn)?;
    } else {
        writeln!(out, "{code} to heap {}: {}", args.heaps, Shown(file))?;
    }
    Ok(ExitCode::SUCCESS)
}
