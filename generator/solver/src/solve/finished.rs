//! Finds positions of the last layer that are over: lines, a full board, and sides that cannot move.
//!
//! Fills rows with the scores of finished positions. In a movement layer, all others are 0 (undecided).

use crate::sets::FoldedSets;
use crate::solve::entry::Entry;
use crate::solve::operator::layer_rules::LayerRules;
use crate::solve::planes::STRIP_ROWS;
use crate::solve::shape::Shape;
use morpion_games::symmetry::ranker::Ranker;
use morpion_lookup::raw::rank::{cells, subsets};
use morpion_lookup::raw::{Form, Position};
use morpion_lookup::{Counts, Over};
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
    /// The cells to which a piece on each cell may go, whatever else is on the board; `None` if it depends on the position.
    targets: Option<Vec<u64>>,
    never_stuck: bool,
}

impl<'f, E: Entry> Finished<'f, E> {
    pub fn new(sets: &'f FoldedSets, counts: Counts) -> Self {
        let game = sets.game();
        let code = |over| E::of(game.final_score(over)).unwrap_or_default();
        let rules = LayerRules::new(game, counts);
        let free = matches!(rules.form(), Form::Free);
        let never_stuck = !rules.is_cyclic()
            || rules.stay()
            || rules.blocked_pass()
            || free && game.cells() > counts.mover + counts.waiter;
        let blocked = code(game.graph().blocked_reason);
        Finished {
            sets,
            shape: Shape::of(sets, counts),
            waiter_columns: Ranker::new(
                u32::from(game.cells() - counts.mover),
                counts.waiter.into(),
            ),
            line: code(Over::Line),
            stuck: blocked,
            other: if rules.is_cyclic() { E::default() } else { blocked },
            targets: match rules.form() {
                Form::General => None,
                Form::Place(_) | Form::Free | Form::Linked(_) => Some(rules.links(0)),
            },
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
            let reach = self.targets.as_ref().map(|targets| {
                cells(mover).fold(0, |reach, cell| reach | targets[usize::from(cell)])
            });
            for (waiter, entry) in shape.waiters(mover).zip(row) {
                let is_stuck = || match reach {
                    Some(reach) => reach & !(mover | waiter) == 0,
                    None => game.legal_moves(Position { mover, waiter }).next().is_none(),
                };
                if *entry == E::default() && is_stuck() {
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
        let lines = rules.sets.game().lines_with_prolongations();
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
