//! Resuming an interrupted build: what its files hold is read back, or else the build starts afresh.
//!
//! In come the files of a build and the layout of the table that is to be built now; out go the layers that are done and a
//! writer positioned after them. The partial file has to begin, byte for byte, as it would be written now, with header and maps, so that no other
//! rules, title or program can have made it; every layer has to be one that the rules allow.

use crate::build::checkpoint::{BuildFiles, Checkpoint, FileWriter};
use crate::build::stream::{TableReader, TableWriter};
use crate::build::table::begin;
use crate::layout::Layout;
use crate::sets::FoldedSets;
use crate::solve::census::{self, Counted};
use crate::solve::entry::Entry;
use crate::solve::layers::{MovementPoint, ResumePoint};
use crate::solve::legal;
use morpion_lookup::Counts;
use morpion_lookup::raw::{ALIGNMENT, Encoding, check_sums, sums_length};
use morpion_machine::files;
use morpion_machine::packer::Packing;
use morpion_machine::sealed;
use std::borrow::Cow;
use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, Write};

/// A build that is resumed.
pub struct Resumed<'f> {
    /// What is done.
    pub from: ResumePoint,
    /// Writes what comes next.
    pub writer: FileWriter<'f>,
}

impl BuildFiles {
    /// The header of the checkpoint, where there is one; nothing else of it is checked.
    pub fn checkpoint(&self) -> Option<Checkpoint> {
        self.open_checkpoint().ok().map(|(_, checkpoint, _)| checkpoint)
    }

    /// Reads back an interrupted build of the table that `layout` lays out; `None` where there is none, or what there is does not fit. Costs reading
    /// all of it, and counting and checking its layers.
    ///
    /// # Errors
    /// Where the partial file cannot be read.
    pub fn resume(
        &self,
        layout: &Layout,
        sets: &FoldedSets,
        packing: Option<Packing>,
    ) -> io::Result<Option<Resumed<'_>>> {
        match self.read_back(layout, sets, packing) {
            Ok(resumed) => Ok(Some(resumed)),
            Err(error)
                if [ErrorKind::InvalidData, ErrorKind::UnexpectedEof].contains(&error.kind()) =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn read_back(
        &self,
        layout: &Layout,
        sets: &FoldedSets,
        packing: Option<Packing>,
    ) -> io::Result<Resumed<'_>> {
        let (header, game) = (layout.header(), layout.game());
        let (file, checkpoint, start) = self.open_checkpoint()?;
        let written = usize::try_from(checkpoint.layers).map_err(misfit)?;
        if checkpoint.encoding != header.encoding
            || checkpoint.frames.is_some() != packing.is_some()
            || written > header.layers.len()
        {
            return Err(misfit("a checkpoint of another table"));
        }
        let under_way = header
            .layers
            .last()
            .filter(|layer| written == 0 && checkpoint.movement && game.is_movement(layer.counts));
        let codes = read_body(&file, start, under_way.map_or(0, |layer| layer.bytes))?;
        let movement = match under_way {
            Some(layer) => {
                let (_, distance) = count(sets, header.encoding, layer.counts, &codes)?;
                Some(MovementPoint { codes, distance })
            }
            None => None,
        };
        let reader = TableReader::new(&self.partial, checkpoint.frames.as_deref())?;
        let mut file = BufReader::with_capacity(1 << 16, reader);
        let mut writer = begin(Expected(&mut file), layout, sets)?.go_on(io::sink());
        let (mut counted, mut last) = (Vec::new(), Vec::new());
        for layer in header.layers.iter().rev().take(written) {
            // The layer before is freed first.
            drop(last);
            last = vec![0; usize::try_from(layer.bytes).map_err(misfit)?];
            file.read_exact(&mut last)?;
            writer.write(&last)?;
            let mut padded = writer.go_on(Expected(&mut file));
            padded.pad(ALIGNMENT)?;
            writer = padded.go_on(io::sink());
            counted.push(count(sets, header.encoding, layer.counts, &last)?.0);
        }
        if writer.sums() != checkpoint.sums {
            return Err(misfit("other bytes than were written"));
        }
        // What came after the checkpoint is written again.
        drop(file);
        let out = TableWriter::resume(
            &self.partial,
            header,
            packing,
            writer.written(),
            checkpoint.frames,
        )?;
        let writer = writer.go_on(out);
        Ok(Resumed { from: ResumePoint { counted, last, movement }, writer })
    }

    /// The checkpoint opened, its header, and where its body begins.
    fn open_checkpoint(&self) -> io::Result<(File, Checkpoint, u64)> {
        let file = files::open_name(&self.checkpoint_path(), OpenOptions::new().read(true))
            .map_err(misfit)?;
        let (checkpoint, start) = sealed::read_header(Checkpoint::MAGIC, &file).map_err(misfit)?;
        Ok((file, checkpoint, start))
    }
}

fn misfit(fault: impl Into<Box<dyn Error + Send + Sync>>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, fault)
}

/// The body of a sealed file, which begins at `start` and is to have `length` bytes.
fn read_body(mut file: &File, start: u64, length: u64) -> io::Result<Vec<u8>> {
    let end = start.saturating_add(length).next_multiple_of(8);
    if file.metadata()?.len() != end.saturating_add(sums_length(end)) {
        return Err(misfit("a checkpoint of another length"));
    }
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    check_sums(&bytes, end).map_err(misfit)?;
    bytes.truncate((start + length) as usize);
    bytes.drain(..start as usize);
    Ok(bytes)
}

/// Counts a layer that was read back, and finds its greatest distance; 0 without distances.
fn count(
    sets: &FoldedSets,
    encoding: Encoding,
    counts: Counts,
    bytes: &[u8],
) -> io::Result<(Counted, u16)> {
    match encoding {
        Encoding::Plies8 => count_plies::<u8>(sets, counts, bytes),
        Encoding::Plies16 => count_plies::<u16>(sets, counts, bytes),
        Encoding::Wdl if legal::are_values(sets, counts, bytes) => {
            Ok(((census::of_values(sets, counts, bytes), [None, None]), 0))
        }
        Encoding::Wdl => Err(misfit("values that the rules do not allow")),
    }
}

fn count_plies<E: Entry>(
    sets: &FoldedSets,
    counts: Counts,
    bytes: &[u8],
) -> io::Result<(Counted, u16)> {
    let codes = E::read(Cow::Borrowed(bytes));
    let counted = census::of_distances(sets, counts, &codes);
    let depth = legal::depth(sets, counts, &codes, &counted.0);
    Ok((counted, depth.ok_or_else(|| misfit("codes that the rules do not allow"))?))
}

/// Takes the bytes that are expected, and compares them with those that are read.
struct Expected<R>(R);

impl<R: BufRead> Write for Expected<R> {
    fn write(&mut self, expected: &[u8]) -> io::Result<usize> {
        let found = self.0.fill_buf()?;
        let length = found.len().min(expected.len());
        if found.is_empty() || found[..length] != expected[..length] {
            return Err(misfit("other bytes than the table's"));
        }
        self.0.consume(length);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::checkpoint::FileSink;
    use crate::build::table;
    use crate::solve::layers::LayerSink;
    use crate::solve::movement::MovementLayer;
    use crate::solve::operator::Operator;
    use morpion_games::catalogue::standard_game;
    use morpion_games::progress::Unobserved;
    use morpion_lookup::{Bytes, Source, Table};
    use std::fs;
    use std::time::Duration;

    /// A standard game laid out and folded, and the bytes of its table.
    fn solved(name: &str, encoding: Encoding) -> (Layout, FoldedSets, Vec<u8>) {
        let game = standard_game(name).unwrap();
        let layout = Layout::new(&game, Some(encoding), &Unobserved).unwrap();
        let sets = FoldedSets::fold(&layout, &Unobserved).unwrap();
        let bytes = table::solve_layout(&layout, Operator::default(), &Unobserved).unwrap();
        (layout, sets, bytes)
    }

    const PACKED: Option<Packing> = Some(Packing { level: Some(3), frame: Some(100) });

    /// The bytes of a table's layers, the last of the game first.
    fn layers<'b>(layout: &Layout, bytes: &'b [u8]) -> Vec<&'b [u8]> {
        let of = |layer: &morpion_lookup::raw::LayerSection| {
            &bytes[layer.offset as usize..(layer.offset + layer.bytes) as usize]
        };
        layout.header().layers.iter().rev().map(of).collect()
    }

    /// A build that was killed after these layers.
    fn interrupted<'f>(
        files: &'f BuildFiles,
        layout: &Layout,
        sets: &FoldedSets,
        packing: Option<Packing>,
        layers: &[&[u8]],
    ) -> FileSink<'f> {
        files.clear().unwrap();
        let out = TableWriter::resume(&files.partial, layout.header(), packing, 0, None).unwrap();
        let writer = begin(out, layout, sets).unwrap();
        let encoding = layout.header().encoding;
        let mut sink = FileSink::new(files, writer, encoding, 0, Duration::ZERO);
        for layer in layers {
            sink.layer(&mut std::iter::once(Cow::Borrowed(*layer))).unwrap();
        }
        sink
    }

    #[test]
    fn a_build_resumed_after_any_layer_ends_with_the_same_bytes() {
        for (name, encoding, packing) in [
            ("classic", Encoding::Plies8, None),
            ("misere", Encoding::Wdl, PACKED),
            ("tapatan", Encoding::Plies16, None),
            ("tapatan", Encoding::Plies8, PACKED),
        ] {
            let (layout, sets, bytes) = solved(name, encoding);
            let census = Table::from_source(&bytes[..]).unwrap().raw().census().unwrap();
            let all = layers(&layout, &bytes);
            let folder = tempfile::tempdir().unwrap();
            let files = BuildFiles::lock(folder.path(), name).unwrap().unwrap();
            for written in 1..=all.len() {
                drop(interrupted(&files, &layout, &sets, packing, &all[..written]));
                // More than the checkpoint names, as a kill leaves it.
                (&files.partial).seek(io::SeekFrom::End(0)).unwrap();
                (&files.partial).write_all(&[0x55; 1000]).unwrap();
                let resumed = files.resume(&layout, &sets, packing).unwrap();
                let Resumed { from, writer } = resumed.unwrap();
                assert_eq!((from.counted.len(), &from.last[..]), (written, all[written - 1]));
                assert!(from.movement.is_none());
                let mut sink =
                    FileSink::new(&files, writer, encoding, written, Duration::from_secs(3600));
                for layer in &all[written..] {
                    sink.layer(&mut std::iter::once(Cow::Borrowed(*layer))).unwrap();
                }
                table::finish(sink.into_writer(), &census).unwrap().finish().unwrap();
                let file = Bytes::open(files.partial_path()).unwrap().loaded().unwrap();
                assert!(file.in_memory().unwrap() == bytes, "{name} {written}");
            }
        }
    }

    #[test]
    fn a_movement_layer_goes_on_from_its_codes_and_their_greatest_distance() {
        fn check<E: crate::solve::shared::Shared>() {
            let (layout, sets, _) = solved("tapatan", E::ENCODING);
            let counts = *layout.game().layers().last().unwrap();
            let folder = tempfile::tempdir().unwrap();
            let files = BuildFiles::lock(folder.path(), "tapatan").unwrap().unwrap();
            let mut layer = MovementLayer::<E>::new(&sets, counts, Operator::default());
            for distance in 1..6 {
                layer.step(&Unobserved).unwrap();
                let codes = E::bytes(layer.codes());
                interrupted(&files, &layout, &sets, None, &[]).movement(&codes).unwrap();
                let resumed = files.resume(&layout, &sets, None).unwrap().unwrap();
                let point = resumed.from.movement.unwrap();
                assert_eq!(point.distance, distance);
                assert!(point.codes == *codes);
            }
        }
        check::<u8>();
        check::<u16>();
    }

    #[test]
    fn no_other_byte_of_what_was_written_is_resumed() {
        let (layout, sets, bytes) = solved("classic", Encoding::Plies8);
        let all = layers(&layout, &bytes);
        for packing in [None, PACKED] {
            let folder = tempfile::tempdir().unwrap();
            let files = BuildFiles::lock(folder.path(), "classic").unwrap().unwrap();
            drop(interrupted(&files, &layout, &sets, packing, &all[..4]));
            for path in [files.partial_path(), files.checkpoint_path()] {
                let good = fs::read(&path).unwrap();
                for at in (0..good.len()).step_by(1 + good.len() / 200) {
                    let mut wrong = good.clone();
                    wrong[at] ^= 0x10;
                    fs::write(&path, wrong).unwrap();
                    let resumed = files.resume(&layout, &sets, packing).unwrap();
                    assert!(resumed.is_none(), "byte {at} of {}", path.display());
                }
                fs::write(&path, good).unwrap();
            }
            assert!(files.resume(&layout, &sets, packing).unwrap().is_some());
        }
    }

    #[test]
    fn a_table_of_other_rules_or_entries_is_not_resumed() {
        let (layout, sets, bytes) = solved("classic", Encoding::Plies8);
        let all = layers(&layout, &bytes);
        let folder = tempfile::tempdir().unwrap();
        let files = BuildFiles::lock(folder.path(), "classic").unwrap().unwrap();
        drop(interrupted(&files, &layout, &sets, None, &all[..2]));
        let wide = layout.with_encoding(Encoding::Plies16).unwrap();
        assert!(files.resume(&wide, &sets, None).unwrap().is_none());
        assert!(files.resume(&layout, &sets, PACKED).unwrap().is_none());
        let (other, other_sets, _) = solved("misere", Encoding::Plies8);
        assert!(files.resume(&other, &other_sets, None).unwrap().is_none());
    }
}
