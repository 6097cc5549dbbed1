//! Reads any text as a rule file. The result is a list of faults in order, or a game that can be played.
#![no_main]

use libfuzzer_sys::fuzz_target;
use morpion_games::rules::parse_named;
use morpion_lookup::{Game, raw};

fuzz_target!(|text: &str| {
    match parse_named("fuzz", text) {
        Ok(named) => {
            assert!(named.warnings().iter().all(|warning| warning.lines().count() == 1));
            play(&named.game);
        }
        Err(error) => {
            // Only the fault of a whole file or the number of further faults has no line.
            let lines: Vec<usize> =
                error.faults.iter().map(|fault| fault.line).filter(|line| *line > 0).collect();
            assert!(!error.faults.is_empty() && lines.is_sorted());
            assert!(lines.iter().all(|line| *line <= text.matches('\n').count() + 1));
            assert!(error.faults.iter().all(|fault| fault.message.lines().count() == 1));
        }
    }
});

fn play(game: &Game) {
    let again = Game::new(game.rules().clone()).expect("what was read is sound");
    assert_eq!(raw::again.fingerprint(), raw::game.fingerprint());
    let mut position = game.start();
    assert!(game.check(position).is_ok());
    for _ in 0..100 {
        if game.over(position).is_some() {
            break;
        }
        let Some(mv) = game.legal_moves(position).last() else { break };
        position = game.after(position, mv);
        assert!(game.check(position).is_ok());
    }
}
