//! Number of games: ways to play from the start to the end.
//!
//! Counts the games of a table without movement, by their length in moves.
//!
//! Layer by layer from the start, each position gets the number of ways to reach it: the sum over the positions before
//! the last move. Symmetric positions have the same number, so there is one number for each entry of the table. It
//! counts once for each set of its row. On 3×3 with one piece of each side, the rows of corner, edge and centre have 8
//! entries each. They are reached in 1 way, and count 4, 4 and 1 times.

use crate::error::ReportError;
use morpion_games::catalogue::Table;
use morpion_games::rows::{Row, rows};
use morpion_lookup::raw::Position;
use morpion_lookup::raw::rank::cells;
use morpion_lookup::{Damage, Game, ProbeError};
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use morpion_machine::usage::available_memory;
use morpion_reach::arrangements::Arrangements;
use rayon::prelude::*;
use serde::{Serialize, Serializer};

/// Number of games. Symmetric games count separately.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Games {
    /// Number of all games.
    #[serde(serialize_with = "as_text")]
    pub games: u128,
    /// Number of games with 0, 1, … moves.
    #[serde(serialize_with = "as_texts")]
    pub games_by_length: Vec<u128>,
}

/// Written as text, since many JSON readers round numbers above 2⁵³.
fn as_text<S: Serializer>(number: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

fn as_texts<S: Serializer>(numbers: &[u128], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(numbers.iter().map(u128::to_string))
}

/// Counts the games that are possible in a table's game.
///
/// Takes a lookup for each entry of the table and for each piece that may have been the last one. Takes 16 bytes for
/// each entry of two layers.
///
/// # Errors
/// If the game continues by moving pieces, if memory does not suffice, or if `progress` requests a stop.
pub fn games(table: &Table, progress: &dyn Progress) -> Result<Games, ReportError> {
    let game = table.game();
    let name = || game.name().to_owned();
    if game.has_cycles() {
        return Err(ReportError::Movement { game: name() });
    }
    let layers = &table.raw().header().layers;
    let entries = layers.iter().map(|layer| layer.entries());
    let two = entries.clone().zip(entries.skip(1)).map(|(one, next)| one + next).max();
    let needed = 16 * two.unwrap_or(1);
    if let Some(most) = available_memory().filter(|most| needed > *most) {
        return Err(ReportError::Memory { game: name(), needed, most });
    }
    let mut by_length = vec![0u128; layers.len()];
    // The columns of the previous layer, and the number of ways in which each of its entries is reached.
    let mut before: Option<(u64, Vec<u128>)> = None;
    for (ply, section) in layers.iter().enumerate() {
        progress.check()?;
        let layer = Layer {
            arrangements: Arrangements::new(game.board(), section.counts),
            columns: section.columns,
            rows: rows(table, ply)?,
        };
        let ways: Vec<u128> = match &before {
            None => vec![1],
            Some((columns, ways)) => {
                let ways = |at| ways_to(table, layer.position(at).1, *columns, ways);
                (0..section.entries()).into_par_iter().map(ways).collect::<Result<_, _>>()?
            }
        };
        let finished = threads::map(layer.rows.len(), &|row| layer.finished(game, row, &ways));
        let sum = finished.into_iter().try_fold(0u128, |sum, games| sum.checked_add(games?));
        by_length[ply] = sum.ok_or_else(|| ReportError::TooManyGames { game: name() })?;
        before = Some((section.columns, ways));
    }
    while by_length.last() == Some(&0) {
        by_length.pop();
    }
    let all = by_length.iter().try_fold(0u128, |sum, &games| sum.checked_add(games));
    let games = all.ok_or_else(|| ReportError::TooManyGames { game: name() })?;
    Ok(Games { games, games_by_length: by_length })
}

/// The number of ways in which a position is reached. `columns` and `ways` belong to the previous layer.
fn ways_to(
    table: &Table,
    Position { mover, waiter }: Position,
    columns: u64,
    ways: &[u128],
) -> Result<u128, ReportError> {
    let game = table.game();
    // The mover of the previous position is the present waiter, who placed one of its pieces. At that time nobody had a
    // line.
    if game.has_line(mover) {
        return Ok(0);
    }
    let mut sum = 0u128;
    let before = before_placement(game, Position { mover, waiter });
    for before in before.filter(|before| !game.has_line(before.mover)) {
        let (_, row, column) = table.raw().place(before)?;
        let more = ways.get((row * columns + column) as usize).copied();
        let more = more.ok_or(ProbeError::Damaged(Damage::Entry))?;
        let too_many = || ReportError::TooManyGames { game: game.name().to_owned() };
        sum = sum.checked_add(more).ok_or_else(too_many)?;
    }
    Ok(sum)
}

/// The positions before the last placement.
fn before_placement(
    game: &Game,
    Position { mover, waiter }: Position,
) -> impl Iterator<Item = Position> {
    cells(waiter).filter_map(move |cell| {
        let before = Position { mover: waiter & !(1 << cell), waiter: mover };
        let mut steps = game.graph().steps(game.layer_of(before)?).iter();
        steps.any(|step| step.targets(before) >> cell & 1 == 1).then_some(before)
    })
}

/// A layer of the table.
struct Layer {
    arrangements: Arrangements,
    columns: u64,
    rows: Vec<Row>,
}

impl Layer {
    /// The row and the position of an entry.
    fn position(&self, entry: u64) -> (usize, Position) {
        let row = (entry / self.columns) as usize;
        let mover = self.rows[row].representative;
        (row, Position { mover, waiter: self.arrangements.waiter(mover, entry % self.columns) })
    }

    /// The number of games that end in the positions of a row; `None` if it is too great. `ways` belong to this layer.
    fn finished(&self, game: &Game, row: usize, ways: &[u128]) -> Option<u128> {
        let first = row * self.columns as usize;
        let mut sum = 0u128;
        for (entry, &ways) in ways.iter().enumerate().skip(first).take(self.columns as usize) {
            if ways != 0 && game.over(self.position(entry as u64).1).is_some() {
                sum = sum.checked_add(ways)?;
            }
        }
        sum.checked_mul(self.rows[row].orbit.into())
    }
}
