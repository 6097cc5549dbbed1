//! The draws of a layer group: those that end, and those by cycle.

use crate::error::SolveError;
use crate::solve::entry::{AtomicEntry, Entry};
use crate::solve::pushes::marks::is_set;
use crate::solve::pushes::{Keys, Pushes};
use morpion_machine::isa::{Kernel, dispatch};
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

impl<E: Entry> Pushes<'_, E> {
    /// Finds the draws that end: all children are won, or are draws that end. The other unknown positions are draws by cycle.
    pub fn ends(&mut self, progress: &dyn Progress) -> Result<(), SolveError> {
        while self.has_ends.swap(false, Relaxed) {
            let is_any = AtomicBool::new(false);
            for number in 0..self.layers.len() {
                let this = &*self;
                threads::each(this.layers[number].waiters.rows(), &|row| {
                    if !progress.stop() && dispatch(End { of: this, number, row }) {
                        is_any.store(true, Relaxed);
                    }
                });
            }
            progress.check()?;
            self.has_ends = is_any;
        }
        for (layer, codes) in self.layers.iter().zip(&mut self.codes) {
            let columns = layer.row_length;
            threads::each_chunk(codes, columns, &|_, codes| {
                for code in codes.iter_mut() {
                    if code.read() == E::none() {
                        code.set(E::default());
                    }
                }
            });
        }
        Ok(progress.check()?)
    }
}

/// Finds the draws of a row that end. Returns true if there are new ones.
struct End<'e, 'a, E: Entry> {
    of: &'e Pushes<'a, E>,
    number: usize,
    row: usize,
}

impl<E: Entry> Kernel for End<'_, '_, E> {
    type Output = bool;
    const WIDE: bool = false;

    #[inline(always)]
    fn run<const BITS: bool>(self) -> bool {
        let End { of, number, row } = self;
        let (layer, codes) = (&of.layers[number], &of.codes[number]);
        let waiter = layer.waiters.representatives[row];
        let (mut links, mut images, mut keys) = (None, Vec::new(), Keys::default());
        let mut is_any = false;
        let open = layer.open.row(row);
        for column in (0..layer.columns.words.len()).filter(|&column| is_set(open, column)) {
            let links = links.get_or_insert_with(|| {
                images = of.images(waiter);
                of.children(layer, row, true)
            });
            let set = layer.columns.words[column] as u32;
            let mover = of.expand::<BITS>(set, waiter);
            of.find::<BITS>((layer, codes), std::iter::once(mover), &images, &mut keys);
            let key = keys.keys[0];
            let ends = |code: E| code.is_win() || code == E::draw_end();
            if codes[key[0]].get() == E::none() && of.all_children(layer, links, set, ends) {
                of.each_key::<BITS>(layer, key, &images, |key| codes[key].set(E::draw_end()));
                is_any = true;
            }
        }
        is_any
    }
}
