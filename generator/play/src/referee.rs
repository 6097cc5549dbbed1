//! The referee records the moves of a game, knows the legal moves, and decides when and why the game is over.
//!
//! By the rules, a game ends with a line, a full board or a blocked side. The referee also ends a game that repeats
//! itself. A position is repeated if X and O are on the same cells and the same side is to move.

mod ending;
mod illegal;

pub use ending::Ending;
pub use illegal::Illegal;

use illegal::explain;
use morpion_core::{Game, Move, Side, Situation};
use morpion_report::worth::winner;

/// Number of occurrences of a position that makes the game a draw.
pub const OCCURRENCES: u32 = 3;

/// Result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// Reason why the game is over.
    pub ending: Ending,
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Referee<'g> {
    game: &'g Game,
    moves: Vec<Move>,
    /// All positions from the first to the present one: one more than the moves.
    states: Vec<Situation>,
}

impl<'g> Referee<'g> {
    /// Begins a game from its start.
    pub fn new(game: &'g Game) -> Referee<'g> {
        Referee::from_position(game, game.start())
    }

    /// Begins a game from any position of the game.
    pub fn from_position(game: &'g Game, position: Situation) -> Referee<'g> {
        Referee { game, moves: Vec::new(), states: vec![position] }
    }

    /// The game being played.
    pub fn game(&self) -> &'g Game {
        self.game
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// All positions, including the first and the present one.
    pub fn states(&self) -> &[Situation] {
        &self.states
    }

    /// The present position.
    pub fn position(&self) -> Situation {
        self.states[self.moves.len()]
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.position().side
    }

    /// The legal moves; empty if the game is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        match self.outcome() {
            Some(_) => Vec::new(),
            None => self.game.moves_at(self.position()).collect(),
        }
    }

    /// Returns the result, or `None` if the game is not over. Compares the present position with all earlier positions.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = self.position();
        if let Some(over) = self.game.end_at(position) {
            let winner = winner(self.game.final_score(over).value(), position.side);
            return Some(Outcome { winner, ending: Ending::Rules(over) });
        }
        let is_draw = occurrences(&self.states, position) >= OCCURRENCES;
        is_draw.then_some(Outcome { winner: None, ending: Ending::Repeated })
    }

    /// Counts the earlier occurrences of the position after the legal move `mv`.
    pub fn occurrences_after(&self, mv: Move) -> u32 {
        occurrences(&self.states, self.game.after(self.position(), mv))
    }

    /// Plays a move.
    ///
    /// # Errors
    /// [`Illegal`] with the reason. The game is unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), Illegal> {
        self.check(mv)?;
        let next = self.game.after(self.position(), mv);
        self.moves.push(mv);
        self.states.push(next);
        Ok(())
    }

    /// Takes the last move back and returns it; `None` at the beginning.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.states.pop();
        Some(mv)
    }

    /// Checks that a move is legal here.
    ///
    /// # Errors
    /// [`Illegal`] with the reason.
    pub fn check(&self, mv: Move) -> Result<(), Illegal> {
        let position = self.position();
        if let Some(outcome) = self.outcome() {
            return Err(Illegal(format!("the game is over: {}", outcome.ending)));
        }
        if self.game.moves_at(position).any(|legal| legal == mv) {
            return Ok(());
        }
        Err(explain(self.game, position.raw, position.side, mv))
    }
}

fn occurrences(states: &[Situation], position: Situation) -> u32 {
    states.iter().filter(|&&earlier| earlier == position).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_games::catalogue::standard_game;

    fn play(referee: &mut Referee, moves: &str) {
        for text in moves.split_whitespace() {
            referee.play(referee.game().parse_move(text).unwrap()).unwrap();
        }
    }

    #[test]
    fn ends_of_the_rules() {
        for (name, moves, winner, ending) in [
            ("classic", "b2 a1 b1 b3 a2 c2 a3 c1 c3", None, "full"),
            ("classic", "a1 b1 a2 b2 a3", Some(Side::X), "line"),
            ("misere", "a1 b1 a2 b2 a3", Some(Side::O), "line"),
        ] {
            let game = standard_game(name).unwrap();
            let mut referee = Referee::new(&game);
            play(&mut referee, moves);
            let outcome = referee.outcome().unwrap();
            assert_eq!((outcome.winner, outcome.ending.name()), (winner, ending), "{name} {moves}");
            let error = referee.play(Move::Place { to: 8 }).unwrap_err().to_string();
            assert!(error.starts_with("the game is over: "), "{error}");
            assert!(referee.legal_moves().is_empty());
        }
        // The mover cannot reach the only empty cell.
        let game = standard_game("achi").unwrap();
        let position = game.parse_position(".OX/OOX/XXO x").unwrap();
        let referee = Referee::from_position(&game, position);
        assert!(referee.legal_moves().is_empty());
        let outcome = referee.outcome().unwrap();
        assert_eq!((outcome.winner, outcome.ending.name()), (Some(Side::O), "stuck"));
    }

    #[test]
    fn the_third_occurrence_is_a_draw() {
        let game = standard_game("swap").unwrap();
        let mut referee = Referee::new(&game);
        play(&mut referee, "a1 b1 b2 c3 c1 a3");
        for round in [1, 2] {
            play(&mut referee, "a1-a2 c3-c2 a2-a1");
            let last = game.parse_move("c2-c3").unwrap();
            assert_eq!(referee.occurrences_after(last), round);
            referee.play(last).unwrap();
            assert_eq!(referee.outcome().is_some(), round == 2);
        }
        let draw = Outcome { winner: None, ending: Ending::Repeated };
        assert_eq!(referee.outcome(), Some(draw));
        assert!(referee.undo().is_some() && referee.outcome().is_none());
    }

    #[test]
    fn illegal_moves_are_explained() {
        for (name, moves, mv, expected) in [
            ("classic", "b2", "b2", "b2 is not empty: X has a piece there"),
            ("classic", "b2", "a1-a2", "pieces never move in this game"),
            ("swap", "b2 a1", "b2-c2", "X still has pieces to place (2)"),
            ("swap", "a1 b1 b2 c3 c1 a3", "a2", "X has placed all pieces"),
            ("swap", "a1 b1 b2 c3 c1 a3", "b1-a2", "X has no piece on b1"),
            ("swap", "a1 b1 b2 c3 c1 a3", "a1-b1", "b1 is not empty: O has a piece there"),
            ("swap", "a1 b1 b2 c3 c1 a3", "pass", "nobody may pass"),
            ("swap", "a1 b1 b2 c3 c1 a3", "a1-a1", "nobody may pass"),
            ("nine-holes", "a1 b1 b2 c3 c1 a3", "a1-b3", "the piece on a1 goes to a2"),
        ] {
            let game = standard_game(name).unwrap();
            let mut referee = Referee::new(&game);
            play(&mut referee, moves);
            let error = referee.play(game.parse_move(mv).unwrap()).expect_err(mv).to_string();
            assert!(error.contains(expected), "{error}");
            assert_eq!(referee.moves().len(), moves.split_whitespace().count());
        }
    }

    /// The reason of a placement is the opening rule only if this rule forbids the cell.
    #[test]
    fn forbidden_cells_and_cells_off_the_board_are_explained() {
        let game = morpion_games::rules::parse(
            "t",
            "name = \"t\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n\
             [opening]\nforbidden = [\"b2\"]\nduring = \"first\"",
        )
        .unwrap();
        let mut referee = Referee::new(&game);
        let mut fault =
            |to| referee.play(Move::Place { to }).expect_err("an illegal move").to_string();
        assert_eq!(fault(4), "b2 may not be used yet: the opening rule forbids it");
        assert!(fault(9).ends_with("is not possible here: play one of a1 b1 c1 a2 c2 a3 b3 c3"));
    }
}
