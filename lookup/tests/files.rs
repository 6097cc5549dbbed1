//! Tables in files: read or mapped, whoever locks them, and nothing but regular files.
#![cfg(unix)]

use morpion_lookup::{FileError, Table, TableError};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

fn six() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/tables/six.morpion"))
}

/// Both ways to open a file.
fn opened(path: &Path) -> [Result<Table, FileError>; 2] {
    // SAFETY: nobody changes what these tests open.
    [Table::read(path), unsafe { Table::map(path) }]
}

fn io_error(error: FileError) -> io::Error {
    match error.error {
        TableError::Read(error) => *error.into_inner().downcast().expect("an error of the system"),
        other => panic!("{other}"),
    }
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
        assert_eq!((error.path.as_path(), error.error.kind().name()), (missing.as_path(), "io"));
        assert_eq!(io_error(error).kind(), io::ErrorKind::NotFound);
    }
    let short = folder.0.join("short.morpion");
    for (bytes, kind) in [(&b""[..], "magic"), (b"no table at all", "magic")] {
        std::fs::write(&short, bytes).unwrap();
        for table in opened(&short) {
            let error = table.unwrap_err();
            assert_eq!((error.path.as_path(), error.error.kind().name()), (short.as_path(), kind));
            assert!(
                error
                    .to_string()
                    .ends_with(": not a table: it does not begin with the eight bytes of one")
            );
        }
    }
}
