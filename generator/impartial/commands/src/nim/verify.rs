//! `morpion nim verify`: proves a table of Grundy values.

use super::source::{find, heaps};
use crate::prove::prove;
use anyhow::{Result, bail};
use morpion_terminal::folders::Tables;
use morpion_terminal::output::Output;
use morpion_terminal::progress::When;
use std::process::ExitCode;

/// Prove a table: compute every value again and check the certificate
///
/// The first heaps are computed by the definition, heaps up to the bound from all their splits, later heaps by sparse space. A table
/// with a period is refused if its header claims that far more heaps were computed than the period and --heaps need. Exit
/// status: 0 proved, 1 wrong or refused, 2 not a table.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  morpion nim verify kayles
  morpion nim verify tables/0.16.grundy --full --json")]
pub struct Args {
    /// A table file, or a code or name that has a table
    #[arg(value_name = "CODE|TABLE")]
    code: String,
    /// Last heap to compute from all splits
    #[arg(long, value_name = "N", default_value = "2^17", value_parser = heaps)]
    bound: u64,
    /// Last heap that a header may claim to be computed if its period does not need it
    #[arg(long, value_name = "N", default_value = "2^20", value_parser = heaps)]
    heaps: u64,
    /// Compute every heap from all splits
    #[arg(long, conflicts_with = "bound")]
    full: bool,
    #[command(flatten)]
    tables: Tables,
    /// Show progress on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    progress: When,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, out: &mut Output) -> Result<ExitCode> {
    let (file, code) = find(&args.tables, &args.code)?;
    let Some(file) = file else {
        let code = code.map_or(String::new(), |code| code.to_string());
        bail!("{} has no table; build it with: morpion nim build {code}", args.code);
    };
    let bound = if args.full { u64::MAX } else { args.bound };
    prove(&file, [bound, args.heaps], args.progress, args.json, out)
}
