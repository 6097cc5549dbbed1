//! Compares every entry of small tables with the rules: by playing the position out or, in games with movement, by the
//! definition of distances and draws. The reference uses no rows, operators or symmetries.

use crate::proof::TWO_ROWS;
use morpion_core::{DrawKind, Encoding, Game, Position, Score};
use morpion_games::catalogue::standard_game;
use morpion_games::rules::{parse, rules_of};
use morpion_lookup::Table;
use morpion_machine::progress::Unobserved;
use morpion_solver::table::solve_as;
use std::collections::HashMap;

/// Value of a position, by playing everything out.
fn played_out(game: &Game, position: Position, known: &mut HashMap<Position, Score>) -> Score {
    if let Some(&score) = known.get(&position) {
        return score;
    }
    let score = match game.end_at(position) {
        Some(over) => game.final_score(over),
        None => {
            let moves = game.moves_at(position);
            let scores = moves.map(|mv| played_out(game, game.apply(position, mv), known).before());
            scores.max_by_key(|score| score.preference()).unwrap()
        }
    };
    known.insert(position, score);
    score
}

/// The scores of a movement layer by their definition, on all arrangements, without rows, operators and symmetries.
fn by_definition(game: &Game) -> HashMap<Position, Score> {
    let each = u32::from(rules_of(game).unwrap().pieces.unwrap());
    let sets = || (0..=game.board()).filter(move |set| set.count_ones() == each);
    let pairs = sets().flat_map(|mover| sets().map(move |waiter| Position { mover, waiter }));
    let positions: Vec<Position> = pairs
        .filter(|position| position.mover & position.waiter == 0 && !game.has_line(position.mover))
        .collect();
    let mut scores = HashMap::new();
    for &position in &positions {
        if let Some(over) = game.end_at(position) {
            scores.insert(position, game.final_score(over));
        }
    }
    let is_won = |score: &Score| matches!(score, Score::Win { .. });
    let ends = Score::Draw { kind: DrawKind::End };
    let mut decide = |what: &dyn Fn(&[Option<Score>]) -> Option<Score>| {
        let undecided = positions.iter().filter(|position| !scores.contains_key(*position));
        let found: Vec<_> = undecided
            .filter_map(|&position| {
                let moves = game.moves_at(position);
                let children: Vec<_> =
                    moves.map(|mv| scores.get(&game.apply(position, mv)).copied()).collect();
                what(&children).map(|score| (position, score))
            })
            .collect();
        let count = found.len();
        scores.extend(found);
        count
    };
    for plies in (1..).map(Some) {
        let decided = decide(&|children| {
            if children.iter().flatten().any(|child| matches!(child, Score::Loss { .. })) {
                Some(Score::Win { plies })
            } else {
                let all_won = children.iter().all(|child| child.as_ref().is_some_and(is_won));
                all_won.then_some(Score::Loss { plies })
            }
        });
        if decided == 0 {
            break;
        }
    }
    let is_settled = |child: &Option<Score>| child.is_some_and(|s| is_won(&s) || s == ends);
    while decide(&|children| children.iter().all(is_settled).then_some(ends)) > 0 {}
    decide(&|_| Some(Score::Draw { kind: DrawKind::Cycle }));
    scores
}

/// All valid positions of a game's layers.
fn positions(game: &Game) -> Vec<Position> {
    let all: Vec<u64> = (0..=game.board()).collect();
    let of_layer = |counts: morpion_core::Counts| {
        let sets = |size: u8| all.iter().filter(move |set| set.count_ones() == u32::from(size));
        let pair =
            move |&mover: &u64| sets(counts.waiter).map(move |&waiter| Position { mover, waiter });
        sets(counts.mover).flat_map(pair).collect::<Vec<_>>()
    };
    let is_position = |position: &Position| {
        position.mover & position.waiter == 0 && !game.has_line(position.mover)
    };
    game.graph()
        .layers
        .iter()
        .flat_map(|layer| of_layer(layer.counts))
        .filter(is_position)
        .collect()
}

fn game(body: &str) -> Game {
    parse("t.toml", &format!("name = \"t\"\n{body}")).unwrap()
}

#[test]
fn every_entry_is_what_playing_its_position_out_gives() {
    let mut compared = 0;
    for body in [
        "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3",
        "[board]\nrows = 2\ncolumns = 4\n[lines]\nlength = 3\n[goal]\nmisere = true",
        "[board]\ncells = 7\n[lines]\nsets = [[0, 1, 2], [2, 3, 4], [4, 5, 6]]\n[pieces]\neach = 3",
        "[board]\nrows = 2\ncolumns = 3\n[lines]\nlength = 2\n[opening]\nforbidden = [0, 4]\nduring = \"placing\"",
        "[board]\nrows = 2\ncolumns = 3\n[lines]\nlength = 2\n[opening]\nforbidden = [1]\nduring = \"each-first\"",
    ] {
        let game = game(body);
        let mut known = HashMap::new();
        for encoding in [Encoding::Plies8, Encoding::Plies16, Encoding::Wdl] {
            let bytes = solve_as(&game, encoding, &Unobserved).unwrap();
            let table = Table::from_source(&bytes[..]).unwrap();
            for position in positions(&game) {
                let (found, expected) =
                    (table.probe(position).unwrap(), played_out(&game, position, &mut known));
                if encoding == Encoding::Wdl {
                    assert_eq!(found.value(), expected.value(), "{position:?} {body}");
                } else {
                    assert_eq!(found, expected, "{position:?} {encoding:?} {body}");
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 20_000, "{compared}");
}

#[test]
fn every_entry_of_a_movement_layer_is_what_its_definition_says() {
    let square = "[board]\nrows = 2\ncolumns = 3\n[lines]\nsets = [[0, 1, 2], [3, 4, 5]]\n[pieces]\neach = 3";
    let ring = "[board]\ncells = 6\n[lines]\nsets = [[0, 2], [1, 3]]\n[pieces]\neach = 2\n[moves]\nto = \"edges\"\n\
        edges = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [0, 5]]";
    // Achi with a draw for a blocked side, so that there are both kinds of draws.
    let blocked = "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 4\n\
        [moves]\nto = \"drawn\"\nstuck = \"draw\"";
    let mut games = vec![
        game(&format!("{ring}\nstuck = \"draw\"")),
        game(&format!("{ring}\nstay = true\n[goal]\nmisere = true")),
        game(TWO_ROWS),
        game(&format!("{square}\n[moves]\nto = \"any\"")),
        game(
            "[board]\ncells = 7\n[lines]\nsets = [[0, 1], [2, 3, 4], [5, 6]]\n[pieces]\neach = 2\n[moves]\nto = \"any\"",
        ),
        game(blocked),
    ];
    for name in ["swap", "swap-pass", "tapatan", "achi", "picaria", "shisima"] {
        games.push(standard_game(name).unwrap());
    }
    let (mut late, mut ended) = (0, 0);
    for game in games {
        let scores = by_definition(&game);
        for encoding in [Encoding::Plies8, Encoding::Plies16] {
            let bytes = solve_as(&game, encoding, &Unobserved).unwrap();
            let table = Table::from_source(&bytes[..]).unwrap();
            for (&position, &score) in &scores {
                let found = table.probe(position).unwrap();
                assert_eq!(found, score, "{position:?} {encoding:?} {:?}", game.about());
                late += usize::from(score.plies() > Some(2));
                let is_over = game.end_at(position).is_some();
                ended += usize::from(score == Score::Draw { kind: DrawKind::End } && !is_over);
            }
        }
    }
    assert!(late > 1000 && ended > 0, "{late} {ended}");
}
