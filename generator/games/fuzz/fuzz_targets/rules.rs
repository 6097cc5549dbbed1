//! Reads any text as a rule file. The result is a list of faults in order, or a game that can be played.
#![no_main]

use libfuzzer_sys::fuzz_target;
use morpion_core::Game;
use morpion_games::rules::{parse, parse_named, whole};

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
    let again = parse("fuzz", &whole(game)).expect("the canonical form is a rule file");
    assert_eq!(again, *game);
    let mut position = game.start();
    assert!(game.check(position).is_ok());
    for _ in 0..100 {
        if game.end_at(position).is_some() {
            break;
        }
        let Some(mv) = game.moves_at(position).last() else { break };
        position = game.after(position, mv);
        assert!(game.check(position).is_ok());
    }
}
