//! Players who see a few plies ahead: a child and a club player. Moves that decide nothing within these plies are equal to them.
//!
//! The page's opponents of these names choose from the same moves.

use super::player::{Choice, PlayerError, Question};
use super::search::{Pruning, Search};
use morpion_core::Score;

/// Number of plies that a child sees.
pub(crate) const CHILD: u8 = 1;

/// Number of plies that a club player sees.
pub(crate) const CLUB: u8 = 3;

/// The best moves for a player who sees `sees` plies.
pub fn consider(question: &Question<'_>, sees: u8) -> Result<Choice, PlayerError> {
    // The table shows the same moves as a search, and is quicker.
    if let Some(table) = question.table.filter(|table| table.has_distances()) {
        let ranked = table.ranked_moves(question.position)?;
        let find = |mv| ranked.iter().find(|ranked| ranked.mv == mv);
        return question.greatest(|mv| find(mv).map(|ranked| seen(ranked.score, sees)));
    }
    let mut search = Search::new(question.game, Pruning::AlphaBeta, question.limit);
    search.only_decided = true;
    // The search is too short for its number of positions and its worth to be worth reporting.
    Choice::of(search.best(question.position, sees)?.moves)
}

/// Worth of a score to a player who sees `sees` plies. All later ends look like draws.
pub(crate) fn seen(score: Score, sees: u8) -> i32 {
    match score {
        Score::Win { plies: Some(plies) } if plies <= sees.into() => 1000 - i32::from(plies),
        Score::Loss { plies: Some(plies) } if plies <= sees.into() => i32::from(plies) - 1000,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;
    use crate::players::parse;
    use morpion_core::Value;
    use morpion_lookup::Table;

    /// Checks along random games that a player chooses as if every later end in the table were a draw.
    #[test]
    fn moves_are_the_best_that_the_table_shows_up_to_the_distance() {
        let worth = |score: Score, sees: u8| {
            let plies = i32::from(score.plies().unwrap_or(u16::MAX));
            match score.value() {
                Value::Win if plies <= sees.into() => 100 - plies,
                Value::Loss if plies <= sees.into() => plies - 100,
                _ => 0,
            }
        };
        for name in ["classic", "misere", "swap", "tapatan"] {
            let table: Table = Table::builtin(name).unwrap();
            let (game, mut dice) = (table.game(), Dice::new(7));
            for _ in 0..30 {
                let mut position = game.start();
                for _ in 0..12 {
                    let moves = table.ranked_moves(position).unwrap();
                    let Some(next) = dice.pick(&moves) else { break };
                    for (kind, sees) in [("child", CHILD), ("club", CLUB)] {
                        let most = moves.iter().map(|mv| worth(mv.score, sees)).max();
                        let mut expected: Vec<_> = moves
                            .iter()
                            .filter(|mv| Some(worth(mv.score, sees)) == most)
                            .map(|mv| mv.mv)
                            .collect();
                        let raw = position.raw;
                        let choose = |table| {
                            let question = Question { game, position: raw, table, limit: None };
                            parse(kind).unwrap().consider(&question).unwrap()
                        };
                        assert_eq!(choose(None), choose(Some(&table)), "{name} {position}");
                        let mut found = choose(None).moves;
                        expected.sort();
                        found.sort();
                        assert_eq!(found, expected, "{name} {position} {kind}");
                    }
                    position = game.after(position, next.mv);
                }
            }
        }
    }
}
