//! `morpion pack`: compresses a table, or restores it.

use super::tables::{Tables, folder, open_or_solve};
use crate::terminal::bytes::size;
use crate::terminal::prelude::*;
use morpion_builder::folders::{self, Location};
use morpion_builder::packer::{Packer, Packing};
use morpion_builder::{expect_no_distances, files};
use morpion_core::{Encoding, Header, MAX_FRAMES, Sums};
use morpion_games::catalogue::{self, EXTENSION, PACKED, is_rule_file};
use morpion_lookup::Bytes;
use morpion_machine::pieces::each_piece;
use morpion_machine::progress::Progress;
use morpion_solver::values::Values;
use morpion_verify::{Fault, verify_checksums};
use std::borrow::Cow;
use std::fs;

/// Compress a table to about a fifth; all commands open it directly
#[derive(clap::Args)]
pub struct Args {
    /// A game by name, a table file, or a rule file
    #[arg(value_name = "GAME|FILE")]
    table: String,
    /// Unpack a packed table instead
    #[arg(long, conflicts_with_all = ["level", "frame", "values"])]
    undo: bool,
    /// Compression level of Zstandard, 1 to 22 [default: 15]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=22))]
    level: Option<i32>,
    /// Frame size: how much one lookup decompresses [default: 24K, more for tables above 2.7 GiB]
    #[arg(long, value_name = "BYTES", value_parser = frame)]
    frame: Option<u32>,
    /// Keep the values alone, without distances; the table may be packed
    #[arg(long, requires = "out")]
    values: bool,
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

/// Answer of the command. The keys are part of the interface.
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
    let most = morpion_core::MAX_FRAME;
    let bytes = size(text)?;
    if !(SMALLEST_FRAME..=u64::from(most)).contains(&bytes) {
        return Err(format!(
            "{bytes} bytes are too few or too many: choose {SMALLEST_FRAME} to {most}"
        ));
    }
    Ok(bytes as u32)
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    // If a folder has a plain and a packed table, packing reads the plain table, and `--undo` the packed table.
    let (table, location) = open_or_solve(&args.tables, &args.table, args.undo, is_rule_file)?;
    let target = args.target(&table, &location, if args.undo { EXTENSION } else { PACKED })?;
    let is_packed = table.source().packed().is_some();
    let packing = Packing { level: args.level, frame: args.frame };
    if args.undo {
        ensure!(is_packed, "{}: the table is not packed", args.table);
        return args.write(&table, &target, out, table.size(), |file, bars| {
            copy_checked(&table, file, bars)
        });
    }
    if args.values {
        return pack_values(&table, &target, packing, &args, out);
    }
    if args.level.is_none()
        && args.frame.is_none()
        && let Some(packed) = packed(&table, &location, &target)?
    {
        return args
            .write(&table, &target, out, table.size(), |file, _| Ok(file.write_all(&packed)?));
    }
    check_frames(packing, table.raw().header(), table.size())?;
    args.write(&table, &target, out, table.size(), |file, bars| {
        let mut packer = Packer::new(file, table.raw().header(), packing);
        copy_checked(&table, &mut packer, bars)?;
        Ok(packer.finish().map(drop)?)
    })
}

/// Copies a table, and checks its checksums at the same time.
fn copy_checked(table: &Table, out: &mut dyn Write, bars: &Bars) -> Result<()> {
    let (mut sums, mut end, mut left) = (Sums::default(), Vec::new(), table.raw().covered());
    each_piece(table.source(), 0..table.size(), bars, |piece| {
        let (covered, stored) = piece.split_at(left.min(piece.len() as u64) as usize);
        left -= covered.len() as u64;
        sums.update(covered);
        end.extend_from_slice(stored);
        out.write_all(piece)?;
        anyhow::Ok(())
    })?;
    if sums.finish() != end {
        table.check_sums()?;
        bail!("the table changed while it was copied: try again");
    }
    Ok(())
}

/// Returns the bytes of a table that is packed already, from its file or from the program; otherwise `None`. The file must not be
/// the target.
fn packed(table: &Table, location: &Location, target: &Path) -> Result<Option<Cow<'static, [u8]>>> {
    match location {
        Location::File(file) if table.source().packed().is_some() => {
            ensure!(!is_same(file, target), "{}: the table is already packed", file.display());
            let bytes = fs::read(file)?;
            let copied = Bytes::detect(bytes.clone().into()).and_then(Table::from_source);
            copied.and_then(|copied| copied.check_sums()).map_err(|error| error.at(file))?;
            Ok(Some(bytes.into()))
        }
        Location::File(_) => Ok(None),
        Location::BuiltIn => Ok(catalogue::builtin_packed(table.game().name()).map(Cow::from)),
    }
}

/// Packs the values of a table.
fn pack_values(
    table: &Table,
    target: &Path,
    packing: Packing,
    args: &Args,
    out: &mut Output,
) -> Result<()> {
    let values = Values::of(table).with_context(|| args.table.clone())?;
    let size = values.size()?;
    check_frames(packing, &values.header, size)?;
    let check = |bars: &Bars| {
        let faults = verify_checksums(table, bars);
        bars.check()?;
        if let Some(fault) = faults?.first() {
            let Fault { at, found, expected, .. } = fault;
            bail!("{}: {at}: found {found}, expected {expected}: the table is damaged", args.table);
        }
        Ok(())
    };
    args.write(table, target, out, size, |file, bars| {
        check(bars)?;
        bars.whole(table.size());
        let packer = Packer::new(file, &values.header, packing);
        values.write(packer, bars)?.finish()?;
        // The table may have changed meanwhile.
        check(bars)
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

/// Returns true if two names lead to one file.
fn is_same(file: &Path, other: &Path) -> bool {
    fs::canonicalize(file)
        .is_ok_and(|file| fs::canonicalize(other).is_ok_and(|other| file == other))
}

impl Args {
    /// The file to write, in a folder that exists. The file is not the table that is read.
    fn target(&self, table: &Table, location: &Location, ending: &str) -> Result<PathBuf> {
        let beside = match location {
            Location::File(file) => file.parent().map(PathBuf::from).unwrap_or_default(),
            Location::BuiltIn => folders::folder_to_write(),
        };
        let folder = self.out.clone().unwrap_or(beside);
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let target = folder.join(format!("{}.{ending}", table.game().name()));
        if let (true, Location::File(file)) = (self.values, location) {
            ensure!(
                !is_same(file, &target),
                "{}: would be replaced: choose another --out",
                target.display()
            );
        }
        // A file that is not a table may be replaced.
        if let Ok(replaced) = morpion_lookup::Table::open(&target) {
            let remedy = || format!("{}: choose another --out", target.display());
            replaced.expect_rules(table.game()).with_context(remedy)?;
        }
        let encoding = table.raw().header().encoding;
        expect_no_distances(&target, if self.values { Encoding::Wdl } else { encoding })?;
        Ok(target)
    }

    /// Writes the file with `write`, and reports it. `unpacked` is the size of the table without packing.
    fn write(
        &self,
        table: &Table,
        target: &Path,
        out: &mut Output,
        unpacked: u64,
        write: impl FnOnce(&mut dyn Write, &Bars) -> Result<()>,
    ) -> Result<()> {
        stop_on_signal();
        let game = table.game().name();
        let bars = Bars::over(self.progress, game, table.size());
        let written = files::replace(target, |out| write(out, &bars));
        drop(bars);
        written.with_context(|| format!("{}: cannot be written", target.display()))?;
        let bytes = fs::metadata(target)?.len();
        if self.json {
            let file = target.display().to_string();
            out.json(&Written { game: game.to_owned(), file, bytes, unpacked })?;
        } else {
            writeln!(out, "{}  {} bytes", Shown(target.display()), grouped(bytes))?;
        }
        Ok(())
    }
}
