//! `morpion dump`: every entry or arrangement of a table, or the first plies of its game, for other programs.

use super::tables::{TableSource, whole};
use crate::terminal::prelude::*;
use morpion_core::Situation;
use morpion_games::symmetry::group::group;
use morpion_machine::progress::Unobserved;
use morpion_report::entries::{Entry, arrangements, entries};
use morpion_report::least::Least;
use morpion_report::worth::Worth;
use std::collections::{HashSet, VecDeque};
use std::io;

/// Write the entries or positions of a table as CSV
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: TableSource,
    /// List every arrangement instead of every entry
    #[arg(long)]
    all: bool,
    /// Write the tree of the first N moves for Graphviz
    #[arg(long, value_name = "N", conflicts_with = "all")]
    dot: Option<usize>,
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let table = whole(args.source.open_or_solve()?)?;
    if let Some(plies) = args.dot {
        return write_tree(&table, plies, out);
    }
    let (mut listed, mut represented) = (0, 0);
    let game = table.game();
    let mut lines = csv::Writer::from_writer(out);
    lines.write_record(["position", "value", "plies", "draw", "arrangements"]).map_err(lost)?;
    for entry in if args.all { arrangements(&table) } else { entries(&table) } {
        let Entry { position, score, arrangements } = entry?;
        (listed, represented) = (listed + 1, represented + arrangements);
        let position = game.format_position(position);
        let Worth { value, plies, draw } = score.into();
        lines.serialize((position, value, plies, draw, arrangements)).map_err(lost)?;
    }
    // If the output cannot be written, only this error is reported, without the note below.
    lines.flush()?;
    if !args.all {
        note(format_args!(
            "morpion: {}, one per entry, for {}; --all writes a line for each of these",
            counted(listed, "line"),
            counted(represented, "arrangement")
        ));
    }
    Ok(())
}

/// Maximum number of positions of a tree after the start.
const TREE: usize = 100_000;

/// Writes the tree of the first plies in the language of Graphviz. If several moves lead to symmetric positions, only the best of
/// these moves is followed.
///
/// # Errors
/// If the tree has more than [`TREE`] positions; then nothing is written.
fn write_tree(table: &Table, plies: usize, out: &mut Output) -> Result<()> {
    let game = table.game();
    let least = Least::new(game.cells(), group(game, &Unobserved)?.1);
    let mut tree = Vec::new();
    writeln!(tree, "digraph \"{}\" {{\n  node [shape=box, fontname=monospace]", game.name())?;
    let node = |number: usize, position: Situation, tree: &mut Vec<u8>| {
        let text = game.format_position(position).replace('/', "\\n");
        let score = table.probe(position.raw)?;
        writeln!(tree, "  {number} [label=\"{text}\\n{score}\"]").map_err(anyhow::Error::from)
    };
    node(0, game.start(), &mut tree)?;
    let (mut waiting, mut count) = (VecDeque::from([(0, 0, game.start())]), 0);
    while let Some((from, depth, before)) = waiting.pop_front().filter(|next| next.1 < plies) {
        let (moves, mut seen) = (table.ranked_moves(before.raw)?, HashSet::new());
        for (rank, ranked) in moves.iter().enumerate() {
            let after = game.after(before, ranked.mv);
            if seen.insert(least.of(after.raw)) {
                count += 1;
                ensure!(
                    count <= TREE,
                    "--dot {plies}: the tree has more than {} positions; choose a smaller number of moves",
                    grouped(TREE as u64)
                );
                node(count, after, &mut tree)?;
                let style = if rank < moves.best().len() { ", style=bold" } else { "" };
                let mv = game.format_move(ranked.mv);
                writeln!(tree, "  {from} -> {count} [label=\"{mv}\"{style}]")?;
                waiting.push_back((count, depth + 1, after));
            }
        }
    }
    writeln!(tree, "}}")?;
    Ok(out.write_all(&tree)?)
}

/// Returns the I/O error inside a CSV error, so that a closed pipe is recognised.
fn lost(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
