//! Share of all positions by value and layer: many positions at once. `cargo run --release -p morpion-lookup
//! --example many_positions -- picaria`.

use morpion_core::rank::{expand, subsets};
use morpion_lookup::{Position, Table};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "classic".into());
    let table = Table::builtin(&name)?;
    let board = table.game().board();
    let mut scores = Vec::new();
    println!("mover waiter  wins draws losses");
    for layer in &table.raw().header().layers {
        let movers = subsets(board.count_ones(), layer.counts.mover.into());
        let positions: Vec<Position> = movers
            .flat_map(|mover| {
                let left = board & !mover;
                let waiters = subsets(left.count_ones(), layer.counts.waiter.into());
                waiters.map(move |waiter| Position { mover, waiter: expand(waiter, left) })
            })
            .collect();
        // By value: win, draw, loss. Arrangements whose mover owns a line are not positions.
        let mut counts = [0u64; 3];
        table.probe_many(&positions, &mut scores)?;
        for score in scores.iter().flatten() {
            counts[score.value() as usize] += 1;
        }
        let [wins, draws, losses] = counts;
        println!(
            "{:5} {:6} {wins:5} {draws:5} {losses:6}",
            layer.counts.mover, layer.counts.waiter
        );
    }
    Ok(())
}
