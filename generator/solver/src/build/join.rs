//! Shards joined to a table: the rows of all layers in order, whoever solved them.
//!
//! In: the folders of all processes that solved a game together, or of the one that did it alone. Out: the bytes of the
//! table, the same as those of a table solved in memory.

use crate::build::table::{begin, finish};
use crate::error::SolveError;
use crate::layout::Layout;
use crate::sets::FoldedSets;
use crate::solve::Shape;
use crate::solve::blocks::shard::{Done, Part, Shard};
use crate::solve::blocks::store::Store;
use crate::solve::census::{self, Counted};
use crate::solve::entry::Entry;
use crate::solve::planes::STRIP_ROWS;
use morpion_games::progress::Progress;
use morpion_lookup::raw::{ALIGNMENT, Census, Encoding};
use morpion_machine::sealed::Writer;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::mpsc::sync_channel;

/// Writes the table that `layout` lays out to `out`, from the folders of all processes in their order.
///
/// # Errors
/// Where a shard is not whole, files cannot be read, or the observer asks for a stop; and those of `out`.
pub fn join<W: Write>(
    out: W,
    layout: &Layout,
    sets: &FoldedSets,
    folders: &[PathBuf],
    progress: &dyn Progress,
) -> Result<W, SolveError> {
    let layers = layout.header().layers.len() as u64;
    for (process, folder) in (0..).zip(folders) {
        let part =
            Part { table: layout.header().clone(), process, processes: folders.len() as u32 };
        let done = Shard::done_of(folder, &part);
        if done != Some(Done { layers, distance: None }) {
            let fault = format!(
                "{}: {} of {layers} layers of process {process} of {}, expected all",
                folder.display(),
                done.unwrap_or_default().layers,
                folders.len()
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, fault).into());
        }
    }
    progress.writing(layout.entries());
    let mut writer = begin(out, layout, sets)?;
    let census = match layout.header().encoding {
        Encoding::Plies16 => layers_of::<u16, _>(&mut writer, sets, folders, progress),
        _ => layers_of::<u8, _>(&mut writer, sets, folders, progress),
    };
    finish(writer, &census?)
}

/// Strips that are read ahead.
const AHEAD: usize = 2;

fn layers_of<E: Entry, W: Write>(
    writer: &mut Writer<W>,
    sets: &FoldedSets,
    folders: &[PathBuf],
    progress: &dyn Progress,
) -> Result<Census, SolveError> {
    let mut all = Vec::new();
    for counts in sets.game().layers().into_iter().rev() {
        let shape = Shape::of(sets, counts);
        let store = |folder| Store::<E>::new(folder, counts, [shape.rows, shape.columns], false);
        let stores: Vec<Store<E>> = folders.iter().map(|folder| store(folder)).collect();
        let mut counted = Counted::default();
        std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel::<Vec<E>>(AHEAD);
            let reader = scope.spawn(|| {
                let sender = sender;
                for block in 0..stores[0].blocks() {
                    stores[block % stores.len()].read(block, |_, codes| {
                        progress.check()?;
                        // Where nobody receives, writing has failed, and that error is reported.
                        sender
                            .send(codes.to_vec())
                            .map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
                        Ok(())
                    })?;
                }
                Ok::<(), SolveError>(())
            });
            for (strip, codes) in receiver.into_iter().enumerate() {
                writer.write(&E::bytes(&codes))?;
                progress.advance(codes.len() as u64);
                census::add(
                    &mut counted,
                    census::of_rows(sets, counts, strip * STRIP_ROWS, &codes),
                );
            }
            reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })?;
        writer.pad(ALIGNMENT)?;
        all.push(counted);
    }
    Ok(census::assemble(all))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::table;
    use crate::solve::blocks::{self, team::Threads};
    use crate::solve::operator::Operator;
    use morpion_games::catalogue::standard_game;
    use morpion_games::progress::Unobserved;
    use morpion_games::rules::parse;
    use morpion_lookup::Game;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    use std::time::Duration;

    fn games() -> Vec<(Game, Encoding)> {
        let names = [
            "swap",
            "swap-pass",
            "tapatan",
            "achi",
            "picaria",
            "shisima",
            "classic",
            "misere",
            "swap4",
        ];
        let mut games: Vec<_> =
            names.iter().map(|name| (standard_game(name).unwrap(), Encoding::Plies8)).collect();
        games.push((standard_game("tapatan").unwrap(), Encoding::Plies16));
        let ends = "name = \"t\"\n[board]\nrows = 2\ncolumns = 3\n[lines]\nsets = [[0, 1, 2], [3, 4, 5]]\n[pieces]\neach = 2\n\
            [moves]\nto = \"king\"\nstuck = \"draw\"";
        games.push((parse("t.toml", ends).unwrap(), Encoding::Plies8));
        games
    }

    /// Solves in blocks, stopped and resumed again and again, each time one check later, and joins.
    fn joined<E: Entry>(
        layout: &Layout,
        sets: &FoldedSets,
        in_memory: bool,
        limit: usize,
    ) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let part = Part { table: layout.header().clone(), process: 0, processes: 1 };
        let mut team = Threads { threads: 2, limit, folder: Some(folder.path().into()) };
        // Every stop takes effect at the next block, and every start resumes from what is kept.
        for stop in 1.. {
            let mut shard = Shard::open(folder.path(), part.clone(), [0, 1], in_memory).unwrap();
            let observer = StopAfter(AtomicU64::new(stop));
            match blocks::solve::<E>(sets, &mut shard, &mut team, Duration::ZERO, &observer) {
                Ok(()) => break,
                Err(SolveError::Stopped(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
        let written = Written::default();
        let table = join(Vec::new(), layout, sets, &[folder.path().into()], &written).unwrap();
        let [ahead, done] = [&written.ahead, &written.done].map(|sum| sum.load(Relaxed));
        assert_eq!([ahead, done], [layout.entries(); 2], "progress of the writing");
        table
    }

    /// Entries that are to be written, and those that are.
    #[derive(Default)]
    struct Written {
        ahead: AtomicU64,
        done: AtomicU64,
    }

    impl Progress for Written {
        fn writing(&self, entries: u64) {
            self.ahead.fetch_add(entries, Relaxed);
        }

        fn advance(&self, entries: u64) {
            self.done.fetch_add(entries, Relaxed);
        }
    }

    /// Stops once it has been asked this many times.
    struct StopAfter(AtomicU64);

    impl Progress for StopAfter {
        fn stop(&self) -> bool {
            self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
        }
    }

    #[test]
    fn a_table_solved_in_blocks_and_interrupted_again_and_again_has_the_same_bytes() {
        for (game, encoding) in games() {
            let layout = Layout::new(&game, Some(encoding), &Unobserved).unwrap();
            let sets = FoldedSets::fold(&layout, &Unobserved).unwrap();
            let expected =
                table::solve_as(&game, encoding, Operator::default(), &Unobserved).unwrap();
            for in_memory in [false, true] {
                let found = match encoding {
                    Encoding::Plies16 => joined::<u16>(&layout, &sets, in_memory, 1000),
                    _ => joined::<u8>(&layout, &sets, in_memory, 1000),
                };
                assert!(found == expected, "{} {in_memory}", game.rules().name);
            }
        }
    }
}
