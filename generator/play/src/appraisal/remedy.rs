//! Sentences about a game that say what its author can change, and how much skill decides.

use super::facts::{FirstMoves, Level};
use morpion_core::Side;
use morpion_report::phrases::{capital, in_words};
use morpion_report::worth::Worth;

/// Maximum number of moves that a sentence names.
const NAMED: usize = 8;

/// Lists the sentences about a game whose start has the value `worth` for the side that begins.
pub(super) fn sentences(
    begins: Side,
    worth: Worth,
    first_moves: &[FirstMoves],
    levels: &[Level],
) -> Vec<String> {
    let all = [forbidden(worth, first_moves), fairest(begins, first_moves), skill(begins, levels)];
    all.into_iter().flatten().collect()
}

/// Says what the start is worth if its winning moves are forbidden; `None` if no first move wins.
fn forbidden(worth: Worth, first_moves: &[FirstMoves]) -> Option<String> {
    let (winning, others): (Vec<&FirstMoves>, Vec<&FirstMoves>) =
        first_moves.iter().partition(|class| worth.value == "win" && class.worth.value == "win");
    let names: Vec<&str> =
        winning.iter().flat_map(|class| &class.moves).map(String::as_str).collect();
    let named = match names.len() {
        0 => return None,
        1..=NAMED => names.join(" "),
        many => format!("the {many} winning moves"),
    };
    Some(match others.first() {
        Some(best) => {
            format!("If {named} may not be played first, the start is a {}.", in_words(best.worth))
        }
        None => "Every first move wins, so that forbidding some of them changes nothing.".into(),
    })
}

/// Names the first move after which the sides are most equal, for the pie rule: the other side may then change sides.
fn fairest(begins: Side, first_moves: &[FirstMoves]) -> Option<String> {
    let drawn = |class: &&FirstMoves| class.worth.value == "draw";
    let has_draws = first_moves.iter().any(|class| drawn(&class));
    let unfairness = |class: &FirstMoves| (class.club_points - 0.5).abs();
    let candidates = first_moves.iter().filter(|class| !has_draws || drawn(class));
    let fairest = candidates.min_by(|a, b| unfairness(a).total_cmp(&unfairness(b)))?;
    Some(format!(
        "With the pie rule, {} is the fairest first move: a {} for {}, who takes {} of the points among club players.",
        fairest.moves.first()?,
        in_words(fairest.worth),
        capital(begins),
        percent(fairest.club_points)
    ))
}

/// Says how many points the side that begins takes among club players, and each player from the player of the level below.
fn skill(begins: Side, levels: &[Level]) -> Option<String> {
    let [_, child, club, perfect] = levels else { return None };
    let [against_random, against_child, against_club] =
        [child, club, perfect].map(|level| level.against_weaker.map(percent));
    Some(format!(
        "Among club players, {} takes {} of the points. A child takes {} from a random player, a club player {} from a child, \
         and a perfect player {} from a club player.",
        capital(begins),
        percent(club.results.points(begins)),
        against_random?,
        against_child?,
        against_club?
    ))
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}
