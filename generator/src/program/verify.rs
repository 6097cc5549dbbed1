//! `morpion verify`: the proof of a table.

use super::tables::{Tables, open_or_solve};
use crate::terminal::prelude::*;
use morpion_builder::fresh_key;
use morpion_games::catalogue::{is_rule_file, standard_game};
use morpion_verify::{
    Extent, Fault, Key, Method, Part, PartialProof, Report, sum, verify, verify_part,
};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};

/// Prove a table: check every entry against its children
#[derive(clap::Args)]
#[command(after_help = help("verify"))]
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
    game: &'a str,
    /// True if no fault was found.
    right: bool,
    /// True if all entries were checked, so that the answer is a proof.
    proved: bool,
    /// Fingerprint of the rules.
    fingerprint: String,
    /// Fingerprint of the standard game of this name, if it has other rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    standard: Option<String>,
    /// BLAKE3 of the unpacked table, if all of it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    blake3: Option<&'a str>,
    entries: u64,
    checked: u64,
    /// Number of faults. From 100,000 on it is a lower bound.
    faults: u64,
    first: Vec<FaultAnswer<'a>>,
    /// The method of the comparison: `keyed sums`, `direct` or `sample`.
    method: &'static str,
    /// The random key of the sums.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// Upper bound on the probability that a wrong table has equal sums.
    #[serde(skip_serializing_if = "Option::is_none")]
    error_bound: Option<f64>,
    /// The condition of the bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<&'static str>,
}

/// The condition of the bound on the error if the caller chose the key.
const CONDITION: &str =
    "the bound on the error holds only if the key was drawn after the table was complete";

/// Answer of `--part`. It is the input of `--sum`, which ignores the condition.
#[derive(Serialize)]
struct PartAnswer<'a> {
    #[serde(flatten)]
    part: &'a PartialProof,
    condition: &'static str,
}

#[derive(Serialize)]
struct FaultAnswer<'a> {
    /// The position; null if another part of the table is wrong.
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

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let Some(name) = &args.game else {
        let parts = args.sum.iter().map(|file| read(file)).collect::<Result<Vec<_>>>()?;
        let game = parts.first().map(|part| part.game.clone()).unwrap_or_default();
        return answer(&game, &sum(parts)?, args.json, out);
    };
    let (table, _) = open_or_solve(&args.tables, name, false, is_rule_file)?;
    let game = table.game().name();
    let extent = match args.sample {
        Some(entries) => {
            Extent::Sample { entries, seed: RandomState::new().build_hasher().finish() }
        }
        None => Extent::Whole,
    };
    stop_on_signal();
    let bars = Bars::new(args.progress, game);
    if let Some((part, key)) = args.part.zip(args.key) {
        let found = verify_part(&table, part, key, &bars).with_context(|| game.to_owned())?;
        out.status = u8::from(found.faults > 0);
        return out.json(&PartAnswer { part: &found, condition: CONDITION });
    }
    let report = verify(&table, extent, fresh_key()?, &bars).with_context(|| game.to_owned())?;
    answer(game, &report, args.json, out)
}

/// Reads a part of a proof.
fn read(file: &Path) -> Result<PartialProof> {
    let name = || file.display().to_string();
    let text = std::fs::read_to_string(file).with_context(name)?;
    serde_json::from_str(&text)
        .map_err(|error| anyhow::anyhow!("not a part of a proof: {error}"))
        .with_context(name)
}

/// Prints a report.
fn answer(game: &str, report: &Report, json: bool, out: &mut Output) -> Result<()> {
    let is_whole = report.extent == Extent::Whole;
    let standard = standard_game(game).map(|game| game.fingerprint());
    let standard = standard.filter(|&standard| standard != report.fingerprint);
    let is_given = report.certainty.is_some_and(|certainty| certainty.key_is_given);
    if json {
        let answer = VerifyAnswer {
            game,
            right: report.is_right(),
            proved: report.is_right() && is_whole,
            fingerprint: format!("{:016x}", report.fingerprint),
            standard: standard.map(|standard| format!("{standard:016x}")),
            blake3: report.digest.as_deref(),
            entries: report.entries,
            checked: report.checked,
            faults: report.faults,
            first: report.first.iter().map(FaultAnswer::of).collect(),
            method: report.method.name(),
            key: report.certainty.map(|certainty| certainty.key.to_string()),
            error_bound: report.certainty.map(|certainty| certainty.error_bound),
            condition: is_given.then_some(CONDITION),
        };
        out.json(&answer)?;
    } else {
        print(game, report, out)?;
        writeln!(out, "  fingerprint of the rules: {:016x}", report.fingerprint)?;
        if let Some(standard) = standard {
            writeln!(
                out,
                "  the standard game {game} has other rules: fingerprint {standard:016x}"
            )?;
        }
        if let Some(digest) = &report.digest {
            writeln!(out, "  BLAKE3 of the table: {digest}")?;
        }
        if is_given {
            writeln!(out, "  {CONDITION}")?;
        }
    }
    out.status = u8::from(!report.is_right());
    Ok(())
}

fn print(game: &str, report: &Report, out: &mut Output) -> Result<()> {
    let (checked, entries) = (grouped(report.checked), grouped(report.entries));
    match (report.is_right(), report.extent) {
        (true, Extent::Whole) if report.method == Method::Direct => {
            writeln!(out, "{game}: proved, {checked} entries, each compared with its children")?;
        }
        (true, Extent::Whole) => writeln!(out, "{game}: proved, {checked} entries")?,
        (true, Extent::Sample { .. }) => writeln!(
            out,
            "{game}: nothing wrong in a sample of {checked} of {entries} entries: no proof"
        )?,
        (false, _) => {
            writeln!(out, "{game}: wrong, {}", counted(report.faults, "fault"))?;
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
