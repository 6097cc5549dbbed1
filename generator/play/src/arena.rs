//! The arena: every player plays every other and itself, and is measured against perfect play.
//!
//! Returns the results of all games and the error rate of each player. Each game has its own seed, so results do not
//! depend on the number of threads. Choices are judged without chance: if a player finds several moves equally good,
//! each move counts with its share.

mod judge;
pub mod positions;

pub use judge::{Error, Errors, Judgement, Shortfall, judge};

use crate::dice::Dice;
use crate::players::{Player, PlayerError, Question};
use crate::referee::{Ending, Outcome, Referee};
use morpion_core::{Game, Side};
use morpion_games::catalogue::Table;
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use serde::Serialize;

/// Conditions of the games.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Games of each pair of players for each assignment of the colours, and of each player against itself.
    pub games: u32,
    /// Seed of all choices.
    pub seed: u64,
    /// Number of half-moves after which a game is declared a draw.
    pub longest: u32,
}

/// The games of one player as X against another as O.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Match {
    /// The player of X.
    pub x: String,
    /// The player of O.
    pub o: String,
    /// Games played.
    pub games: u32,
    /// Results of these games.
    #[serde(flatten)]
    pub results: Results,
    /// Draws by repetition.
    pub repetitions: u32,
    /// Half-moves of all games together.
    pub plies: u64,
}

/// The results of some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Results {
    /// Games won by X.
    pub x_wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games won by O.
    pub o_wins: u32,
    /// Draws declared after too many half-moves.
    pub broken_off: u32,
}

impl Results {
    /// Counts the results of games.
    pub(crate) fn of<'g>(games: impl Iterator<Item = &'g Played>) -> Results {
        let mut results = Results::default();
        for game in games {
            *match game.winner() {
                Some(Side::X) => &mut results.x_wins,
                Some(Side::O) => &mut results.o_wins,
                None => &mut results.draws,
            } += 1;
            results.broken_off += u32::from(game.outcome.is_none());
        }
        results
    }

    /// Number of games.
    pub fn games(&self) -> u32 {
        self.x_wins + self.draws + self.o_wins
    }

    /// The share of the points of one side, 0 to 1: a win is 1 point, a draw a half.
    pub fn points(&self, side: Side) -> f64 {
        let wins = if side == Side::X { self.x_wins } else { self.o_wins };
        (f64::from(wins) + f64::from(self.draws) / 2.0) / f64::from(self.games().max(1))
    }
}

/// The games of one player against all others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// The player.
    pub player: String,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Share of the possible points, 0 to 1: a win is 1 point, a draw half a point.
    pub points: f64,
    /// 95 % confidence interval of `points`, by [`interval`].
    pub interval: (f64, f64),
}

/// The 95 % confidence interval of a share found in `count` independent trials, by Wilson's formula. If some trials count as one
/// half, such as draws, the interval is wider than necessary, which is safe.
///
/// Source: E. B. Wilson, *Probable inference, the law of succession, and statistical inference*, 1927.
#[must_use]
pub fn interval(share: f64, count: f64) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    let scale = 1.0 + Z * Z / count;
    let centre = (share + Z * Z / (2.0 * count)) / scale;
    let spread = share * (1.0 - share) / count + Z * Z / (4.0 * count * count);
    let half = Z * spread.sqrt() / scale;
    ((centre - half).max(0.0), (centre + half).min(1.0))
}

/// Result of one game.
pub(crate) struct Played {
    /// `None` if the game was broken off.
    outcome: Option<Outcome>,
    pub plies: u32,
}

impl Played {
    pub fn of(referee: &Referee<'_>) -> Played {
        Played { outcome: referee.outcome(), plies: referee.moves().len() as u32 }
    }

    /// `None` if the game was drawn or broken off.
    pub fn winner(&self) -> Option<Side> {
        self.outcome?.winner
    }
}

/// Plays every player against every other with both colours, and against itself. `progress` receives the number of games. Matches
/// are ordered by the player of X, then by the player of O. Matches of a player against itself come last.
///
/// # Errors
/// If a player fails, or `progress` requests a stop. The first error is returned.
pub fn play(
    game: &Game,
    table: Option<&Table>,
    players: &[Player],
    terms: &Terms,
    progress: &dyn Progress,
) -> Result<Vec<Match>, PlayerError> {
    let others = |x: usize| (0..players.len()).filter(move |&o| o != x);
    let pairs = (0..players.len()).flat_map(|x| others(x).map(move |o| [x, o]));
    let pairs = pairs.chain((0..players.len()).map(|both| [both, both]));
    let pairs: Vec<Pair<'_>> = pairs.map(|pair| pair.map(|at| &players[at])).collect();
    progress.whole(pairs.len() as u64 * u64::from(terms.games));
    let begin = |_| Referee::new(game);
    let played = games(begin, table, &pairs, terms, progress, |_, over| Ok(Played::of(over)))?;
    let is_repeated =
        |game: &&Played| game.outcome.is_some_and(|outcome| outcome.ending == Ending::Repeated);
    let sums = |([x, o], games): (Pair<'_>, Vec<Played>)| Match {
        x: x.name.clone(),
        o: o.name.clone(),
        games: games.len() as u32,
        results: Results::of(games.iter()),
        repetitions: games.iter().filter(is_repeated).count() as u32,
        plies: games.iter().map(|game| u64::from(game.plies)).sum(),
    };
    Ok(pairs.into_iter().zip(played).map(sums).collect())
}

/// The players of X and of O.
pub(crate) type Pair<'p> = [&'p Player; 2];

/// Plays the games of each pair. `begin` returns the start of the games of a pair, by its number. Returns a list for each pair
/// with the `summary` of each game, which receives the number of the pair and the finished game.
///
/// # Errors
/// If a player or a summary fails, or `progress` requests a stop. The first error is returned.
pub(crate) fn games<'g, T: Send>(
    begin: impl Fn(usize) -> Referee<'g> + Sync,
    table: Option<&Table>,
    pairs: &[Pair<'_>],
    terms: &Terms,
    progress: &dyn Progress,
    summary: impl Fn(usize, &Referee<'_>) -> Result<T, PlayerError> + Sync,
) -> Result<Vec<Vec<T>>, PlayerError> {
    let per_pair = terms.games as usize;
    let played = threads::map(pairs.len() * per_pair, &|number| {
        progress.check()?;
        let pair = number / per_pair;
        let dice = Dice::stream(terms.seed, number as u64);
        let played = summary(pair, &play_one(begin(pair), table, pairs[pair], terms, dice)?);
        progress.advance(1);
        played
    });
    let mut played = played.into_iter();
    pairs.iter().map(|_| played.by_ref().take(per_pair).collect()).collect()
}

/// Plays one game, to its end or until it has `terms.longest` half-moves.
fn play_one<'g>(
    mut referee: Referee<'g>,
    table: Option<&Table>,
    players: Pair<'_>,
    terms: &Terms,
    mut dice: Dice,
) -> Result<Referee<'g>, PlayerError> {
    let game = referee.game();
    for _ in 0..terms.longest {
        if referee.outcome().is_some() {
            break;
        }
        let question = Question { game, position: referee.position().raw, table, limit: None };
        let (mv, _) = players[referee.side() as usize].choose(&question, &mut dice)?;
        referee.play(mv).map_err(|_| PlayerError::Over)?;
    }
    Ok(referee)
}

/// Sums the matches of each player against other players, in the order of `players`.
pub fn scores(players: &[Player], matches: &[Match]) -> Vec<Score> {
    let score = |player: String| {
        // The results as if the player had always been X.
        let mut sums = Results::default();
        for one in matches.iter().filter(|one| one.x != one.o) {
            let Results { x_wins, draws, o_wins, .. } = one.results;
            let (wins, losses) = if player == one.x {
                (x_wins, o_wins)
            } else if player == one.o {
                (o_wins, x_wins)
            } else {
                continue;
            };
            sums.x_wins += wins;
            sums.draws += draws;
            sums.o_wins += losses;
        }
        let Results { x_wins: wins, draws, o_wins: losses, .. } = sums;
        let (points, games) = (sums.points(Side::X), f64::from(sums.games()));
        let interval = if games > 0.0 { interval(points, games) } else { Default::default() };
        Score { player, wins, draws, losses, points, interval }
    };
    players.iter().map(|player| score(player.name.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::interval;

    /// Checks the intervals of 0 of 10, 5 of 10 and 80 of 100 to six digits.
    #[test]
    fn intervals_are_wilsons() {
        for (share, count, low, high) in [
            (0.0, 10.0, 0.0, 0.277_533),
            (0.5, 10.0, 0.236_593, 0.763_407),
            (0.8, 100.0, 0.711_170, 0.866_633),
        ] {
            let found = interval(share, count);
            assert!((found.0 - low).abs() < 1e-6 && (found.1 - high).abs() < 1e-6, "{found:?}");
        }
    }
}
