//! Any header under a right sum, with a body as long as it asks for: the deep checks, and asking what passes them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use morpion_format::preamble;
use morpion_lookup::raw::{FullHeader, MAGIC, VERSION, read_preamble, sums_length};
use morpion_lookup::{Game, Table};

fuzz_target!(
    |header: &[u8]| (1..=VERSION).for_each(|version| open(preamble(MAGIC, version, header)))
);

fn open(mut bytes: Vec<u8>) {
    let _ = Table::from_source(&bytes).is_ok();
    let Ok((version, header, _)) = read_preamble(MAGIC, VERSION, &bytes) else { return };
    let Ok(found) = FullHeader::from_bytes(version, &header) else { return };
    let census = found.header.census;
    let Ok(game) = Game::new(found.rules) else { return };
    let start = game.start();
    assert_eq!(game.parse_position(&start.to_string()), Ok(start));
    for mv in game.legal_moves(start) {
        assert_eq!(game.parse_move(&game.format_move(mv)), Ok(mv));
    }
    if census < 1 << 20 && census >= bytes.len() as u64 {
        bytes.resize(census as usize + 8, 0);
        let before = bytes.len() as u64;
        bytes.resize(bytes.len() + sums_length(before) as usize, 0);
        if let Ok(table) = Table::from_source(&bytes) {
            let _ = (table.probe(start).is_ok(), table.ranked_moves(start).is_ok());
            let _ = (table.check_sums().is_ok(), table.raw().census().is_ok());
        }
    }
}
