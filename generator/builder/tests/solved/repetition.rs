//! Repetition does not change values. A search keeps the whole history of the game, and ends it as a draw when a
//! position repeats. It finds the value of the table for every position of small swap games.
//!
//! The search does not know distances or draws by cycle. The table only decides which move is tried first, never the
//! value of a move.

use morpion_core::{Position, Value};
use morpion_games::catalogue::Table;
use morpion_games::rules;
use morpion_machine::progress::Unobserved;
use morpion_solver::table;
use std::collections::HashMap;

struct Search<'t> {
    table: &'t Table,
    /// The occurrence of a position that ends the game.
    last: u32,
    /// Number of times each position, with the side to move, has been on the board in this game.
    history: HashMap<(Position, bool), u32>,
}

impl Search<'_> {
    /// Checks that the mover gets at least `goal`, a draw or a win. `side` distinguishes the two players.
    fn at_least(&mut self, position: Position, side: bool, goal: Value) -> bool {
        let game = self.table.game();
        let reaches = |value: Value| value == Value::Win || value == goal;
        if let Some(over) = game.end_at(position) {
            return reaches(game.final_score(over).value());
        }
        let times = self.history.entry((position, side)).or_insert(0);
        *times += 1;
        if *times == self.last {
            *times -= 1;
            return reaches(Value::Draw);
        }
        // The other side must not do better than `goal` allows.
        let others = if goal == Value::Win { Value::Draw } else { Value::Win };
        let mut children: Vec<Position> =
            game.moves_at(position).map(|mv| game.apply(position, mv)).collect();
        children.sort_by_cached_key(|&child| {
            let worth = self.table.probe(child).unwrap().preference();
            let seen = self.history.get(&(child, !side)).copied().unwrap_or(0);
            (worth, std::cmp::Reverse(seen))
        });
        let reached = children.into_iter().any(|child| !self.at_least(child, !side, others));
        if let Some(times) = self.history.get_mut(&(position, side)) {
            *times -= 1;
        }
        reached
    }

    fn value(&mut self, position: Position) -> Value {
        if self.at_least(position, false, Value::Win) {
            Value::Win
        } else if self.at_least(position, false, Value::Draw) {
            Value::Draw
        } else {
            Value::Loss
        }
    }
}

fn positions(table: &Table) -> Vec<Position> {
    let board = table.game().board();
    let mut all = Vec::new();
    for mover in 0..=board {
        let mut waiter = board & !mover;
        loop {
            let position = Position { mover, waiter };
            if table.game().check(position).is_ok() {
                all.push(position);
            }
            if waiter == 0 {
                break;
            }
            waiter = (waiter - 1) & board & !mover;
        }
    }
    all
}

/// Swap games reduced to five or six cells and two pieces each, with the numbers of occurrences that end a game. A full
/// history doubles the length of every game. So in games with many draws, only the first repetition ends the game.
const REDUCED: &[(&str, &[u32])] = &[
    ("cells = 5\n[lines]\nsets = [[0, 1]]", &[2, 3]),
    ("cells = 5\n[lines]\nsets = [[0, 1]]\n[goal]\nmisere = true", &[2, 3]),
    ("cells = 5\n[lines]\nsets = [[0, 1], [1, 2]]", &[2, 3]),
    ("cells = 5\n[lines]\nsets = [[0, 1], [2, 3]]", &[2, 3]),
    ("rows = 2\ncolumns = 3\n[lines]\nsets = [[0, 1], [4, 5]]", &[2, 3]),
    ("rows = 2\ncolumns = 3\n[lines]\nsets = [[0, 1]]", &[2]),
];

#[test]
fn a_rule_against_repetition_changes_no_value() {
    let mut drawn = [0; 2];
    for &(body, occurrences) in REDUCED {
        let moves = "[pieces]\neach = 2\n[moves]\nto = \"any\"";
        let game = rules::parse("t", &format!("name = \"t\"\n[board]\n{body}\n{moves}")).unwrap();
        let bytes = table::solve(&game, &Unobserved).unwrap();
        let table = Table::from_source(bytes.into()).unwrap();
        for &last in occurrences {
            for position in positions(&table) {
                let mut search = Search { table: &table, last, history: HashMap::new() };
                let expected = table.probe(position).unwrap().value();
                assert_eq!(search.value(position), expected, "{body} {position:?}");
                let all_placed =
                    position.mover.count_ones() == 2 && position.waiter.count_ones() == 2;
                drawn[last as usize - 2] += usize::from(all_placed && expected == Value::Draw);
            }
        }
    }
    // Checks that the rule had something to change.
    assert!(drawn.iter().all(|&draws| draws > 20), "{drawn:?}");
}
