//! `morpion nim sweep`: writes `octal-sweep.csv`, the proved periods of all octal codes of three digits.

use super::source::heaps;
use crate::impartial::table::save;
use crate::terminal::folders::Target;
use crate::terminal::prelude::*;
use morpion_builder::usage::usage;
use morpion_impartial::octal::sweep::sweep;
use morpion_machine::progress::Stopped;

/// Compute all codes 0.ddd and 4.ddd, and write a list of the proved periods
#[derive(clap::Args)]
#[command(after_help = help("nim-sweep"))]
pub struct Args {
    /// Last heap to compute for each code
    #[arg(long, value_name = "N", default_value = "2^16", value_parser = heaps)]
    heaps: usize,
    #[command(flatten)]
    target: Target,
    /// Show progress on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    progress: When,
    /// Print one JSON object per code, then one for the whole sweep
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
    file: String,
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let before = usage().cpu_seconds;
    stop_on_signal();
    let rows = sweep(args.heaps, &Bars::new(args.progress, "sweep"))
        .map_err(|Stopped| anyhow!("sweep: stopped before the end: nothing is kept"))?;
    let cpu_seconds = usage().cpu_seconds - before;
    let folder = args.target.folder();
    let file = save(&folder, "octal-sweep.csv", |out| Ok(out.write_all(&csv(&rows)?)?))?;
    let file = file.display().to_string();
    let certified = rows.iter().filter(|row| row.period.is_some()).count();
    let open = rows.len() - certified;
    let whole = Whole { codes: rows.len(), heaps: args.heaps, certified, open, cpu_seconds, file };
    if !args.json {
        return out.fields(&whole);
    }
    rows.iter().try_for_each(|row| out.json(row))?;
    out.json(&whole)
}
