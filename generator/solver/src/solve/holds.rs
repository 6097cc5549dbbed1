//! The best children outside, kept while the rest of the layer group is solved.
//!
//! The best child outside gives its position a code. A win decides the position, in the distance of the win at the latest. A loss *holds*
//! the position, which is not lost in a shorter distance, and a draw holds it until only draws are left. These codes are in the waiter's
//! rows, by the mover's columns. Passes load them as two planes: positions that are won by a child outside, and positions that are held.

use crate::error::SolveError;
use crate::solve::code::Code;
use crate::solve::operator::sliced::{LOADED_TILE, Load};
use crate::solve::planes::{Bits, STRIPS};
use crate::solve::rows::Rows;
use crate::solve::shape::Shape;
use crate::solve::store::{Contents, Storage};
use morpion_core::Score;
use morpion_machine::isa::dispatch;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering::Relaxed};

/// The codes that the best children outside give to positions; [`Code::none`] for positions without a child outside.
pub struct Holds<E> {
    pub rows: Rows<E>,
    /// For each tile of 64 columns of a strip: the distances of its wins, and of its losses, as a bit for each distance modulo 64.
    tiles: Vec<[AtomicU64; 2]>,
    /// The greatest distance.
    pub deepest: AtomicU16,
    /// True if a child outside is a draw that ends.
    pub has_ends: AtomicBool,
}

/// The codes of children outside that are known in a pass.
#[derive(Clone, Copy, Debug)]
pub struct Until<E> {
    /// The greatest code of a known win, and of a known loss. If no loss is known, `loss` is the code before all losses, which is a draw.
    win: E,
    loss: E,
    /// True if draws that end count as known.
    ends: bool,
    plies: u16,
}

impl<E: Code> Until<E> {
    /// The codes of wins and losses in at most `plies`.
    pub fn new(plies: u16) -> Until<E> {
        let loss = |plies| E::of(Score::Loss { plies: Some(plies) });
        Until {
            win: E::last_win(plies),
            loss: (0..=plies).rev().find_map(loss).unwrap_or(E::draw_end()),
            ends: false,
            plies,
        }
    }

    /// All wins, losses and draws that end.
    pub fn all() -> Until<E> {
        Until { ends: true, ..Until::new(u16::MAX) }
    }

    #[inline(always)]
    fn wins(self, code: E) -> bool {
        code.is_win() & (code <= self.win)
    }

    #[inline(always)]
    pub fn holds(self, code: E) -> bool {
        let is_lost = (code > E::draw_end()) & ((code <= self.loss) | (code == E::none()));
        !(is_lost | (self.ends & (code == E::draw_end())))
    }
}

impl<E: Code> Holds<E> {
    /// Room for the codes of positions whose children have this shape.
    pub fn new(storage: &Storage, children: Shape) -> Holds<E> {
        let tiles = children.strips() * children.columns.div_ceil(LOADED_TILE);
        Holds {
            rows: Rows::new(storage, children, Contents::Holds, 0),
            tiles: std::iter::repeat_with(Default::default).take(tiles).collect(),
            deepest: AtomicU16::new(0),
            has_ends: AtomicBool::new(false),
        }
    }

    /// Fills a strip with codes, given the preferences of the best children.
    ///
    /// # Errors
    /// If a distance does not fit.
    pub fn fill(&self, strip: usize, best: &[E], codes: &mut [E]) -> Result<(), SolveError> {
        let columns = self.rows.shape().columns;
        let tiles = columns.div_ceil(LOADED_TILE);
        let mut deepest = 0;
        for (best, codes) in best.chunks_exact(columns).zip(codes.chunks_exact_mut(columns)) {
            let tiles = &self.tiles[strip * tiles..][..tiles];
            let best = best.chunks(LOADED_TILE).zip(codes.chunks_mut(LOADED_TILE));
            for (tile, (best, codes)) in tiles.iter().zip(best) {
                let mut of_tile = [0; 2];
                for (code, &best) in codes.iter_mut().zip(best) {
                    let found = best.parent().ok_or(SolveError::TooDeep)?;
                    *code = found;
                    if let Some(plies) = found.plies() {
                        of_tile[usize::from(!found.is_win())] |= 1 << (plies % 64);
                        deepest = deepest.max(plies);
                    } else if found == E::draw_end() {
                        self.has_ends.store(true, Relaxed);
                    }
                }
                for (tile, bits) in tile.iter().zip(of_tile) {
                    tile.fetch_or(bits, Relaxed);
                }
            }
        }
        self.deepest.fetch_max(deepest, Relaxed);
        Ok(())
    }

    /// Returns two flags, for wins and for losses: true if a position of a block may have such a code in this distance.
    pub fn are_due(&self, block: usize, plies: u16) -> [bool; 2] {
        let tiles = self.rows.shape().columns.div_ceil(LOADED_TILE) * STRIPS;
        let of_block = self.tiles.chunks(tiles).nth(block).unwrap_or_default().iter();
        of_block.fold([false; 2], |due, tile| [0, 1].map(|of| due[of] | is_due(&tile[of], plies)))
    }

    /// Loads the planes of a block: positions that are won, and positions that are held. If `planes` are `recalled` from the previous
    /// distance, only the tiles that may have changed since are loaded.
    ///
    /// # Errors
    /// If the store fails.
    pub fn load(
        &self,
        block: usize,
        recalled: bool,
        until: Until<E>,
        planes: &mut [Vec<Bits>; 2],
    ) -> Result<(), SolveError> {
        let columns = self.rows.shape().columns;
        planes.iter_mut().for_each(|plane| plane.resize(columns, Bits::NONE));
        let tiles = columns.div_ceil(LOADED_TILE);
        let due = |strip: usize| {
            let is_due = move |&tile: &usize| {
                let mut bits = self.tiles[strip * tiles + tile].iter();
                !recalled || bits.any(|bits| is_due(bits, until.plies))
            };
            (0..tiles).filter(is_due)
        };
        let is_wanted = |strip| due(strip).next().is_some();
        self.rows.read_some(block, &is_wanted, &mut |strip, codes| {
            let (due, word) = (due(strip).collect::<Vec<usize>>(), strip % STRIPS);
            let tiles = &due[..];
            let classes = |code| u8::from(until.wins(code)) | u8::from(until.holds(code)) << 1;
            let planes = planes.each_mut().map(|plane| &mut plane[..]);
            dispatch(Load { codes, columns, tiles, classes, word, planes });
            Ok(())
        })
    }
}

/// Returns true if a tile may have an entry in this distance.
fn is_due(tile: &AtomicU64, plies: u16) -> bool {
    tile.load(Relaxed) >> (plies % 64) & 1 == 1
}
