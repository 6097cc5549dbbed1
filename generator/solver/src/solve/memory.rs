//! Memory of a whole solution, from the memory that each kind of layers declares.

use crate::layout::Layout;
use crate::sets::FoldedSets;
use crate::solve::needs::Needs;
use crate::solve::shape::Shape;
use crate::solve::{distances, pushes, values};
use morpion_lookup::raw::Encoding;
use morpion_reach::groups::groups;

/// The memory that each of `parts` processes needs for each group of layers that is solved together. A game that pushes has one number
/// for all layers.
pub fn of_groups(layout: &Layout, parts: usize) -> impl Iterator<Item = Needs> + use<'_> {
    let has_pushes = pushes::are_moves(layout.game());
    let whole = has_pushes.then(|| pushes::memory(layout));
    let groups = if has_pushes { Vec::new() } else { groups(layout.game()) };
    whole.into_iter().chain(groups.into_iter().map(move |group| match layout.header().encoding {
        Encoding::Plies8 => distances::memory::<u8>(layout, &group, parts),
        Encoding::Plies16 => distances::memory::<u16>(layout, &group, parts),
        Encoding::Wdl | Encoding::WdlCycle => {
            values::memory(layout, &Shape::planned(layout, group.start))
        }
    }))
}

/// The memory of a whole build with its rows in files. Returns `None` for entries of two bits, whose rows are never in
/// files, because they are small, and for games that push.
pub fn in_files(layout: &Layout) -> Option<Needs> {
    if !layout.header().encoding.has_distances() || pushes::are_moves(layout.game()) {
        return None;
    }
    let most = |of: fn(Needs) -> u64| of_groups(layout, 1).map(of).max().unwrap_or(0);
    let (shared, own) = (most(|needs| needs.shared), most(|needs| needs.own));
    Some(Needs { shared: base(layout) + shared, own, rows: 0 })
}

/// Memory that no layer needs: of the program itself, its threads, the tables of ranks, and the folded sets.
pub fn base(layout: &Layout) -> u64 {
    (24 << 20) + FoldedSets::memory(layout)
}
