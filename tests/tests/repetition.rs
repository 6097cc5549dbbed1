//! Repetition changes no value: a search that keeps the whole history of the game and ends it drawn where a position
//! comes back finds, for every position of small swap games, what the table says.
//!
//! The search knows nothing of distances or of draws by cycle. What the table says only decides which move it tries
//! first, never what a move is worth.

use morpion_generator::{image, rule_file, solver::Unwatched};
use morpion_lookup::{Position, Table, Value};
use std::collections::HashMap;

struct Search<'t> {
    table: &'t Table<'t>,
    /// The occurrence of a position that ends the game.
    last: u32,
    /// How often each position, with the side to move, has stood on the board in this game.
    history: HashMap<(Position, bool), u32>,
    nodes: u64,
}

impl Search<'_> {
    /// Whether the mover gets at least `goal`, a draw or a win. `side` tells the two players apart.
    fn at_least(&mut self, position: Position, side: bool, goal: Value) -> bool {
        self.nodes += 1;
        let game = self.table.game();
        let reaches = |value: Value| value == Value::Win || value == goal;
        if let Some(over) = game.over(position) {
            return reaches(game.final_score(over).value());
        }
        let times = self.history.entry((position, side)).or_insert(0);
        *times += 1;
        if *times == self.last {
            *times -= 1;
            return reaches(Value::Draw);
        }
        // The other side must not get more than this leaves it.
        let others = if goal == Value::Win { Value::Draw } else { Value::Win };
        let mut children: Vec<Position> =
            game.moves(position).map(|mv| position.after(mv)).collect();
        children.sort_by_cached_key(|&child| {
            let worth = match self.table.probe(child).unwrap().value() {
                Value::Loss => 0,
                Value::Draw => 1,
                Value::Win => 2,
            };
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

/// All positions of a table.
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

const ANY: &str = "[moves]\nto = \"any\"";

/// Swap games on fewer cells or with fewer pieces, in which there are wins, losses and draws by cycle.
const REDUCED: &[(&str, u32)] = &[
    ("cells = 5\n[lines]\nsets = [[0, 1], [2, 3]]\n[pieces]\neach = 2", 30),
    ("rows = 2\ncolumns = 3\n[lines]\nsets = [[0, 1], [4, 5]]\n[pieces]\neach = 2", 90),
    ("rows = 2\ncolumns = 4\n[lines]\nlength = 3\n[pieces]\neach = 3", 560),
    ("rows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3", 1680),
];

#[test]
fn a_rule_against_repetition_changes_no_value() {
    for &(body, _) in REDUCED {
        let game = rule_file::parse("t", &format!("name = \"t\"\n[board]\n{body}\n{ANY}")).unwrap();
        let bytes = image::solve(&game, Default::default(), &Unwatched).unwrap();
        let table = Table::from_vec(bytes).unwrap();
        for last in [2, 3] {
            let now = std::time::Instant::now();
            let mut nodes = 0;
            let mut found = [0; 3];
            for position in positions(&table) {
                let mut search = Search { table: &table, last, history: HashMap::new(), nodes: 0 };
                let expected = table.probe(position).unwrap().value();
                assert_eq!(search.value(position), expected, "{body} {position:?}");
                nodes += search.nodes;
                found[expected as usize] += 1;
            }
            eprintln!("{body:?} {last} {nodes} {found:?} {:?}", now.elapsed());
        }
    }
}
