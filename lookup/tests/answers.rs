//! Every answer of every built-in table against the definitions: the entry by rank, map and symmetry as
//! `tables/FORMAT.md` has them, the moves by probing the position after each.

use morpion_lookup::raw::rank::{compress, expand, rank, subsets};
use morpion_lookup::{Position, ProbeError, RankedMove, Score, Table, builtin, builtin_names};

/// All arrangements of the table's layers, line or not.
fn arrangements(table: &Table) -> Vec<(usize, Position)> {
    let board = table.game().board();
    let mut all = Vec::new();
    for (index, layer) in table.raw().layers().iter().enumerate() {
        for mover in subsets(board.count_ones(), layer.mover.into()) {
            let rest = board & !mover;
            let waiters = subsets(rest.count_ones(), layer.waiter.into());
            all.extend(waiters.map(|bits| (index, Position { mover, waiter: expand(bits, rest) })));
        }
    }
    all
}

/// The score of an arrangement, cell by cell; `None` where there is no entry.
fn by_definition(table: &Table, index: usize, position: Position) -> Option<Score> {
    let size = position.mover.count_ones() as u8;
    let (row, symmetry) = table.raw().map_entry(size, rank(position.mover)).unwrap();
    let symmetry = &table.raw().header().symmetries[symmetry as usize];
    let rest = table.game().board() & !symmetry.apply(position.mover);
    let column = rank(compress(symmetry.apply(position.waiter), rest));
    table.raw().header().encoding.decode(table.raw().code(index, row, column).unwrap())
}

#[test]
fn every_answer_of_every_built_in_table_is_the_defined_one() {
    for name in builtin_names() {
        let table = builtin(name).unwrap();
        table.check_sums().unwrap();
        let all = arrangements(&table);
        let mut batch = Vec::new();
        let positions: Vec<Position> = all.iter().map(|(_, position)| *position).collect();
        table.probe_many(&positions, |index, score| {
            assert_eq!(index, batch.len());
            batch.push(score);
        });
        assert_eq!(batch.len(), all.len());
        for ((index, position), in_batch) in all.into_iter().zip(batch) {
            let expected = by_definition(&table, index, position);
            let found = table.probe(position);
            let Some(expected) = expected else {
                let error = found.unwrap_err();
                assert!(matches!(error, ProbeError::Position(_)), "{name} {position:?}");
                let errors = [
                    in_batch.unwrap_err(),
                    table.ranked_moves(position).unwrap_err(),
                    table.best(position).unwrap_err(),
                ];
                assert_eq!(
                    errors.map(|error| error.to_string()),
                    [(); 3].map(|_| error.to_string())
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
    if table.over(position).unwrap().is_none() {
        for mv in table.game().legal_moves(position) {
            let score = table.probe(position.after(mv)).unwrap().before();
            expected.push(RankedMove { mv, score });
        }
        expected.sort_by_key(|ranked| -ranked.score.preference());
        assert_eq!(expected[0].score.value(), table.probe(position).unwrap().value());
        assert_eq!(expected[0].score.plies(), table.probe(position).unwrap().plies());
    }
    let moves = table.ranked_moves(position).unwrap();
    assert_eq!(&moves[..], expected, "{} {position:?}", table.game().rules().name);
    assert_eq!(table.best(position).unwrap(), expected.first().copied());
    let best = expected
        .iter()
        .take_while(|ranked| ranked.score.preference() == expected[0].score.preference());
    assert!(moves.best().iter().eq(best));
}
