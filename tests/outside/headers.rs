//! Headers with changed fields, and all sums made anew. Every reader and the checker give one verdict: opened, or refused with the same error.
//!
//! The modules `c` and `languages` run the readers of other languages on the same files.

use morpion_core::{MAGIC, Sums, TableError, VERSION, preamble, sums_length};
use morpion_lookup::{Bytes, Table};
use morpion_machine::splitmix::splitmix;
use morpion_tests::{needs, repository, run, tools};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A file with a changed header, and the verdicts of the library: on opening it, and on reading its census then.
pub struct Changed {
    pub path: PathBuf,
    pub opened: &'static str,
    pub census: &'static str,
}

/// A table of each kind of game: placing, moves to any cell, links, a start, named cells, holes, passes, pieces that age, takes, pushes, moves
/// with conditions, exact lines, and each encoding.
const TABLES: [&str; 15] = [
    "builtin/classic",
    "builtin/swap",
    "builtin/shisima",
    "builtin/swap-pass",
    "builtin/disappearing",
    "builtin/quixo3",
    "conformance/tables/wheel",
    "conformance/tables/ring",
    "conformance/tables/mill",
    "conformance/tables/full",
    "conformance/tables/double",
    "conformance/tables/slides",
    "conformance/tables/jumps",
    "conformance/tables/swap-wdl",
    "conformance/tables/classic-16",
];

/// Writes `each` changed headers of each table into a folder.
pub fn write(folder: &Path, each: u64) -> Vec<Changed> {
    let mut all = Vec::new();
    for (number, name) in (0..).zip(TABLES) {
        let table = repository().join(format!("lookup/{name}.morpion"));
        let bytes = std::fs::read(table).unwrap();
        for change in 0..each {
            let file = changed(&bytes, splitmix(number, change));
            let path = folder.join(format!("{}-{change}.morpion", name.replace('/', "-")));
            std::fs::write(&path, &file).unwrap();
            let opened = Table::from_source(Bytes::from(file));
            let census = opened.as_ref().map(|table| table.raw().census());
            let census = census.map_or("", |census| word(&census));
            all.push(Changed { path, opened: word(&opened), census });
        }
    }
    all
}

fn word<T>(result: &Result<T, TableError>) -> &'static str {
    result.as_ref().err().map_or("opened", |error| error.kind().name())
}

/// The table with one change of its header, or two.
fn changed(bytes: &[u8], seed: u64) -> Vec<u8> {
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let mut header = bytes[16..16 + length].to_vec();
    let begins = preamble(MAGIC, VERSION, &header).len();
    let sums = sums_length(1) as usize;
    let body = &bytes[begins..bytes.len() - sums];
    let mut state = seed;
    let mut below = |bound: usize| {
        state = splitmix(state, 1);
        (state >> 33) as usize % bound
    };
    for _ in 0..1 + below(2) {
        let at = below(header.len());
        match below(6) {
            0 => header[at] ^= 1 << below(8),
            1 => header[at] = below(256) as u8,
            2 => header[at] = header[at].wrapping_add([1, 255][below(2)]),
            3 => header[at] = 0,
            // A field, a step or a layer in the place of another.
            4 => {
                let from = below(header.len());
                let size = [4, 8, 49, 53, 13, 54][below(6)].min(header.len() - at.max(from));
                header.copy_within(from..from + size, at);
            }
            _ => {
                header.drain(at..(at + 1 + below(60)).min(header.len()));
            }
        }
    }
    let mut file = [preamble(MAGIC, VERSION, &header), body.to_vec()].concat();
    let mut all = Sums::default();
    all.update(&file);
    file.extend(all.finish());
    file
}

/// Runs a program on the paths, and returns its line for each.
pub fn verdicts(command: &mut Command, files: &[Changed], folder: &Path) -> Vec<String> {
    let paths = folder.join("paths");
    let lines = files.iter().map(|file| format!("{}\n", file.path.display()));
    std::fs::write(&paths, lines.collect::<String>()).unwrap();
    let output = run(command.stdin(std::fs::File::open(&paths).unwrap()).stdout(Stdio::piped()));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), files.len(), "{text}");
    text.lines().map(String::from).collect()
}

fn agree(each: u64, least: usize) {
    needs(&["node", "python3"]);
    let folder = tempfile::tempdir().unwrap();
    let files = write(folder.path(), each);
    let mut checker = Command::new(tools::python());
    checker.arg(repository().join("tests/checker/check.py")).arg("--open");
    let mut node = Command::new("node");
    node.arg(tools::reader().join("test/verdicts.js"));
    let mut wrong = Vec::new();
    for command in [&mut checker, &mut node] {
        for (found, Changed { path, opened, census }) in
            verdicts(command, &files, folder.path()).iter().zip(&files)
        {
            if *found != format!("{opened} {census}").trim_end() {
                wrong.push(format!("{}: {found}, expected {opened} {census}", path.display()));
            }
        }
    }
    let opened = files.iter().filter(|file| file.opened == "opened").count();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), files.len(), wrong.join("\n"));
    assert!(opened >= least && files.len() - opened >= least, "{opened} of {}", files.len());
}

#[test]
#[cfg_attr(not(all(has_node, has_python3)), ignore = "needs node and python3")]
fn all_readers_give_one_verdict_on_a_changed_header() {
    agree(60, 100);
}

#[test]
#[ignore = "long: 40,000 headers, about two minutes"]
fn all_readers_give_one_verdict_on_many_changed_headers() {
    agree(3000, 4000);
}
