//! Any packed bytes: what they unpack to, or a named error; with a seek table that fits them, so that the frames are reached.
#![no_main]

use libfuzzer_sys::fuzz_target;
use morpion_core::seek_table;
use morpion_lookup::{Packed, Source, Table};

fn ask(packed: &[u8]) {
    let Ok(packed) = Packed::open(packed) else { return };
    packed.set_cache(1 << 16);
    let size = packed.size();
    let mut bytes = [0; 100];
    for at in [0, size / 3, size / 2, size.saturating_sub(100)] {
        let _ = packed.read_at(at, &mut bytes);
    }
    if let Ok(table) = Table::from_source(packed) {
        let start = table.game().start().raw;
        let _ = (table.probe(start).is_ok(), table.best_move(start).is_ok());
    }
}

fuzz_target!(|bytes: &[u8]| {
    ask(bytes);
    // The first bytes say how the rest is cut into frames and what they claim to unpack to.
    let Some((cuts, frames)) = bytes.split_at_checked(8) else { return };
    let mut lengths = Vec::new();
    let mut left = frames.len() as u32;
    for cut in cuts.chunks(2) {
        let packed = left.min(u32::from(cut[0]) * 4);
        lengths.push((packed, packed.max(u32::from(cut[1]) * 16)));
        left -= packed;
    }
    lengths.push((left, left.max(64)));
    lengths.retain(|&(packed, _)| packed > 0);
    ask(&[frames, &seek_table(&lengths)].concat());
});
