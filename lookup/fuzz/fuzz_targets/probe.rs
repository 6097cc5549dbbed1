//! A table whose bytes behind the header are damaged, asked anything.
//!
//! Input: which table, then 16 bytes a question, each of which also damages a byte.
#![no_main]

use libfuzzer_sys::fuzz_target;
use morpion_lookup::{Position, Source, Table};

fuzz_target!(|input: &[u8]| {
    let [which, questions @ ..] = input else { return };
    let names: Vec<&str> = Table::builtin_names().collect();
    let table = Table::builtin(names[usize::from(*which) % names.len()]).unwrap();
    let start = table.raw().header().maps[0].offset as usize;
    let mut bytes = table.source().in_memory().unwrap().to_vec();
    let mut positions = Vec::new();
    for question in questions.chunks_exact(16) {
        let word = |at: usize| u64::from_le_bytes(*question[at..].first_chunk().unwrap());
        let length = bytes.len() - start;
        bytes[start + word(0) as usize % length] ^= question[7];
        let board = table.game().board();
        let bits = word(8);
        positions.push(Position { mover: bits & board, waiter: (bits >> 16) & board & !bits });
        positions.push(Position { mover: word(0), waiter: bits });
    }
    if let Ok(table) = Table::from_source(&bytes) {
        for &position in &positions {
            let one = table.probe(position);
            let (best, moves) = (table.best_move(position), table.ranked_moves(position));
            if let (Ok(best), Ok(moves)) = (&best, &moves) {
                assert_eq!(best.as_ref(), moves.first());
            }
            let mut answer = Vec::new();
            table.probe_many(&[position], &mut answer).unwrap();
            assert_eq!(answer, [one.map_err(|error| error.kind())]);
        }
        let _ = (table.check_sums().is_ok(), table.raw().census().is_ok());
    }
});
