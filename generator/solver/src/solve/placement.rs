//! A placement layer with distances, from the layer after it.
//!
//! In: the codes of the child layer, in which every waiter's row is read once by the operator. Out: the codes of the layer,
//! gathered row by row from what the operator gave.

use crate::error::{SolveError, TooDeep};
use crate::sets::FoldedSets;
use crate::solve::Shape;
use crate::solve::entry::Entry;
use crate::solve::gather::{GATHERED_ROWS, Gather, GatherVisitor, Scratch, WaiterKey};
use crate::solve::operator::supersets::Supersets;
use crate::solve::operator::{LayerRules, Operator, row, sliced};
use crate::solve::planes::Bits;
use crate::solve::transposition::Transposition;
use morpion_games::progress::Progress;
use morpion_games::symmetry::ranker::Ranker;
use morpion_machine::isa::{Isa, Kernel, dispatch};
use morpion_machine::memory::{filled, prefetch};

use morpion_lookup::{Counts, Over};
use rayon::prelude::*;

/// Rows that are worked on together.
const ROWS: usize = sliced::PLACED_ROWS;

/// The codes of the last layer of a game without movement: lines, or a full board.
pub(crate) fn last<E: Entry>(sets: &FoldedSets, counts: Counts) -> Vec<E> {
    let shape = Shape::of(sets, counts);
    let mut codes = vec![E::none(); shape.entries()];
    let strips = codes.par_chunks_mut(shape.columns * ROWS).enumerate();
    strips.for_each(|(strip, out)| fill_last(sets, counts, strip, out));
    codes
}

/// Fills the rows of one strip of such a layer; those that are no positions are left as they are.
pub(in crate::solve) fn fill_last<E: Entry>(
    sets: &FoldedSets,
    counts: Counts,
    strip: usize,
    out: &mut [E],
) {
    let (shape, game) = (Shape::of(sets, counts), sets.game());
    let code = |over| E::of(game.final_score(over)).unwrap_or_default();
    let (line, full) = (code(Over::Line), code(Over::Full));
    let movers = &sets.orbits(counts.mover).representatives[strip * ROWS..];
    for (row, &mover) in out.chunks_mut(shape.columns).zip(movers) {
        if game.has_line(mover) {
            continue;
        }
        for (waiter, entry) in shape.waiters(mover).zip(row) {
            *entry = if game.has_line(waiter) { line } else { full };
        }
    }
}

/// Bytes of memory that solving a placement layer of this shape takes with `threads` threads: its children, then itself, and
/// the codes in the waiter's rows.
pub(crate) fn memory<E: Entry>(shape: &Shape, threads: usize) -> u64 {
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
    let operation = Operation::new(sets, counts, operator);
    let mut operated = filled(shape.source_rows * shape.source_columns, E::default());
    operated
        .par_chunks_mut(shape.source_columns * ROWS)
        .zip(children.par_chunks(shape.child_columns * ROWS))
        .enumerate()
        .try_for_each_init(Vec::new, |lanes, (strip, (out, children))| {
            operation.strip(strip, children, out, lanes)
        })?;
    Ok(operated)
}

/// The operator of a placement layer with what it has to know.
pub(in crate::solve) struct Operation<'f, E> {
    sets: &'f FoldedSets,
    rules: LayerRules<'f>,
    shape: Shape,
    /// Ranks of the children's sets of the mover.
    ranker: Ranker,
    /// Nothing for the plain operator.
    supersets: Option<Supersets>,
    /// The codes of a position whose waiter has a line, and of one in which nothing can be placed.
    line: E,
    no_move: E,
    isa: Isa,
}

impl<'f, E: Entry> Operation<'f, E> {
    /// The operator of the layer `counts`.
    pub fn new(sets: &'f FoldedSets, counts: Counts, operator: Operator) -> Self {
        let game = sets.game();
        let code = |over| E::of(game.final_score(over)).unwrap_or_default();
        let no_move = if game.rules().movement.is_some() { Over::Stuck } else { Over::Full };
        let rules = LayerRules { game, counts };
        Operation {
            sets,
            rules,
            shape: Shape::of(sets, counts),
            ranker: Ranker::new(rules.cells_left(), u32::from(counts.mover) + 1),
            supersets: match operator {
                Operator::Row => None,
                Operator::Sliced => {
                    Some(Supersets::new(rules.cells_left(), u32::from(counts.mover)))
                }
            },
            line: code(Over::Line),
            no_move: code(no_move),
            isa: Isa::detect(),
        }
    }

    /// The codes in the waiter's rows of one strip, from the same rows of the children.
    ///
    /// # Errors
    /// Where a distance does not fit.
    pub fn strip(
        &self,
        strip: usize,
        children: &[E],
        out: &mut [E],
        lanes: &mut Vec<[E; ROWS]>,
    ) -> Result<(), TooDeep> {
        let Operation { sets, ref rules, ref shape, ref ranker, .. } = *self;
        let rows = strip * ROWS..strip * ROWS + out.len() / shape.source_columns;
        let waiters = &sets.orbits(rules.counts.waiter).representatives[rows.clone()];
        let child_columns = shape.child_columns;
        match &self.supersets {
            None => {
                let rows = out.chunks_mut(shape.source_columns).zip(children.chunks(child_columns));
                rows.zip(waiters).for_each(|((out, children), &waiter)| {
                    row::place(rules, ranker, waiter, children, out);
                });
            }
            Some(supersets) => {
                let allowed = rules.is_restricted().then(|| sliced::allowed_lanes(rules, waiters));
                let allowed = allowed.as_deref();
                let place = PlacePieces { supersets, allowed, children, child_columns, out, lanes };
                dispatch(self.isa, place);
            }
        }
        let has_line = &sets.has_line(rules.counts.waiter)[rows];
        for (out, &has_line) in out.chunks_mut(shape.source_columns).zip(has_line) {
            if has_line {
                out.fill(self.line);
                continue;
            }
            for entry in out {
                let code = entry.parent().ok_or(TooDeep)?;
                *entry = if code == E::none() { self.no_move } else { code };
            }
        }
        Ok(())
    }
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

    /// Compares every entry of every layer with playing out its position. Returns how many there were.
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
