//! An independent solver: a dictionary of positions and passes over it, without symmetry, ranking or layers, which reads
//! its own description of a game. It agrees with the tables on every position that play can reach.

use morpion_games::progress::Unobserved;
use morpion_games::rules;
use morpion_lookup::raw::Encoding;
use morpion_lookup::{DrawKind, Move, Over, Position, Score, Table};
use morpion_solver::build::table;
use morpion_solver::solve::operator::Operator;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// A game in the test's own words.
#[derive(Clone, Debug)]
struct Spec {
    /// `[board]` and `[lines]` as they stand in the rule file.
    board: String,
    cells: u8,
    lines: Vec<u64>,
    each: Option<u8>,
    moves: Option<Moves>,
    forbidden: Vec<u8>,
    during: &'static str,
    start: Option<String>,
    misere: bool,
}

#[derive(Clone, Debug)]
struct Moves {
    /// Where a piece on a cell may go; `to` is the key in the rule file.
    to: String,
    targets: Vec<u64>,
    stay: bool,
    stuck: &'static str,
}

impl Spec {
    fn toml(&self) -> String {
        let mut text = format!("name = \"t\"\n{}\n", self.board);
        if let Some(each) = self.each {
            text += &format!("[pieces]\neach = {each}\n");
        }
        if let Some(moves) = &self.moves {
            text += &format!(
                "[moves]\n{}\nstay = {}\nstuck = \"{}\"\n",
                moves.to, moves.stay, moves.stuck
            );
        }
        if let Some(start) = &self.start {
            text += &format!("[opening]\nstart = \"{start}\"\n");
        } else if !self.forbidden.is_empty() {
            text += &format!(
                "[opening]\nforbidden = {:?}\nduring = \"{}\"\n",
                self.forbidden, self.during
            );
        }
        text + &format!("[goal]\nmisere = {}\n", self.misere)
    }

    fn children(&self, mover: u64, waiter: u64) -> Vec<(Move, (u64, u64))> {
        let empty = |cell: &u8| (mover | waiter) >> cell & 1 == 0;
        let ply = (mover | waiter).count_ones();
        let mut children = Vec::new();
        if self.each.is_none_or(|each| mover.count_ones() < u32::from(each)) {
            let restricted = match self.during {
                "first" => ply == 0,
                "each-first" => ply < 2,
                _ => true,
            };
            for to in (0..self.cells)
                .filter(empty)
                .filter(|to| !restricted || !self.forbidden.contains(to))
            {
                children.push((Move::Place { to }, (waiter, mover | 1 << to)));
            }
        } else if let Some(moves) = &self.moves {
            for from in (0..self.cells).filter(|from| mover >> from & 1 == 1) {
                for to in (0..self.cells)
                    .filter(empty)
                    .filter(|to| moves.targets[from as usize] >> to & 1 == 1)
                {
                    children
                        .push((Move::Shift { from, to }, (waiter, mover & !(1 << from) | 1 << to)));
                }
            }
            if moves.stay {
                children.push((Move::Pass, (waiter, mover)));
            }
        }
        children
    }

    fn finished(&self, mover: u64, waiter: u64) -> Option<(Over, Score)> {
        let (win, loss) = (Score::Win { plies: Some(0) }, Score::Loss { plies: Some(0) });
        let draw = Score::Draw { kind: DrawKind::End };
        if self.lines.iter().any(|line| line & waiter == *line) {
            return Some((Over::Line, if self.misere { win } else { loss }));
        }
        self.children(mover, waiter).is_empty().then(|| {
            match self.moves.as_ref().map(|moves| moves.stuck) {
                None => (Over::Full, draw),
                Some("draw") => (Over::Stuck, draw),
                Some("win") => (Over::Stuck, win),
                Some(_) => (Over::Stuck, loss),
            }
        })
    }

    /// The score of every position that play can reach from `start`.
    fn solve(&self, start: (u64, u64)) -> HashMap<(u64, u64), Score> {
        let mut children: HashMap<(u64, u64), Vec<(u64, u64)>> = HashMap::new();
        let mut scores: HashMap<(u64, u64), Score> = HashMap::new();
        let mut todo = vec![start];
        while let Some(position) = todo.pop() {
            if children.contains_key(&position) {
                continue;
            }
            let (mover, waiter) = position;
            let next = match self.finished(mover, waiter) {
                Some((_, score)) => {
                    scores.insert(position, score);
                    Vec::new()
                }
                None => self.children(mover, waiter).into_iter().map(|(_, child)| child).collect(),
            };
            todo.extend(&next);
            children.insert(position, next);
        }
        // Wins and losses by distance, then the draws that end, each until a pass adds nothing.
        for plies in 1.. {
            let found: Vec<_> = children
                .iter()
                .filter(|(position, _)| !scores.contains_key(position))
                .filter_map(|(position, next)| {
                    let value = |child| scores.get(child);
                    if next.iter().any(|child| matches!(value(child), Some(Score::Loss { .. }))) {
                        Some((*position, Score::Win { plies: Some(plies) }))
                    } else if next
                        .iter()
                        .all(|child| matches!(value(child), Some(Score::Win { .. })))
                    {
                        Some((*position, Score::Loss { plies: Some(plies) }))
                    } else {
                        None
                    }
                })
                .collect();
            if found.is_empty() {
                break;
            }
            scores.extend(found);
        }
        loop {
            let settled =
                |child| matches!(scores.get(child), Some(Score::Win { .. } | Score::Draw { .. }));
            let open = children.iter().filter(|(position, _)| !scores.contains_key(position));
            let ends: Vec<_> = open
                .filter(|(_, next)| next.iter().all(settled))
                .map(|(position, _)| *position)
                .collect();
            if ends.is_empty() {
                break;
            }
            scores.extend(
                ends.into_iter().map(|position| (position, Score::Draw { kind: DrawKind::End })),
            );
        }
        for position in children.keys() {
            scores.entry(*position).or_insert(Score::Draw { kind: DrawKind::Cycle });
        }
        scores
    }

    /// Holds the tables of both operators against the dictionary. Gives what reading the rules and solving took.
    fn check(&self) -> Duration {
        let began = Instant::now();
        let game = match rules::parse("t.toml", &self.toml()) {
            Ok(game) => game,
            Err(error) => panic!("{error}\n{}", self.toml()),
        };
        let bytes = table::solve(&game, Operator::Sliced, &Unobserved).unwrap();
        let plain = table::solve(&game, Operator::Row, &Unobserved).unwrap();
        assert!(bytes == plain, "the operators differ\n{}", self.toml());
        let took = began.elapsed();
        let table = Table::open(&bytes).unwrap();
        table.check_sums().unwrap();
        let (start, _) = game.start();
        let scores = self.solve((start.mover, start.waiter));
        for (&(mover, waiter), &expected) in &scores {
            let position = Position { mover, waiter };
            assert_eq!(table.probe(position).unwrap(), expected, "{position:?}\n{}", self.toml());
            let over = self.finished(mover, waiter).map(|(over, _)| over);
            assert_eq!(table.over(position).unwrap(), over);
            let mut moves: Vec<_> =
                table.ranked_moves(position).unwrap().iter().map(|m| (m.mv, m.score)).collect();
            let mut known: Vec<_> = match over {
                Some(_) => Vec::new(),
                None => self
                    .children(mover, waiter)
                    .into_iter()
                    .map(|(mv, child)| (mv, scores[&child].before()))
                    .collect(),
            };
            moves.sort_by_key(|(mv, _)| *mv);
            known.sort_by_key(|(mv, _)| *mv);
            assert_eq!(moves, known, "{position:?}\n{}", self.toml());
        }
        if self.moves.is_none() {
            for operator in [Operator::Sliced, Operator::Row] {
                let values = table::solve_as(&game, Encoding::Wdl, operator, &Unobserved).unwrap();
                let values = Table::open(&values).unwrap();
                for (&(mover, waiter), score) in &scores {
                    let found = values.probe(Position { mover, waiter }).unwrap();
                    assert_eq!((found.value(), found.plies()), (score.value(), None));
                }
            }
        }
        took
    }
}

const THREE: &[u64] = &[0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

fn grid(to: &str) -> Vec<u64> {
    (0..9i32)
        .map(|from| {
            let near = |to_cell: &i32| {
                let (down, right) =
                    ((to_cell / 3 - from / 3).abs(), (to_cell % 3 - from % 3).abs());
                match to {
                    "any" => *to_cell != from,
                    "king" => down.max(right) == 1,
                    "orthogonal" => down + right == 1,
                    _ => {
                        down + right == 1
                            || down == 1 && right == 1 && (from / 3 + from % 3) % 2 == 0
                    }
                }
            };
            (0..9).filter(near).fold(0, |set, cell| set | 1 << cell)
        })
        .collect()
}

fn nine(each: Option<u8>, to: Option<&str>, stay: bool, stuck: &'static str) -> Spec {
    Spec {
        board: "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3".into(),
        cells: 9,
        lines: THREE.to_vec(),
        each,
        moves: to.map(|to| Moves { to: format!("to = \"{to}\""), targets: grid(to), stay, stuck }),
        forbidden: Vec::new(),
        during: "placing",
        start: None,
        misere: false,
    }
}

#[test]
fn tables_agree_with_a_dictionary_on_games_of_nine_cells() {
    let specs = [
        nine(None, None, false, "loss"),
        Spec { misere: true, ..nine(None, None, false, "loss") },
        Spec { forbidden: vec![4], during: "first", ..nine(None, None, false, "loss") },
        nine(Some(3), None, false, "loss"),
        nine(Some(3), Some("any"), false, "loss"),
        nine(Some(3), Some("any"), true, "loss"),
        nine(Some(3), Some("orthogonal"), false, "draw"),
        nine(Some(3), Some("king"), false, "loss"),
        nine(Some(3), Some("drawn"), true, "win"),
        nine(Some(4), Some("drawn"), false, "loss"),
        nine(Some(4), Some("drawn"), false, "draw"),
        nine(Some(4), Some("orthogonal"), false, "win"),
        Spec {
            forbidden: vec![4],
            during: "placing",
            ..nine(Some(4), Some("king"), false, "draw")
        },
        Spec {
            forbidden: vec![1, 4],
            during: "each-first",
            ..nine(Some(3), Some("king"), false, "draw")
        },
        Spec { misere: true, ..nine(Some(3), Some("king"), false, "draw") },
        Spec {
            start: Some("XX./O.X/.OO o".into()),
            ..nine(Some(3), Some("orthogonal"), false, "draw")
        },
    ];
    for spec in specs {
        spec.check();
    }
}

/// Cells, lines and links of a board.
type Shape = (u8, Vec<Vec<u8>>, Vec<[u8; 2]>);

/// Up to nine cells, any lines, any links.
fn random_shape() -> impl Strategy<Value = Shape> {
    (2u8..=9).prop_flat_map(|cells| {
        let line = proptest::collection::btree_set(0..cells, 1..=usize::from(cells.min(4)))
            .prop_map(|line| line.into_iter().collect());
        let lines = proptest::collection::vec(line, 1..8);
        let edges =
            proptest::collection::btree_set((0..cells, 0..cells), 0..16).prop_map(|edges| {
                edges.into_iter().filter(|(a, b)| a != b).map(|(a, b)| [a, b]).collect()
            });
        (Just(cells), lines, edges)
    })
}

/// Rings, wheels and tori of up to 36 cells, which all look alike, numbered out of order.
fn regular_shape() -> impl Strategy<Value = Shape> {
    let ring = |cells: u8| (0..cells).map(move |cell| [cell, (cell + 1) % cells]);
    let rings = (3u8..=36).prop_map(move |cells| (cells, ring(cells).collect()));
    let wheels = (4u8..=36).prop_map(move |cells| {
        let spokes = (0..cells - 1).map(|rim| [rim, cells - 1]);
        (cells, ring(cells - 1).chain(spokes).collect())
    });
    let tori = (3u8..=6, 3u8..=6).prop_map(|(rows, columns)| {
        let cell = |row: u8, column: u8| row % rows * columns + column % columns;
        let at = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let links = at.flat_map(|(row, column)| {
            [(row + 1, column), (row, column + 1)].map(|(a, b)| [cell(row, column), cell(a, b)])
        });
        (rows * columns, links.collect())
    });
    let links = prop_oneof![2 => rings, 1 => wheels, 1 => tori];
    let numbered = links.prop_flat_map(|(cells, links): (u8, Vec<[u8; 2]>)| {
        (Just(cells), Just(links), Just((0..cells).collect::<Vec<u8>>()).prop_shuffle())
    });
    (numbered, 0..4).prop_map(|((cells, mut links, numbers), form)| {
        links.iter_mut().flatten().for_each(|cell| *cell = numbers[usize::from(*cell)]);
        let neighbours =
            |cell: u8| links.iter().filter(move |link| link.contains(&cell)).flatten().copied();
        let lines = match form {
            0 => links.iter().map(|link| link.to_vec()).collect(),
            1 => vec![(0..cells).collect()],
            2 => (0..cells)
                .map(|cell| BTreeSet::from_iter(neighbours(cell)).into_iter().collect())
                .collect(),
            _ => vec![links[0].to_vec(), links[links.len() / 2].to_vec()],
        };
        (cells, lines, links)
    })
}

/// A random game on a board that is no grid, small enough for the dictionary.
fn random_game() -> impl Strategy<Value = Spec> {
    let board = prop_oneof![random_shape(), regular_shape()].prop_flat_map(|shape| {
        let forbidden = proptest::collection::btree_set(0..shape.0, 0..3);
        (Just(shape), forbidden)
    });
    let during = prop_oneof![Just("first"), Just("each-first"), Just("placing")];
    let stuck = prop_oneof![Just("loss"), Just("draw"), Just("win")];
    let kind = (0u8..4, any::<prop::sample::Index>(), during, stuck, any::<(bool, bool)>());
    (board, kind).prop_map(|((shape, forbidden), (kind, each, during, stuck, (stay, misere)))| {
        let (cells, lines, edges) = shape;
        let most = match cells {
            0..=9 => cells / 2,
            10..=12 => 3,
            13..=16 => 2,
            _ => 1,
        };
        let each = 1 + each.index(usize::from(most)) as u8;
        let mut targets = vec![0u64; usize::from(cells)];
        for &[a, b] in &edges {
            targets[usize::from(a)] |= 1 << b;
            targets[usize::from(b)] |= 1 << a;
        }
        let any_cell = (0..cells).map(|from| (1u64 << cells) - 1 - (1 << from)).collect();
        let moves = match kind {
            0 | 1 => None,
            2 => Some(Moves { to: "to = \"any\"".into(), targets: any_cell, stay, stuck }),
            _ => {
                let to = format!("to = \"edges\"\nedges = {edges:?}");
                Some(Moves { to, targets, stay, stuck })
            }
        };
        Spec {
            board: format!("[board]\ncells = {cells}\n[lines]\nsets = {lines:?}"),
            cells,
            lines: lines
                .iter()
                .map(|line| line.iter().fold(0, |set, cell| set | 1 << cell))
                .collect(),
            each: (kind > 0 || cells > 9).then_some(each),
            moves,
            forbidden: forbidden.into_iter().collect(),
            during,
            start: None,
            misere,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tables_agree_with_a_dictionary_on_random_games(spec in random_game()) {
        spec.check();
    }
}

/// No rule file of the family keeps the solver busy for longer than its positions do.
#[test]
#[ignore = "long: ten thousand games, about 3 minutes"]
fn tables_of_ten_thousand_random_games_agree_and_take_seconds_at_most() {
    let config = Config { cases: 10_000, failure_persistence: None, ..Config::default() };
    let longest = Cell::new(Duration::ZERO);
    TestRunner::new(config)
        .run(&random_game(), |spec| {
            let took = spec.check();
            assert!(took < Duration::from_secs(5), "{took:?}\n{}", spec.toml());
            longest.set(longest.get().max(took));
            Ok(())
        })
        .unwrap();
    eprintln!("the longest took {:?}", longest.get());
}

/// `wide.rs` has a game that needs them.
#[test]
fn entries_of_two_bytes_say_what_those_of_one_say() {
    // A path of links with a line of its two ends.
    let cells = 9u8;
    let edges: Vec<[u8; 2]> = (0..cells - 1).map(|cell| [cell, cell + 1]).collect();
    let mut targets = vec![0u64; usize::from(cells)];
    for [a, b] in &edges {
        targets[usize::from(*a)] |= 1 << b;
        targets[usize::from(*b)] |= 1 << a;
    }
    let spec = Spec {
        board: format!("[board]\ncells = {cells}\n[lines]\nsets = [[0, 8]]"),
        cells,
        lines: vec![1 | 1 << 8],
        each: Some(2),
        moves: Some(Moves {
            to: format!("to = \"edges\"\nedges = {edges:?}"),
            targets,
            stay: false,
            stuck: "loss",
        }),
        forbidden: Vec::new(),
        during: "placing",
        start: None,
        misere: false,
    };
    spec.check();
    let game = rules::parse("t.toml", &spec.toml()).unwrap();
    let wide = table::solve_as(&game, Encoding::Plies16, Operator::Sliced, &Unobserved).unwrap();
    let narrow = table::solve(&game, Operator::Sliced, &Unobserved).unwrap();
    let (wide, narrow) = (Table::open(&wide).unwrap(), Table::open(&narrow).unwrap());
    for (mover, waiter) in spec.solve((0, 0)).into_keys() {
        let position = Position { mover, waiter };
        assert_eq!(wide.probe(position).unwrap(), narrow.probe(position).unwrap());
    }
}
