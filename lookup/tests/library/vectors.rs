//! The vectors that every language's reader passes: `conformance/vectors.csv`, which the generator's tests compare with a solver that
//! shares nothing with this library.

use morpion_lookup::{Source, Table};
use std::collections::HashMap;
use std::path::PathBuf;

pub fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/conformance"))
}

pub fn check<S: Source>(open: &dyn Fn(&str) -> Table<S>) {
    let mut tables: HashMap<String, Table<S>> = HashMap::new();
    let vectors = std::fs::read_to_string(folder().join("vectors.csv")).unwrap();
    let mut checked = 0;
    for line in vectors.lines().skip(1) {
        let fields: Vec<&str> = line.rsplitn(7, ',').collect();
        let [error, best, over, draw, plies, value, asked] = fields[..] else {
            panic!("{line}: eight fields")
        };
        // The text of a position may have commas, and is quoted then.
        let (game, text) = asked.split_once(',').unwrap();
        let text = text.trim_matches('"');
        let table = tables.entry(game.into()).or_insert_with(|| open(game));
        checked += 1;
        let position = match table.game().parse_position(text) {
            Ok(position) => position.raw,
            Err(found) => {
                assert_eq!(found.kind().name(), error, "{line}: {found}");
                continue;
            }
        };
        assert_eq!(error, "", "{line}");
        let score = table.probe(position).unwrap();
        let mut answers = Vec::new();
        table.probe_many(&[position; 3], &mut answers).unwrap();
        assert_eq!(answers, [Ok(score); 3], "{line}");
        let found_plies = score.plies().map_or(String::new(), |plies| plies.to_string());
        let found_draw = score.draw().map_or("", |kind| kind.name());
        let found_over = table.game().end_at(position).map_or("", |over| over.name());
        let moves = table.ranked_moves(position).unwrap();
        assert_eq!(table.best_move(position).unwrap(), moves.first().copied(), "{line}");
        let perfect: Vec<String> =
            moves.best().iter().map(|ranked| table.game().format_move(ranked.mv)).collect();
        assert_eq!(
            (score.value().name(), &found_plies[..], found_draw, found_over, perfect.join(" ")),
            (value, plies, draw, over, best.to_string()),
            "{line}"
        );
    }
    assert!(checked > 600, "only {checked} vectors");
}
