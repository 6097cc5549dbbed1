//! `morpion pack` and `morpion unpack`: compress a table, and restore it.

use super::bytes::size;
use super::output::{Output, Shown};
use super::progress::{Bars, When, stop_on_signal};
use super::tables::{Tables, folder};
use anyhow::{Context, Result, bail, ensure};
use morpion_games::catalogue::{self, EXTENSION, Location, PACKED, Table};
use morpion_lookup::MAX_FRAMES;
use morpion_lookup::raw::Header;
use morpion_machine::files;
use morpion_machine::packer::{Packer, Packing};
use morpion_machine::pieces::copy;
use morpion_machine::progress::Progress;
use morpion_report::words::grouped;
use morpion_solver::build::values::Values;
use morpion_verify::{Fault, verify_checksums};
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

--values writes a table without distances, packed: a quarter of the size before
packing. It has the same file name, so --out names another folder. The checksums
of the table are checked first. In a game with cycles the values say who wins,
but not how: perfect players, `ugi`, `strategy` and a proof by `verify` need the
distances. A game with cycles must not have draws that end.

Examples:
  morpion pack beginner5      # writes beginner5.morpion.zst next to the table
  morpion pack tables/teeko.morpion --level 9 --out .
  morpion pack classic4 --frame 16K
  morpion pack teeko --values --out values")]
pub struct PackArgs {
    /// A game by name, or a table file
    #[arg(value_name = "GAME|TABLE")]
    table: String,
    /// Compression level of Zstandard, 1 to 22 [default: 15, or 12 for frames above 256 KiB]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=22))]
    level: Option<i32>,
    /// Frame size: how much one lookup decompresses [default: 24K, more for tables above 2.7 GiB]
    #[arg(long, value_name = "BYTES", value_parser = frame)]
    frame: Option<u32>,
    /// Keep the values alone, without distances; the table may be packed
    #[arg(long, requires = "out")]
    values: bool,
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
    let packing = Packing { level: args.level, frame: args.frame };
    if args.values {
        return pack_values(&table, location, packing, &args, out);
    }
    ensure!(table.source().packed().is_none(), "{}: the table is already packed", args.table);
    check_frames(packing, table.raw().header(), table.size())?;
    args.common.write(&table, location, PACKED, out, table.size(), |file, bars| {
        let mut packer = Packer::new(file, table.raw().header(), packing);
        copy::<anyhow::Error>(table.source(), &mut packer, bars)?;
        Ok(packer.finish().map(drop)?)
    })
}

/// Packs the values of a table.
fn pack_values(
    table: &Table,
    location: Location,
    packing: Packing,
    args: &PackArgs,
    out: &mut Output,
) -> Result<ExitCode> {
    let values = Values::of(table).with_context(|| args.table.clone())?;
    let size = values.size()?;
    check_frames(packing, values.header(), size)?;
    let name = format!("{}.{PACKED}", table.game().name());
    let written = args.common.out.as_ref().and_then(|out| fs::canonicalize(out.join(name)).ok());
    if let (Location::File(file), Some(written)) = (&location, written) {
        let is_other = fs::canonicalize(file).is_ok_and(|file| file != written);
        ensure!(is_other, "{}: would be replaced: choose another --out", written.display());
    }
    args.common.write(table, location, PACKED, out, size, |file, bars| {
        let faults = verify_checksums(table, bars);
        bars.check()?;
        if let Some(fault) = faults?.first() {
            let Fault { at, found, expected, .. } = fault;
            bail!("{}: {at}: found {found}, expected {expected}: the table is damaged", args.table);
        }
        bars.bytes(table.size());
        let packer = Packer::new(file, values.header(), packing);
        Ok(values.write(packer, bars)?.finish().map(drop)?)
    })
}

/// Checks that a table does not have too many frames.
fn check_frames(packing: Packing, header: &Header, size: u64) -> Result<()> {
    let count = packing.frame_count(header, size);
    ensure!(
        count <= u64::from(MAX_FRAMES),
        "{count} frames are more than a packed table may have, {MAX_FRAMES}: choose a larger --frame"
    );
    Ok(())
}

pub fn unpack(args: UnpackArgs, out: &mut Output) -> Result<ExitCode> {
    let (table, location) = args.common.open(&args.table, PACKED)?;
    ensure!(table.source().packed().is_some(), "{}: the table is not packed", args.table);
    args.common.write(&table, location, EXTENSION, out, table.size(), |file, bars| {
        copy(table.source(), file, bars)
    })
}

impl Common {
    /// Opens a table. If there are a plain and a packed one, opens the file with this extension.
    fn open(&self, name: &str, ending: &str) -> Result<(Table, Location)> {
        let folders = self.tables.folders();
        let file = folders.find(&format!("{name}.{ending}"));
        let named = file.as_ref().and_then(|file| file.to_str()).unwrap_or(name);
        Ok(folders.open(named)?)
    }

    /// Writes the file of the other kind, which has `unpacked` bytes if it is unpacked, and reports it.
    fn write(
        &self,
        table: &Table,
        location: Location,
        ending: &str,
        out: &mut Output,
        unpacked: u64,
        write: impl FnOnce(&mut dyn Write, &Bars) -> Result<()>,
    ) -> Result<ExitCode> {
        stop_on_signal();
        let game = table.game().name();
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
        let bytes = fs::metadata(&file)?.len();
        if self.json {
            let file = file.display().to_string();
            out.json(&Written { game: game.to_owned(), file, bytes, unpacked })?;
        } else {
            writeln!(out, "{}  {} bytes", Shown(file.display()), grouped(bytes))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
