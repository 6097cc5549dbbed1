//! `morpion nim build`: computes a game's values and writes its table.

use super::source::heaps;
use crate::impartial::table::{open, print};
use crate::terminal::folders::Target;
use crate::terminal::prelude::*;
use morpion_builder::usage::Meter;
use morpion_impartial::octal::{Task, named, table};

/// Compute a game's Grundy values until their period is proved, and write the table
#[derive(clap::Args)]
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
    let meter = Meter::start();
    let code = named::resolve(&args.code)?;
    let bars = Bars::new(args.progress, &code.to_string());
    let (header, values) = table::solved(&code, Task::until_period(args.heaps), &bars)?;
    let file = save(&args.target.folder(), &table::file_name(&code), |out| {
        Ok(table::write(out, &header, &values).map(drop)?)
    })?;
    print(&open(&file)?, Some(&file), Some(meter.cost()), args.json, out)
}
