//! Every answer of every built-in table against the definitions: the entry by rank, map and symmetry as
//! `tables/FORMAT.md` has them, the moves by probing the position after each.

use crate::arrangements::arrangements;
use morpion_core::{
    order,
    rank::{compress, rank},
};
use morpion_lookup::{DrawKind, LineEnd, Position, ProbeError, RankedMove, Score, Side, Table};

/// The score of an arrangement, cell by cell; `None` if the table has no entry.
fn by_definition(table: &Table, index: usize, position: Position) -> Option<Score> {
    let cells = position.cells();
    let size = position.counts().mover;
    let (row, symmetry) = table.raw().map_entry(size, rank(cells.mover)).unwrap();
    let symmetry = &table.raw().header().symmetries[symmetry as usize];
    let rest = table.game().board() & !symmetry.apply(cells.mover);
    let column = rank(compress(symmetry.apply(cells.waiter), rest));
    let orders = table.game().words(index).orders;
    let row = row * orders.mover + order(symmetry.apply(position.mover));
    let column = column * orders.waiter + order(symmetry.apply(position.waiter));
    assert_eq!(table.raw().place(position).unwrap(), (index, row, column));
    table.raw().header().encoding.decode(table.raw().code(index, row, column).unwrap())
}

#[test]
fn every_answer_of_every_built_in_table_is_the_defined_one() {
    for name in Table::builtin_names() {
        let table = Table::builtin(name).unwrap();
        table.check_sums().unwrap();
        let all = arrangements(table.game());
        let positions: Vec<Position> = all.iter().map(|(_, position)| *position).collect();
        let mut batch = Vec::new();
        table.probe_many(&positions, &mut batch).unwrap();
        for ((index, position), in_batch) in all.into_iter().zip(batch) {
            let expected = by_definition(&table, index, position);
            let found = table.probe(position);
            let Some(expected) = expected else {
                let error = found.unwrap_err();
                assert!(matches!(error, ProbeError::Position(_)), "{name} {position:?}");
                assert_eq!(in_batch, Err(error.kind()), "{name} {position:?}");
                let errors = [
                    table.ranked_moves(position).unwrap_err(),
                    table.best_move(position).unwrap_err(),
                ];
                assert_eq!(
                    errors.map(|error| error.to_string()),
                    [(); 2].map(|_| error.to_string())
                );
                continue;
            };
            assert_eq!([found.unwrap(), in_batch.unwrap()], [expected; 2], "{name} {position:?}");
            check_moves(&table, position);
        }
    }
}

fn check_moves(table: &Table, position: Position) {
    let mut expected: Vec<RankedMove> = Vec::new();
    if table.game().end_at(position).is_none() {
        for mv in table.game().moves_at(position) {
            let score = table.probe(table.game().apply(position, mv)).unwrap().before();
            expected.push(RankedMove { mv, score });
        }
        expected.sort_by_key(|ranked| -ranked.score.preference());
        assert_eq!(expected[0].score.value(), table.probe(position).unwrap().value());
        assert_eq!(expected[0].score.plies(), table.probe(position).unwrap().plies());
    }
    let moves = table.ranked_moves(position).unwrap();
    assert_eq!(&moves[..], expected, "{} {position:?}", table.game().name());
    assert_eq!(table.best_move(position).unwrap(), expected.first().copied());
    let best = expected
        .iter()
        .take_while(|ranked| ranked.score.preference() == expected[0].score.preference());
    assert!(moves.best().iter().eq(best));
}

/// Lines are as long as the distance of their start if it is decided; else they lead to a draw that is over, or back.
#[test]
fn lines_of_play_end_as_their_scores_say() {
    for name in Table::builtin_names() {
        let table = Table::builtin(name).unwrap();
        for (_, position) in arrangements(table.game()).into_iter().step_by(7) {
            let side = table.game().turn(position).unwrap_or(Side::O);
            let board = table.game().board_shape();
            let position = morpion_lookup::Situation { board, raw: position, side };
            let line = table.line(position, usize::MAX);
            let Ok(score) = table.probe(position) else {
                assert!(matches!(line, Err(ProbeError::Position(_))), "{name}");
                continue;
            };
            let line = line.unwrap();
            let mut at = position;
            assert_eq!(line.positions[0], at, "{name} {position:?}");
            for (&best, after) in line.moves.iter().zip(&line.positions[1..]) {
                assert_eq!(Some(best), table.best_move(at).unwrap(), "{name} {position:?}");
                at = table.game().after(at, best.mv);
                assert_eq!(after, &at, "{name} {position:?}");
            }
            let (moves, positions) = (line.moves.len(), &line.positions);
            assert_eq!(positions.len(), moves + 1);
            for most in 0..moves {
                let cut = table.line(position, most).unwrap();
                assert_eq!((&cut.moves[..], cut.end), (&line.moves[..most], None), "{name}");
            }
            let end = line.end.unwrap();
            match (score, end) {
                (Score::Draw { kind: DrawKind::Cycle }, LineEnd::Cycle(before)) => {
                    assert_eq!(positions[before], positions[moves], "{name} {position:?}");
                    assert!(before < moves && (moves - before).is_multiple_of(2), "{name}");
                }
                (Score::Draw { .. }, LineEnd::Over(over)) => {
                    assert_eq!(table.game().end_at(at), Some(over), "{name} {position:?}");
                }
                (decided, LineEnd::Over(over)) => {
                    assert_eq!(decided.plies(), Some(moves as u16), "{name} {position:?}");
                    assert_eq!(table.game().end_at(at), Some(over), "{name} {position:?}");
                }
                wrong => panic!("{name} {position:?}: {wrong:?}"),
            }
        }
    }
}

/// Orbits partition the positions, are closed, and score alike.
#[test]
fn an_orbit_is_the_same_from_each_of_its_positions() {
    for name in Table::builtin_names() {
        let table = Table::builtin(name).unwrap();
        let order = table.raw().header().symmetries.len();
        for (_, position) in arrangements(table.game()) {
            let (orbit, score) = (table.orbit(position), table.probe(position));
            let (Ok(orbit), Ok(score)) = (orbit, score) else {
                assert!(matches!(table.orbit(position), Err(ProbeError::Position(_))), "{name}");
                continue;
            };
            assert!(orbit.binary_search(&position).is_ok() && orbit.is_sorted(), "{name}");
            assert_eq!(order % orbit.len(), 0, "{name} {position:?}");
            for &other in &orbit {
                assert_eq!(table.orbit(other).unwrap(), orbit, "{name} {position:?}");
                assert_eq!(table.probe(other).unwrap(), score, "{name} {position:?}");
            }
        }
    }
}
