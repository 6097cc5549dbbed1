//! Hints, one at a time: the result that can be reached, then a cell, then the move.

use crate::program::moves::share;
use morpion_core::{Game, Move, Score, Value};
use morpion_report::phrases::in_words;
use morpion_report::ranking::Ranked;

/// The hints about the best move of a `ranking`, which is not empty. Each hint says more than the hint before it. The page gives
/// the same hints.
pub fn hints(game: &Game, ranking: &[Ranked]) -> Vec<String> {
    let Some(best) = ranking.first() else { return Vec::new() };
    let mut hints = vec![result(best, ranking)];
    let cell = match best.mv {
        Move::Shift { from, .. } | Move::Take { from: Some(from), .. } => {
            Some(("Move the piece on", from))
        }
        Move::Push { from, .. } => Some(("Take the cube on", from)),
        mv => mv.target().map(|to| ("Place a piece on", to)),
    };
    let text = game.format_move(best.mv);
    let cell = cell.map(|(verb, cell)| (verb, game.format_cell(cell)));
    if let Some((verb, cell)) = &cell {
        hints.push(format!("{verb} {cell}."));
    }
    if cell.is_none_or(|(_, cell)| cell != text) {
        hints.push(format!("Play {text}."));
    }
    hints
}

/// Says what the side to move can reach, without its move.
fn result(best: &Ranked, ranking: &[Ranked]) -> String {
    match best.score {
        Score::Win { .. } => format!("There is a {}.", in_words(best.score)),
        Score::Loss { plies: Some(_) } => {
            let longest = in_words(best.score);
            format!("Every move loses; the longest is a {longest}.")
        }
        Score::Loss { plies: None } => "Every move loses.".into(),
        _ => {
            let keeping =
                ranking.iter().filter(|ranked| ranked.score.value() == Value::Draw).count();
            let most = best.trap.filter(|trap| keeping > 1 && trap.losing > 0).and_then(share);
            let most = most.map_or(String::new(), |share| format!(" After the best, {share}."));
            match (keeping, ranking.len()) {
                (1, all) if all > 1 => "Only one move keeps the draw.".into(),
                (keeping, all) if keeping == all => format!("Every move keeps the draw.{most}"),
                (keeping, all) => format!("{keeping} of {all} moves keep the draw.{most}"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_lookup::Table;
    use morpion_report::ranking::ranking;

    fn hints_at(name: &str, position: &str) -> Vec<String> {
        let table: Table = Table::builtin(name).unwrap();
        let position = table.game().parse_position(position).unwrap();
        hints(table.game(), &ranking(&table, position.raw, true).unwrap())
    }

    #[test]
    fn each_hint_says_more() {
        let placed = hints_at("classic", "XO./.../... x");
        assert_eq!(placed[0], "There is a win in 5 plies.");
        assert!(placed.len() == 2 && placed[1].starts_with("Place a piece on "), "{placed:?}");
        let moved = hints_at("swap", "X.O/.XO/XO. x");
        assert_eq!(
            moved,
            ["There is a win in 1 ply.", "Move the piece on b2.", "Play b2-a2."].map(String::from)
        );
        assert_eq!(
            hints_at("classic", "X../.../... o"),
            ["Only one move keeps the draw.", "Place a piece on b2."]
        );
        let lost = hints_at("classic", "X.X/.O./X.O o");
        assert_eq!(lost[0], "Every move loses; the longest is a loss in 2 plies.");
        // Nearly every first move draws: the corner is hardest to answer.
        assert_eq!(
            hints_at("classic", ".../.../... x"),
            [
                "Every move keeps the draw. After the best, 88 % of replies lose.",
                "Place a piece on a1."
            ]
        );
    }
}
