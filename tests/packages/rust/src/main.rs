//! Solves tic-tac-toe as implemented by the crate `board-game`, directly and with the crate `minimax`, and compares every position
//! that play can reach with the table.

use board_game::ai::solver::{SolverValue, solve_value};
use board_game::board::{Board, BoardMoves, Outcome};
use board_game::games::ttt::TTTBoard;
use board_game::pov::NonPov;
use board_game::util::coord::Coord3;
use board_game::wdl::OutcomeWDL;
use internal_iterator::InternalIterator;
use minimax::strategies::negamax::Negamax;
use minimax::{Evaluation, Evaluator, Game as _, Strategy, Winner};
use morpion_lookup::{Move, Score, Table};
use std::collections::HashSet;

/// The game of `board-game`, for `minimax`.
struct Game;

impl minimax::Game for Game {
    type S = TTTBoard;
    type M = Coord3;

    fn generate_moves(board: &TTTBoard, moves: &mut Vec<Coord3>) -> Option<Winner> {
        match board.available_moves() {
            Ok(available) => available.for_each(|mv| moves.push(mv)),
            Err(_) => return Game::get_winner(board),
        }
        None
    }

    fn apply(board: &mut TTTBoard, mv: Coord3) -> Option<TTTBoard> {
        Some(board.clone_and_play(mv).expect("a legal move"))
    }

    fn get_winner(board: &TTTBoard) -> Option<Winner> {
        Some(match board.outcome()? {
            Outcome::Draw => Winner::Draw,
            won => match won.pov(board.next_player()) {
                OutcomeWDL::Win => Winner::PlayerToMove,
                _ => Winner::PlayerJustMoved,
            },
        })
    }
}

/// Never decides anything, since the search reaches the ends of the game.
struct Unneeded;

impl Evaluator for Unneeded {
    type G = Game;

    fn evaluate(&self, _: &TTTBoard) -> Evaluation {
        unreachable!("the end is nine moves away at most")
    }
}

fn main() {
    let table = Table::builtin("classic").expect("a built-in table");
    let mut known = HashSet::new();
    let mut open = vec![(table.game().start().raw, TTTBoard::default())];
    while let Some((position, board)) = open.pop() {
        if !known.insert(position) {
            continue;
        }
        let score = table.probe(position).expect("a position of the game");
        let expected = match score {
            Score::Win { plies } => SolverValue::WinIn(plies.expect("a distance").into()),
            Score::Loss { plies } => SolverValue::LossIn(plies.expect("a distance").into()),
            Score::Draw { .. } => SolverValue::Draw,
        };
        assert_eq!(solve_value(&board, 10), expected, "{board}");

        let moves = table.ranked_moves(position).expect("a position of the game");
        let chosen = Negamax::new(Unneeded, 10).choose_move(&board);
        let is_best = |cell: Coord3| moves.best().iter().any(|best| best.mv == placed(cell));
        assert!(chosen.map_or(moves.is_empty(), is_best), "{board}{chosen:?}");

        let mut legal = Vec::new();
        Game::generate_moves(&board, &mut legal);
        assert_eq!(legal.len(), moves.len(), "{board}");
        for cell in legal {
            let next = board.clone_and_play(cell).expect("a legal move");
            open.push((table.game().apply(position, placed(cell)), next));
        }
    }
    assert_eq!(known.len(), 5478);
}

fn placed(cell: Coord3) -> Move {
    Move::Place { to: cell.index() }
}
