//! `morpion verify`: the proof of a table.

use super::tables::{Tables, open_or_solve};
use crate::terminal::prelude::*;
use morpion_builder::fresh_key;
use morpion_games::catalogue::is_rule_file;
use morpion_verify::{
    CONDITION, Fault, Key, Method, Part, PartialProof, Report, sum, verify, verify_part,
    verify_sample,
};
use std::hash::{BuildHasher, Hasher, RandomState};

/// Prove a table: check every entry against its children
#[derive(clap::Args)]
pub struct Args {
    /// A game by name, a table file, or a rule file
    #[arg(value_name = "GAME|FILE", required_unless_present = "sum")]
    pub game: Option<String>,
    #[command(flatten)]
    tables: Tables,
    /// Check only N random entries: not a proof, but quick, since a packed table is read only in part
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
    /// Prove only part I of N; prints JSON for --sum
    #[arg(long, value_name = "I/N", requires = "key", conflicts_with = "sample", value_parser = part)]
    pub part: Option<Part>,
    /// The key that all parts of a proof share: 64 hexadecimal digits, drawn after the table was complete
    #[arg(long, value_name = "KEY", requires = "part")]
    key: Option<Key>,
    /// Add up all parts of a proof
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["game", "sample", "part", "folder"])]
    sum: Vec<PathBuf>,
    /// Show progress on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub progress: When,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

fn part(text: &str) -> Result<Part, String> {
    let numbers = text
        .split_once('/')
        .and_then(|(number, of)| Some(Part { number: number.parse().ok()?, of: of.parse().ok()? }));
    numbers
        .filter(|part| (1..=part.of).contains(&part.number))
        .ok_or_else(|| "write I/N with 1 ≤ I ≤ N".into())
}

/// Answer of the command. The keys are part of the interface.
#[derive(Serialize)]
struct VerifyAnswer<'a> {
    /// True if no fault was found.
    right: bool,
    /// True if all entries were checked, so that the answer is a proof.
    proved: bool,
    #[serde(flatten)]
    report: &'a Report,
}

/// Answer of `--part`. It is the input of `--sum`, which ignores `condition`.
#[derive(Serialize)]
struct PartAnswer<'a> {
    #[serde(flatten)]
    part: &'a PartialProof,
    condition: &'static str,
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let Some(name) = &args.game else {
        let parts = args.sum.iter().map(|file| read(file)).collect::<Result<Vec<_>>>()?;
        return answer(&sum(parts)?, args.json, out);
    };
    let (table, _) = open_or_solve(&args.tables, name, false, is_rule_file)?;
    let game = table.game().name();
    stop_on_signal();
    let bars = Bars::new(args.progress, game);
    if let Some((part, key)) = args.part.zip(args.key) {
        let found = verify_part(&table, part, key, &bars).with_context(|| game.to_owned())?;
        out.status = u8::from(found.faults > 0);
        return out.json(&PartAnswer { part: &found, condition: CONDITION });
    }
    let seed = || RandomState::new().build_hasher().finish();
    let report = match args.sample {
        Some(entries) => verify_sample(&table, entries, seed(), &bars),
        None => verify(&table, fresh_key()?, &bars),
    };
    answer(&report.with_context(|| game.to_owned())?, args.json, out)
}

/// Reads a part of a proof.
fn read(file: &Path) -> Result<PartialProof> {
    let name = || file.display().to_string();
    let text = std::fs::read_to_string(file).with_context(name)?;
    serde_json::from_str(&text).context("not a part of a proof").with_context(name)
}

/// Prints a report.
fn answer(report: &Report, json: bool, out: &mut Output) -> Result<()> {
    out.status = u8::from(!report.is_right());
    if json {
        let (right, proved) = (report.is_right(), report.is_proof());
        return out.json(&VerifyAnswer { right, proved, report });
    }
    let (checked, entries) = (grouped(report.checked), grouped(report.entries));
    let game = &report.game;
    match report.method {
        _ if !report.is_right() => {
            writeln!(out, "{game}: wrong, {}", counted(report.faults, "fault"))?;
            for Fault { at, found, expected, .. } in &report.first {
                writeln!(out, "  {at}: found {found}, expected {expected}")?;
            }
        }
        Method::Sums => writeln!(out, "{game}: proved, {checked} entries")?,
        Method::Direct => {
            writeln!(out, "{game}: proved, {checked} entries, each compared with its children")?;
        }
        Method::Sample => writeln!(
            out,
            "{game}: nothing wrong in a sample of {checked} of {entries} entries: no proof"
        )?,
    }
    writeln!(out, "  fingerprint of the rules: {}", report.fingerprint)?;
    if let Some(standard) = &report.standard {
        writeln!(out, "  the standard game {game} has other rules: fingerprint {standard}")?;
    }
    if let Some(digest) = report.blake3 {
        writeln!(out, "  BLAKE3 of the table: {digest}")?;
    }
    if let Some(condition) = report.certainty.and_then(|certainty| certainty.condition) {
        writeln!(out, "  {condition}")?;
    }
    Ok(())
}
