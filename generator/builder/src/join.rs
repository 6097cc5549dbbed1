//! Joins the shards of a cluster to one table.

use crate::checkpoint::ShardId;
use crate::store::FileStore;
use morpion_core::{Encoding, Header};
use morpion_machine::progress::Progress;
use morpion_solver::error::SolveError;
use morpion_solver::sets::FoldedSets;
use morpion_solver::sink::TableSink;
use morpion_solver::solve::Shape;
use morpion_solver::solve::code::Code;
use morpion_solver::solve::keeper::{Done, VisitBytes};
use morpion_solver::solve::rows::Rows;
use morpion_solver::solve::store::Contents;
use morpion_solver::solve::visit_layer;
use std::io::{self, Write};
use std::path::PathBuf;

/// Writes the table of `layout` to `out`, from the shards of all processes that solved it, in the order of the
/// processes.
///
/// # Errors
/// If a shard is not complete, files cannot be read, the observer requests a stop, or `out` fails.
pub fn join<W: Write>(
    out: W,
    layout: &Header,
    sets: &FoldedSets,
    folders: &[PathBuf],
    progress: &dyn Progress,
) -> Result<W, SolveError> {
    let layers = layout.layers.len() as u64;
    let processes = folders.len() as u32;
    for (process, folder) in (0..).zip(folders) {
        let shard = ShardId { table: layout.clone(), process, processes };
        let done = shard.done(folder);
        if done != Some(Done { layers, distance: None }) {
            let fault = format!(
                "{}: {} of {layers} layers of process {process} of {processes}, expected all",
                folder.display(),
                done.unwrap_or_default().layers,
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, fault).into());
        }
    }
    progress.writing(layout.entries());
    let mut sink = TableSink::begin(out, layout, sets)?;
    match layout.encoding {
        Encoding::Plies16 => write_shards::<u16, W>(&mut sink, layout, sets, folders, progress)?,
        _ => write_shards::<u8, W>(&mut sink, layout, sets, folders, progress)?,
    }
    sink.finish()
}

fn write_shards<E: Code, W: Write>(
    sink: &mut TableSink<W>,
    layout: &Header,
    sets: &FoldedSets,
    folders: &[PathBuf],
    progress: &dyn Progress,
) -> Result<(), SolveError> {
    for layer in (0..layout.game.graph().layers.len()).rev() {
        let shape = Shape::of(layout, layer);
        let rows = |folder: &PathBuf| {
            let storage = FileStore { folder: folder.clone() }.storage(Some(Vec::new()));
            Rows::new(&storage, shape, Contents::Table, 0)
        };
        let shards: Vec<Rows<E>> = folders.iter().map(rows).collect();
        let shards: Vec<&Rows<E>> = shards.iter().collect();
        sink.write_layer(&|visit: &mut VisitBytes| visit_layer(sets, &shards, visit, progress))?;
    }
    Ok(())
}
