//! One player measured against the table.
//!
//! Computes the shares of a player's choices that keep the value, that are perfect, and that throw wins away.

use crate::players::{Player, PlayerError, Question};
use morpion_core::{Damage, Position, ProbeError, RankedMove, Score, Side, Situation, Value};
use morpion_games::catalogue::Table;
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use serde::Serialize;

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

/// The judgement of one position.
struct Verdict {
    value: Value,
    /// Share of choices that keep the value. The next three are shares too.
    kept: f64,
    perfect: f64,
    lost: f64,
    slower: f64,
    /// `true` if distances are known.
    distances: bool,
    nodes: Option<u64>,
    /// The worst choice that is not perfect.
    worst: Option<(Shortfall, Error)>,
}

/// The loss by a move, compared with the best one in the same position; greater is worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shortfall {
    /// The steps by which the value falls: 2 from a win to a loss.
    pub steps: u8,
    /// The half-moves that are lost if the value does not fall. If it does, minus the half-moves to the missed win, or else to the
    /// loss: nearer is worse.
    pub plies: i32,
}

impl Shortfall {
    /// Compares a move with the best one.
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
}

/// Judges the choices of `player` in `positions`, none of which is over. `progress` receives the number of positions.
///
/// # Errors
/// If the player fails, the table is damaged, or `progress` requests a stop.
pub fn judge(
    table: &Table,
    player: &Player,
    positions: &[Position],
    progress: &dyn Progress,
) -> Result<Judgement, PlayerError> {
    let verdicts = threads::map(positions.len(), &|number| {
        progress.check()?;
        let verdict = judge_one(table, player, positions[number]);
        progress.advance(1);
        verdict
    });
    let verdicts = verdicts.into_iter().collect::<Result<Vec<Verdict>, PlayerError>>()?;
    // Sums are taken in a fixed order, so that they do not depend on the number of threads.
    let share = |concerns: &dyn Fn(&Verdict) -> bool, what: &dyn Fn(&Verdict) -> f64| {
        let concerned = || verdicts.iter().filter(|&verdict| concerns(verdict));
        let count = concerned().count();
        (count > 0).then(|| concerned().map(what).sum::<f64>() / count as f64)
    };
    Ok(Judgement {
        player: player.name(),
        positions: positions.len() as u64,
        kept: share(&|_| true, &|verdict| verdict.kept),
        perfect: share(&|_| true, &|verdict| verdict.perfect),
        wins_thrown: share(&|verdict| verdict.value == Value::Win, &|verdict| 1.0 - verdict.kept),
        wins_lost: share(&|verdict| verdict.value == Value::Win, &|verdict| verdict.lost),
        draws_lost: share(&|verdict| verdict.value == Value::Draw, &|verdict| verdict.lost),
        slower_wins: share(
            &|verdict| verdict.value == Value::Win && verdict.distances,
            &|verdict| verdict.slower,
        ),
        sooner_losses: share(
            &|verdict| verdict.value == Value::Loss && verdict.distances,
            &|verdict| 1.0 - verdict.perfect,
        ),
        nodes: verdicts.iter().map(|verdict| verdict.nodes).sum(),
        // Keeps the first of several equally bad errors.
        worst: verdicts
            .into_iter()
            .filter_map(|verdict| verdict.worst)
            .reduce(|worst, next| if next.0 > worst.0 { next } else { worst })
            .map(|(_, error)| error),
    })
}

fn judge_one(table: &Table, player: &Player, position: Position) -> Result<Verdict, PlayerError> {
    let game = table.game();
    let question = Question { game, position, table: Some(table), limit: None };
    let choice = player.consider(&question)?;
    let ranked = table.ranked_moves(position)?;
    let best = ranked.first().ok_or(PlayerError::Over)?.score;
    let (mut kept, mut perfect, mut lost, mut slower) = (0, 0, 0, 0);
    let mut worst: Option<(Shortfall, RankedMove)> = None;
    for &mv in &choice.moves {
        let chosen = ranked.iter().find(|ranked| ranked.mv == mv);
        let chosen = *chosen.ok_or(ProbeError::Damaged(Damage::Entry))?;
        let shortfall = Shortfall::of(chosen.score, best);
        let keeps = shortfall.steps == 0;
        kept += u32::from(keeps);
        lost += u32::from(chosen.score.value() == Value::Loss);
        if chosen.score.preference() == best.preference() {
            perfect += 1;
            continue;
        }
        slower += u32::from(keeps);
        if worst.is_none_or(|(worst, _)| shortfall > worst) {
            worst = Some((shortfall, chosen));
        }
    }
    let share = |count: u32| f64::from(count) / choice.moves.len() as f64;
    let side = game.turn(position).unwrap_or(Side::X);
    let describe = |RankedMove { mv, score }| Error {
        position: Situation { board: game.board_shape(), raw: position, side }.to_string(),
        value: best.value().name(),
        plies: best.plies(),
        plays: game.format_move(mv),
        probability: share(1),
        plays_value: score.value().name(),
        plays_plies: score.plies(),
        best: ranked.best().iter().map(|ranked| game.format_move(ranked.mv)).collect(),
    };
    Ok(Verdict {
        value: best.value(),
        kept: share(kept),
        perfect: share(perfect),
        lost: share(lost),
        slower: share(slower),
        distances: best.plies().is_some(),
        nodes: choice.nodes,
        worst: worst.map(|(shortfall, chosen)| (shortfall, describe(chosen))),
    })
}
