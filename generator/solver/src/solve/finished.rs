//! What is over in a movement layer before anything is solved: lines, and sides that cannot move.

use crate::solve::Shape;
use crate::solve::entry::Entry;
use crate::solve::frame::Frame;
use crate::solve::gather::{GATHERED_ROWS, Gather, GatherVisitor, Scratch, Source};
use crate::solve::transposition::Transposition;
use morpion_lookup::rank::cells;
use morpion_lookup::{Counts, DrawKind, Over, Score, Travel};
use morpion_machine::isa::{Isa, dispatch};
use morpion_machine::memory::filled;
use rayon::prelude::*;

/// The layer with only its finished positions and the arrangements that are none.
pub fn finished<E: Entry>(frame: &Frame, counts: Counts) -> Vec<E> {
    let shape = Shape::of(frame, counts);
    let game = frame.game();
    let code = |over| E::of(game.final_score(over)).unwrap_or_default();
    let (line, stuck) = (code(Over::Line), code(Over::Stuck));
    let transposition = Transposition::new(frame, counts);
    let waiter_has_line = frame.has_line(counts.waiter);
    let movement = game.rules().movement.as_ref();
    let free = movement.is_some_and(|movement| movement.to == Travel::Any);
    let never_stuck = movement.is_some_and(|movement| movement.stay)
        || free && game.cells() > counts.mover + counts.waiter;
    let mut codes = filled(shape.entries(), E::none());
    let movers = frame.orbits(counts.mover).representatives.par_chunks(GATHERED_ROWS);
    let tiles = codes.par_chunks_mut(shape.columns * GATHERED_ROWS).zip(movers);
    let tiles = tiles.zip(frame.has_line(counts.mover).par_chunks(GATHERED_ROWS));
    let isa = Isa::detect();
    tiles.enumerate().for_each_init(Scratch::default, |scratch, (tile, ((out, movers), none))| {
        let rows = tile * GATHERED_ROWS..tile * GATHERED_ROWS + movers.len();
        let lines = MarkLines {
            waiter_has_line,
            line,
            columns: shape.columns,
            out: &mut *out,
            filled: [0; GATHERED_ROWS],
        };
        let transposition = &transposition;
        dispatch(isa, Gather { transposition, rows, skip: none, scratch, visitor: lines });
        if never_stuck {
            return;
        }
        for (row, &mover) in out.chunks_exact_mut(shape.columns).zip(movers) {
            let reach = cells(mover).fold(0, |reach, cell| reach | game.neighbours(cell));
            for (waiter, entry) in shape.waiters(mover).zip(row) {
                if *entry == E::default() && reach & !(mover | waiter) == 0 {
                    *entry = stuck;
                }
            }
        }
    });
    debug_assert_eq!(E::of(Score::Draw { kind: DrawKind::Cycle }), Some(E::default()));
    codes
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
    fn visit(&mut self, row: usize, sources: &[Source]) {
        let start = row * self.columns + self.filled[row];
        let out = &mut self.out[start..start + sources.len()];
        for (source, entry) in sources.iter().zip(out) {
            *entry =
                if self.waiter_has_line[source.row as usize] { self.line } else { E::default() };
        }
        self.filled[row] += sources.len();
    }
}
