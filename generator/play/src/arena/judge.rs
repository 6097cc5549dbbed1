//! Choices measured against the table: how many keep the value, are perfect, or throw wins away.

use crate::players::{Player, PlayerError, Question};
use morpion_core::{Damage, Position, ProbeError, RankedMove, Score, Value};
use morpion_games::catalogue::Table;
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use serde::Serialize;

/// The errors of choices in some positions, for the arena, for policies in Python, and for reviews on the page. Arrays are in the order of
/// [`Value`]. In a position with several choices, each choice counts with its share.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    /// Number of choices, by the value of the position and then by the value of the choice.
    pub kinds: [[f64; 3]; 3],
    /// Choices that keep the value, but win later or lose sooner than necessary.
    pub slow: [f64; 3],
    /// Half-moves by which the choices in `slow` win later or lose sooner.
    pub plies: f64,
}

impl Errors {
    /// Counts a choice that is made with the probability `share`, in a position whose best move has the score `best`. Returns the loss
    /// by the choice.
    pub fn add(&mut self, chosen: Score, best: Score, share: f64) -> Shortfall {
        let shortfall = Shortfall::of(chosen, best);
        let value = best.value() as usize;
        self.kinds[value][chosen.value() as usize] += share;
        if shortfall.is_slow() {
            self.slow[value] += share;
            self.plies += share * f64::from(shortfall.plies);
        }
        shortfall
    }

    /// Number of choices that lower the value.
    pub fn thrown(&self) -> f64 {
        let [[_, won_drawn, won_lost], [_, _, drawn_lost], _] = self.kinds;
        won_drawn + won_lost + drawn_lost
    }
}

/// Error rates of a player. Each rate is a share of the positions in which the error is possible, or `None` if there
/// are none. If a player finds several moves equally good, each move counts with its share.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judgement {
    /// The player.
    pub player: String,
    /// Positions judged.
    pub positions: u64,
    /// Share of choices that keep the value, of all positions.
    pub kept: Option<f64>,
    /// Share of perfect moves, by value and then distance, of all positions.
    pub perfect: Option<f64>,
    /// Share of choices that turn the win into a draw or a loss, of the won positions.
    pub wins_thrown: Option<f64>,
    /// Share of choices that lose, of the won positions.
    pub wins_lost: Option<f64>,
    /// Share of choices that lose, of the drawn positions.
    pub draws_lost: Option<f64>,
    /// Share of choices that win later than necessary, of the won positions. `None` also if distances are unknown.
    pub slower_wins: Option<f64>,
    /// Share of choices that lose sooner than necessary, of the lost positions. `None` also if distances are unknown.
    pub sooner_losses: Option<f64>,
    /// Positions visited in total; `None` for players that do not search.
    pub nodes: Option<u64>,
    /// The worst error; `None` if there are no errors.
    pub worst: Option<Error>,
}

/// A position and a choice there that is not perfect.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Error {
    /// The position as text. In the movement phase X is to move, by convention.
    pub position: String,
    /// Value of the position.
    pub value: &'static str,
    /// Half-moves to the end; `None` for a draw or if distances are unknown.
    pub plies: Option<u16>,
    /// The chosen move.
    pub plays: String,
    /// Probability of the choice, from 0 to 1.
    pub probability: f64,
    /// Value of the move.
    pub plays_value: &'static str,
    /// Half-moves to the end if this move is played, counted from the position before it.
    pub plays_plies: Option<u16>,
    /// The perfect moves.
    pub best: Vec<String>,
}

/// The loss by a move, compared with the best move of the position; greater is worse. The default is the loss of a perfect move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Shortfall {
    /// Number of steps by which the value falls: 2 from a win to a loss.
    pub steps: u8,
    /// If the value is kept, the number of half-moves lost. Otherwise minus the half-moves to the missed win or, from a draw, to
    /// the loss: a nearer end is a worse error.
    pub plies: i32,
}

impl Shortfall {
    /// Compares a chosen move with the best move, by their scores.
    pub fn of(chosen: Score, best: Score) -> Shortfall {
        // Values are in the order of their worth.
        let steps = (chosen.value() as u8).saturating_sub(best.value() as u8);
        let end = if best.value() == Value::Win { best } else { chosen };
        let plies = match steps {
            0 => best.preference() - chosen.preference(),
            _ => -i32::from(end.plies().unwrap_or(0)),
        };
        Shortfall { steps, plies }
    }

    /// Returns true if the move keeps the value, but wins later or loses sooner than necessary.
    fn is_slow(self) -> bool {
        self.steps == 0 && self.plies > 0
    }
}

/// The choices of a player in one position.
struct Choices {
    best: Score,
    moves: Vec<RankedMove>,
    nodes: Option<u64>,
}

/// Judges the choices of `player` in `positions` in which the game is not over. `progress` receives the number of positions.
///
/// # Errors
/// If the player fails, the table is damaged, or `progress` requests a stop.
pub fn judge(
    table: &Table,
    player: &Player,
    positions: &[Position],
    progress: &dyn Progress,
) -> Result<Judgement, PlayerError> {
    let judged = threads::map(positions.len(), &|number| {
        progress.check()?;
        let choices = choices(table, player, positions[number]);
        progress.advance(1);
        choices
    });
    let judged = judged.into_iter().collect::<Result<Vec<Choices>, PlayerError>>()?;
    // Sums are taken in a fixed order, so that they do not depend on the number of threads.
    let mut errors = Errors::default();
    let (mut worst, mut fault) = (Shortfall::default(), None);
    for (Choices { best, moves, .. }, &position) in judged.iter().zip(positions) {
        let share = 1.0 / moves.len() as f64;
        for &chosen in moves {
            let shortfall = errors.add(chosen.score, *best, share);
            // Keeps the first of several equally bad errors.
            if shortfall > worst {
                (worst, fault) = (shortfall, Some((position, chosen, share)));
            }
        }
    }
    let share = |part: f64, whole: f64| (whole > 0.0).then(|| part / whole);
    let [[won, won_drawn, won_lost], [_, drawn, drawn_lost], [_, _, lost]] = errors.kinds;
    let [wins, draws, losses] = errors.kinds.map(|choices| choices.iter().sum::<f64>());
    let [slower, _, sooner] = errors.slow;
    let (all, kept) = (wins + draws + losses, won + drawn + lost);
    let describe = |(position, chosen, share)| Error::of(table, position, chosen, share);
    Ok(Judgement {
        player: player.name.clone(),
        positions: positions.len() as u64,
        kept: share(kept, all),
        perfect: share(kept - slower - sooner, all),
        wins_thrown: share(won_drawn + won_lost, wins),
        wins_lost: share(won_lost, wins),
        draws_lost: share(drawn_lost, draws),
        slower_wins: share(slower, wins).filter(|_| table.has_distances()),
        sooner_losses: share(sooner, losses).filter(|_| table.has_distances()),
        nodes: judged.iter().map(|choices| choices.nodes).sum(),
        worst: fault.map(describe).transpose()?,
    })
}

fn choices(table: &Table, player: &Player, position: Position) -> Result<Choices, PlayerError> {
    let question = Question { game: table.game(), position, table: Some(table), limit: None };
    let choice = player.consider(&question)?;
    let ranked = table.ranked_moves(position)?;
    let best = ranked.first().ok_or(PlayerError::Over)?.score;
    let chosen = choice.moves.iter().map(|&mv| {
        let chosen = ranked.iter().find(|ranked| ranked.mv == mv);
        chosen.copied().ok_or(ProbeError::Damaged(Damage::Entry))
    });
    Ok(Choices { best, moves: chosen.collect::<Result<_, _>>()?, nodes: choice.nodes })
}

impl Error {
    /// Describes a choice, which was made with this probability.
    fn of(
        table: &Table,
        position: Position,
        RankedMove { mv, score }: RankedMove,
        probability: f64,
    ) -> Result<Error, ProbeError> {
        let (game, ranked) = (table.game(), table.ranked_moves(position)?);
        let best = table.probe(position)?;
        Ok(Error {
            position: game.situation(position, None).to_string(),
            value: best.value().name(),
            plies: best.plies(),
            plays: game.format_move(mv),
            probability,
            plays_value: score.value().name(),
            plays_plies: score.plies(),
            best: ranked.best().iter().map(|ranked| game.format_move(ranked.mv)).collect(),
        })
    }
}
