//! `morpion nim sweep` and `morpion nim plot`.

use super::source::{finite, heaps_to_work, solve_with_progress};
use crate::program::grundy::progress::bar;
use crate::program::grundy::save;
use crate::program::output::{Output, Shown};
use crate::program::progress::When;
use anyhow::{Context, Result};
use morpion_impartial::octal::sweep::{csv, page, sweep as work};
use morpion_impartial::octal::{Task, named, plot};
use morpion_machine::files;
use morpion_machine::usage::usage;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Work all codes 0.ddd and 4.ddd, and write which periods are proved
#[derive(clap::Args)]
#[command(after_help = "\
Writes octal-sweep.csv and OCTAL.md.

Examples:
  morpion nim sweep
  morpion nim sweep --heaps 2^12 --out . --json")]
pub struct SweepArgs {
    /// The last heap to work, for each code
    #[arg(long, value_name = "N", default_value = "2^16", value_parser = heaps_to_work)]
    heaps: usize,
    /// Where the two files go
    #[arg(long, value_name = "DIR", default_value = "tables")]
    out: PathBuf,
    /// Progress on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    progress: When,
    /// One JSON object a code, then one of the whole
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Whole {
    codes: usize,
    heaps: usize,
    certified: usize,
    open: usize,
    cpu_seconds: f64,
    files: Vec<String>,
}

pub fn sweep(args: SweepArgs, out: &mut Output) -> Result<ExitCode> {
    let before = usage().cpu_seconds;
    let bar = bar(args.progress, 1024, "sweep");
    let rows = work(args.heaps, || bar.inc(1));
    bar.finish_and_clear();
    let cpu_seconds = usage().cpu_seconds - before;
    let mut files = Vec::new();
    for (name, text) in [("octal-sweep.csv", csv(&rows)), ("OCTAL.md", page(&rows, args.heaps))] {
        let file = save(&args.out, name, |out| Ok(out.write_all(text.as_bytes())?))?;
        files.push(file.display().to_string());
    }
    let certified = rows.iter().filter(|row| row.period.is_some()).count();
    let open = rows.len() - certified;
    let whole = Whole { codes: rows.len(), heaps: args.heaps, certified, open, cpu_seconds, files };
    if args.json {
        for row in &rows {
            out.json(row)?;
        }
        out.json(&whole)?;
    } else {
        writeln!(
            out,
            "{} codes to heap {}: {certified} certified, {open} open, {cpu_seconds:.1} CPU seconds; {}",
            whole.codes,
            whole.heaps,
            Shown(whole.files.join(", "))
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Draw the values of a game by heap, and the number of its rare heaps, as an SVG
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  morpion nim plot kayles --heaps 200
  morpion nim plot treblecross --heaps 2^16 --out treblecross.svg")]
pub struct PlotArgs {
    /// An octal code, or a name
    #[arg(value_name = "CODE")]
    code: String,
    /// The last heap
    #[arg(long, value_name = "N", default_value = "4096", value_parser = heaps_to_work)]
    heaps: usize,
    /// The file; default: standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// One JSON object naming the file (needs --out)
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

pub fn plot(args: PlotArgs, out: &mut Output) -> Result<ExitCode> {
    let code = named::resolve(&args.code)?;
    let (values, mask) = match code.closed() {
        Some(closed) => {
            let value = |n: usize| closed.value(n as u64).map_or(0, |v| v as u32);
            ((0..=args.heaps).map(value).collect(), None)
        }
        None => {
            let moves = finite(&code)?;
            let solution = solve_with_progress(&moves, Task::all(args.heaps), When::Auto, &code)?;
            let mask = (!moves.split.is_empty()).then(|| solution.mask(&moves, solution.heaps()).0);
            (solution.values.iter().collect::<Vec<u32>>(), mask)
        }
    };
    let svg = plot::svg(&code.to_string(), &values, mask);
    let Some(path) = &args.out else {
        write!(out, "{svg}")?;
        return Ok(ExitCode::SUCCESS);
    };
    let file = path.display().to_string();
    files::replace(path, |out| out.write_all(svg.as_bytes()))
        .with_context(|| format!("{file}: not written"))?;
    if args.json {
        let drawn = Drawn { code: code.to_string(), heaps: args.heaps, file, bytes: svg.len() };
        out.json(&drawn)?;
    } else {
        writeln!(out, "{code} to heap {}: {}", args.heaps, Shown(file))?;
    }
    Ok(ExitCode::SUCCESS)
}
