//! The independent checker, `tests/checker/check.py`: right tables pass, and planted faults of every kind are found.

use morpion_core::{Encoding, MAGIC, Source, Sums, VERSION, preamble, sums_length};
use morpion_games::rules;
use morpion_lookup::{Bytes, Packed, Table};
use morpion_machine::progress::Unobserved;
use morpion_solver::table;
use morpion_solver::values::Values;
use morpion_tests::{contents, needs, repository, solved, tools};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the checker on a file and returns its exit status and what it prints.
fn check(file: &Path) -> (i32, String) {
    let program = repository().join("tests/checker/check.py");
    let output = Command::new(tools::python()).arg(program).arg(file).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (output.status.code().unwrap(), text)
}

fn passes(file: &Path) {
    let (status, text) = check(file);
    assert_eq!(status, 0, "{}: {text}", file.display());
    assert!(text.contains("\n  start ") && !text.contains("WRONG"), "{text}");
}

/// The plain tables of a folder.
fn plain_tables(folder: &str) -> Vec<PathBuf> {
    let folder = repository().join(folder);
    let files = contents(&folder).into_iter().map(|(name, _)| folder.join(name));
    files.filter(|file| file.extension().is_some_and(|ending| ending == "morpion")).collect()
}

#[test]
#[cfg_attr(not(has_python3), ignore = "needs python3 of version 3.11 or later")]
fn the_tables_of_small_games_pass() {
    needs(&["python3"]);
    let builtin = plain_tables("lookup/builtin");
    let conformance = plain_tables("lookup/conformance/tables");
    assert!(builtin.len() > 15 && conformance.len() > 8);
    builtin.iter().chain(&conformance).for_each(|file| passes(file));
}

/// Rules after `[board]`, and an encoding, for what no other small table has: each kind of taken pieces, passes of one's own free will
/// in a mill game, a full board with a result of its own, a start, exact lines in misère, pieces that age, and phases without a step.
const OTHERS: [(&str, Encoding); 12] = [
    (MILLS_ANY, Encoding::Plies8),
    (MILLS_OUTSIDE, Encoding::Plies8),
    (MILLS_TWO_ANY, Encoding::Plies16),
    (MILLS_FULL, Encoding::Plies8),
    (
        "rows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\nto = \"king\"\n[opening]\nstart = \"XXO/.../OOX o\"",
        Encoding::Plies8,
    ),
    (
        "rows = 3\ncolumns = 4\n[lines]\nlength = 3\nexact = true\n[pieces]\neach = 2\n[moves]\nto = \"any\"\nstay = true\n[goal]\nmisere = true",
        Encoding::Plies8,
    ),
    (
        "rows = 2\ncolumns = 3\n[lines]\nsets = [[\"a1\", \"b2\"], [\"b1\", \"c1\"]]\n[goal]\nmisere = true",
        Encoding::Wdl,
    ),
    ("rows = 2\ncolumns = 4\n[lines]\nlength = 3\n[moves]\nto = \"push\"", Encoding::Plies16),
    (
        "rows = 2\ncolumns = 3\n[lines]\nsets = [[\"a1\", \"b2\"]]\n[pieces]\neach = 2\n[moves]\noldest = \"after-lines\"",
        Encoding::Plies8,
    ),
    (
        "rows = 1\ncolumns = 1\n[lines]\nlength = 1\nexact = true\n[moves]\nto = \"push\"\nstuck = \"win\"",
        Encoding::Plies8,
    ),
    (
        "rows = 1\ncolumns = 3\n[lines]\nlength = 1\n[opening]\nforbidden = [0, 1, 2]\nduring = \"placing\"",
        Encoding::Plies8,
    ),
    (
        "rows = 1\ncolumns = 2\n[lines]\nlength = 2\n[pieces]\neach = 1\n[moves]\nto = \"steps\"\nsteps = [[0, 1]]\nstuck = \"draw\"\n[opening]\nforbidden = [0, 1]\nduring = \"placing\"",
        Encoding::Plies8,
    ),
];
const MILLS_ANY: &str = "rows = 2\ncolumns = 4\n[lines]\nsets = [[\"a1\", \"b1\"], [\"c2\", \"d2\"]]\n[pieces]\neach = 3\n[moves]\nto = \"orthogonal\"\nstay = true\n[mills]\ntakes = \"any\"\nleast = 2\nmixed = true";
const MILLS_OUTSIDE: &str = "rows = 2\ncolumns = 4\n[lines]\nsets = [[\"a1\", \"b1\"], [\"c2\", \"d2\"]]\n[pieces]\neach = 3\n[moves]\nto = \"orthogonal\"\nstuck = \"pass\"\n[mills]\ntakes = \"outside\"\nleast = 2";
const MILLS_TWO_ANY: &str = "rows = 2\ncolumns = 3\n[lines]\nsets = [[\"a1\", \"b1\"], [\"b1\", \"b2\"], [\"a2\", \"b2\"]]\n[pieces]\neach = 3\n[moves]\nto = \"orthogonal\"\n[mills]\ntakes = \"two-any\"\nleast = 2";
const MILLS_FULL: &str = "rows = 2\ncolumns = 3\n[lines]\nsets = [[\"a1\", \"b1\", \"c1\"]]\n[pieces]\neach = 3\n[moves]\nto = \"orthogonal\"\n[mills]\ntakes = \"two-outside\"\nleast = 3\nfull = \"win\"";

#[test]
#[cfg_attr(not(has_python3), ignore = "needs python3 of version 3.11 or later")]
fn the_tables_of_rules_of_every_kind_pass() {
    needs(&["python3"]);
    let folder = tempfile::tempdir().unwrap();
    for (index, (rules, encoding)) in OTHERS.iter().enumerate() {
        let text = format!("name = \"other-{index}\"\n[board]\n{rules}\n");
        let game = rules::parse("other.toml", &text).unwrap();
        let file = folder.path().join(format!("other-{index}.morpion"));
        std::fs::write(&file, table::solve_as(&game, *encoding, &Unobserved).unwrap()).unwrap();
        passes(&file);
    }
}

#[test]
#[ignore = "long: needs python3 of version 3.11 or later, and about 10 minutes for the largest tables on two free cores"]
fn the_tables_of_larger_games_pass() {
    needs(&["python3"]);
    let tables = repository().join("tables");
    passes(&tables.join("swap4.morpion"));
    let folder = tempfile::tempdir().unwrap();
    for name in ["disappearing-4", "beginner4", "classic4", "six-mens-morris", "quixo4"] {
        let packed = std::fs::read(tables.join(format!("{name}.morpion.zst"))).unwrap();
        let packed = Packed::open(&packed[..]).unwrap();
        let mut plain = vec![0; packed.size() as usize];
        packed.read_at(0, &mut plain).unwrap();
        let file = folder.path().join(format!("{name}.morpion"));
        std::fs::write(&file, plain).unwrap();
        passes(&file);
    }
}

/// The table with these bytes.
fn opened(bytes: &[u8]) -> Table<Bytes> {
    Table::from_source(Bytes::from(bytes.to_vec())).unwrap()
}

/// The end of the header of a file, before its sum.
fn header_end(bytes: &[u8]) -> usize {
    16 + u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize
}

/// Computes all sums of a file anew.
fn seal(bytes: &mut Vec<u8>) {
    let end = header_end(bytes);
    let first = preamble(MAGIC, VERSION, &bytes[16..end]);
    bytes[..end + 8].copy_from_slice(&first[..end + 8]);
    // These tables have less than a MiB.
    bytes.truncate(bytes.len() - sums_length(1) as usize);
    let mut sums = Sums::default();
    sums.update(bytes);
    bytes.extend(sums.finish());
}

/// Replaces the only such bytes of the header.
fn replace(bytes: &mut [u8], old: &[u8], new: &[u8]) {
    let end = header_end(bytes);
    let found: Vec<usize> =
        (16..=end - old.len()).filter(|at| bytes[*at..].starts_with(old)).collect();
    let [at] = found[..] else { panic!("{old:?} is {} times in the header", found.len()) };
    bytes[at..at + new.len()].copy_from_slice(new);
}

/// Replaces the first such code of the layers.
fn recode(bytes: &mut [u8], old: u8, new: u8) {
    let table = opened(bytes);
    let header = table.raw().header();
    let first = header.layers.last().unwrap().offset as usize;
    let census = header.census as usize;
    *bytes[first..census].iter_mut().find(|code| **code == old).unwrap() = new;
}

/// The offset of the map of a size.
fn map(bytes: &[u8], size: u8) -> usize {
    let table = opened(bytes);
    table.raw().header().maps.iter().find(|map| map.size == size).unwrap().offset as usize
}

/// Changes bits of the byte at an offset that is found in the file.
fn flip(bytes: &mut [u8], at: impl Fn(&[u8]) -> usize, bits: u8) {
    let at = at(bytes);
    bytes[at] ^= bits;
}

/// A fault: the table, a change of its bytes, and the checks that must find it after all sums were computed anew.
type Fault = (&'static str, &'static str, fn(&mut Vec<u8>), &'static [&'static str]);

const FAULTS: [Fault; 18] = [
    ("a draw instead of a win", "swap", |b| recode(b, 4, 0), &["entries", "census"]),
    ("the wrong winner of a line", "misere", |b| recode(b, 1, 128), &["entries", "census"]),
    ("a win that is too short", "swap", |b| recode(b, 4, 2), &["entries"]),
    ("a win that is too long", "disappearing", |b| recode(b, 2, 4), &["entries"]),
    ("a loss that is too long", "achi", |b| recode(b, 130, 132), &["entries"]),
    ("a draw by cycle that should end", "classic", |b| recode(b, 127, 0), &["entries"]),
    ("a draw that should not end", "tapatan", |b| recode(b, 0, 127), &["entries"]),
    ("an entry that is missing", "classic", |b| recode(b, 2, 255), &["entries"]),
    ("an entry too many", "classic", |b| recode(b, 255, 0), &["entries"]),
    ("draws that end because of each other", "swap", |b| all_draws_end(b), &["circles"]),
    ("another symmetry to the same set", "classic", |b| flip(b, |b| map(b, 0), 1), &["maps"]),
    ("another row of a set", "classic", |b| flip(b, |b| map(b, 2), 8), &["maps"]),
    ("rows in another order", "classic", |b| rows_exchanged(b), &["maps"]),
    (
        "a symmetry that is none",
        "classic",
        |b| replace(b, &[8, 7, 6, 5, 4, 3, 2, 1, 0], &[8, 7, 6, 5, 4, 3, 2, 0, 1]),
        &["symmetries"],
    ),
    ("another line", "classic", |b| replace(b, &[73, 0], &[74, 0]), &["symmetries", "entries"]),
    (
        "another step",
        "classic",
        |b| replace(b, &[0, 255, 1, 0], &[0, 254, 1, 0]),
        &["symmetries", "entries"],
    ),
    (
        "another number of the census",
        "rota",
        |b| flip(b, |b| opened(b).raw().header().census as usize + 16, 1),
        &["census"],
    ),
    ("padding that is not zero", "rota", |b| flip(b, |b| header_end(b) + 8, 1), &["WRONG: "]),
];

/// The same for sums.
const WRONG_SUMS: [Fault; 3] = [
    ("a wrong sum", "rota", |b| flip(b, |b| b.len() - 16, 1), &["sums"]),
    ("a wrong sum of the sums", "rota", |b| flip(b, |b| b.len() - 1, 1), &["sums"]),
    ("a wrong sum of the header", "rota", |b| flip(b, header_end, 1), &["WRONG: "]),
];

/// All draws by cycle say that they end, which fits every position and its children.
fn all_draws_end(bytes: &mut [u8]) {
    let table = opened(bytes);
    for layer in &table.raw().header().layers {
        let entries = layer.offset as usize..(layer.offset + layer.entries()) as usize;
        bytes[entries].iter_mut().filter(|code| **code == 0).for_each(|code| *code = 127);
    }
}

/// Exchanges the first two rows of single cells in the map.
fn rows_exchanged(bytes: &mut [u8]) {
    let at = map(bytes, 1);
    for entry in bytes[at..at + 4 * 9].chunks_exact_mut(4).filter(|entry| entry[0] < 16) {
        entry[0] ^= 8;
    }
}

#[test]
#[cfg_attr(not(has_python3), ignore = "needs python3 of version 3.11 or later")]
fn planted_faults_of_every_kind_are_found() {
    needs(&["python3"]);
    let sealed = FAULTS.map(|fault| (fault, true));
    for ((name, table, change, checks), is_sealed) in
        sealed.into_iter().chain(WRONG_SUMS.map(|fault| (fault, false)))
    {
        let file = repository().join(format!("tables/{table}.morpion"));
        let right = std::fs::read(file).unwrap();
        let mut bytes = right.clone();
        seal(&mut bytes);
        assert!(bytes == right, "{table} is another file with its sums computed anew");
        change(&mut bytes);
        if is_sealed {
            seal(&mut bytes);
        }
        assert!(bytes != right, "{name} is not planted");
        finds(&format!("{name} in {table}"), &bytes, checks);
    }
}

/// Fails unless these checks find something wrong.
fn finds(name: &str, bytes: &[u8], checks: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("faulty.morpion");
    std::fs::write(&file, bytes).unwrap();
    let (status, text) = check(&file);
    assert_eq!(status, 1, "{name}: {text}");
    for check in checks {
        let mut lines = text.lines().filter(|line| line.trim_start().starts_with(check));
        assert!(lines.any(|line| line.contains("WRONG")), "{name}, {check}: {text}");
    }
}

/// Both sides are blocked and pass forever. A win and a loss that have each other as only child fit the rules of values.
#[test]
#[cfg_attr(not(has_python3), ignore = "needs python3 of version 3.11 or later")]
fn values_without_distances_that_follow_from_each_other_are_found() {
    needs(&["python3"]);
    let text = "name = \"blocked\"\n[board]\nrows = 1\ncolumns = 4\n[lines]\nsets = [[\"a1\", \"b1\"]]\n[pieces]\neach = 2\n[moves]\nto = \"orthogonal\"\nstuck = \"pass\"";
    let table = solved(&rules::parse("blocked.toml", text).unwrap());
    let mut bytes = Values::of(&table).unwrap().write(Vec::new(), &Unobserved).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("right.morpion");
    std::fs::write(&file, &bytes).unwrap();
    passes(&file);
    // The cells of the movers are ab, ac, bc, ad, bd, cd: entries 1 and 4 are the two sides of one position.
    let entries = opened(&bytes).raw().header().layers.last().unwrap().offset as usize;
    assert_eq!((bytes[entries] >> 2 & 3, bytes[entries + 1] & 3), (0, 0));
    flip(&mut bytes, |_| entries, 1 << 2);
    flip(&mut bytes, |_| entries + 1, 2);
    seal(&mut bytes);
    finds("a win and a loss", &bytes, &["circles"]);
}

#[test]
#[cfg_attr(not(has_python3), ignore = "needs python3 of version 3.11 or later")]
fn a_fault_names_the_position_and_both_values() {
    needs(&["python3"]);
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = std::fs::read(repository().join("tables/classic.morpion")).unwrap();
    let empty = opened(&bytes).raw().header().layers[0].offset as usize;
    assert_eq!(bytes[empty], 127, "the empty board is a draw that ends");
    bytes[empty] = 2;
    seal(&mut bytes);
    let file = folder.path().join("faulty.morpion");
    std::fs::write(&file, bytes).unwrap();
    let (_, text) = check(&file);
    assert!(
        text.contains(
            "layer (0, 0, 0, 0), mover nothing, waiter nothing: a win in 1, not a draw that ends"
        ),
        "{text}"
    );
    let usage = |arguments: &[&str]| {
        let program = repository().join("tests/checker/check.py");
        Command::new(tools::python()).arg(program).args(arguments).output().unwrap().status.code()
    };
    assert_eq!([usage(&[]), usage(&["missing.morpion"])], [Some(2), Some(2)]);
}
