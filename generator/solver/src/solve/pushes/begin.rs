//! Begins a layer group: finds the positions that are over, and the best children outside.

use crate::error::SolveError;
use crate::solve::code::Code;
use crate::solve::keeper::Keeper;
use crate::solve::operator::layer_rules::{Change, LayerRules};
use crate::solve::operator::lines::{each_with_line, lines_within};
use crate::solve::pushes::links::Links;
use crate::solve::pushes::{Pushes, load};
use crate::solve::shape::Shape;
use morpion_core::Over;
use morpion_games::symmetry::ranker::Ranker;
use morpion_machine::isa::{Kernel, compress, dispatch};
use morpion_machine::memory::prefetch;
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use std::sync::atomic::Ordering::Relaxed;

/// The children outside by moves of one kind.
struct Outside<E> {
    /// The preferences of the children.
    preferences: Vec<E>,
    columns: usize,
    ranker: Ranker,
}

/// The children outside after pushes of a blank piece, and after pushes of a piece of the mover.
type BothKinds<E> = [Option<Outside<E>>; 2];

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
    fn outside(&self, number: usize, keeper: &mut dyn Keeper) -> Result<BothKinds<E>, SolveError> {
        let rules = LayerRules::new(&self.sets.layout.game, self.layers[number].shape.layer);
        let mut children = |new: u8| {
            let is_outside = new == 1 || rules.counts.mover > 0 && !self.is_cyclic;
            let layer = rules.after(Change { new, taken: 0 }).filter(|_| is_outside);
            let Some(layer) = layer else { return Ok(None) };
            let mut preferences: Vec<E> = load(self.sets, layer, keeper)?;
            preferences.iter_mut().for_each(|code| *code = code.preference());
            let columns = Shape::of(&self.sets.layout, layer).columns;
            let size = rules.counts.mover + new;
            let ranker = Ranker::new(rules.cells_left(), size.into());
            Ok::<_, SolveError>(Some(Outside { preferences, columns, ranker }))
        };
        Ok([children(1)?, children(0)?])
    }
}

/// Gives the positions of one set of the waiter their first codes.
struct Begin<'b, 'a, E: Code> {
    group: &'b Pushes<'a, E>,
    number: usize,
    row: usize,
    outside: &'b BothKinds<E>,
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
            let (waiters, pushes) = (layer.transposition.waiters, &group.pushes);
            let links = Links::new(group.sets, waiters, row, pushes, u32::MAX, true);
            for outside in outside.iter().flatten() {
                links.prefetch(&outside.preferences, outside.columns);
            }
            for (number, link) in links.all().iter().enumerate() {
                let rows = outside.each_ref().map(|outside| {
                    let Outside { preferences, columns, ranker } = outside.as_ref()?;
                    Some((&preferences[link.row * columns..][..*columns], ranker))
                });
                for (&set, best) in layer.columns.words.iter().zip(&mut codes) {
                    let after = set | 1 << link.number;
                    if let Some((row, ranker)) = rows[usize::from(after == set)] {
                        let column = ranker.rank(links.image(number, after as u32).into());
                        *best = (*best).max(row[column as usize]);
                    }
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
    /// Converts the preferences of the best children to codes, and marks positions that another child may improve.
    #[inline(always)]
    fn finish<const BITS: bool>(&self, has_line: bool, sources: u64, codes: &mut [E]) {
        let Begin { group, number, row, .. } = *self;
        let layer = &group.layers[number];
        let game = &group.sets.layout.game;
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
                    // No child is better than a child in which the game is already lost.
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
