//! Files that every reader must refuse: `conformance/refused`, listed with their errors in `conformance/refused.csv`.
#![cfg(feature = "packed")]

use crate::faults;
use crate::vectors;
use morpion_lookup::{Bytes, Source, Table, TableError};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn the_refused_files_are_those_that_this_test_makes() {
    let folder = vectors::folder().join("refused");
    let all = faults::all();
    let mut list = String::from("file,error\n");
    for refused in &all {
        list.push_str(&format!("{},{}\n", refused.file, refused.kind.name()));
    }
    if std::env::var_os("MORPION_WRITE").is_some() {
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).unwrap();
        for refused in &all {
            std::fs::write(folder.join(&refused.file), &refused.bytes).unwrap();
        }
        std::fs::write(vectors::folder().join("refused.csv"), &list).unwrap();
    }
    assert_eq!(std::fs::read_to_string(vectors::folder().join("refused.csv")).unwrap(), list);
    for refused in &all {
        let bytes = std::fs::read(folder.join(&refused.file)).unwrap();
        assert!(bytes == refused.bytes, "{} is another file", refused.file);
    }
    let names: BTreeSet<_> = all.iter().map(|refused| &refused.file).collect();
    assert_eq!(names.len(), all.len());
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), all.len());
}

/// Bytes that are read in parts.
struct Remote(Vec<u8>);

impl Source for Remote {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), TableError> {
        self.0.read_at(offset, into)
    }
}

/// Opens a file in every way, and checks its sums.
fn opened(path: &Path) -> [Result<(), TableError>; 4] {
    let bytes = || std::fs::read(path).unwrap();
    let remote = || -> Result<(), TableError> {
        let source = Bytes::detect(Bytes::from_source(Remote(bytes())))?;
        Table::from_source(source)?.check_sums()
    };
    let detected = || Table::from_source(Bytes::detect(bytes().into())?)?.check_sums();
    let checked = |table: Result<Table, TableError>| table.and_then(|table| table.check_sums());
    [
        checked(Table::open(path)),
        // SAFETY: nobody changes the file.
        checked(unsafe { Table::map(path) }),
        detected(),
        remote(),
    ]
}

#[test]
fn a_file_of_another_version_says_what_to_do() {
    for (file, remedy) in [
        (
            "version-4",
            "written by a morpion before 0.5.0: build the table again (version 5 is read)",
        ),
        ("version-6", "written by a newer morpion: update this program (version 5 is read)"),
    ] {
        let path = vectors::folder().join(format!("refused/{file}.morpion"));
        let error = Table::open(path).unwrap_err().to_string();
        assert!(error.ends_with(remedy), "{error}");
    }
}

#[test]
fn every_file_is_refused_with_its_error_however_it_is_opened() {
    let list = std::fs::read_to_string(vectors::folder().join("refused.csv")).unwrap();
    let mut wrong = Vec::new();
    for (file, expected) in list.lines().skip(1).map(|line| line.split_once(',').unwrap()) {
        for (way, opened) in
            opened(&vectors::folder().join("refused").join(file)).iter().enumerate()
        {
            let found = opened.as_ref().err().map_or("opened", |error| error.kind().name());
            if found != expected {
                wrong.push(format!("{file} by way {way}: {opened:?}, expected {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(list.lines().count() > 100);
}
