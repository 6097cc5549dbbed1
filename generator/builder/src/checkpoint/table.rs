//! The unfinished table of a single-process build, with its checkpoint.

use crate::checkpoint::files::{BuildFiles, remove_files};
use crate::checkpoint::state::{ShardId, State, Written, damaged, is_damage};
use crate::checkpoint::worker::{WorkerCheckpoint, WorkerId};
use crate::packer::{FramesWritten, Packer, Packing};
use crate::stream;
use morpion_core::Header;
use morpion_machine::sealed;
use morpion_solver::error::SolveError;
use morpion_solver::sets::FoldedSets;
use morpion_solver::sink::TableSink;
use morpion_solver::solve::keeper::{Done, Keeper, VisitLayer};
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::time::Duration;

/// Writes a table to its partial file, with regular checkpoints.
pub struct FileKeeper<'f> {
    files: &'f BuildFiles,
    checkpoint: WorkerCheckpoint,
    sink: TableSink<Packer<BufWriter<&'f File>>>,
}

impl<'f> FileKeeper<'f> {
    /// Resumes an interrupted build of the table of `layout`, which reads the written part of the table. Starts from the beginning if no
    /// build was interrupted, or if the files contradict the checkpoint.
    pub fn open(
        files: &'f BuildFiles,
        layout: &Header,
        sets: &FoldedSets,
        packing: Option<Packing>,
        interval: Duration,
    ) -> io::Result<FileKeeper<'f>> {
        let shard = ShardId { table: layout.clone(), process: 0, processes: 1 };
        let mut checkpoint = WorkerCheckpoint::open(&files.rows, shard, WorkerId::ONLY, interval)?;
        let State { done, written, .. } = &mut checkpoint.state;
        let summed = match sum_written(files, layout, *done, written, packing) {
            Ok(summed) if *done != Done::default() => summed,
            Err(error) if !is_damage(&error) => return Err(error),
            _ => {
                files.clear()?;
                fs::create_dir_all(&files.rows)?;
                (*done, *written) = (Done::default(), None);
                None
            }
        };
        let resume = |written: u64, frames: FramesWritten| {
            let (mut file, frames) = (&files.partial, frames.unwrap_or_default());
            let length = match packing {
                None => written,
                Some(_) => frames.iter().map(|frame| u64::from(frame.packed)).sum(),
            };
            // Discards the bytes after the checkpoint.
            file.set_len(length)?;
            file.seek(SeekFrom::Start(length))?;
            io::Result::Ok(Packer::resume(BufWriter::new(file), layout, packing, frames))
        };
        let sink = match summed.zip(written.clone()) {
            Some(((writer, frames), Written { counted, .. })) => {
                // Layers in the partial file do not need their rows any more. Layers of a group in progress need them, because these layers
                // are not in the file yet.
                if checkpoint.state.done.distance.is_none() {
                    remove_files(&files.rows, |name| name.ends_with(".rows"))?;
                }
                let out = resume(writer.written(), frames)?;
                TableSink::resume(writer.continue_to(out), counted, layout)
            }
            None => TableSink::begin(resume(0, None)?, layout, sets)?,
        };
        Ok(FileKeeper { files, checkpoint, sink })
    }

    /// Completes the table.
    pub fn finish(self) -> Result<(), SolveError> {
        Ok(self.sink.finish()?.finish().map(drop)?)
    }
}

/// Computes the checksums of the written part of a table, and finds its frames; `None` if nothing is written.
fn sum_written(
    files: &BuildFiles,
    header: &Header,
    done: Done,
    written: &Option<Written>,
    packing: Option<Packing>,
) -> io::Result<Option<(sealed::Writer<io::Sink>, FramesWritten)>> {
    /// Number of bytes that are read at once: many frames, so that each thread unpacks some.
    const READ: u64 = 1 << 24;
    let layers = done.layers as usize;
    if layers == 0 {
        return Ok(None);
    }
    let written = written.as_ref().ok_or_else(|| damaged("nothing is written"))?;
    // The last layers of the game are written first.
    let end = match header.layers.len().checked_sub(layers) {
        None => return Err(damaged("more layers than the table has")),
        Some(0) => header.census,
        Some(next) => header.layers[next - 1].offset,
    };
    if written.counted.len() != layers || written.packed.is_some() != packing.is_some() {
        return Err(damaged("another number of layers, or packed otherwise"));
    }
    let file = File::open(&files.partial_path)?;
    let frames = written.packed.map(|packed| stream::find_frames(&file, packed)).transpose()?;
    let mut source = stream::read_back(file, frames.clone(), 0)?;
    let (mut bytes, mut writer) = (Vec::new(), sealed::Writer::new(io::sink()));
    while writer.written() < end {
        bytes.resize((end - writer.written()).min(READ) as usize, 0);
        source.read_exact(&mut bytes).map_err(damaged)?;
        writer.write(&bytes)?;
    }
    if writer.sums() != written.sums {
        return Err(damaged("other bytes than were written"));
    }
    Ok(Some((writer, frames)))
}

impl Keeper for FileKeeper<'_> {
    fn write(&mut self, layer: &VisitLayer) -> Result<(), SolveError> {
        self.sink.write_layer(layer)
    }

    fn done(&self) -> Done {
        self.checkpoint.state.done
    }

    fn solved_layer(&mut self, layer: usize) -> io::Result<Box<dyn Read + '_>> {
        let out = self.sink.writer.out();
        out.flush()?;
        let frames = out.frames();
        let file = File::open(&self.files.partial_path)?;
        stream::read_back(file, frames, self.sink.offsets[layer])
    }

    fn is_due(&self) -> bool {
        self.checkpoint.is_due()
    }

    fn record(&mut self, done: Done) -> Result<(), SolveError> {
        let FileKeeper { files, checkpoint, sink } = self;
        // If the last checkpoint is inside a layer group, it needs rows that are removed next. So a new checkpoint is written.
        let needs_rows = checkpoint.state.done.distance.is_some();
        let interval = checkpoint.interval.min(Duration::from_secs(1));
        if done.distance.is_none() && !needs_rows && checkpoint.last.elapsed() < interval {
            return Ok(());
        }
        sink.writer.out().flush()?;
        files.partial.sync_data()?;
        let (sums, frames) = (sink.writer.sums(), sink.writer.out().frames());
        let packed = frames.as_deref().map(stream::FramesSum::of);
        let written = Written { counted: sink.counted.clone(), sums, packed };
        Ok(checkpoint.keep(done, Some(written).filter(|_| done.layers > 0))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_core::Source;
    use morpion_core::{Deepest, LayerCensus, Position};
    use morpion_core::{Encoding, body_begins, read_preamble};
    use morpion_games::catalogue::standard_game;
    use morpion_lookup::Bytes;
    use morpion_machine::progress::Unobserved;
    use morpion_solver::layout::lay_out;
    use morpion_solver::solve::census::Counted;
    use morpion_solver::solve::keeper::VisitBytes;

    /// Passes finished layers to `keeper`, starting with layer number `first` of the game.
    fn keep(keeper: &mut impl Keeper, first: u64, layers: &[Finished]) {
        for (solved, (bytes, counted)) in (first..).zip(layers) {
            let pieces = |visit: &mut VisitBytes| {
                bytes.chunks(1000).try_for_each(visit)?;
                Ok(counted.clone())
            };
            keeper.write(&pieces).unwrap();
            keeper.record(Done { layers: solved, distance: None }).unwrap();
        }
    }

    /// The bytes of a layer with its counts. Builds store both as they are.
    type Finished = (Vec<u8>, Counted);

    /// A game with its table and layers, the last layer of the game first.
    struct Solved {
        layout: Header,
        sets: FoldedSets,
        layers: Vec<Finished>,
        bytes: Vec<u8>,
    }

    impl Solved {
        fn new(name: &str, encoding: Encoding) -> Solved {
            let game = standard_game(name).unwrap();
            let layout = lay_out(&game, Some(encoding), &Unobserved).unwrap();
            let sets = FoldedSets::fold(&layout, &Unobserved).unwrap();
            let layers: Vec<Finished> = (0..)
                .zip(layout.layers.iter().rev())
                .map(|(number, layer)| {
                    let bytes = (0..layer.bytes).map(|at| (at * at / 7 + number) as u8).collect();
                    let census = LayerCensus { wins: vec![number; 3], ..Default::default() };
                    let position = Position { mover: number, waiter: 0 };
                    let deepest = Deepest { plies: number as u16, position };
                    (bytes, Counted { census, win: None, loss: Some(deepest) })
                })
                .collect();
            let mut sink = TableSink::begin(Vec::new(), &layout, &sets).unwrap();
            keep(&mut sink, 1, &layers);
            let bytes = sink.finish().unwrap();
            Solved { layout, sets, layers, bytes }
        }

        fn open<'f>(&self, files: &'f BuildFiles, packing: Option<Packing>) -> FileKeeper<'f> {
            FileKeeper::open(files, &self.layout, &self.sets, packing, Duration::ZERO).unwrap()
        }
    }

    const PACKED: Option<Packing> = Some(Packing { level: Some(3), frame: Some(100) });

    #[test]
    fn a_build_resumed_after_any_layer_ends_with_the_same_bytes() {
        for (name, encoding, packing) in [
            ("classic", Encoding::Plies8, None),
            ("misere", Encoding::Wdl, PACKED),
            ("tapatan", Encoding::Plies16, None),
            ("tapatan", Encoding::Plies8, PACKED),
        ] {
            let solved = Solved::new(name, encoding);
            let layers = &solved.layers;
            for written in 1..=layers.len() {
                let folder = tempfile::tempdir().unwrap();
                let files = BuildFiles::lock(folder.path(), name).unwrap().unwrap();
                let mut keeper = solved.open(&files, packing);
                assert_eq!(keeper.done(), Done::default());
                keep(&mut keeper, 1, &layers[..written]);
                drop(keeper);
                // A kill can leave more bytes than the checkpoint counts.
                (&files.partial).seek(io::SeekFrom::End(0)).unwrap();
                (&files.partial).write_all(&[0x55; 1000]).unwrap();
                let mut keeper = solved.open(&files, packing);
                assert_eq!(keeper.done().layers, written as u64);
                let mut last = vec![0; layers[written - 1].0.len()];
                keeper.solved_layer(layers.len() - written).unwrap().read_exact(&mut last).unwrap();
                assert!(last == layers[written - 1].0);
                keep(&mut keeper, written as u64 + 1, &layers[written..]);
                keeper.finish().unwrap();
                let file = Bytes::open(&files.partial_path).unwrap().loaded().unwrap();
                assert!(file.in_memory().unwrap() == solved.bytes, "{name} {written}");
            }
        }
    }

    #[test]
    fn changed_bytes_are_not_resumed() {
        let solved = Solved::new("classic", Encoding::Plies8);
        for packing in [None, PACKED] {
            let folder = tempfile::tempdir().unwrap();
            let files = BuildFiles::lock(folder.path(), "classic").unwrap().unwrap();
            let mut keeper = solved.open(&files, packing);
            keep(&mut keeper, 1, &solved.layers[..4]);
            drop(keeper);
            let paths = [files.partial_path.clone(), State::path(&files.rows, 0)];
            let kept = paths.each_ref().map(|path| fs::read(path).unwrap());
            let restore = || {
                fs::create_dir_all(&files.rows).unwrap();
                paths.iter().zip(&kept).for_each(|(path, kept)| fs::write(path, kept).unwrap());
            };
            // A state consists of its header only.
            let state = body_begins(read_preamble(State::MAGIC, 1, &kept[1]).unwrap().len());
            for ((path, good), end) in paths.iter().zip(&kept).zip([u64::MAX, state]) {
                let end = good.len().min(end as usize);
                for at in (0..end).step_by(1 + end / 200) {
                    restore();
                    let mut wrong = good.clone();
                    wrong[at] ^= 0x10;
                    fs::write(path, wrong).unwrap();
                    let done = solved.open(&files, packing).done();
                    assert_eq!(done, Done::default(), "byte {at} of {}", path.display());
                }
            }
            restore();
            assert_eq!(solved.open(&files, packing).done().layers, 4);
        }
    }

    #[test]
    fn a_table_of_other_rules_or_entries_is_not_resumed() {
        let solved = Solved::new("classic", Encoding::Plies8);
        let other = Solved::new("misere", Encoding::Plies8);
        let wide = Solved::new("classic", Encoding::Plies16);
        for (open, packing) in [(&wide, None), (&solved, PACKED), (&other, None)] {
            let folder = tempfile::tempdir().unwrap();
            let files = BuildFiles::lock(folder.path(), "classic").unwrap().unwrap();
            let mut keeper = solved.open(&files, None);
            keep(&mut keeper, 1, &solved.layers[..2]);
            drop(keeper);
            assert_eq!(open.open(&files, packing).done(), Done::default());
        }
    }
}
