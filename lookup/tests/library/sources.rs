//! Tables through every kind of source: a user's own `read_at` answers what a table in memory answers, with as few reads as
//! the documentation says, and fails with a named error.

use crate::unfolded::{placing, unfolded};
use crate::vectors;
use morpion_core::{MAGIC, Sums, VERSION, preamble, rank::subsets};
use morpion_lookup::{
    Board, Bytes, DrawKind, ErrorKind, Position, ProbeError, Source, Table, TableError,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// The bytes of the table of a game, built in or not.
fn bytes_of(name: &str) -> Vec<u8> {
    let beside = vectors::folder().join(format!("tables/{name}.morpion"));
    let built_in = vectors::folder().join(format!("../builtin/{name}.morpion"));
    std::fs::read(if beside.exists() { beside } else { built_in }).expect("a table")
}

/// A source of a user's own: keeps what it is asked for, and fails from a certain read on.
#[derive(Clone)]
struct Asked(Arc<State>);

struct State {
    bytes: Vec<u8>,
    reads: Mutex<Vec<(u64, usize)>>,
    left: AtomicUsize,
}

impl Asked {
    fn new(bytes: Vec<u8>) -> Asked {
        let (reads, left) = (Mutex::default(), AtomicUsize::new(usize::MAX));
        Asked(Arc::new(State { bytes, reads, left }))
    }

    /// Opens the table.
    fn table(&self) -> Result<Table, TableError> {
        Table::from_source(Bytes::from_source(self.clone()))
    }

    /// Lets this many reads succeed.
    fn fail_after(&self, reads: usize) {
        self.0.left.store(reads, Ordering::Relaxed);
    }

    /// Returns and forgets the offsets and lengths of the reads.
    fn take(&self) -> Vec<(u64, usize)> {
        std::mem::take(&mut self.0.reads.lock().unwrap())
    }

    /// The lengths of the reads that `work` makes.
    fn lengths<T>(&self, work: impl FnOnce() -> T) -> Vec<usize> {
        self.take();
        work();
        self.take().into_iter().map(|(_, length)| length).collect()
    }
}

impl Source for Asked {
    fn size(&self) -> u64 {
        self.0.bytes.len() as u64
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), TableError> {
        self.0.reads.lock().unwrap().push((offset, into.len()));
        match self.0.left.load(Ordering::Relaxed) {
            0 => return Err(TableError::io("the line is dead")),
            left => self.fail_after(left - 1),
        }
        let offset = offset as usize;
        let bytes = self.0.bytes.get(offset..offset + into.len()).ok_or("past the end");
        into.copy_from_slice(bytes.map_err(TableError::io)?);
        Ok(())
    }
}

#[test]
fn all_vectors_are_answered_through_a_source_of_ones_own() {
    vectors::check(&|name| Asked::new(bytes_of(name)).table().unwrap());
}

#[test]
fn all_vectors_are_answered_through_a_source_chosen_at_run_time() {
    vectors::check(&|name| {
        let bytes = bytes_of(name);
        let source = match name.len() % 3 {
            0 => Bytes::from_source(bytes),
            1 => Bytes::from_source(Bytes::from(bytes)),
            _ => Bytes::from_source(Arc::<[u8]>::from(bytes)),
        };
        Table::from_source(source).unwrap()
    });
}

#[test]
fn slices_arrays_and_vectors_are_sources() {
    static CLASSIC: &[u8; include_bytes!("../../builtin/classic.morpion").len()] =
        include_bytes!("../../builtin/classic.morpion");
    let start = Position { mover: 0, waiter: 0 };
    let expected = Table::builtin("classic").unwrap().probe(start).unwrap();
    let bytes = CLASSIC.to_vec();
    fn probe(source: impl Source, start: Position) -> morpion_lookup::Score {
        Table::from_source(source).unwrap().probe(start).unwrap()
    }
    assert_eq!(probe(CLASSIC, start), expected);
    assert_eq!(probe(*CLASSIC, start), expected);
    assert_eq!(probe(&CLASSIC[..], start), expected);
    assert_eq!(probe(&bytes, start), expected);
    assert_eq!(probe(bytes.clone(), start), expected);
}

#[test]
fn an_answer_takes_two_reads() {
    for name in ["swap", "picaria", "shisima", "six", "fano", "classic-16", "classic-wdl"] {
        let source = Asked::new(bytes_of(name));
        let table = source.table().unwrap();
        let opening = source.take();
        let census = table.raw().header().census;
        assert_eq!(opening.len(), 3, "{name}: the header and the census: {opening:?}");
        assert_eq!((opening[1], opening[2].0), ((census, 8), census + 8), "{name}");
        let start = table.game().start().raw;
        let encoding = table.raw().header().encoding;
        let entry = encoding.bits().div_ceil(8) as usize;
        assert_eq!(source.lengths(|| table.probe(start).unwrap()), [4, entry], "{name}");
        let (graph, layer) = (table.game().graph(), table.game().layer_of(start));
        let moves_pieces = graph.is_cyclic(layer.unwrap());
        let index = if moves_pieces { table.raw().header().layers.len() - 1 } else { 1 };
        let row = (table.raw().header().layers[index].columns * u64::from(encoding.bits()))
            .div_ceil(8) as usize;
        assert_eq!(source.lengths(|| table.best_move(start).unwrap()), [4, row], "{name}");
        assert_eq!(source.lengths(|| table.ranked_moves(start).unwrap()), [4, row], "{name}");
    }
}

#[test]
fn a_source_that_fails_is_a_named_error_everywhere() {
    for name in Table::builtin_names() {
        let bytes = bytes_of(name);
        for good in 0..4 {
            let source = Asked::new(bytes.clone());
            source.fail_after(good);
            let Ok(table) = source.table() else {
                assert!(good < 3);
                continue;
            };
            let start = table.game().start().raw;
            for left in 0..2 {
                let fails = |error: ProbeError| {
                    assert!(matches!(error, ProbeError::Read(_)), "{error:?}");
                    assert_eq!(
                        (error.kind().name(), error.to_string()),
                        ("io", "the line is dead".into())
                    );
                };
                source.fail_after(left);
                fails(table.probe(start).unwrap_err());
                source.fail_after(left);
                fails(table.best_move(start).unwrap_err());
                source.fail_after(left);
                fails(table.ranked_moves(start).unwrap_err());
                source.fail_after(0);
                let mut answer = Vec::new();
                fails(table.probe_many(&[start], &mut answer).unwrap_err().into());
                assert_eq!(answer, [Err(ErrorKind::Io)]);
                source.fail_after(left);
                assert!(matches!(table.check_sums(), Err(error) if error.kind() == ErrorKind::Io));
                source.fail_after(0);
                assert!(
                    matches!(table.raw().census(), Err(error) if error.kind() == ErrorKind::Io)
                );
                assert!(
                    table.raw().code(0, 0, 0).is_err() && table.raw().map_entry(0, 0).is_none()
                );
            }
        }
    }
}

#[test]
fn a_batch_reads_a_source_in_the_order_of_the_file_and_reports_a_failure_once() {
    let source = Asked::new(bytes_of("classic"));
    let table = source.table().unwrap();
    let whole = Table::builtin("classic").unwrap();
    let game = whole.game();
    let sets: Vec<u64> = (0..5).flat_map(|size| subsets(9, size)).collect();
    let positions: Vec<Position> = sets
        .iter()
        .rev()
        .flat_map(|&mover| sets.iter().map(move |&waiter| Position { mover, waiter }))
        .collect();
    let valid = positions.iter().filter(|&&position| game.check(position).is_ok()).count();
    assert!(valid > 4000 && valid < positions.len());

    let mut answers = Vec::new();
    source.take();
    table.probe_many(&positions, &mut answers).unwrap();
    for (&position, &answer) in positions.iter().zip(&answers) {
        assert_eq!(answer, whole.probe(position).map_err(|error| error.kind()), "{position:?}");
    }
    let reads = source.take();
    assert_eq!(reads.len(), 2 * valid);
    let starts_again = reads.windows(2).filter(|pair| pair[0].0 > pair[1].0).count();
    assert!(starts_again < 10, "{starts_again} times backwards");
    assert!(reads[valid..].is_sorted(), "entries in the order of the file");

    for left in [100, valid + 100] {
        source.fail_after(left);
        let failed = table.probe_many(&positions, &mut answers).unwrap_err();
        assert_eq!(failed.to_string(), "the line is dead");
        assert_eq!(source.take().len(), left + 1);
        for (&position, &answer) in positions.iter().zip(&answers) {
            let expected = match whole.probe(position) {
                Ok(score) => [Ok(score), Err(ErrorKind::Io)],
                Err(error) => [Err(error.kind()); 2],
            };
            assert!(expected.contains(&answer), "{answer:?} for {position:?}");
        }
        let scores = answers.iter().filter(|answer| answer.is_ok()).count();
        assert_eq!(scores, left.saturating_sub(valid));
    }
}

#[test]
fn what_is_wrong_with_the_bytes_is_found_through_a_source_too() {
    let bytes = bytes_of("shisima");
    let whole = Asked::new(bytes.clone()).table().unwrap();
    whole.check_sums().unwrap();
    assert_eq!(
        whole.raw().census().unwrap(),
        Table::builtin("shisima").unwrap().raw().census().unwrap()
    );
    for length in 0..bytes.len() {
        assert!(Asked::new(bytes[..length].to_vec()).table().is_err(), "{length} bytes");
    }
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x81;
        if let Ok(table) = Asked::new(damaged).table() {
            assert!(table.check_sums().is_err(), "byte {at}");
            let start = table.game().start().raw;
            let _ = (
                table.probe(start).is_ok(),
                table.best_move(start).is_ok(),
                table.raw().census().is_ok(),
            );
        }
    }
}

/// A table of draws whose header has 3,432 lines.
fn with_many_lines() -> Vec<u8> {
    let (header, census) = unfolded(placing(
        "many-lines",
        Board::Plain { cells: 14 },
        &[],
        subsets(14, 7).collect(),
        1,
    ));
    let mut bytes = preamble(MAGIC, VERSION, &header.to_bytes().unwrap());
    bytes.resize(header.census as usize, 0);
    bytes.extend((census.len() as u64).to_le_bytes());
    bytes.extend(census);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let mut sums = Sums::default();
    sums.update(&bytes);
    bytes.extend(sums.finish());
    bytes
}

#[test]
fn a_long_header_takes_one_more_read() {
    let bytes = with_many_lines();
    let source = Asked::new(bytes);
    let table = source.table().unwrap();
    let opening = source.take();
    let body = table.raw().header().maps[0].offset as usize;
    assert!(body > 1 << 14);
    assert_eq!(opening[..2], [(0, 1 << 14), (1 << 14, body - (1 << 14))]);
    assert_eq!(opening.len(), 4);
    table.check_sums().unwrap();
    let start = table.game().start().raw;
    assert_eq!(table.probe(start).unwrap().draw(), Some(DrawKind::Cycle));
}
