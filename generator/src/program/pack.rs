//! `morpion pack` and `morpion unpack`: compress a table, and restore it.

use super::bytes::size;
use super::output::{Output, Shown};
use super::progress::{Bars, When, stop_on_signal};
use super::tables::{Tables, folder};
use anyhow::{Context, Result, ensure};
use morpion_games::catalogue::{self, EXTENSION, Location, PACKED, Table};
use morpion_lookup::MAX_FRAMES;
use morpion_machine::files;
use morpion_machine::packer::{Packer, Packing};
use morpion_machine::pieces::copy;
use morpion_report::words::grouped;
use serde::Serialize;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Compress a table to about a fifth; all commands open it directly
#[derive(clap::Args)]
#[command(after_help = "\
Packed tables are in the seekable format of Zstandard. Every command opens them
like plain tables, and `zstd -d` unpacks them. Packing is reproducible byte for
byte, on every machine and for any number of threads.

Examples:
  morpion pack beginner5      # writes beginner5.morpion.zst next to the table
  morpion pack tables/teeko.morpion --level 9 --out .
  morpion pack classic4 --frame 16K")]
pub struct PackArgs {
    /// A game by name, or a table file
    #[arg(value_name = "GAME|TABLE")]
    table: String,
    /// Compression level of Zstandard, 1 to 22 [default: 15, or 12 for frames above 256 KiB]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=22))]
    level: Option<i32>,
    /// Frame size: how much one lookup decompresses [default: 24K, more for tables above 768 MiB]
    #[arg(long, value_name = "BYTES", value_parser = frame)]
    frame: Option<u32>,
    #[command(flatten)]
    common: Common,
}

/// Unpack a packed table
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  morpion unpack beginner5    # writes beginner5.morpion next to it
  morpion unpack teeko.morpion.zst --out /tmp")]
pub struct UnpackArgs {
    /// A game by name, or a packed table file
    #[arg(value_name = "GAME|TABLE")]
    table: String,
    #[command(flatten)]
    common: Common,
}

#[derive(clap::Args)]
struct Common {
    /// Output folder [default: the folder of the table]
    #[arg(long, value_name = "DIR", value_parser = folder())]
    out: Option<PathBuf>,
    /// Show progress on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    progress: When,
    #[command(flatten)]
    tables: Tables,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Answer of the commands. The keys are part of the interface.
#[derive(Serialize)]
struct Written {
    game: String,
    file: String,
    bytes: u64,
    unpacked: u64,
}

const SMALLEST_FRAME: u64 = 4 << 10;

/// Reads the size of frames.
fn frame(text: &str) -> Result<u32, String> {
    let most = morpion_lookup::MAX_FRAME;
    let bytes = size(text)?;
    if !(SMALLEST_FRAME..=u64::from(most)).contains(&bytes) {
        return Err(format!(
            "{bytes} bytes are too few or too many: choose {SMALLEST_FRAME} to {most}"
        ));
    }
    Ok(bytes as u32)
}

pub fn pack(args: PackArgs, out: &mut Output) -> Result<ExitCode> {
    let (table, location) = args.common.open(&args.table, EXTENSION)?;
    ensure!(table.source().packed().is_none(), "{}: the table is already packed", args.table);
    let packing = Packing { level: args.level, frame: args.frame };
    let count = packing.frame_count(table.raw().header(), table.size());
    ensure!(
        count <= u64::from(MAX_FRAMES),
        "{count} frames are more than a packed table may have, {MAX_FRAMES}: choose a larger --frame"
    );
    args.common.write(&table, location, PACKED, out, |file, bars| {
        let mut packer = Packer::new(file, table.raw().header(), packing);
        copy::<anyhow::Error>(table.source(), &mut packer, bars)?;
        Ok(packer.finish().map(drop)?)
    })
}

pub fn unpack(args: UnpackArgs, out: &mut Output) -> Result<ExitCode> {
    let (table, location) = args.common.open(&args.table, PACKED)?;
    ensure!(table.source().packed().is_some(), "{}: the table is not packed", args.table);
    args.common
        .write(&table, location, EXTENSION, out, |file, bars| copy(table.source(), file, bars))
}

impl Common {
    /// Opens a table. If there are a plain and a packed one, opens the file with this extension.
    fn open(&self, name: &str, ending: &str) -> Result<(Table, Location)> {
        let folders = self.tables.folders();
        let file = folders.find(&format!("{name}.{ending}"));
        let named = file.as_ref().and_then(|file| file.to_str()).unwrap_or(name);
        Ok(folders.open(named)?)
    }

    /// Writes the file of the other kind and reports it.
    fn write(
        &self,
        table: &Table,
        location: Location,
        ending: &str,
        out: &mut Output,
        write: impl FnOnce(&mut dyn Write, &Bars) -> Result<()>,
    ) -> Result<ExitCode> {
        stop_on_signal();
        let game = &table.game().rules().name;
        let beside = match location {
            Location::File(file) => file.parent().map(PathBuf::from).unwrap_or_default(),
            Location::BuiltIn => catalogue::folder_to_write(),
        };
        let folder = self.out.clone().unwrap_or(beside);
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let file = folder.join(format!("{game}.{ending}"));
        let bars = Bars::new(self.progress, game);
        bars.bytes(table.size());
        let written = files::replace(&file, |out| write(out, &bars));
        drop(bars);
        written.with_context(|| format!("{}: cannot be written", file.display()))?;
        let (bytes, unpacked) = (fs::metadata(&file)?.len(), table.size());
        if self.json {
            let file = file.display().to_string();
            out.json(&Written { game: game.clone(), file, bytes, unpacked })?;
        } else {
            writeln!(out, "{}  {} bytes", Shown(file.display()), grouped(bytes))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
