//! The first half of a step: which undecided positions now have a lost child, or no child that is not won.

use super::{Block, MovementLayer, tiles};
use crate::error::SolveError;
use crate::solve::entry::Entry;
use crate::solve::operator::LayerRules;
use crate::solve::operator::row::{self, Step};
use crate::solve::operator::sliced::{self, LOADED_TILE, Moves, Passes};
use crate::solve::planes::{BLOCK_ROWS, Bits};
use crate::solve::shared::Shared;
use morpion_games::progress::Progress;
use morpion_games::symmetry::ranker::Ranker;
use morpion_lookup::raw::rank::subsets;
use morpion_machine::isa::{Isa, Kernel, dispatch};
use rayon::prelude::*;
use std::sync::atomic::Ordering;

impl<E: Shared> MovementLayer<'_, E> {
    /// Finds the undecided positions that have a lost child, and those whose children are all won, and leaves them in the
    /// planes of wins and losses. Codes from 1 to below `won` count as won, codes above the draws that end as lost.
    pub(super) fn find(&mut self, won: E, progress: &dyn Progress) -> Result<(), SolveError> {
        let rules = LayerRules { game: self.sets.game(), counts: self.counts };
        let ranker = Ranker::new(rules.cells_left(), u32::from(self.counts.mover));
        let waiters = &self.sets.orbits(self.counts.waiter).representatives;
        let isa = Isa::detect();
        // The layer's rows are the waiter's too: mover and waiter have as many pieces, and the same orbits.
        let rows = self.codes.par_chunks(self.shape.source_columns * BLOCK_ROWS);
        let blocks = self.blocks.par_iter_mut().zip(waiters.par_chunks(BLOCK_ROWS)).zip(rows);
        blocks.try_for_each(|((block, waiters), children)| {
            progress.check()?;
            block.wins.fill(Bits::NONE);
            block.losses.fill(Bits::NONE);
            match &self.moves {
                None => find_by_rows(&rules, &ranker, waiters, children, won, block),
                Some(moves) => {
                    let links = match moves {
                        Moves::Free(_) => Vec::new(),
                        Moves::Linked(_) => sliced::link_lanes(&rules, waiters),
                    };
                    let (links, rules) = (&links, &rules);
                    dispatch(isa, Find { moves, links, rules, won, children, block });
                }
            }
            Ok(())
        })
    }
}

/// A step of one block, by the plain operator.
fn find_by_rows<E: Entry>(
    rules: &LayerRules,
    ranker: &Ranker,
    waiters: &[u64],
    children: &[E],
    won: E,
    block: &mut Block,
) {
    let columns = block.decided.len();
    for (lane, (&waiter, children)) in
        waiters.iter().zip(children.chunks_exact(columns)).enumerate()
    {
        let links = rules.links(waiter);
        let movers = subsets(rules.cells_left(), u32::from(rules.counts.mover));
        for (column, mover) in movers.enumerate() {
            if block.decided[column].get(lane) {
                continue;
            }
            let is_won = |code: E| code != E::default() && code < won;
            let is_lost = |code: E| code > E::draw_end();
            match row::step(rules, ranker, &links, mover, children, is_won, is_lost) {
                Step::Win => block.wins[column].set(lane),
                Step::Loss => block.losses[column].set(lane),
                Step::Undecided => continue,
            }
            block.decided[column].set(lane);
        }
    }
}

/// A step of one block, by the sliced operator.
struct Find<'a, E> {
    moves: &'a Moves,
    links: &'a [Bits],
    rules: &'a LayerRules<'a>,
    won: E,
    /// The block's rows of the table.
    children: &'a [E],
    block: &'a mut Block,
}

impl<E: Entry> Kernel for Find<'_, E> {
    type Output = ();

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let Find { moves, links, rules, won, children, block } = self;
        let Block { decided, lost_children, unwon_children, blocked, wins, losses, stale_tiles } =
            block;
        let columns = decided.len();
        let mut changed = false;
        for (word, rows) in children.chunks(columns * LOADED_TILE).enumerate() {
            let is_stale = |&tile: &usize| {
                stale_tiles[word * tiles(columns) + tile].swap(false, Ordering::Relaxed)
            };
            let planes = [&mut lost_children[..], &mut unwon_children[..]];
            changed |= sliced::load_stale(rows, columns, is_stale, won, word, planes);
        }
        if !changed {
            return;
        }
        // A position is won that has a lost child, and lost that has no child which is not won.
        let passes = Passes::of(rules, blocked);
        sliced::exists(moves, links, passes, lost_children, wins);
        sliced::exists(moves, links, passes, unwon_children, losses);
        for ((win, loss), decided) in wins.iter_mut().zip(losses).zip(decided) {
            *win = *win & !*decided;
            *loss = !*loss & !*decided;
            *decided = *decided | *win | *loss;
        }
    }
}
