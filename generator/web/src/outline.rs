//! A game by its rules, before it is solved.

use morpion_core::{Game, Header, Situation};
use morpion_games::reach::walk::arrangements;
use morpion_games::rules::NamedGame;
use morpion_machine::progress::Progress;
use morpion_play::dice::Dice;
use morpion_play::players::{Question, parse};
use morpion_report::description::Shape;
use morpion_solver::layout::lay_out;
use morpion_solver::solve::memory::in_memory;
use serde::Serialize;
use std::error::Error;

/// Rules in words and drawings, and the cost of solving the game.
#[derive(Serialize)]
pub struct Outline {
    /// The game's name.
    game: String,
    /// One-line description.
    title: String,
    /// Number of cells.
    cells: u8,
    /// Pieces of each side; `null` if play ends when the board is full.
    pieces: Option<u8>,
    /// `true` if pieces move after they are placed.
    moving: bool,
    start: Start,
    #[serde(flatten)]
    shape: Shape,
    /// Number of ways to put the pieces on the board.
    arrangements: f64,
    #[serde(flatten)]
    cost: Option<Cost>,
    /// The reason why the game cannot be solved: it is too large for a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    unsolved: Option<String>,
    /// Warnings for odd rules, each as `rules:LINE: KEY: …`.
    warnings: Vec<String>,
    /// Fingerprint of the rules.
    fingerprint: String,
}

#[derive(Serialize)]
struct Start {
    /// The position as text.
    position: String,
}

/// The cost of solving a game.
#[derive(Serialize)]
struct Cost {
    /// Number of entries of its table.
    entries: u64,
    /// Peak memory of the solution with its table, in bytes.
    memory: u64,
}

impl Outline {
    /// Describes a game, and counts the entries of its table.
    pub fn of(named: &NamedGame, progress: &dyn Progress) -> Outline {
        let (game, rules) = (&named.game, &named.rules);
        let layout = lay_out(game, None, progress);
        let cost = |layout: &Header| Cost {
            entries: layout.entries(),
            memory: in_memory(layout, 1) + layout.census,
        };
        Outline {
            game: game.name().into(),
            title: game.title().into(),
            cells: game.cells(),
            pieces: rules.pieces,
            moving: rules.movement.is_some(),
            start: Start { position: game.start().to_string() },
            shape: Shape::of(game),
            arrangements: arrangements(game) as f64,
            cost: layout.as_ref().ok().map(cost),
            unsolved: layout.err().map(|error| error.to_string()),
            warnings: named.warnings(),
            fingerprint: format!("{:016x}", game.fingerprint()),
        }
    }
}

/// A position without values, for a game that is not solved.
#[derive(Serialize)]
pub struct Turn {
    /// The position in canonical form.
    position: String,
    /// The end of the game; `null` while it continues.
    over: Option<&'static str>,
    /// The value of a finished game for the side to move.
    value: Option<&'static str>,
    /// The legal moves, each with the position after it.
    moves: Vec<Continuation>,
    /// The move of the opponent; `null` if none was asked for, or the game is over.
    chosen: Option<String>,
}

#[derive(Serialize)]
struct Continuation {
    #[serde(rename = "move")]
    mv: String,
    position: String,
}

/// The maximum number of positions that an opponent may visit for a move: about a second of work.
const SEARCH: u64 = 3_000_000;

impl Turn {
    /// The legal moves in a position, and the move that `player` chooses with the random numbers of `seed`.
    ///
    /// # Errors
    /// If the player is invalid, or the search takes too long.
    pub fn of(
        game: &Game,
        position: Situation,
        player: Option<&str>,
        seed: u64,
    ) -> Result<Turn, Box<dyn Error>> {
        let over = game.end_at(position);
        let choose = |name: &str| {
            let question =
                Question { game, position: position.raw, table: None, limit: Some(SEARCH) };
            let (mv, _) = parse(name)?.choose(&question, &mut Dice::new(seed))?;
            Ok::<_, Box<dyn Error>>(game.format_move(mv))
        };
        let next = |mv| Continuation {
            mv: game.format_move(mv),
            position: game.after(position, mv).to_string(),
        };
        Ok(Turn {
            position: position.to_string(),
            over: over.map(|over| over.name()),
            value: over.and(game.ended(position.raw)).map(|score| score.value().name()),
            moves: game.moves_at(position).map(next).collect(),
            chosen: player.filter(|_| over.is_none()).map(choose).transpose()?,
        })
    }
}
