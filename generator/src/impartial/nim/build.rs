//! `morpion nim build`: computes a game's values and writes its table.

use super::source::heaps;
use crate::impartial::octal_facts::Facts;
use crate::impartial::table::{open, save};
use crate::terminal::folders::Target;
use crate::terminal::prelude::*;
use morpion_builder::usage::usage;
use morpion_impartial::octal::{Task, named, table};
use std::time::Instant;

/// Compute a game's Grundy values until their period is proved, and write the table
#[derive(clap::Args)]
#[command(after_help = help("nim-build"))]
pub struct Args {
    /// An octal code, or a name
    #[arg(value_name = "CODE")]
    code: String,
    /// Last heap to compute, unless a period is proved before
    #[arg(long, value_name = "N", default_value = "2^20", value_parser = heaps)]
    heaps: usize,
    #[command(flatten)]
    target: Target,
    /// Show progress on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    progress: When,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    stop_on_signal();
    let (began, before) = (Instant::now(), usage().cpu_seconds);
    let code = named::resolve(&args.code)?;
    let bars = Bars::new(args.progress, &code.to_string());
    let (header, values) = table::solved(&code, Task::until_period(args.heaps), &bars)?;
    let name = table::file_name(&code);
    let file = save(&args.target.folder(), &name, |out| {
        Ok(table::write(out, &header, &values).map(drop)?)
    })?;
    let mut facts = Facts::new(&open(&file)?)?;
    facts.file = Some(file.display().to_string());
    facts.seconds = Some(began.elapsed().as_secs_f64());
    facts.cpu_seconds = Some(usage().cpu_seconds - before);
    facts.print(args.json, out)?;
    Ok(())
}
