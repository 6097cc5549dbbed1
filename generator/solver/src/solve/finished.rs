//! What is over in a movement layer before anything is solved: lines, and sides that cannot move.
//!
//! In: the folded sets and the piece counts. Out: the layer's codes, finished positions scored, the others 0, undecided.

use crate::sets::FoldedSets;
use crate::solve::Shape;
use crate::solve::entry::Entry;
use crate::solve::gather::{GATHERED_ROWS, Gather, GatherVisitor, Scratch, WaiterKey};
use crate::solve::transposition::Transposition;
use morpion_lookup::raw::rank::cells;
use morpion_lookup::{Counts, DrawKind, Over, Score, Travel};
use morpion_machine::isa::{Isa, dispatch};
use morpion_machine::memory::filled;
use rayon::prelude::*;

/// The layer with only its finished positions and the arrangements that are none.
pub fn finished<E: Entry>(sets: &FoldedSets, counts: Counts) -> Vec<E> {
    let rules = Finished::<E>::new(sets, counts);
    let mut codes = filled(rules.shape.entries(), E::none());
    let tiles = codes.par_chunks_mut(rules.shape.columns * GATHERED_ROWS).enumerate();
    tiles.for_each_init(Scratch::default, |scratch, (tile, out)| rules.fill(tile, scratch, out));
    debug_assert_eq!(E::of(Score::Draw { kind: DrawKind::Cycle }), Some(E::default()));
    codes
}

/// Whether a layer that is solved up to some distance has the codes of [`finished`] where these are not 0, and only there
/// wins and losses in 0 and arrangements that are no positions. Costs as much as [`finished`].
pub fn agrees<E: Entry>(sets: &FoldedSets, counts: Counts, codes: &[E]) -> bool {
    let rules = Finished::<E>::new(sets, counts);
    let in_0 = [Score::Win { plies: Some(0) }, Score::Loss { plies: Some(0) }].map(E::of);
    let is_open = |code: E| code != E::none() && !in_0.contains(&Some(code));
    let tiles = codes.par_chunks(rules.shape.columns * GATHERED_ROWS).enumerate();
    tiles
        .map_init(
            || (Scratch::default(), Vec::new()),
            |(scratch, expected), (tile, codes)| {
                expected.clear();
                expected.resize(codes.len(), E::none());
                rules.fill(tile, scratch, expected);
                codes.iter().zip(expected).all(|(&code, &mut expected)| {
                    code == expected || expected == E::default() && is_open(code)
                })
            },
        )
        .all(|agrees| agrees)
}

/// How it is told what is over in a layer.
struct Finished<'f, E> {
    sets: &'f FoldedSets,
    counts: Counts,
    shape: Shape,
    transposition: Transposition<'f>,
    /// The codes of a position whose waiter has a line, and of one whose mover cannot move.
    line: E,
    stuck: E,
    never_stuck: bool,
    isa: Isa,
}

impl<'f, E: Entry> Finished<'f, E> {
    fn new(sets: &'f FoldedSets, counts: Counts) -> Self {
        let game = sets.game();
        let code = |over| E::of(game.final_score(over)).unwrap_or_default();
        let movement = game.rules().movement.as_ref();
        let free = movement.is_some_and(|movement| movement.to == Travel::Any);
        let never_stuck = movement.is_some_and(|movement| movement.stay)
            || free && game.cells() > counts.mover + counts.waiter;
        Finished {
            sets,
            counts,
            shape: Shape::of(sets, counts),
            transposition: Transposition::new(sets, counts),
            line: code(Over::Line),
            stuck: code(Over::Stuck),
            never_stuck,
            isa: Isa::detect(),
        }
    }

    /// Fills the rows of one tile; those that are no positions are left as they are.
    fn fill(&self, tile: usize, scratch: &mut Scratch, out: &mut [E]) {
        let Finished { sets, counts, ref shape, ref transposition, .. } = *self;
        let game = sets.game();
        let rows = tile * GATHERED_ROWS..tile * GATHERED_ROWS + out.len() / shape.columns;
        let skip = &sets.has_line(counts.mover)[rows.clone()];
        let lines = MarkLines {
            waiter_has_line: sets.has_line(counts.waiter),
            line: self.line,
            columns: shape.columns,
            out: &mut *out,
            filled: [0; GATHERED_ROWS],
        };
        let rows_of_tile = rows.clone();
        dispatch(
            self.isa,
            Gather { transposition, rows: rows_of_tile, skip, scratch, visitor: lines },
        );
        if self.never_stuck {
            return;
        }
        let movers = &sets.orbits(counts.mover).representatives[rows];
        for (row, &mover) in out.chunks_exact_mut(shape.columns).zip(movers) {
            let reach = cells(mover).fold(0, |reach, cell| reach | game.neighbours(cell));
            for (waiter, entry) in shape.waiters(mover).zip(row) {
                if *entry == E::default() && reach & !(mover | waiter) == 0 {
                    *entry = self.stuck;
                }
            }
        }
    }
}

/// Marks the entries whose waiter has a line, and leaves the others undecided.
struct MarkLines<'a, E> {
    waiter_has_line: &'a [bool],
    line: E,
    columns: usize,
    out: &'a mut [E],
    filled: [usize; GATHERED_ROWS],
}

impl<E: Entry> GatherVisitor for MarkLines<'_, E> {
    #[inline(always)]
    fn visit(&mut self, row: usize, sources: &[WaiterKey]) {
        let start = row * self.columns + self.filled[row];
        let out = &mut self.out[start..start + sources.len()];
        for (source, entry) in sources.iter().zip(out) {
            *entry =
                if self.waiter_has_line[source.row as usize] { self.line } else { E::default() };
        }
        self.filled[row] += sources.len();
    }
}
