//! Facts by which to judge a game: the results of players of several levels, and from the table the first moves, the longest win,
//! and the share of positions in which only one move is good. Says in sentences how to change the game.

mod facts;
mod remedy;

pub use facts::{AgainstPerfect, Appraisal, Choices, FirstMoves, Lengths, Level};

use crate::arena::positions::Judged;
use crate::arena::{Pair, Played, Results, Terms, games, interval};
use crate::players::{PlayerError, parse};
use crate::puzzles::is_first_alone;
use crate::referee::Referee;
use morpion_core::{Move, ProbeError, Side, Value};
use morpion_games::catalogue::Table;
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use morpion_report::census::Totals;
use morpion_report::phrases::{capital, number};
use morpion_report::ranking::{Ranked, alike, ranking};

/// The players, the weakest first. The last one is perfect.
const LEVELS: [&str; 4] = ["random", "child", "club", "perfect:random"];

/// Half-moves after which a game is declared a draw.
const LONGEST: u32 = 200;

/// Seed of the players' choices and of the sample.
const SEED: u64 = 0;

impl Appraisal {
    /// Number of all games that were played.
    pub fn games_played(&self) -> u64 {
        pairs(self.levels.len(), self.first_moves.len()) * u64::from(self.games)
    }
}

/// Number of pairs of players. Each level plays against itself. With both colours, each level below perfect plays against the
/// perfect player, and each level below club against the next level. Club players play after each class of first moves.
fn pairs(levels: usize, first_moves: usize) -> u64 {
    (levels + 2 * (levels - 1) + 2 * (levels - 2) + first_moves) as u64
}

/// Plays `games` games of each pair of players for each assignment of the colours, and counts the positions. Neither chance nor the
/// number of threads changes the result. `progress` receives the number of games and positions.
///
/// # Errors
/// If the table is damaged, or `progress` requests a stop.
pub fn appraise(
    table: &Table,
    games: u32,
    progress: &dyn Progress,
) -> Result<Appraisal, PlayerError> {
    let game = table.game();
    let judged = Judged::of(game, None, SEED);
    let mut first_moves = first_moves(table)?;
    let pairs = pairs(LEVELS.len(), first_moves.len());
    progress.whole(pairs * u64::from(games) + judged.positions.len() as u64);
    let (start, score) = (game.start(), table.probe(game.start())?);
    let choices = choices(table, &judged, progress)?;
    let levels = levels(table, &mut first_moves, games, progress)?;
    Ok(Appraisal {
        game: game.name().to_owned(),
        verdict: verdict(start.side, score.value(), &levels, choices),
        remedies: remedy::sentences(start.side, score.into(), &first_moves, &levels),
        worth: score.into(),
        first_moves,
        choices,
        longest_win: Totals::of(table)?.longest_win,
        games,
        levels,
    })
}

/// Minimum share of draws, in the games of a level against itself, for the verdict to call the level drawish.
const DRAWISH: f64 = 0.5;

/// Says in a sentence who wins, at which levels the results show it, and how rare good moves are.
fn verdict(begins: Side, value: Value, levels: &[Level], choices: Choices) -> String {
    let winner = if value == Value::Loss { begins.other() } else { begins };
    let below = &levels[..levels.len().saturating_sub(1)];
    let games = |level: &Level| f64::from(level.results.games().max(1));
    // The lower end of the 95 % confidence interval of the winner's points is above one half.
    let shows = |level: &&Level| interval(level.results.points(winner), games(level)).0 > 0.5;
    let draws = |level: &&Level| f64::from(level.results.draws) / games(level) >= DRAWISH;
    let is_draw = value == Value::Draw;
    let noticed = below.iter().filter(|level| if is_draw { draws(level) } else { shows(level) });
    let names: Vec<&str> = noticed.map(|level| level.player.as_str()).collect();
    let level = match (names.len(), is_draw) {
        (0, true) => "but only perfect players draw".into(),
        (0, false) => "and nobody below perfect notices".into(),
        (all, true) if all == below.len() => "and players of every level draw".into(),
        (all, false) if all == below.len() => "and it shows at every level".into(),
        (_, true) => format!("and {} players mostly draw too", names.join(" and ")),
        (_, false) => format!("and it shows among {} players too", names.join(" and ")),
    };
    let start = match is_draw {
        true => format!("With perfect play nobody wins, {level}"),
        false => format!("{} wins with perfect play, {level}", capital(winner)),
    };
    let good = match (choices.choices + choices.only_moves / 2).checked_div(choices.only_moves) {
        None => "no position has a single good move".into(),
        Some(0 | 1) => "most positions have a single good move".into(),
        Some(every) => {
            format!("one position in {} has a single good move", number(every))
        }
    };
    format!("{start}; {good}.")
}

/// The first moves in classes of symmetric moves.
fn first_moves(table: &Table) -> Result<Vec<FirstMoves>, ProbeError> {
    let (game, start) = (table.game(), table.game().start().raw);
    let classes = alike(table, start, ranking(table, start, true)?)?;
    let first_moves = |(Ranked { score, trap, .. }, moves): (Ranked, Vec<Move>)| FirstMoves {
        moves: moves.into_iter().map(|mv| game.format_move(mv)).collect(),
        worth: score.into(),
        trap,
        club_points: 0.0,
    };
    Ok(classes.into_iter().map(first_moves).collect())
}

fn choices(
    table: &Table,
    Judged { positions, sampled }: &Judged,
    progress: &dyn Progress,
) -> Result<Choices, PlayerError> {
    let found = threads::map(positions.len(), &|at| {
        progress.check()?;
        progress.advance(1);
        let moves = table.ranked_moves(positions[at])?;
        let is_lost = moves.first().is_some_and(|best| best.score.value() == Value::Loss);
        Ok((moves.len() > 1 && !is_lost, is_first_alone(&moves)))
    });
    let found = found.into_iter().collect::<Result<Vec<(bool, bool)>, PlayerError>>()?;
    Ok(Choices {
        positions: positions.len() as u64,
        sampled: *sampled,
        choices: found.iter().filter(|(is_choice, _)| *is_choice).count() as u64,
        only_moves: found.iter().filter(|(_, is_only)| *is_only).count() as u64,
    })
}

/// Plays all games, and sets the `club_points` of each class of `first_moves`.
fn levels(
    table: &Table,
    first_moves: &mut [FirstMoves],
    per_pair: u32,
    progress: &dyn Progress,
) -> Result<Vec<Level>, PlayerError> {
    let terms = Terms { games: per_pair, seed: SEED, longest: LONGEST };
    let players = LEVELS.map(|level| parse(level).expect("each level is a player"));
    let perfect = players.len() - 1;
    // Pairs of numbers of players, X first: each player against itself, against the perfect player, and against the level below.
    let both = |a, b| [[a, b], [b, a]];
    let mut pairs: Vec<[usize; 2]> = (0..=perfect).map(|at| [at, at]).collect();
    pairs.extend((0..perfect).flat_map(|at| both(at, perfect)));
    pairs.extend((1..perfect).flat_map(|at| both(at - 1, at)));
    let club = [&players[perfect - 1]; 2];
    let mut seats: Vec<Pair<'_>> = pairs.iter().map(|pair| pair.map(|at| &players[at])).collect();
    seats.extend(first_moves.iter().map(|_| club));
    let begin = |number: usize| {
        let mut referee = Referee::new(table.game());
        let first = number.checked_sub(pairs.len()).and_then(|at| first_moves[at].moves.first());
        let first = first.and_then(|text| table.game().parse_move(text).ok());
        // First moves are legal.
        let _ = first.map(|mv| referee.play(mv));
        referee
    };
    let played = games(begin, Some(table), &seats, &terms, progress, |number, referee| {
        let with_perfect = pairs.get(number).filter(|pair| pair.contains(&perfect));
        let weaker = with_perfect.and_then(|pair| pair.iter().position(|&at| at < perfect));
        Ok((Played::of(referee), meets_draw(table, referee, weaker.map(|at| Side::ALL[at]))?))
    })?;
    let (played, after_first) = played.split_at(pairs.len());
    for (class, games) in first_moves.iter_mut().zip(after_first) {
        class.club_points = points(games, table.game().start().side);
    }
    let played_by = |x: usize, o: usize| {
        let mut found = pairs.iter().zip(played).filter(|(pair, _)| **pair == [x, o]);
        found.next().expect("each pair of a level is played").1
    };
    let level = |at: usize| Level {
        player: players[at].name.clone(),
        results: results(played_by(at, at)),
        length: Lengths::of(played_by(at, at)),
        against_perfect: (at < perfect)
            .then(|| AgainstPerfect::of([played_by(at, perfect), played_by(perfect, at)])),
        against_weaker: at.checked_sub(1).map(|weaker| {
            let [as_o, as_x] = [played_by(weaker, at), played_by(at, weaker)];
            f64::midpoint(points(as_o, Side::O), points(as_x, Side::X))
        }),
    };
    Ok((0..=perfect).map(level).collect())
}

fn results(games: &[(Played, bool)]) -> Results {
    Results::of(games.iter().map(|(game, _)| game))
}

/// The share of the points of one side, 0 to 1.
fn points(games: &[(Played, bool)], side: Side) -> f64 {
    results(games).points(side)
}

/// Returns true if `side` was to move in a drawn position. Reads the positions up to the first such position.
fn meets_draw(
    table: &Table,
    referee: &Referee<'_>,
    side: Option<Side>,
) -> Result<bool, PlayerError> {
    let states = &referee.states()[..referee.moves().len()];
    for &state in states.iter().filter(|state| Some(state.side) == side) {
        if table.probe(state)?.value() == Value::Draw {
            return Ok(true);
        }
    }
    Ok(false)
}

impl AgainstPerfect {
    /// Sums the games of a player as X, and then as O. The flag of a game is true if the player met a drawn position.
    fn of(games: [&[(Played, bool)]; 2]) -> AgainstPerfect {
        let mut sums = AgainstPerfect::default();
        for (games, perfect) in games.into_iter().zip([Side::O, Side::X]) {
            for &(ref game, is_drawn) in games {
                let is_lost = game.winner() == Some(perfect);
                sums.games += 1;
                sums.losses += u32::from(is_lost);
                sums.drawn += u32::from(is_drawn);
                sums.draws_lost += u32::from(is_drawn && is_lost);
            }
        }
        sums
    }
}

impl Lengths {
    fn of(games: &[(Played, bool)]) -> Lengths {
        let plies = games.iter().map(|(game, _)| game.plies);
        Lengths {
            shortest: plies.clone().min().unwrap_or(0),
            mean: f64::from(plies.clone().sum::<u32>()) / games.len().max(1) as f64,
            longest: plies.max().unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_games::rules;
    use morpion_machine::progress::{Stopped, Unobserved};
    use morpion_report::worth::Worth;
    use morpion_solver::table;

    /// On three cells, of which the first is a line by itself, every first move to another cell loses.
    #[test]
    fn a_small_game_is_appraised_as_by_hand() {
        let text = "name = \"three\"\n[board]\ncells = 3\n[lines]\nsets = [[0], [1, 2]]\n";
        let game = rules::parse("three", text).unwrap();
        let bytes = table::solve(&game, &Unobserved).unwrap();
        let table = Table::from_source(bytes.into()).unwrap();
        let found = appraise(&table, 50, &Unobserved).unwrap();
        assert_eq!(found.worth, Worth { value: "win", plies: Some(1), draw: None });
        let moves: Vec<_> = found
            .first_moves
            .iter()
            .map(|class| (class.moves.join(" "), class.worth.value))
            .collect();
        assert_eq!(moves, [("0".into(), "win"), ("1 2".into(), "loss")]);
        // The empty board, and 1 or 2 taken by X, have a choice. If both are taken, one cell is left.
        let choices = Choices { positions: 5, sampled: false, choices: 3, only_moves: 3 };
        assert_eq!(found.choices, choices);
        assert_eq!(found.games_played(), 16 * 50);
        assert_eq!(
            found.remedies[0],
            "If 0 may not be played first, the start is a loss in 2 plies."
        );
        let points: Vec<f64> = found.first_moves.iter().map(|class| class.club_points).collect();
        assert_eq!(points, [1.0, 0.0]);
        for level in &found.levels[1..] {
            let won = Results { x_wins: 50, ..Results::default() };
            assert_eq!(level.results, won, "{level:?}");
            assert_eq!(level.length, Lengths { shortest: 1, mean: 1.0, longest: 1 });
            let others = AgainstPerfect { games: 100, losses: 50, drawn: 0, draws_lost: 0 };
            let is_perfect = level.player == "perfect:random";
            assert_eq!(level.against_perfect, (!is_perfect).then_some(others));
        }
        // A random player takes one of the other cells in two of three games. X then loses at once, or in half of the
        // games takes the first cell with its second move.
        let random = &found.levels[0];
        assert!(
            random.results.o_wins > 0 && random.results.x_wins > 0 && random.length.longest <= 3
        );
    }

    /// Every game of tic-tac-toe is drawn at its start, so whoever loses to a perfect player throws the draw away.
    #[test]
    fn levels_differ_and_repeat() {
        let table: Table = morpion_lookup::Table::builtin("classic").unwrap();
        let found = appraise(&table, 50, &Unobserved).unwrap();
        assert_eq!(found, appraise(&table, 50, &Unobserved).unwrap());
        let classes: Vec<usize> = found.first_moves.iter().map(|class| class.moves.len()).collect();
        assert_eq!(classes, [4, 1, 4]);
        let [random, child, club, perfect] = &found.levels[..] else { panic!("{found:?}") };
        let thrown = |level: &Level| {
            let others = level.against_perfect.unwrap();
            assert_eq!((others.games, others.drawn, others.draws_lost), (100, 100, others.losses));
            others.losses
        };
        // Nobody is weaker than a random player, and a club player beats a child more often than not.
        assert_eq!(random.against_weaker, None);
        assert!(club.against_weaker > Some(0.5) && perfect.against_weaker > Some(0.5));
        // No first move wins, so nothing has to be forbidden.
        assert!(found.remedies.len() == 2 && found.remedies[0].starts_with("With the pie rule, "));
        assert!(thrown(random) > 75 && thrown(child) > 75 && thrown(club) < 65);
        assert_eq!((perfect.results.draws, perfect.length.mean), (50, 9.0));
    }

    #[test]
    fn an_observer_stops_the_games() {
        struct Stop;
        impl Progress for Stop {
            fn stop(&self) -> bool {
                true
            }
        }
        let table: Table = morpion_lookup::Table::builtin("classic").unwrap();
        let stopped = PlayerError::Stopped(Stopped).to_string();
        assert_eq!(appraise(&table, 50, &Stop).unwrap_err().to_string(), stopped);
    }
}
