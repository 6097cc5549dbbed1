//! Reads any text as a rule file. The result is a typed error, or a game that can be played.
#![no_main]

use libfuzzer_sys::fuzz_target;
use morpion_games::rules::parse;
use morpion_lookup::{Game, raw};

fuzz_target!(|text: &str| {
    if let Ok(game) = parse("fuzz", text) {
        let again = Game::new(game.rules().clone()).expect("what was read is sound");
        assert_eq!(raw::fingerprint(again.rules()), raw::fingerprint(game.rules()));
        let (mut position, _) = game.start().parts();
        assert!(game.check(position).is_ok());
        for _ in 0..100 {
            if game.over(position).is_some() {
                break;
            }
            let Some(mv) = game.legal_moves(position).last() else { break };
            position = position.after(mv);
            assert!(game.check(position).is_ok());
        }
    }
});
