//! A corrupted checkpoint is not resumed, or resumes to the same bytes. The files of a stopped build change one field at a time, with
//! sums that are right again.

use crate::interrupted::{Dice, games, scratch, solved, stopped_after};
use morpion_builder::checkpoint::{State, Written};
use morpion_builder::store::FileStore;
use morpion_core::{Encoding, Game, deserialise, read_preamble};
use morpion_games::catalogue::Table;
use morpion_machine::sealed;
use morpion_solver::solve::log::mark;
use morpion_solver::solve::store::{BlockId, Store};
use morpion_tests::contents;
use std::path::Path;

/// The files of an interrupted build. The movement layer of the games here is one strip.
#[derive(Clone)]
struct Left {
    state: State,
    codes: Vec<u8>,
    partial: Vec<u8>,
}

impl Left {
    fn rows(out: &Path, game: &Game) -> FileStore {
        FileStore { folder: out.join(format!(".{}.rows", game.name())) }
    }

    fn block(game: &Game) -> BlockId {
        let layer = game.graph().layers.len() - 1;
        BlockId { layer, block: 0, strips: 1 }
    }

    fn read(out: &Path, game: &Game, layer: usize) -> Option<Left> {
        let name = game.name();
        let bytes = std::fs::read(out.join(format!(".{name}.rows/worker-0.state"))).ok()?;
        let header = read_preamble(State::MAGIC, 1, &bytes).unwrap();
        let state: State = deserialise(&header).unwrap();
        let mut codes = Vec::new();
        if state.done.distance.is_some() {
            codes.resize(layer, 0);
            let store = Left::rows(out, game);
            store.open(Left::block(game)).unwrap().read(0, &mut codes).unwrap();
        }
        let partial = std::fs::read(out.join(format!(".{name}.partial"))).unwrap();
        Some(Left { state, codes, partial })
    }

    fn write(&self, out: &Path, game: &Game) {
        let name = game.name();
        let mut writer = sealed::Writer::new(Vec::new());
        writer.write_header(State::MAGIC, &self.state).unwrap();
        std::fs::create_dir(out.join(format!(".{name}.rows"))).unwrap();
        let state = out.join(format!(".{name}.rows/worker-0.state"));
        std::fs::write(state, writer.finish().unwrap()).unwrap();
        let store = Left::rows(out, game);
        let mut rows = store.create(Left::block(game)).unwrap();
        rows.write(&self.codes).unwrap();
        rows.finish(&mark(self.state.done.distance.unwrap_or(0))).unwrap();
        std::fs::write(out.join(format!(".{name}.partial")), &self.partial).unwrap();
    }

    /// Recomputes the checksums for the beginning of the partial file, up to the end of `layers` layers.
    fn with_sums(mut self, layers: usize, table: &Table) -> Left {
        let header = table.raw().header();
        let next = header.layers.len().checked_sub(layers + 1);
        let end = next.map_or(header.census, |next| header.layers[next].offset) as usize;
        self.partial.resize(self.partial.len().max(end), 0);
        let mut writer = sealed::Writer::new(Vec::new());
        writer.write(&self.partial[..end]).unwrap();
        let mut counted = self.state.written.map(|written| written.counted).unwrap_or_default();
        counted.resize(layers, Default::default());
        self.state.written = Some(Written { counted, sums: writer.sums(), packed: None });
        self.state.done.layers = layers as u64;
        self
    }
}

/// Leftover files, each with one corrupted field, named. Bytes change at `places` random places.
fn faults(left: &Left, table: &Table, places: u32, dice: &mut Dice) -> Vec<(String, Left)> {
    let mut faults = Vec::new();
    let mut add = |fault: String, change: &dyn Fn(&mut Left)| {
        let mut corrupted = left.clone();
        change(&mut corrupted);
        faults.push((fault, corrupted));
    };
    let layers = table.raw().header().layers.len();
    for count in [0, 1, 2, layers - 1, layers, layers + 1, usize::MAX] {
        add(format!("{count} layers"), &|left| left.state.done.layers = count as u64);
        if count <= layers {
            add(format!("{count} layers with their sums"), &|left| {
                *left = left.clone().with_sums(count, table);
            });
        }
    }
    for other in [Encoding::Plies8, Encoding::Plies16, Encoding::Wdl] {
        add(format!("{other:?}"), &|left| left.state.shard.table.encoding = other);
    }
    for distance in [None, Some(0), Some(1), Some(3), Some(u16::MAX)] {
        add(format!("distance {distance:?}"), &|left| left.state.done.distance = distance);
    }
    add("nothing written".into(), &|left| left.state.written = None);
    add("another process".into(), &|left| left.state.shard.process = 1);
    add("no counts".into(), &|left| {
        left.state.written.iter_mut().for_each(|written| written.counted.clear());
    });
    add("another count".into(), &|left| {
        left.state.written.iter_mut().for_each(|written| written.counted[0].census.none += 1);
    });
    add("another sum".into(), &|left| {
        left.state.written.iter_mut().for_each(|written| written.sums[0] ^= 1);
    });
    for byte in [0, 1, 127, 128, 255] {
        add(format!("codes {byte}"), &|left| left.codes.fill(byte));
        add(format!("one code {byte} more"), &|left| left.codes.push(byte));
    }
    add("no codes".into(), &|left| left.codes.clear());
    for _ in 0..places {
        let (byte, end) = (dice.below(256) as u8, dice.below(left.partial.len()));
        if !left.codes.is_empty() {
            let at = dice.below(left.codes.len());
            add(format!("code {at} is {byte}"), &|left| left.codes[at] = byte);
        }
        add(format!("the first {end} bytes"), &|left| left.partial.truncate(end));
        add(format!("byte {end} is {byte}, with its sums"), &|left| {
            left.partial[end] = byte;
            *left = left.clone().with_sums(left.state.done.layers as usize, table);
        });
    }
    faults
}

#[test]
fn a_corrupted_checkpoint_never_yields_a_wrong_table() {
    assert!(corrupt(3) > 600);
}

#[test]
#[ignore = "long: 900 builds, about 12 seconds; .ci/run runs it"]
fn a_checkpoint_corrupted_at_more_places_never_yields_a_wrong_table() {
    assert!(corrupt(12) > 890);
}

/// Corrupts checkpoints of all games, each also at `places` random places. Returns the number of corrupted checkpoints.
fn corrupt(places: u32) -> u32 {
    let mut dice = Dice(0x11E5);
    let mut count = 0;
    for (game, encoding) in games() {
        let name = game.name();
        let file = format!("{name}.morpion");
        let reference = solved(&game, encoding);
        let table = Table::from_source(reference.clone().into()).unwrap();
        let layer = table.raw().header().layers.last().unwrap().bytes as usize;
        let mut checks = 0;
        loop {
            let out = scratch();
            if stopped_after(checks, &game, encoding, 0, out.path()).is_ok() {
                break;
            }
            checks += checks / 2 + 1;
            let Some(left) = Left::read(out.path(), &game, layer) else { continue };
            for (fault, corrupted) in faults(&left, &table, places, &mut dice) {
                let out = scratch();
                std::fs::write(out.path().join(&file), &reference).unwrap();
                corrupted.write(out.path(), &game);
                stopped_after(u64::MAX, &game, encoding, 3600, out.path()).unwrap();
                let expected = [(file.clone(), reference.clone())];
                assert!(contents(out.path()) == expected, "{name} {encoding:?}: {fault}");
                count += 1;
            }
        }
    }
    count
}
