//! The moves of a position, best first, and the difficulty of answering each drawing move.

use morpion_core::{Move, Position, ProbeError, RankedMove, Score, Value};
use morpion_games::catalogue::Table;
use serde::Serialize;
use std::cmp::Reverse;

/// Difficulty of answering a move. A side *errs* if its move lowers its value: a draw instead of a win, or a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Trap {
    /// Number of legal replies to the move; 0 if it ends the game.
    pub replies: u32,
    /// Number of replies that err. After a drawing move these are the replies that lose.
    pub losing: u32,
    /// Number of the mover's legal moves after a reply that does not err, summed over all these replies.
    pub own_moves: u32,
    /// Number of moves in `own_moves` that err.
    pub own_losing: u32,
}

impl Trap {
    /// Counts the replies to each of these legal moves, and the moves after the replies. Reads one row of the table for each move
    /// and for each reply.
    ///
    /// # Errors
    /// If the table is damaged.
    pub fn of_moves(
        table: &Table,
        position: Position,
        moves: &[Move],
    ) -> Result<Vec<Trap>, ProbeError> {
        let none = Trap { replies: 0, losing: 0, own_moves: 0, own_losing: 0 };
        let mut traps = vec![none; moves.len()];
        let mut answered = Vec::new();
        for (at, &mv) in moves.iter().enumerate() {
            let after = table.game().apply(position, mv);
            let replies = table.ranked_moves(after)?;
            let kept = keeping(&replies);
            traps[at].replies = replies.len() as u32;
            traps[at].losing = (replies.len() - kept) as u32;
            answered.extend(
                replies[..kept].iter().map(|reply| (table.game().apply(after, reply.mv), at)),
            );
        }
        // Positions with the same waiter are in the same row, which is decoded only once from a packed table.
        answered.sort_unstable_by_key(|(position, _)| position.waiter);
        for (position, at) in answered {
            let own = table.ranked_moves(position)?;
            traps[at].own_moves += own.len() as u32;
            traps[at].own_losing += (own.len() - keeping(&own)) as u32;
        }
        Ok(traps)
    }

    /// Orders moves by their difficulty, greatest for the move that is hardest to answer: by the share of replies that err, then
    /// by the share of own moves that do not err.
    pub fn hardness(&self) -> impl Ord + use<> {
        // Shares of at most 2^16 moves are equal exactly if their first 32 binary digits are equal.
        let share = |part: u32, all: u32| (u64::from(part) << 32) / u64::from(all.max(1));
        (share(self.losing, self.replies), Reverse(share(self.own_losing, self.own_moves)))
    }
}

/// A move in the order of [`ranking`].
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    /// The move.
    pub mv: Move,
    /// Score for the side that makes the move.
    pub score: Score,
    /// Difficulty of answering the move, if the move keeps a draw and traps are counted.
    pub trap: Option<Trap>,
}

/// All moves, the best first: by value, then the quickest wins and the longest losses. Reads a value for each move.
///
/// With `traps`, moves that keep a draw are ordered by how hard they are to answer. In a drawn position this reads a value for
/// each line of three plies, in the rows of [`Trap::of_moves`].
///
/// # Errors
/// If the table is damaged or contains no such position.
pub fn ranking(table: &Table, position: Position, traps: bool) -> Result<Vec<Ranked>, ProbeError> {
    let moves = table.ranked_moves(position)?;
    let ranked = |&RankedMove { mv, score }: &RankedMove| Ranked { mv, score, trap: None };
    let mut ranking: Vec<Ranked> = moves.iter().map(ranked).collect();
    let is_drawn = moves.first().is_some_and(|best| best.score.value() == Value::Draw);
    if !traps || !is_drawn {
        return Ok(ranking);
    }
    let drawing = &mut ranking[..keeping(&moves)];
    let names: Vec<Move> = drawing.iter().map(|ranked| ranked.mv).collect();
    for (ranked, trap) in drawing.iter_mut().zip(Trap::of_moves(table, position, &names)?) {
        ranked.trap = Some(trap);
    }
    drawing.sort_by_key(|ranked| Reverse(ranked.trap.as_ref().map(Trap::hardness)));
    Ok(ranking)
}

/// Every perfect move of a [`ranking`]: of the best value, then with the shortest win or the longest loss.
pub fn best(ranking: &[Ranked]) -> &[Ranked] {
    ranking.chunk_by(|a, b| a.score.preference() == b.score.preference()).next().unwrap_or_default()
}

/// Number of moves that keep the value of a position. These moves come first in `moves`.
fn keeping(moves: &[RankedMove]) -> usize {
    let value = |ranked: &RankedMove| ranked.score.value();
    moves.iter().take_while(|&ranked| value(ranked) == value(&moves[0])).count()
}

/// Groups the moves of a position into classes of moves that symmetries of the rules take to each other. Returns the first move
/// of each class with all moves of the class. Classes keep the order of their first moves.
///
/// # Errors
/// [`ProbeError::Position`] if the game does not have the position.
pub fn alike(
    table: &Table,
    position: Position,
    moves: Vec<Ranked>,
) -> Result<Vec<(Ranked, Vec<Move>)>, ProbeError> {
    let mut classes: Vec<(Option<Position>, Ranked, Vec<Move>)> = Vec::new();
    for ranked in moves {
        let least = table.orbit(table.game().apply(position, ranked.mv))?.first().copied();
        match classes.iter_mut().find(|(other, ..)| *other == least) {
            Some((.., class)) => class.push(ranked.mv),
            None => classes.push((least, ranked, vec![ranked.mv])),
        }
    }
    Ok(classes.into_iter().map(|(_, first, class)| (first, class)).collect())
}
