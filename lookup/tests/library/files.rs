//! Tables in files: read or mapped, whoever locks them, and nothing but regular files.
#![cfg(unix)]

use crate::unfolded::{placing, unfolded};
use morpion_core::{MAGIC, VERSION, preamble, sums_length};
use morpion_lookup::{Board, DrawKind, ProbeError, Source, Table, TableError, Tables};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;

fn six() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/tables/six.morpion"))
}

/// Both ways to open a file.
fn opened(path: &Path) -> [Result<Table, TableError>; 2] {
    // SAFETY: nobody changes what these tests open.
    [Table::open(path), unsafe { Table::map(path) }]
}

fn io_error(error: TableError) -> io::Error {
    *error.into_inner().downcast().expect("an error of the system")
}

/// An empty folder, which goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_table_that_somebody_locks_is_read_all_the_same() {
    let folder = Folder::new("locked");
    let path = folder.0.join("six.morpion");
    std::fs::copy(six(), &path).unwrap();
    let locked = File::options().write(true).read(true).open(&path).unwrap();
    locked.lock().unwrap();
    for table in opened(&path) {
        table.unwrap().check_sums().unwrap();
    }
    // Nor is one left behind: a builder gets its own. Unlocked, not closed: a process that is being started elsewhere in this
    // program may have the file open for a moment.
    locked.unlock().unwrap();
    let tables = opened(&path);
    File::open(&path).unwrap().try_lock().unwrap();
    drop(tables);
}

#[test]
fn a_table_opens_from_a_plain_and_from_a_packed_file() {
    let plain = Table::open(six()).unwrap();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/packed");
    for packed in opened(&Path::new(folder).join("six.morpion.zst")) {
        let packed = packed.unwrap();
        assert_eq!(packed.source().in_memory(), plain.source().in_memory());
    }
}

#[test]
fn a_large_table_is_read_at_positions() {
    let folder = Folder::new("large");
    let path = folder.0.join("large.morpion");
    let (header, census) =
        unfolded(placing("large", Board::Plain { cells: 24 }, &[], vec![0b1_1111], 5));
    let end = (header.census + 8 + census.len() as u64).next_multiple_of(8);
    // Draws by cycle, which take no space on the disk. The sums are not looked at.
    let file = File::create(&path).unwrap();
    file.set_len(end + sums_length(end)).unwrap();
    file.write_all_at(&preamble(MAGIC, VERSION, &header.to_bytes().unwrap()), 0).unwrap();
    file.write_all_at(&(census.len() as u64).to_le_bytes(), header.census).unwrap();
    file.write_all_at(&census, header.census + 8).unwrap();
    let table = Table::open(&path).unwrap();
    assert!(table.size() > 64 << 20 && table.source().in_memory().is_none());
    let start = table.game().start().raw;
    assert_eq!(table.probe(start).unwrap().draw(), Some(DrawKind::Cycle));
    // Cut while it is open.
    file.set_len(1000).unwrap();
    assert!(matches!(table.probe(start), Err(ProbeError::Read(_))));
}

#[test]
fn tables_are_found_by_name_and_alias_and_a_renamed_one_is_refused() {
    let folder = Folder::new("named");
    let shipped = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../tables"));
    let copy = |from: &str, to: &str| {
        std::fs::copy(shipped.join(from), folder.0.join(to)).unwrap();
    };
    copy("swap5.morpion.zst", "teeko.morpion.zst");
    copy("classic.morpion", "classic.morpion");
    copy("misere.morpion", "swap.morpion");
    let tables = Tables::in_folders([&folder.0]);
    assert_eq!(tables.names(), ["classic", "swap", "teeko"]);
    assert_eq!(tables.open("tic-tac-toe").unwrap().game().name(), "classic");
    std::fs::remove_file(folder.0.join("classic.morpion")).unwrap();
    assert!(tables.open("classic").is_ok() && tables.clone().open("classic").is_ok());
    for (name, text) in [
        ("teeko", "teeko.morpion.zst: a table of swap5, expected teeko"),
        ("swap", "swap.morpion: a table of misere, expected swap"),
        ("misere", ": build it with `morpion build misere`"),
        ("../classic", "../classic: no table in "),
    ] {
        let error = tables.open(name).unwrap_err();
        assert!(error.to_string().contains(text), "{error}");
    }
    assert_eq!(tables.open("misere").unwrap_err().kind().name(), "name");
    assert!(Tables::standard().open("misere").is_ok());
}

#[test]
fn a_pipe_is_refused_at_once() {
    let folder = Folder::new("pipe");
    let path = folder.0.join("x.morpion");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let link = folder.0.join("link.morpion");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    for path in [&path, &link, &folder.0] {
        for table in opened(path) {
            let error = table.unwrap_err();
            assert_eq!(error.to_string(), format!("{}: not a regular file", path.display()));
            assert_eq!(io_error(error).kind(), io::ErrorKind::InvalidInput);
        }
    }
}

#[test]
fn an_error_names_the_path_and_what_is_wrong() {
    let folder = Folder::new("wrong");
    let missing = folder.0.join("not\nthere");
    for table in opened(&missing) {
        let error = table.unwrap_err();
        assert!(error.to_string().contains("not\\nthere: No such file"), "{error}");
        assert_eq!((error.path().unwrap(), error.kind().name()), (missing.as_path(), "io"));
        assert_eq!(io_error(error).kind(), io::ErrorKind::NotFound);
    }
    let short = folder.0.join("short.morpion");
    for (bytes, kind) in [(&b""[..], "magic"), (b"no table at all", "magic")] {
        std::fs::write(&short, bytes).unwrap();
        for table in opened(&short) {
            let error = table.unwrap_err();
            assert_eq!((error.path().unwrap(), error.kind().name()), (short.as_path(), kind));
            assert!(
                error
                    .to_string()
                    .ends_with(": not a table: it does not begin with the eight bytes of one")
            );
        }
    }
}

#[test]
fn an_error_that_main_returns_is_printed_as_its_message() {
    let table = Table::builtin("classic").unwrap();
    let text = table.game().parse_position("X?").unwrap_err();
    assert!(text.to_string().contains("is not a cell"), "{text}");
    let position = morpion_lookup::Position { mover: 1 << 9, waiter: 0 };
    let probe = table.probe(position).unwrap_err();
    let open = Table::open("absent.morpion").unwrap_err();
    assert_eq!(format!("{text:?} {probe:?} {open:?}"), format!("{text} {probe} {open}"));
}

#[test]
fn a_game_opens_by_its_name() {
    let open =
        |name: &str| morpion_lookup::open_game(name).map(|table| table.game().name().to_owned());
    assert_eq!(open("tic-tac-toe").unwrap(), "classic");
    let error = open("chess").unwrap_err();
    assert!(error.to_string().contains("morpion build chess"), "{error}");
}
