//! `morpion nim verify`: proves a table of Grundy values.

use super::source::{bar, find, heaps, open};
use crate::program::Tables;
use crate::program::output::{Output, Shown, note};
use crate::program::progress::{When, asked_to_stop, stop_on_signal};
use anyhow::{Result, bail};
use morpion_impartial::verify::{Verified, verify};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// Prove a table: every value worked again, the certificate checked
///
/// Heaps up to the bound are worked by the plain definition, those behind it by sparse space. Exit status 0 proved, 1 opened but wrong, 2
/// not a table.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  morpion nim verify kayles
  morpion nim verify tables/0.16.grundy --full --json")]
pub struct Args {
    /// A table file; or a code or name that has a table
    #[arg(value_name = "CODE|TABLE")]
    code: String,
    /// The last heap to be worked by the plain definition
    #[arg(long, value_name = "N", default_value = "2^17", value_parser = heaps)]
    bound: u64,
    /// All heaps by the plain definition
    #[arg(long, conflicts_with = "bound")]
    full: bool,
    #[command(flatten)]
    tables: Tables,
    /// Progress on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    progress: When,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    file: String,
    verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    proof: Option<&'a Verified>,
}

pub fn run(args: Args, out: &mut Output) -> Result<ExitCode> {
    let (file, code) = find(&args.tables, &args.code)?;
    let Some(file) = file else {
        let code = code.map_or(String::new(), |code| code.to_string());
        bail!("{} has no table; build it with: morpion nim build {code}", args.code);
    };
    let bound = if args.full { u64::MAX } else { args.bound };
    prove(&file, bound, args.progress, args.json, out)
}

/// Proves a table file and says so.
pub fn prove(
    file: &Path,
    bound: u64,
    progress: When,
    json: bool,
    out: &mut Output,
) -> Result<ExitCode> {
    stop_on_signal();
    let table = open(file)?;
    let length = table.octal().map_or(table.values().len() as u64, |(_, header)| header.heaps);
    let bar = bar(progress, length, "verify");
    let result = verify(&table, bound, |n| {
        if asked_to_stop() {
            std::process::exit(130);
        }
        bar.set_position(n as u64);
    });
    bar.finish_and_clear();
    let report = Report {
        file: file.display().to_string(),
        verified: result.is_ok(),
        error: result.as_ref().err().cloned(),
        proof: result.as_ref().ok(),
    };
    if json {
        out.json(&report)?;
    } else {
        match &result {
            Ok(proof) => writeln!(
                out,
                "{}: {} proved, {} values, by the plain definition to heap {}, to heap {} in all{}",
                Shown(&report.file),
                proof.game,
                proof.values,
                proof.plain_to,
                proof.worked_to,
                match (proof.period, proof.preperiod) {
                    (Some(p), Some(e)) => format!(", period {p} from heap {e} on"),
                    _ => String::new(),
                }
            )?,
            Err(error) => note(format_args!("morpion: {}: {error}", report.file)),
        }
    }
    Ok(if result.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
