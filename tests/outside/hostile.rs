//! Packed files whose seek tables claim terabytes. No reader opens one, and none takes more than 100 MB for all of them.
//!
//! The modules `c` and `languages` run the readers of other languages on the same files.

use morpion_core::{MAX_FRAME, MAX_FRAMES, Source, TableError, seek_table};
use morpion_lookup::{Packed, Table};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Maximum memory of a process that opens all files, in bytes.
pub const MOST_MEMORY: u64 = 100_000_000;

/// A file: its first bytes, its last bytes, and zeros between them, which take no space on the disk.
struct Hostile {
    size: u64,
    start: Vec<u8>,
    end: Vec<u8>,
}

impl Hostile {
    /// Frames of these packed and unpacked lengths.
    fn frames(start: Vec<u8>, frames: &[(u32, u32)]) -> Hostile {
        let packed: u64 = frames.iter().map(|frame| u64::from(frame.0)).sum();
        let end = seek_table(frames);
        Hostile { size: packed.max(start.len() as u64) + end.len() as u64, start, end }
    }

    /// The end of a seek table of this many frames, and as many zeros before it.
    fn zeros(count: u32, flags: u8) -> Hostile {
        let mut end = count.to_le_bytes().to_vec();
        end.extend([flags, 0xb1, 0xea, 0x92, 0x8f]);
        let entry = if flags == 0 { 8 } else { 12 };
        Hostile { size: u64::from(count) * entry + 1000, start: magic(), end }
    }

    fn write(&self, path: &Path) {
        let file = File::create(path).unwrap();
        file.set_len(self.size).unwrap();
        file.write_all_at(&self.start, 0).unwrap();
        file.write_all_at(&self.end, self.size - self.end.len() as u64).unwrap();
    }
}

/// The beginning of a frame.
fn magic() -> Vec<u8> {
    vec![0x28, 0xb5, 0x2f, 0xfd]
}

/// Number of files.
const FILES: u32 = 200;

/// Writes all files into a folder, and returns their paths.
pub fn write(folder: &Path) -> Vec<PathBuf> {
    let bomb = bomb();
    let write = |number| {
        let path = folder.join(format!("{number:03}.morpion.zst"));
        hostile(number, &bomb).write(&path);
        path
    };
    (0..FILES).map(write).collect()
}

/// A frame of 8 MiB of zeros, which takes less than a kilobyte.
fn bomb() -> Vec<u8> {
    let mut packed = Vec::with_capacity(1 << 16);
    let mut context = zstd_safe::CCtx::create();
    context.set_parameter(zstd_safe::CParameter::ChecksumFlag(true)).unwrap();
    context.compress2(&mut packed, &vec![0; MAX_FRAME as usize]).unwrap();
    packed
}

fn hostile(number: u32, bomb: &[u8]) -> Hostile {
    let count = (number / 10 + 1) as usize;
    let limit = MAX_FRAME + MAX_FRAME / 256 + 64;
    match number % 10 {
        0 => Hostile::frames(magic(), &vec![(u32::MAX - number, MAX_FRAME); count]),
        1 => Hostile::frames(magic(), &vec![(limit + 1, MAX_FRAME); count]),
        2 => Hostile::frames(magic(), &vec![(limit, MAX_FRAME); count]),
        3 => Hostile::frames(magic(), &vec![(65, 1); 400 * count]),
        4 => Hostile::zeros(u32::MAX - number, 0),
        5 => Hostile::zeros((1 << 24) + number, 0x80),
        6 if count.is_multiple_of(5) => {
            let most = MAX_FRAMES as usize + usize::from(count.is_multiple_of(2));
            Hostile::frames(magic(), &vec![(65, MAX_FRAME); most])
        }
        6 => Hostile::zeros(MAX_FRAMES - number, 0),
        // A table's own header, and then more than it allows.
        7 => {
            let wheel = include_bytes!("../../lookup/conformance/packed/wheel.morpion.zst");
            let word = |at: usize| u32::from_le_bytes(*wheel[at..].first_chunk().unwrap());
            let table = wheel.len() - 9 - 8 * word(wheel.len() - 9) as usize;
            let first = (word(table), word(table + 4));
            let frames = [vec![first], vec![(bomb.len() as u32, MAX_FRAME); count]].concat();
            let bytes = [&wheel[..first.0 as usize], &bomb.repeat(count)].concat();
            Hostile::frames(bytes, &frames)
        }
        8 => Hostile::frames(bomb.repeat(count), &vec![(bomb.len() as u32, MAX_FRAME); count]),
        _ => Hostile::frames(magic(), &mixed(number)),
    }
}

/// Frames of lengths at and beyond the limits.
fn mixed(number: u32) -> Vec<(u32, u32)> {
    let lengths = [1, 65, 66, 1 << 20, MAX_FRAME, MAX_FRAME + 1, 1 << 31, u32::MAX, 0];
    let chosen = |at: u32| lengths[(at.wrapping_mul(0x9E37_79B9) >> 16) as usize % lengths.len()];
    (0..number).map(|frame| (chosen(number * frame + 1), chosen(number + frame))).collect()
}

/// Greatest memory of this process so far, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

/// A file that is read in parts, whatever its size.
struct Placed(File);

impl Source for Placed {
    fn size(&self) -> u64 {
        self.0.metadata().map_or(0, |data| data.len())
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), TableError> {
        Ok(self.0.read_exact_at(into, offset)?)
    }
}

const CHILD: &str = "MORPION_HOSTILE_CHILD";

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "needs /proc")]
fn no_hostile_seek_table_takes_much_memory_in_rust() {
    if let Ok(folder) = std::env::var(CHILD) {
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let packed = Packed::open(Placed(File::open(&path).unwrap()));
            let table = packed.and_then(Table::from_source);
            assert!(table.is_err(), "{} opens", path.display());
        }
        assert!(peak() < MOST_MEMORY, "{} bytes", peak());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "hostile::no_hostile_seek_table_takes_much_memory_in_rust"]);
    morpion_tests::run(child.env(CHILD, folder.path()));
}
