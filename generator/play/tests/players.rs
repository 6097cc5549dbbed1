//! The strength of the players. `perfect` never errs, alpha-beta equals minimax with fewer positions, `rules` loses to
//! a fork, and every player plays legal moves in every game.

#[path = "../../games/tests/odd/mod.rs"]
mod odd;

use morpion_core::{Game, Move, Permutation, Position, Score, Side, Value, rank::cells};
use morpion_games::catalogue;
use morpion_games::catalogue::Table;
use morpion_games::rules;
use morpion_machine::progress::Unobserved;
use morpion_play::arena::{self, positions};
use morpion_play::dice::Dice;
use morpion_play::players::search::{DECIDED, Pruning, Search};
use morpion_play::players::{self, Choice, Player, PlayerError, Question, lines};
use morpion_play::referee::Referee;
use morpion_solver::table;
use std::collections::HashMap;

fn solve(game: &Game) -> Table {
    Table::from_source(table::solve(game, &Unobserved).unwrap().into()).unwrap()
}

fn standard(name: &str) -> Table {
    solve(&catalogue::standard_game(name).unwrap())
}

/// The built-in games of which every position is played. Games with ages and pushes have more than ten times as many.
fn plain() -> impl Iterator<Item = &'static str> {
    Table::builtin_names()
        .filter(|name| catalogue::standard_game(name).unwrap().has_children_in_one_row())
}

fn odd() -> impl Iterator<Item = Table> {
    odd::ODD.iter().map(|body| solve(&rules::parse("t", &format!("name = \"t\"\n{body}")).unwrap()))
}

fn player(name: &str) -> Player {
    players::parse(name).unwrap()
}

fn question<'a>(table: &'a Table, position: Position) -> Question<'a> {
    Question { game: table.game(), position, table: Some(table), limit: None }
}

/// Without optimisation, all games would take minutes instead of ten seconds. So only some are played.
const EVERYTHING: bool = !cfg!(debug_assertions);

const STYLES: [&str; 3] = ["perfect:first", "perfect:random", "perfect:trap"];

/// The worst result of a player in a game that must end, over all answers of the other side and all moves that the player may
/// choose. Scores are for the side to move.
struct Worst<'a> {
    table: &'a Table,
    player: &'a Player,
    known: HashMap<Position, Score>,
}

impl Worst<'_> {
    fn of(&mut self, position: Position) -> Score {
        if let Some(&known) = self.known.get(&position) {
            return known;
        }
        let game = self.table.game();
        let score = match game.end_at(position) {
            Some(over) => game.final_score(over),
            None => {
                let moves = self.player.consider(&question(self.table, position)).unwrap().moves;
                let scores =
                    moves.into_iter().map(|mv| self.after(game.apply(position, mv)).before());
                scores.min_by_key(|score| score.preference()).unwrap()
            }
        };
        self.known.insert(position, score);
        score
    }

    /// The score if the other side is to move and takes the best of its answers.
    fn after(&mut self, position: Position) -> Score {
        let game = self.table.game();
        match game.end_at(position) {
            Some(over) => game.final_score(over),
            None => {
                let answers =
                    game.moves_at(position).map(|mv| self.of(game.apply(position, mv)).before());
                answers.max_by_key(|score| score.preference()).unwrap()
            }
        }
    }
}

#[test]
fn perfect_gets_what_the_table_says_against_all_answers_in_games_that_end() {
    for name in ["classic", "misere"] {
        let table = standard(name);
        let all = positions::reachable(table.game());
        for style in STYLES {
            let player = player(style);
            let mut worst = Worst { table: &table, player: &player, known: HashMap::new() };
            for &position in &all {
                let (score, expected) = (worst.of(position), table.probe(position).unwrap());
                assert_eq!(
                    (score.value(), score.plies()),
                    (expected.value(), expected.plies()),
                    "{name} {style} {position:?}"
                );
            }
        }
    }
}

/// In games that can continue forever, every choice keeps the value. In a won position, every move of either side
/// brings the end a half-move nearer. So the win takes no longer than the table says, and repeats no position.
#[test]
fn perfect_keeps_the_value_and_comes_nearer_to_the_win_in_every_position() {
    for table in plain().map(standard).chain(odd()) {
        let game = table.game();
        for position in positions::reachable(game) {
            let score = table.probe(position).unwrap();
            for style in STYLES {
                for mv in player(style).consider(&question(&table, position)).unwrap().moves {
                    let after = game.apply(position, mv);
                    let left = table.probe(after).unwrap();
                    let what = (game.name().to_owned(), style, position, mv);
                    assert_eq!(left.value().reversed(), score.value(), "{what:?}");
                    assert_eq!(left.plies().map(|plies| plies + 1), score.plies(), "{what:?}");
                    if score.value() == Value::Win && game.end_at(after).is_none() {
                        for answer in game.moves_at(after) {
                            let next = table.probe(game.apply(after, answer)).unwrap();
                            assert_eq!(next.value(), Value::Win, "{what:?}");
                            assert!(next.plies() < left.plies(), "{what:?}");
                        }
                    }
                }
            }
        }
    }
}

const OPPONENTS: &[&str] =
    &["random", "cubic", "best-first", "rules", "minimax:2", "alphabeta:3", "perfect:trap"];

/// Plays to the end from a position under the referee. Returns the value for the side to move, and the number of
/// half-moves.
fn play(table: &Table, position: Position, seats: [&Player; 2], dice: &mut Dice) -> (Value, u16) {
    let board = table.game().board_shape();
    let start = morpion_core::Situation { board, raw: position, side: Side::X };
    let mut referee = Referee::from_position(table.game(), start);
    loop {
        if let Some(outcome) = referee.outcome() {
            let value = match outcome.winner {
                Some(Side::X) => Value::Win,
                Some(Side::O) => Value::Loss,
                None => Value::Draw,
            };
            return (value, referee.moves().len() as u16);
        }
        let seat = seats[referee.side() as usize];
        let (mv, _) = seat.choose(&question(table, referee.position().raw), dice).unwrap();
        referee.play(mv).unwrap();
    }
}

/// Plays `perfect` from every position against the other players, both as the side to move and as the other side. If
/// `EVERYTHING` is false, each position meets only one player.
#[test]
fn perfect_does_as_well_as_the_table_says_against_every_player_from_every_position() {
    std::thread::scope(|scope| {
        for name in plain() {
            scope.spawn(move || {
                let table = standard(name);
                let perfect = STYLES.map(player);
                let others: Vec<_> = OPPONENTS.iter().map(|name| player(name)).collect();
                for (index, &position) in positions::reachable(table.game()).iter().enumerate() {
                    let expected = table.probe(position).unwrap();
                    for (number, other) in others.iter().enumerate() {
                        if !EVERYTHING && index % others.len() != number {
                            continue;
                        }
                        let perfect = &perfect[(index + number) % perfect.len()];
                        let mut dice = Dice::stream(1, (index * others.len() + number) as u64);
                        let (value, plies) = play(&table, position, [perfect, other], &mut dice);
                        let what = format!("{name} {position:?} {} {}", perfect.name, other.name);
                        check(value, plies, expected, &what);
                        let (value, plies) = play(&table, position, [other, perfect], &mut dice);
                        check(value.reversed(), plies, reversed(expected), &what);
                    }
                }
            });
        }
    });
}

/// Compares the result of a perfect player with the value of the position.
fn check(value: Value, plies: u16, expected: Score, what: &str) {
    let rank = |value: Value| match value {
        Value::Win => 2,
        Value::Draw => 1,
        Value::Loss => 0,
    };
    assert!(rank(value) >= rank(expected.value()), "{what}: {value:?}, expected {expected:?}");
    if let Score::Win { plies: Some(most) } = expected {
        assert!(plies <= most, "{what}: won in {plies}, expected at most {most}");
    }
    if let (Value::Loss, Score::Loss { plies: Some(least) }) = (value, expected) {
        assert!(plies >= least, "{what}: lost in {plies}, expected at least {least}");
    }
}

fn reversed(score: Score) -> Score {
    match score {
        Score::Win { plies } => Score::Loss { plies },
        Score::Loss { plies } => Score::Win { plies },
        draw => draw,
    }
}

#[test]
fn a_trap_is_a_drawing_move_after_which_the_largest_share_of_replies_loses() {
    let mut choosy = 0;
    for name in ["classic", "swap"] {
        let table = standard(name);
        let game = table.game();
        let trap = player("perfect:trap");
        for position in positions::reachable(game) {
            if table.probe(position).unwrap().value() != Value::Draw {
                continue;
            }
            // Counted from the values of the table.
            let counted = |at: Position| {
                let moves: Vec<Move> = match game.end_at(at) {
                    Some(_) => Vec::new(),
                    None => game.moves_at(at).collect(),
                };
                let draws =
                    |mv: &Move| table.probe(game.apply(at, *mv)).unwrap().value() == Value::Draw;
                let (drawing, losing): (Vec<Move>, Vec<Move>) = moves.into_iter().partition(draws);
                (drawing, losing.len())
            };
            let hardness = |mv: Move| {
                let after = game.apply(position, mv);
                let (drawing, losing) = counted(after);
                let own: Vec<_> =
                    drawing.iter().map(|&reply| counted(game.apply(after, reply))).collect();
                let own_losing: usize = own.iter().map(|(_, losing)| losing).sum();
                let own_moves: usize =
                    own.iter().map(|(drawing, losing)| drawing.len() + losing).sum();
                let share = |part: usize, all: usize| part as f64 / all.max(1) as f64;
                (share(losing, losing + drawing.len()), -share(own_losing, own_moves))
            };
            let drawing: Vec<Move> = table
                .game()
                .moves_at(position)
                .filter(|&mv| table.probe(game.apply(position, mv)).unwrap().value() == Value::Draw)
                .collect();
            let hardest = |&mv: &Move| drawing.iter().all(|&other| hardness(mv) >= hardness(other));
            let mut expected: Vec<Move> = drawing.iter().copied().filter(hardest).collect();
            let mut chosen = trap.consider(&question(&table, position)).unwrap().moves;
            choosy += usize::from(expected.len() < drawing.len());
            expected.sort();
            chosen.sort();
            assert_eq!(chosen, expected, "{name} {position:?}");
        }
    }
    assert!(choosy > 100, "{choosy}");
}

#[test]
fn alphabeta_9_is_minimax_9_with_fewer_positions_on_every_classic_position() {
    let table = standard("classic");
    let (minimax, alphabeta) = (player("minimax:9"), player("alphabeta:9"));
    let (mut all, mut pruned) = (0, 0);
    for position in positions::reachable(table.game()) {
        let full = minimax.consider(&question(&table, position)).unwrap();
        let cut = alphabeta.consider(&question(&table, position)).unwrap();
        assert_eq!((&full.moves, full.worth), (&cut.moves, cut.worth), "{position:?}");
        assert!(cut.nodes <= full.nodes, "{position:?}");
        // With at least five empty cells, there is always something to prune.
        if (position.mover | position.waiter).count_ones() <= 4 {
            assert!(cut.nodes < full.nodes, "{position:?}");
        }
        all += full.nodes.unwrap();
        pruned += cut.nodes.unwrap();
        // The worth equals the score of the table, including the distance.
        let worth = full.worth.unwrap();
        let expected = match table.probe(position).unwrap() {
            Score::Win { plies } => DECIDED - i32::from(plies.unwrap()),
            Score::Draw { .. } => 0,
            Score::Loss { plies } => i32::from(plies.unwrap()) - DECIDED,
        };
        assert_eq!(worth, expected, "{position:?}");
    }
    assert!(pruned * 4 < all, "{pruned} of {all}");
    let start = table.game().start().raw;
    // Number of positions of the whole game, a published figure: 549,946.
    assert_eq!(minimax.consider(&question(&table, start)).unwrap().nodes, Some(549_946));
}

#[test]
fn minimax_9_has_no_error_on_classic_and_minimax_2_has() {
    let table = standard("classic");
    let all = positions::reachable(table.game());
    for (name, perfect) in [("minimax:9", true), ("alphabeta:9", true), ("minimax:2", false)] {
        let judgement = arena::judge(&table, &player(name), &all, &Unobserved).unwrap();
        assert_eq!(judgement.perfect == Some(1.0), perfect, "{judgement:?}");
        assert_eq!(judgement.worst.is_none(), perfect, "{judgement:?}");
    }
}

/// The number of empty cells on which the waiter would make a line.
fn threats(game: &Game, Position { mover, waiter }: Position) -> usize {
    let empty = game.board() & !(mover | waiter);
    cells(empty).filter(|cell| game.has_line(waiter | 1 << cell)).count()
}

#[test]
fn the_rules_lose_to_a_fork() {
    let table = standard("classic");
    let game = table.game();
    let all = positions::reachable(game);
    let rules = player("rules");
    let judgement = arena::judge(&table, &rules, &all, &Unobserved).unwrap();
    let worst = judgement.worst.unwrap();
    let position = game.parse_position(&worst.position).unwrap().raw;
    let after = game.apply(position, game.parse_move(&worst.plays).unwrap());
    // The best answer threatens two lines at once.
    let fork = table.best_move(after).unwrap().unwrap().mv;
    let threatened = game.apply(after, fork);
    assert!(threats(game, threatened) >= 2, "{worst:?} {fork:?}");
    // So the game is lost.
    let mut dice = Dice::new(1);
    let perfect = player("perfect");
    assert_eq!(play(&table, after, [&perfect, &rules], &mut dice).0, Value::Win);
    // The player wins or blocks if it can.
    for &position in &all {
        let moves = rules.consider(&question(&table, position)).unwrap().moves;
        if lines::winning_moves(game, position) > 0 {
            for mv in &moves {
                assert_eq!(lines::decided(game, position, *mv), Some(Value::Win), "{position:?}");
            }
        } else {
            let threats = threats(game, position);
            for mv in &moves {
                let left = lines::winning_moves(game, game.apply(position, *mv));
                assert!(left == threats.saturating_sub(1), "{position:?} {mv:?}");
            }
        }
    }
}

#[test]
fn the_order_of_the_cells_changes_no_value() {
    let table = standard("classic");
    let game = table.game();
    let all = positions::reachable(game);
    let pieces = |position: &&Position| (position.mover | position.waiter).count_ones() >= 2;
    let all: Vec<Position> = all.iter().filter(pieces).copied().collect();
    let start = game.start().raw;
    let mut nodes = std::collections::HashSet::new();
    for number in 0..1000 {
        let mut dice = Dice::stream(8, number);
        let mut order: Vec<u8> = (0..9).collect();
        order.sort_by_cached_key(|_| dice.below(1 << 32));
        let renumbered = Permutation::new(&order).unwrap();
        let mut lines: Vec<u64> = game.lines().iter().map(|&line| renumbered.apply(line)).collect();
        lines.sort_unstable();
        let (about, graph) = (game.about().clone(), game.graph().clone());
        let other = Game::new(about, lines, Vec::new(), graph).unwrap();
        let position = *dice.pick(&all).unwrap();
        let image = Position {
            mover: renumbered.apply(position.mover),
            waiter: renumbered.apply(position.waiter),
        };
        for pruning in [Pruning::None, Pruning::AlphaBeta] {
            let plain = Search::new(game, pruning, None).best(position, 9).unwrap();
            let renamed = Search::new(&other, pruning, None).best(image, 9).unwrap();
            assert_eq!(renamed.worth, plain.worth, "{position:?} {order:?}");
        }
        // If `EVERYTHING` is false, the empty board is used only sometimes.
        if EVERYTHING || number % 50 == 0 {
            let choice = Search::new(&other, Pruning::AlphaBeta, None).best(start, 9).unwrap();
            assert_eq!(choice.worth, Some(0), "{order:?}");
            nodes.insert(choice.nodes);
        }
    }
    assert!(nodes.len() > 3, "the order makes a difference to the work: {nodes:?}");
}

#[test]
fn all_players_play_legally_by_any_rules() {
    for table in plain().map(standard).chain(odd()) {
        let game = table.game();
        for (index, position) in positions::reachable(game).into_iter().enumerate() {
            let legal: Vec<Move> = game.moves_at(position).collect();
            for (number, name) in OPPONENTS.iter().enumerate() {
                // Searches are slow, so they play only one position in twenty.
                if name.contains(':') && index % 20 != number {
                    continue;
                }
                let choice = player(name).consider(&question(&table, position)).unwrap();
                let what = (game.name(), name, position);
                assert!(!choice.moves.is_empty(), "{what:?}");
                assert!(choice.moves.iter().all(|mv| legal.contains(mv)), "{what:?}");
                assert_eq!(choice.nodes.is_some(), name.contains(':') && !name.starts_with('p'));
            }
        }
    }
}

#[test]
fn finished_games_missing_tables_and_long_searches_are_reported() {
    let table = standard("classic");
    let over = table.game().parse_position("XXX/OO./... o").unwrap().raw;
    for name in OPPONENTS {
        let refused = player(name).consider(&question(&table, over));
        assert!(matches!(refused, Err(PlayerError::Over)), "{name}");
    }
    let start = table.game().start().raw;
    let limited = Question { table: None, limit: Some(1000), ..question(&table, start) };
    let refused = player("perfect").consider(&limited).unwrap_err().to_string();
    assert!(refused.contains("there is none of this game"), "{refused}");
    let refused = player("minimax:9").consider(&limited);
    assert!(matches!(refused, Err(PlayerError::TooLong(1000))));
    assert!(player("minimax:2").consider(&limited).is_ok());
}

#[test]
fn a_player_needs_nothing_but_a_name_and_a_function() {
    let table = standard("swap");
    let first =
        |question: &Question<'_>| Choice::of(question.moves().into_iter().take(1).collect());
    let players = [Player::new("first", first), player("perfect:random")];
    let terms = arena::Terms { games: 20, seed: 1, longest: 100 };
    let matches = arena::play(table.game(), Some(&table), &players, &terms, &Unobserved).unwrap();
    let scores = arena::scores(&players, &matches);
    assert_eq!((scores[1].wins + scores[1].draws, scores[1].losses), (40, 0));
    let short = arena::Terms { longest: 9, ..terms };
    let perfect = &players[1..];
    let matches = arena::play(table.game(), Some(&table), perfect, &short, &Unobserved).unwrap();
    assert_eq!((matches[0].results.broken_off, matches[0].plies), (20, 180), "nobody wins before");
    let all = positions::reachable(table.game());
    let judgement = arena::judge(&table, &players[0], &all, &Unobserved).unwrap();
    assert!(judgement.kept.unwrap() < 0.7 && judgement.worst.is_some());
}
