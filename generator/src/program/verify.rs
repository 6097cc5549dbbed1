//! `morpion verify`: the proof of a table.

use super::output::Output;
use super::progress::{Bars, When, stop_on_signal};
use super::tables::{Tables, whole};
use anyhow::Result;
use morpion_games::catalogue::Table;
use morpion_verify::{Extent, Fault, Report, verify};
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

/// Prove a table: every entry against its children, by forward moves only
#[derive(clap::Args)]
#[command(after_help = "\
Checks the sums of all bytes, the symmetries and the maps, every entry against
its children, equal positions for equal entries, the draws that end from the
finished games on, and the census. It shares nothing with the solver but the
rules, the search for the group, the key and the reading of entries; that the
group is one, and keeps the rules, is checked apart.

Exit status: 0 proved, 1 opened but wrong (with the first ten faulty
positions), 2 not a table, 130 stopped by Ctrl-C.

Examples:
  morpion verify swap
  morpion verify tables/teeko.morpion --json
  morpion verify classic5k5 --sample 1000000 --seed 7")]
pub struct Args {
    /// A game by name, or a table file
    #[arg(value_name = "GAME|TABLE")]
    game: String,
    #[command(flatten)]
    tables: Tables,
    /// Check only N entries, chosen by --seed: no proof, but quick for a very large table, of which a packed one is read only in
    /// part
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
    /// Chooses the entries of --sample
    #[arg(long, value_name = "S", default_value_t = 1, requires = "sample")]
    seed: u64,
    /// Whether progress is shown
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    progress: When,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// The keys are part of the interface.
#[derive(Serialize)]
struct VerifyAnswer<'a> {
    game: &'a str,
    /// Whether nothing wrong was found.
    right: bool,
    /// Whether that is a proof: all entries were checked.
    proved: bool,
    entries: u64,
    checked: u64,
    /// From 100,000 on only a lower bound.
    faults: u64,
    first: Vec<FaultAnswer<'a>>,
}

#[derive(Serialize)]
struct FaultAnswer<'a> {
    /// Null where a part of the table is wrong, not an entry.
    position: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<&'a str>,
    found: &'a str,
    expected: &'a str,
}

impl<'a> FaultAnswer<'a> {
    fn of(fault: &'a Fault) -> FaultAnswer<'a> {
        FaultAnswer {
            position: fault.is_position.then_some(&fault.at),
            part: (!fault.is_position).then_some(&fault.at),
            found: &fault.found,
            expected: &fault.expected,
        }
    }
}

pub fn run(args: Args, out: &mut Output) -> Result<ExitCode> {
    if morpion_impartial::table::is_named(&args.game) {
        return super::grundy::prove::prove(
            args.game.as_ref(),
            1 << 17,
            args.progress,
            args.json,
            out,
        );
    }
    let table = readable(args.tables.open(&args.game)?.0, args.sample)?;
    let game = &table.game().rules().name;
    let extent = match args.sample {
        Some(entries) => Extent::Sample { entries, seed: args.seed },
        None => Extent::Whole,
    };
    stop_on_signal();
    let Some(report) = verify(&table, extent, &Bars::new(args.progress, game)) else {
        anyhow::bail!("{game}: stopped before the end, nothing is said of the table");
    };
    if args.json {
        let answer = VerifyAnswer {
            game,
            right: report.is_right(),
            proved: report.is_right() && extent == Extent::Whole,
            entries: report.entries,
            checked: report.checked,
            faults: report.faults,
            first: report.first.iter().map(FaultAnswer::of).collect(),
        };
        out.json(&answer)?;
    } else {
        print(game, &report, out)?;
    }
    Ok(if report.is_right() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The table as the check reads it best. A packed one is unpacked, unless the sample is so small that most of it need not be.
fn readable(table: Table, sample: Option<u64>) -> Result<Table> {
    match (table.source().packed(), sample) {
        (Some(packed), Some(entries)) if entries < packed.frame_count() as u64 => Ok(table),
        _ => whole(table),
    }
}

fn print(game: &str, report: &Report, out: &mut Output) -> Result<()> {
    let Report { checked, entries, .. } = report;
    match (report.is_right(), report.extent) {
        (true, Extent::Whole) => writeln!(out, "{game}: proved, {checked} entries")?,
        (true, Extent::Sample { seed, .. }) => writeln!(
            out,
            "{game}: nothing wrong in a sample of {checked} of {entries} entries (seed {seed}): no proof"
        )?,
        (false, _) => {
            let faults = report.faults;
            writeln!(out, "{game}: wrong, {faults} fault{}", if faults == 1 { "" } else { "s" })?;
            for fault in &report.first {
                writeln!(
                    out,
                    "  {}: found {}, expected {}",
                    fault.at, fault.found, fault.expected
                )?;
            }
        }
    }
    Ok(())
}
