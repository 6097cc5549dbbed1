//! `morpion nim info` and `morpion nim games`: what is known of a game.

use super::source::{find, heaps_to, open};
use crate::program::Tables;
use crate::program::output::{Output, Shown, note};
use anyhow::Result;
use morpion_grundy::{Closed, Code, GrundyTable, Header};
use morpion_impartial::games::NAMED;
use morpion_impartial::table;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// Tell what a table holds: heaps, period, greatest value, rare heaps
#[derive(clap::Args)]
#[command(after_help = "\
Without a table the game is worked on the fly.

Examples:
  morpion nim info kayles
  morpion nim info tables/0.007.grundy --zeros --json")]
pub struct Args {
    /// An octal code, a name, or a table file
    #[arg(value_name = "CODE|TABLE")]
    code: String,
    /// List all heaps of value 0, from heap 0 on, as far as the values are stored
    #[arg(long)]
    zeros: bool,
    #[command(flatten)]
    tables: Tables,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, out: &mut Output) -> Result<ExitCode> {
    let (file, _) = find(&args.tables, &args.code)?;
    let table = match &file {
        Some(file) => open(file)?,
        None => heaps_to(&args.tables, &args.code, ON_THE_FLY)?,
    };
    print(&table, file.as_deref(), args.zeros, args.json, out)
}

/// Tells what the table in a file holds; with `check` whether the sums of all its bytes are right, too.
pub fn describe(file: &Path, check: bool, json: bool, out: &mut Output) -> Result<ExitCode> {
    let table = open(file)?;
    print(&table, Some(file), false, json, out)?;
    if check && let Err(fault) = table.check_sums() {
        note(format_args!("morpion: {}: {fault}", file.display()));
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn print(
    table: &GrundyTable,
    file: Option<&Path>,
    zeros: bool,
    json: bool,
    out: &mut Output,
) -> Result<ExitCode> {
    if let Header::Cram(_) = table.header() {
        return crate::program::cram::describe(table, file, json, out);
    }
    let mut facts = Facts::new(table, zeros)?;
    facts.file = file.map(|file| file.display().to_string());
    facts.print(json, out)?;
    Ok(ExitCode::SUCCESS)
}

/// Without a table, so many heaps are worked.
const ON_THE_FLY: u64 = 1 << 14;

/// The facts of a table. The keys of the JSON form are part of the interface.
#[derive(Serialize)]
pub struct Facts {
    code: String,
    /// The last heap whose value was computed; none for a closed form.
    heaps: Option<u64>,
    period: Option<u64>,
    /// The first heap, at least 1, from which the values repeat.
    preperiod: Option<u64>,
    /// The last heap of the certificate.
    certified_to: Option<u64>,
    greatest: Option<u64>,
    /// The mask that makes the fewest heaps rare.
    mask: Option<u64>,
    /// How many of heaps 1 to `heaps` are rare.
    rare: Option<u64>,
    /// Whether the mask looks at the position.
    position: bool,
    /// `nim` or `lasker`, where the values are known for every heap.
    closed: Option<&'static str>,
    /// Bytes of one value.
    width: u8,
    /// Values stored.
    values: u64,
    /// Length of the file.
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    zeros: Option<Vec<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
}

impl Facts {
    pub fn new(table: &GrundyTable, zeros: bool) -> Result<Self> {
        let (code, header) = table.octal()?;
        let closed = code.closed();
        let open = closed.is_none();
        let k = code.finite().map_or(0, |digits| digits.len() as u64 - 1);
        let zeros = (zeros && open).then(|| {
            (0..=header.values).filter(|heap| matches!(table.heap(*heap), Ok(0))).collect()
        });
        Ok(Self {
            code: header.code.clone(),
            heaps: open.then_some(header.heaps),
            period: header.period.map(|p| p.length),
            preperiod: header.period.map(|p| p.start),
            certified_to: header.period.and_then(|p| p.certificate(k)),
            greatest: open.then_some(header.greatest),
            mask: header.mask.map(|m| m.bits),
            rare: header.mask.map(|m| m.rare),
            position: header.mask.is_some_and(|m| m.position.is_some()),
            closed: closed.map(|closed| match closed {
                Closed::Nim => "nim",
                Closed::Lasker => "lasker",
            }),
            width: header.width,
            values: header.values,
            bytes: table.size(),
            zeros,
            file: None,
            seconds: None,
            cpu_seconds: None,
        })
    }

    pub fn print(&self, json: bool, out: &mut Output) -> Result<()> {
        if json {
            out.json(self)?;
            return Ok(());
        }
        writeln!(out, "code          {}", self.code)?;
        match (self.closed, self.period, self.preperiod) {
            (Some(closed), ..) => writeln!(out, "values        closed form of {closed}, any heap")?,
            (_, Some(period), Some(start)) => {
                writeln!(out, "period        {period}, from heap {start} on")?;
                writeln!(
                    out,
                    "certified     by the values up to heap {}",
                    self.certified_to.unwrap_or_default()
                )?;
            }
            _ => writeln!(out, "period        none certified")?,
        }
        if let (Some(heaps), Some(greatest)) = (self.heaps, self.greatest) {
            writeln!(out, "heaps worked  {heaps}")?;
            writeln!(out, "greatest      {greatest}")?;
        }
        if let (Some(mask), Some(rare)) = (self.mask, self.rare) {
            let position = if self.position { ", with the position" } else { "" };
            writeln!(out, "rare heaps    {rare} with mask {mask}{position}")?;
        }
        writeln!(out, "stored        {} values of {} bytes", self.values, self.width)?;
        if let Some(zeros) = &self.zeros {
            let zeros: Vec<String> = zeros.iter().map(u64::to_string).collect();
            writeln!(out, "value 0       {}", zeros.join(" "))?;
        }
        if let Some(file) = &self.file {
            writeln!(out, "file          {} ({} bytes)", Shown(file), self.bytes)?;
        }
        Ok(())
    }
}

/// List the games that have a name
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  morpion nim games\n  morpion nim games --json")]
pub struct GamesArgs {
    #[command(flatten)]
    tables: Tables,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    code: &'static str,
    title: &'static str,
    table: Option<String>,
}

pub fn games(args: GamesArgs, out: &mut Output) -> Result<ExitCode> {
    for game in NAMED {
        let code: Code = game.code.parse()?;
        let file = args.tables.folders().find(&table::file_name(&code));
        let table = file.map(|file| file.display().to_string());
        let row = Row { name: game.name, code: game.code, title: game.title, table };
        if args.json {
            out.json(&row)?;
        } else {
            writeln!(out, "{:<14} {:<7} {}", row.name, row.code, row.title)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
