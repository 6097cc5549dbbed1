//! Begins a layer group: positions that are over, and the best children outside.

use crate::error::SolveError;
use crate::solve::code::Code;
use crate::solve::keeper::Keeper;
use crate::solve::operator::lines::{each_with_line, lines_within};
use crate::solve::pushes::links::Links;
use crate::solve::pushes::{Pushes, load};
use crate::solve::shape::Shape;
use morpion_core::{Counts, Over, rank::subsets};
use morpion_games::symmetry::ranker::Ranker;
use morpion_machine::isa::{Kernel, compress, dispatch, expand};
use morpion_machine::memory::prefetch;
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use std::sync::atomic::Ordering::Relaxed;

/// The children outside by moves of one kind.
struct Outside<E> {
    /// Their preferences.
    preferences: Vec<E>,
    columns: usize,
    ranker: Ranker,
    /// True if the mover pushes a piece of its own, and false if it pushes a blank one.
    is_own: bool,
    /// The sets of its other pieces, among all cells that the waiter leaves but the one with the piece.
    others: Vec<u64>,
}

impl<E: Code> Pushes<'_, E> {
    /// Finds the positions that are over, and the best children outside.
    pub fn begin(
        &mut self,
        keeper: &mut dyn Keeper,
        progress: &dyn Progress,
    ) -> Result<(), SolveError> {
        for number in 0..self.layers.len() {
            let outside = self.outside(number, keeper)?;
            let this = &*self;
            threads::each(this.layers[number].shape.source_rows, &|row| {
                if !progress.stop() {
                    dispatch(Begin { group: this, number, row, outside: &outside });
                }
            });
            self.checked(progress)?;
        }
        Ok(())
    }

    /// Loads the children outside of a layer.
    fn outside(
        &self,
        number: usize,
        keeper: &mut dyn Keeper,
    ) -> Result<Vec<Outside<E>>, SolveError> {
        let game = self.sets.game();
        let Counts { mover, waiter } = self.layers[number].shape.counts;
        let mut all = Vec::new();
        for is_own in [false, true] {
            let after = Counts { mover: waiter, waiter: mover + u8::from(!is_own) };
            let layers = &game.graph().layers;
            let layer = layers.iter().position(|layer| layer.counts == after);
            let Some(layer) = layer.filter(|_| !is_own || mover > 0 && !self.is_cyclic) else {
                continue;
            };
            let mut preferences: Vec<E> = load(self.sets, layer, keeper)?;
            preferences.iter_mut().for_each(|code| *code = code.preference());
            let left = u32::from(game.cells() - waiter);
            all.push(Outside {
                preferences,
                columns: Shape::of(self.sets, layer).columns,
                ranker: Ranker::new(left, after.waiter.into()),
                is_own,
                others: subsets(left.saturating_sub(1), u32::from(mover) - u32::from(is_own))
                    .collect(),
            });
        }
        Ok(all)
    }
}

/// Begins the positions of one set of the waiter.
struct Begin<'b, 'a, E: Code> {
    group: &'b Pushes<'a, E>,
    number: usize,
    row: usize,
    outside: &'b [Outside<E>],
}

impl<E: Code> Kernel for Begin<'_, '_, E> {
    type Output = ();
    const WIDE: bool = false;

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let Begin { group, number, row, outside } = self;
        let layer = &group.layers[number];
        let waiter = layer.transposition.waiters.representatives[row];
        let mut codes = vec![E::default(); layer.columns.words.len()];
        let has_line = group.sets.has_line(layer.shape.counts.waiter)[row];
        if !has_line {
            let mut links = Links::new(group.sets, layer.transposition.waiters, row, true);
            let mut children = Vec::new();
            let pushes = group.pushes.iter().filter(|push| waiter >> push.from & 1 == 0);
            links.fold(pushes.clone());
            for (index, push) in pushes.enumerate() {
                links.clear();
                links.add(index, push);
                for outside in outside {
                    self.raise::<BITS>(outside, &links, &mut children, &mut codes);
                }
            }
        }
        let left = group.board & !waiter;
        let sources = group.pushes.iter().fold(0, |all, push| all | 1 << push.from);
        self.finish::<BITS>(has_line, compress::<BITS>(sources & left, left), &mut codes);
        self.write::<BITS>(&codes);
    }
}

impl<E: Code> Begin<'_, '_, E> {
    /// Raises the preference of each position to the preference of its child by one push, if that is greater. `row` is a buffer.
    #[inline(always)]
    fn raise<const BITS: bool>(
        &self,
        outside: &Outside<E>,
        links: &Links,
        row: &mut Vec<E>,
        best: &mut [E],
    ) {
        let (link, ranker) = (&links.all()[0], &outside.ranker);
        // Reads in order are faster than random ones.
        row.clear();
        row.extend_from_slice(
            &outside.preferences[link.row * outside.columns..][..outside.columns],
        );
        let columns = &self.group.layers[self.number].columns;
        let (cell, pushed) = (1 << link.number, 1 << link.image(link.number));
        let [lower, upper] = links.tables(0);
        let split = lower.len().trailing_zeros();
        let own = if outside.is_own { cell } else { 0 };
        for &others in &outside.others {
            let others = expand::<BITS>(others, !cell);
            let [low, high] = [others as usize, (others >> split) as usize];
            let image = lower[low & (lower.len() - 1)] | upper[high & (upper.len() - 1)] | pushed;
            let best = &mut best[columns.ranker.rank(others | own) as usize];
            *best = (*best).max(row[ranker.rank(image.into()) as usize]);
        }
    }

    /// Converts the preferences of the best children to codes, and marks positions that may still be better.
    #[inline(always)]
    fn finish<const BITS: bool>(&self, has_line: bool, sources: u64, codes: &mut [E]) {
        let Begin { group, number, row, .. } = *self;
        let layer = &group.layers[number];
        let game = group.sets.game();
        let [own_line, line] = [Over::OwnLine, Over::Line].map(|reason| E::over(game, reason));
        let blocked = E::over(game, game.graph().blocked_reason);
        let waiter = layer.transposition.waiters.representatives[row];
        let left = group.board & !waiter;
        let size = layer.shape.counts.mover.into();
        let mut with_line = vec![false; codes.len()];
        each_with_line(&lines_within(game, left), left.count_ones(), size, |set| {
            with_line[layer.columns.of(set) as usize] = true;
        });
        let (mut open, mut losable) = (0, 0);
        let (mut deepest, mut has_ends) = (0, false);
        for (column, (&set, entry)) in layer.columns.words.iter().zip(codes).enumerate() {
            let is_inside = group.is_cyclic && set & sources != 0;
            let code = if with_line[column] {
                own_line
            } else if has_line {
                line
            } else if *entry == E::default() && !is_inside {
                has_ends |= blocked == E::draw_end();
                blocked
            } else {
                let code = group.fitting(entry.parent());
                has_ends |= code == E::draw_end();
                deepest = deepest.max(code.plies().unwrap_or(0));
                if is_inside {
                    // No child can be better than a lost one.
                    let is_open = !code.is_win() || code.plies() != Some(1);
                    open |= u64::from(is_open) << (column % 64);
                    losable |= u64::from(!code.is_win() && code > E::draw_end()) << (column % 64);
                }
                if is_inside && code == E::draw_end() { E::none() } else { code }
            };
            *entry = code;
            if group.is_cyclic && (column % 64 == 63 || column + 1 == layer.columns.words.len()) {
                layer.open.row(row)[column / 64].store(open, Relaxed);
                layer.losable.row(row)[column / 64].store(losable, Relaxed);
                (open, losable) = (0, 0);
            }
        }
        group.deepest.fetch_max(deepest, Relaxed);
        if has_ends {
            group.has_ends.store(true, Relaxed);
        }
    }

    /// Writes the codes to all entries.
    #[inline(always)]
    fn write<const BITS: bool>(&self, codes: &[E]) {
        let Begin { group, number, row, .. } = *self;
        let layer = &group.layers[number];
        let positions = layer.columns.words.iter().zip(codes);
        let positions = positions.filter(|(_, code)| **code != E::none());
        let positions: Vec<(u32, E)> = positions.map(|(&set, &code)| (set as u32, code)).collect();
        let codes = &group.codes[number];
        layer.each_place::<BITS, E>(
            row,
            &positions,
            |place| prefetch(codes, layer.transposition.entry(place)),
            |place, code| layer.write::<BITS, E>(codes, place, code),
        );
    }
}
