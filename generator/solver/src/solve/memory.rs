//! Memory of a whole solution, from the memory that each kind of layers declares.

use crate::layout::Layout;
use crate::sets::FoldedSets;
use crate::solve::needs::Needs;
use crate::solve::shape::Shape;
use crate::solve::{distances, groups, values};
use morpion_lookup::raw::Encoding;

/// The memory of each layer of a table. A game that is not plain has one number for all layers.
pub fn of_layers(layout: &Layout) -> impl Iterator<Item = Needs> {
    let game = layout.game();
    let whole = (!game.is_plain()).then(|| groups::memory(layout));
    let layers = if game.is_plain() { game.layers() } else { Vec::new() };
    whole.into_iter().chain(layers.into_iter().map(|counts| {
        let shape = Shape::planned(layout, counts);
        match layout.header().encoding {
            Encoding::Plies8 => distances::memory::<u8>(layout, &shape),
            Encoding::Plies16 => distances::memory::<u16>(layout, &shape),
            Encoding::Wdl | Encoding::WdlCycle => values::memory(layout, &shape),
        }
    }))
}

/// The memory of a whole build with its rows in files. Returns `None` for entries of two bits, whose rows are never in
/// files, because they are small.
pub fn in_files(layout: &Layout) -> Option<Needs> {
    if !layout.header().encoding.has_distances() {
        return None;
    }
    let most = |of: fn(Needs) -> u64| of_layers(layout).map(of).max().unwrap_or(0);
    let (shared, own) = (most(|needs| needs.shared), most(|needs| needs.own));
    Some(Needs { shared: base(layout) + shared, own, rows: 0 })
}

/// Memory that no layer needs: of the program itself, its threads, the tables of ranks, and the folded sets.
pub fn base(layout: &Layout) -> u64 {
    (24 << 20) + FoldedSets::memory(layout)
}
