//! Any text as a position and as a move of any game: what is read is written back the same, everything else is an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use morpion_lookup::Table;

fuzz_target!(|input: (u8, &str)| {
    let (which, text) = input;
    let names: Vec<&str> = Table::builtin_names().collect();
    let table = Table::builtin(names[usize::from(which) % names.len()]).unwrap();
    let game = table.game();
    if let Ok(position) = game.parse_position(text) {
        assert_eq!(game.parse_position(&position.to_string()), Ok(position));
        assert!(table.probe(position).is_ok());
    }
    if let Ok(mv) = game.parse_move(text) {
        assert_eq!(game.parse_move(&game.format_move(mv)), Ok(mv));
    }
});
