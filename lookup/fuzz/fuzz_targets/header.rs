//! Any header under a right sum, with a body as long as it asks for: the checks of its fields, and asking what passes them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use morpion_core::{Header, MAGIC, VERSION, preamble, sums_length};
use morpion_lookup::Table;

fuzz_target!(|header: &[u8]| {
    let mut bytes = preamble(MAGIC, VERSION, header);
    let _ = Table::from_source(&bytes).is_ok();
    let Ok(header) = Header::from_bytes(header) else { return };
    let game = &header.game;
    let start = game.start();
    let _ = game.parse_position(&start.to_string()).is_ok();
    for mv in game.moves_at(start) {
        let text = game.format_move(mv);
        if let Ok(read) = game.parse_move(&text) {
            assert_eq!(game.format_move(read), text);
        }
    }
    if header.census < 1 << 20 && header.census >= bytes.len() as u64 {
        bytes.resize(header.census as usize + 8, 0);
        let before = bytes.len() as u64;
        bytes.resize(bytes.len() + sums_length(before) as usize, 0);
        if let Ok(table) = Table::from_source(&bytes) {
            let _ = (table.probe(start).is_ok(), table.ranked_moves(start).is_ok());
            let _ = (table.check_sums().is_ok(), table.raw().census().is_ok());
        }
    }
});
