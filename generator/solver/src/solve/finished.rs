//! Finds positions of the last layer that are over: lines, a full board, and sides that cannot move.
//!
//! Fills rows with the scores of finished positions. In a movement layer, all others are 0 (undecided).

use crate::sets::FoldedSets;
use crate::solve::entry::Entry;
use crate::solve::planes::STRIP_ROWS;
use crate::solve::shape::Shape;
use morpion_games::symmetry::ranker::Ranker;
use morpion_lookup::raw::rank::{cells, subsets};
use morpion_lookup::{Counts, Movement, Over, Stuck, Travel};
use morpion_machine::isa::{Kernel, compress, dispatch, expand};

/// The finished positions of a layer.
pub struct Finished<'f, E> {
    sets: &'f FoldedSets,
    shape: Shape,
    /// Ranks of the waiter's sets among the cells that the mover leaves.
    waiter_columns: Ranker,
    /// The codes of a position whose waiter has a line, of a position whose mover cannot move, and of all others.
    line: E,
    stuck: E,
    other: E,
    never_stuck: bool,
}

impl<'f, E: Entry> Finished<'f, E> {
    pub fn new(sets: &'f FoldedSets, counts: Counts) -> Self {
        let game = sets.game();
        let code = |over| E::of(game.final_score(over)).unwrap_or_default();
        let movement = game.rules().movement.as_ref();
        let free = movement.is_some_and(|movement| movement.to == Travel::Any);
        let passes = |movement: &Movement| movement.stay || movement.stuck == Stuck::Pass;
        let never_stuck =
            movement.is_none_or(passes) || free && game.cells() > counts.mover + counts.waiter;
        Finished {
            sets,
            shape: Shape::of(sets, counts),
            waiter_columns: Ranker::new(
                u32::from(game.cells() - counts.mover),
                counts.waiter.into(),
            ),
            line: code(Over::Line),
            stuck: code(Over::Stuck),
            // Without movement, the last layer is a full board.
            other: if movement.is_some() { E::default() } else { code(Over::Full) },
            never_stuck,
        }
    }

    /// Returns true if a side may be unable to move, and the game is then drawn.
    pub fn can_be_stuck_in_a_draw(&self) -> bool {
        !self.never_stuck && self.stuck == E::draw_end()
    }

    /// Fills the rows of one strip; rows of invalid arrangements stay unchanged.
    pub fn fill(&self, strip: usize, out: &mut [E]) {
        let Finished { sets, ref shape, .. } = *self;
        let (game, counts) = (sets.game(), shape.counts);
        let rows = strip * STRIP_ROWS..strip * STRIP_ROWS + out.len() / shape.columns;
        let movers = sets.orbits(counts.mover).representatives[rows.clone()].iter();
        let has_line = &sets.has_line(counts.mover)[rows];
        for ((row, &mover), _) in out
            .chunks_exact_mut(shape.columns)
            .zip(movers)
            .zip(has_line)
            .filter(|(_, line)| !**line)
        {
            row.fill(self.other);
            dispatch(MarkLines { rules: self, mover, row });
            if self.never_stuck {
                continue;
            }
            let reach = cells(mover).fold(0, |reach, cell| reach | game.neighbours(cell));
            for (waiter, entry) in shape.waiters(mover).zip(row) {
                if *entry == E::default() && reach & !(mover | waiter) == 0 {
                    *entry = self.stuck;
                }
            }
        }
    }
}

/// Marks the entries of a row whose waiter has a line. For each line without a cell of the mover, these are the sets
/// that contain the line, but no cell that prolongs it.
struct MarkLines<'a, 'f, E> {
    rules: &'a Finished<'f, E>,
    mover: u64,
    row: &'a mut [E],
}

impl<E: Entry> Kernel for MarkLines<'_, '_, E> {
    type Output = ();
    const WIDE: bool = false;

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let MarkLines { rules, mover, row } = self;
        let left = rules.sets.game().board() & !mover;
        let size = u32::from(rules.shape.counts.waiter);
        let lines = rules.sets.game().rules().lines_with_prolongations();
        for (line, prolongation) in lines.filter(|(line, _)| line & mover == 0) {
            let Some(others) = size.checked_sub(line.count_ones()) else { continue };
            let rest = left & !line & !prolongation;
            for bits in subsets(rest.count_ones(), others) {
                let waiter = compress::<BITS>(line | expand::<BITS>(bits, rest), left);
                row[rules.waiter_columns.rank(waiter) as usize] = rules.line;
            }
        }
    }
}
