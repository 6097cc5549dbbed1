//! `morpion info`: what a table is and holds.

use super::Tables;
use anyhow::Result;
use morpion_generator::answer::in_words;
use morpion_generator::build::Start;
use morpion_lookup::Table;
use morpion_lookup::format::{Census, VERSION};
use serde::Serialize;
use std::process::ExitCode;

/// Tell what a table is: rules, symmetries, layers, census, value of the start
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  morpion info swap\n  morpion info tables/teeko.morpion --json\n  morpion info classic --check"
)]
pub struct Args {
    /// A game by name, or a table file
    #[arg(value_name = "GAME|TABLE")]
    game: String,
    #[command(flatten)]
    tables: Tables,
    /// Check the sums of all bytes too; exit status 1 where one is wrong
    #[arg(long)]
    check: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Info {
    game: String,
    title: String,
    format: u32,
    encoding: &'static str,
    fingerprint: String,
    /// Which symmetries the table is folded by.
    group: &'static str,
    /// Order of the group.
    symmetries: usize,
    entries: u64,
    bytes: u64,
    layers: Vec<Layer>,
    start: Start,
    census: Census,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<String>,
}

#[derive(Serialize)]
struct Layer {
    mover: u8,
    waiter: u8,
    rows: u64,
    columns: u64,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let (table, _) = args.tables.open(&args.game)?;
    let check = args.check.then(|| table.check_sums());
    let failed = matches!(check, Some(Err(_)));
    let info = describe(
        &table,
        check.map(|check| check.map_or_else(|fault| fault.to_string(), |()| "ok".into())),
    )?;
    if args.json {
        println!("{}", serde_json::to_string(&info)?);
    } else {
        print(&table, &info)?;
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn describe(table: &Table, check: Option<String>) -> Result<Info> {
    let header = table.header();
    Ok(Info {
        game: header.rules.name.clone(),
        title: header.rules.title.clone(),
        format: VERSION,
        encoding: header.encoding.name(),
        fingerprint: format!("{:016x}", header.fingerprint),
        group: header.group.name(),
        symmetries: header.symmetries.len(),
        entries: table.layers().iter().map(|layer| layer.entries()).sum(),
        bytes: table.bytes().len() as u64,
        layers: table
            .layers()
            .iter()
            .map(|layer| Layer {
                mover: layer.mover,
                waiter: layer.waiter,
                rows: layer.rows,
                columns: layer.columns,
            })
            .collect(),
        start: Start::of(table)?,
        census: table.census()?,
        check,
    })
}

fn print(table: &Table, info: &Info) -> Result<()> {
    println!("game         {}  ({})", info.game, info.title);
    println!("start        {}", in_words(table.probe(table.game().start().0)?));
    println!("encoding     {}, format version {}", info.encoding, info.format);
    println!("fingerprint  {}", info.fingerprint);
    println!("symmetries   {} ({})", info.symmetries, info.group);
    println!("entries      {}", info.entries);
    println!("bytes        {}", info.bytes);
    if let Some(check) = &info.check {
        println!("checksums    {check}");
    }
    for layer in &info.layers {
        println!(
            "layer        ({}, {})  {} rows × {} columns",
            layer.mover, layer.waiter, layer.rows, layer.columns
        );
    }
    Ok(())
}
