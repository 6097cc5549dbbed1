//! A placement layer with distances, from the layer after it.
//!
//! In: the codes of the child layer, in which every waiter's row is read once by the operator. Out: the codes of the layer,
//! gathered row by row from what the operator gave.

use crate::sets::FoldedSets;
use crate::solve::entry::Entry;
use crate::solve::gather::{GATHERED_ROWS, Gather, GatherVisitor, Scratch, WaiterKey};
use crate::solve::operator::supersets::Supersets;
use crate::solve::operator::{LayerRules, Operator, row, sliced};
use crate::solve::planes::Bits;
use crate::solve::transposition::Transposition;
use crate::solve::{Shape, SolveError, TooDeep};
use morpion_games::progress::Progress;
use morpion_games::symmetry::ranker::Ranker;
use morpion_machine::isa::{Isa, Kernel, dispatch};
use morpion_machine::memory::{filled, prefetch};

use morpion_lookup::{Counts, Over};
use rayon::prelude::*;

/// Rows that are worked on together.
const ROWS: usize = sliced::PLACED_ROWS;

/// The codes of the last layer of a game without movement: lines, or a full board.
pub fn last<E: Entry>(sets: &FoldedSets, counts: Counts) -> Vec<E> {
    let shape = Shape::of(sets, counts);
    let game = sets.game();
    let code = |over| E::of(game.final_score(over)).unwrap_or_default();
    let (line, full) = (code(Over::Line), code(Over::Full));
    let mut codes = vec![E::none(); shape.entries()];
    codes.par_chunks_mut(shape.columns).zip(&sets.orbits(counts.mover).representatives).for_each(
        |(row, &mover)| {
            if game.has_line(mover) {
                return;
            }
            for (waiter, entry) in shape.waiters(mover).zip(row) {
                *entry = if game.has_line(waiter) { line } else { full };
            }
        },
    );
    codes
}

/// Bytes of memory that solving a placement layer of this shape takes with so many threads: its children, then itself, and
/// the codes in the waiter's rows.
#[must_use]
pub fn memory<E: Entry>(shape: &Shape, threads: usize) -> u64 {
    let bytes = |entries: usize| (entries * E::BYTES) as u64;
    let operated = bytes(shape.source_rows * shape.source_columns);
    let children = bytes(shape.source_rows * shape.child_columns);
    let lanes = bytes(threads * shape.child_columns * ROWS);
    let supersets = Supersets::memory(shape.cells_left, u32::from(shape.counts.mover));
    let own = bytes(shape.entries());
    operated + supersets + Transposition::memory(shape.rows as u64) + own.max(children + lanes)
}

/// The codes of the layer `counts`, given those of the layer after it, which are freed as soon as they are read.
///
/// # Errors
/// Where a distance does not fit the entries, or the observer asks for a stop.
pub fn solve<E: Entry>(
    sets: &FoldedSets,
    counts: Counts,
    children: Vec<E>,
    operator: Operator,
    progress: &dyn Progress,
) -> Result<Vec<E>, SolveError> {
    let operated = operate(sets, counts, &children, operator)?;
    drop(children);
    progress.check()?;
    let transposition = Transposition::new(sets, counts);
    let shape = Shape::of(sets, counts);
    let mut codes = filled(shape.entries(), E::none());
    let isa = Isa::detect();
    let chunks = codes
        .par_chunks_mut(shape.columns * GATHERED_ROWS)
        .zip(sets.has_line(counts.mover).par_chunks(GATHERED_ROWS));
    chunks.enumerate().try_for_each_init(
        Scratch::default,
        |scratch, (chunk, (out, has_line))| {
            progress.check()?;
            let rows = chunk * GATHERED_ROWS..chunk * GATHERED_ROWS + has_line.len();
            let done = out.len() as u64;
            let operated = &operated;
            let visitor = CopyRows {
                operated,
                source_columns: shape.source_columns,
                columns: shape.columns,
                out,
                filled: [0; GATHERED_ROWS],
            };
            let transposition = &transposition;
            dispatch(isa, Gather { transposition, rows, skip: has_line, scratch, visitor });
            progress.advance(done);
            Ok::<(), SolveError>(())
        },
    )?;
    Ok(codes)
}

/// The codes in the waiter's rows.
fn operate<E: Entry>(
    sets: &FoldedSets,
    counts: Counts,
    children: &[E],
    operator: Operator,
) -> Result<Vec<E>, TooDeep> {
    let shape = Shape::of(sets, counts);
    let game = sets.game();
    let code = |over| E::of(game.final_score(over)).unwrap_or_default();
    let line = code(Over::Line);
    let no_move = code(if game.rules().movement.is_some() { Over::Stuck } else { Over::Full });
    let rules = LayerRules { game, counts };
    let child_columns = shape.child_columns;
    let waiters = &sets.orbits(counts.waiter).representatives;
    let has_line = sets.has_line(counts.waiter);
    let ranker = Ranker::new(rules.cells_left(), u32::from(counts.mover) + 1);
    let supersets = match operator {
        Operator::Row => None,
        Operator::Sliced => Some(Supersets::new(rules.cells_left(), u32::from(counts.mover))),
    };
    let isa = Isa::detect();
    let mut operated = filled(shape.source_rows * shape.source_columns, E::default());
    operated
        .par_chunks_mut(shape.source_columns * ROWS)
        .zip(children.par_chunks(child_columns * ROWS))
        .zip(waiters.par_chunks(ROWS).zip(has_line.par_chunks(ROWS)))
        .try_for_each_init(Vec::new, |lanes, ((out, children), (waiters, has_line))| {
            match &supersets {
                None => {
                    let rows =
                        out.chunks_mut(shape.source_columns).zip(children.chunks(child_columns));
                    rows.zip(waiters).for_each(|((out, children), &waiter)| {
                        row::place(&rules, &ranker, waiter, children, out);
                    });
                }
                Some(supersets) => {
                    let allowed =
                        rules.is_restricted().then(|| sliced::allowed_lanes(&rules, waiters));
                    let allowed = allowed.as_deref();
                    dispatch(
                        isa,
                        PlacePieces { supersets, allowed, children, child_columns, out, lanes },
                    );
                }
            }
            for (out, &has_line) in out.chunks_mut(shape.source_columns).zip(has_line) {
                if has_line {
                    out.fill(line);
                    continue;
                }
                for entry in out {
                    let code = entry.parent().ok_or(TooDeep)?;
                    *entry = if code == E::none() { no_move } else { code };
                }
            }
            Ok::<(), TooDeep>(())
        })?;
    Ok(operated)
}

/// Copies entries from the waiter's rows.
struct CopyRows<'a, E> {
    operated: &'a [E],
    source_columns: usize,
    columns: usize,
    out: &'a mut [E],
    filled: [usize; GATHERED_ROWS],
}

impl<E: Entry> GatherVisitor for CopyRows<'_, E> {
    #[inline(always)]
    fn visit(&mut self, row: usize, sources: &[WaiterKey]) {
        let start = row * self.columns + self.filled[row];
        let out = &mut self.out[start..start + sources.len()];
        for (source, entry) in sources.iter().zip(out) {
            *entry =
                self.operated[source.row as usize * self.source_columns + source.column as usize];
        }
        self.filled[row] += sources.len();
    }

    #[inline(always)]
    fn prefetch(&self, source: &WaiterKey) {
        prefetch(self.operated, source.row as usize * self.source_columns + source.column as usize);
    }
}

struct PlacePieces<'a, E> {
    supersets: &'a Supersets,
    allowed: Option<&'a [Bits]>,
    children: &'a [E],
    child_columns: usize,
    out: &'a mut [E],
    lanes: &'a mut Vec<[E; ROWS]>,
}

impl<E: Entry> Kernel for PlacePieces<'_, E> {
    type Output = ();

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        sliced::place(
            self.supersets,
            self.allowed,
            self.children,
            self.child_columns,
            self.out,
            self.lanes,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;
    use morpion_games::progress::Unobserved;
    use morpion_games::rules::parse;
    use morpion_lookup::{Game, Position, Score};
    use std::collections::HashMap;

    /// What a position is worth, by playing everything out.
    fn played_out(game: &Game, position: Position, known: &mut HashMap<Position, Score>) -> Score {
        if let Some(&score) = known.get(&position) {
            return score;
        }
        let score = match game.over(position) {
            Some(over) => game.final_score(over),
            None => {
                let moves = game.legal_moves(position);
                let scores = moves.map(|mv| played_out(game, position.after(mv), known).before());
                scores.max_by_key(|score| score.preference()).unwrap()
            }
        };
        known.insert(position, score);
        score
    }

    /// Holds every entry of every layer against playing out its position. Gives how many there were.
    fn compare<E: Entry>(game: &Game, operator: Operator) -> usize {
        let layout = Layout::new(game, Some(E::ENCODING), &Unobserved).unwrap();
        let sets = FoldedSets::fold(&layout, &Unobserved).unwrap();
        let (mut known, mut compared) = (HashMap::new(), 0);
        let mut children: Option<Vec<E>> = None;
        for counts in game.layers().into_iter().rev() {
            let codes = match children.take() {
                None => last(&sets, counts),
                Some(children) => solve(&sets, counts, children, operator, &Unobserved).unwrap(),
            };
            let shape = Shape::of(&sets, counts);
            let movers = &sets.orbits(counts.mover).representatives;
            for (row, &mover) in codes.chunks(shape.columns).zip(movers) {
                for (waiter, &code) in shape.waiters(mover).zip(row) {
                    let position = Position { mover, waiter };
                    let expected = if game.has_line(mover) {
                        E::none()
                    } else {
                        E::of(played_out(game, position, &mut known)).unwrap()
                    };
                    assert_eq!(code, expected, "{position:?} {:?}", game.rules());
                    compared += 1;
                }
            }
            children = Some(codes);
        }
        compared
    }

    #[test]
    fn every_entry_is_what_playing_its_position_out_gives() {
        let mut compared = 0;
        for body in [
            "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3",
            "[board]\nrows = 2\ncolumns = 4\n[lines]\nlength = 3\n[goal]\nmisere = true",
            "[board]\ncells = 7\n[lines]\nsets = [[0, 1, 2], [2, 3, 4], [4, 5, 6]]\n[pieces]\neach = 3",
            "[board]\nrows = 2\ncolumns = 3\n[lines]\nlength = 2\n[opening]\nforbidden = [0, 4]\nduring = \"placing\"",
            "[board]\nrows = 2\ncolumns = 3\n[lines]\nlength = 2\n[opening]\nforbidden = [1]\nduring = \"each-first\"",
        ] {
            let game = parse("t.toml", &format!("name = \"t\"\n{body}")).unwrap();
            for operator in [Operator::Row, Operator::Sliced] {
                compared += compare::<u8>(&game, operator) + compare::<u16>(&game, operator);
            }
        }
        assert!(compared > 5_000, "{compared}");
    }
}
