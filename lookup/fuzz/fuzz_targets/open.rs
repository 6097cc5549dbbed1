//! Any bytes: a table or a named error; what opens can be asked anything.
#![no_main]

use libfuzzer_sys::fuzz_target;
use morpion_lookup::{Position, Table};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(table) = Table::from_source(bytes) {
        let _ = (table.check_sums().is_ok(), table.raw().census().is_ok());
        let start = table.game().start().raw;
        let _ = (table.probe(start).is_ok(), table.best_move(start).is_ok());
        for bits in bytes.windows(16).step_by(7).take(64) {
            let word = |at| u64::from_le_bytes(*bits[at..].first_chunk().unwrap());
            let position = Position { mover: word(0), waiter: word(8) };
            let _ = table.ranked_moves(position).is_ok();
        }
    }
});
