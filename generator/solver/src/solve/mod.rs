//! The solver: the entries of all layers of a game, from the last layer to the first.
//!
//! # The driver
//!
//! [`solve`] goes through the layer groups (layers that lead to each other), and writes each layer to a [`Keeper`], which also records the
//! progress. It solves a layer in blocks of [`BLOCK_ROWS`] neighbouring rows, each with [`STRIPS`] strips of 64 rows:
//!
//! ```text
//!      solved layers                               a layer whose moves leave it: placing
//!   ┌───────────────────┐   same row B      ┌────────────────────────┐
//!   │ (w, m + 1) placed ├──────────────────►│ best child outside     │  code of (A, B)   ┌──────────────┐
//!   │                   │   row B, sent     │ row B, columns A       ├───transposition──►│ table (m, w) │
//!   │ (w − 1, m) taken  ├──────takes───────►│                        │                   │ row A, col B │
//!   └───────────────────┘                   └───────────┬────────────┘                   └──────────────┘
//!                                                       │ holds
//!      the group, distance by distance                  ▼
//!   ┌───────────────────┐   planes, row B   ┌────────────────────────┐  won or lost in   ┌──────────────┐
//!   │ table (w, m)      ├──────────────────►│ has a lost child, or   ├───────d + 1──────►│ table (m, w) │
//!   │ known up to d     │                   │ all children are won   │   transposition   │ (may be the  │
//!   └───────────────────┘                   └────────────────────────┘                   │ same layer)  │
//!                                                                                        └──────────────┘
//! ```
//!
//! 1. An *operator* takes a block of the rows of the waiter in the layer of the children. It finds the code of every set of the
//!    mover, without leaving these rows. Children in layers that are solved already are `outside`. Children after a take were sent to these
//!    rows before (`takes`).
//! 2. The *transposition* finds the row and column of each result in the table, where rows belong to the mover. Nearly every
//!    result belongs to another block.
//! 3. An [`Outbox`](exchange::Outbox) collects the results in [`Batch`](exchange::Batch)es: keys of one strip
//!    that get one code.
//! 4. A [`Team`] exchanges the batches. Each batch arrives in the [`Inbox`](exchange::Inbox) of the
//!    member that owns its strip.
//! 5. The owner writes its inbox to its [`Rows`](rows::Rows).
//!
//! A layer whose moves leave it takes one exchange. A layer group whose moves stay in it takes one exchange per distance and layer. Each
//! pass writes the inbox of the last pass, and sends the parents that are newly decided. Children outside decide a position in their
//! distance, or hold it until then (`holds`). The order in which batches arrive does not matter, because an entry gets only one code in a
//! pass. So tables are equal for every team and every storage of rows.
//!
//! If pieces age, sets become sequences: a set has a row, or a column, for each order of its pieces. Everything else stays the same.
//!
//! A push changes both players' sets, and has no operator: `pushes` solves such games in memory, by the same layer groups.
//!
//! # Values alone
//!
//! Entries of two bits have an engine of their own, which works on planes and writes in place. Otherwise the driver would solve these games
//! with a byte per entry, and the keeper would write two bits. That was measured with values instead of distances in the bytes, on one
//! thread within 4 GiB. The 5.3·10⁹ entries of classic5k5 took 104 CPU seconds and 1.7 GiB instead of 26 seconds and 0.6 GiB. The entries
//! of classic5x4k4 took 3.8 CPU seconds and 88 MiB instead of 1.7 seconds and 37 MiB.
//!
//! # What to replace
//!
//! | to change | replace | contract |
//! |---|---|---|
//! | who works, and how batches travel | [`Team`] | `exchange` runs the work of every own block once, and returns after all batches to own strips are in the inbox |
//! | where rows are stored that are not in memory | [`Store`](store::Store) | strips are written and read in order; blocks may be used by several threads |
//! | the operator of a placement layer | `PlacePieces` in `operator/place.rs` | `children`: the rows of one strip, row by row, `child_columns` codes each; `out`: one preference per position of the same rows: the preference of its best child |
//! | the operator of moves inside a layer group | `Exists` in `operator/sliced.rs` | `children` and `parents`: one `Bits` per column, one lane per row of the block; sets each parent with a child in `children` |
//! | the width of entries | a type with [`Code`](code::Code) | codes, their order, and their bytes in the table |
//!
//! Operators get slices and fill slices. They do not depend on rows, teams or files. An operator on a GPU replaces the
//! body of one of these two kernels with a copy to the device, a kernel with one thread per lane and column, and a
//! copy back. `Pass` and the transposition stay unchanged. The tests in `tests/solved/brute.rs` compare every entry of
//! small games with the definition of its score, for any operator.
//!
//! # An example on 3×3
//!
//! Take one piece each, on cells 0 to 8. Layer (1, 1) has 3 rows (corner, edge, centre) and 8 columns. Fix the waiter's set
//! {4}. Its row in the layer of the children, in which the other side has one more piece, has 28 columns: the sets of two of
//! the 8 free cells. For the mover's set {0} the operator reads seven of them, {0, 1} to {0, 8} without {0, 4}, and takes the
//! best code. The transposition moves {0} to its representative {0}, which is row 0. The waiter's cell 4 is the fourth of the cells
//! 1 to 8 that {0} leaves: column 3. So the batch for strip 0 gets the key 0 · 8 + 3.
//!
//! The team in this example is another engine. It works on one block after the other, and makes the same bytes as
//! [`Threads`](exchange::Threads):
//!
//! ```
//! use morpion_games::catalogue::standard_game;
//! use morpion_machine::progress::Unobserved;
//! use morpion_core::Encoding;
//! use morpion_solver::error::SolveError;
//! use morpion_solver::solve::exchange::{Batch, Deliver, Inbox, Outbox, Team, Work};
//! use morpion_solver::solve::store::Storage;
//! use morpion_solver::{layout::lay_out, sets::FoldedSets, sink::TableSink, solve::solve, table::solve_as};
//!
//! struct OneByOne;
//!
//! impl Team for OneByOne {
//!     fn owns(&self, _block: usize) -> bool {
//!         true
//!     }
//!
//!     fn exchange(
//!         &mut self,
//!         blocks: usize,
//!         strips: usize,
//!         work: &Work,
//!         deliver: &Deliver,
//!     ) -> Result<Inbox, SolveError> {
//!         let inbox = Inbox::new(strips, usize::MAX, None);
//!         let mut send = |batch: &mut Batch| {
//!             if !deliver(batch)? {
//!                 inbox.put(batch)?;
//!             }
//!             Ok(())
//!         };
//!         let mut outbox = Outbox::new(strips, &mut send);
//!         for block in 0..blocks {
//!             work(block, &mut outbox)?;
//!         }
//!         outbox.finish()?;
//!         Ok(inbox)
//!     }
//!
//!     fn gather(&mut self, number: u64) -> Result<Vec<u64>, SolveError> {
//!         Ok(vec![number])
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let game = standard_game("tapatan").ok_or("not a standard game")?;
//! let layout = lay_out(&game, Some(Encoding::Plies8), &Unobserved)?;
//! let sets = FoldedSets::fold(&layout, &Unobserved)?;
//! let mut table = TableSink::begin(Vec::new(), &layout, &sets)?;
//! let storage = Storage::default();
//! solve(&sets, Encoding::Plies8, &storage, &mut OneByOne, &mut table, &Unobserved)?;
//! assert_eq!(table.finish()?, solve_as(&game, Encoding::Plies8, &Unobserved)?);
//! # Ok(())
//! # }
//! ```

pub mod census;
pub mod code;
pub(crate) mod distances;
pub mod exchange;
mod finished;
pub(crate) mod holds;
pub mod keeper;
pub mod log;
pub mod memory;
mod movement;
pub(crate) mod operator;
mod outside;
mod placement;
pub(crate) mod planes;
pub(crate) mod pushes;
pub mod rows;
mod shape;
pub mod store;
mod takes;
mod transposition;
mod values;

pub use distances::{rows_of_process, visit_layer};
pub use memory::Needs;
pub use planes::{BLOCK_ROWS, STRIPS};
pub use pushes::are_moves as has_pushes;
pub use shape::Shape;

use crate::error::SolveError;
use crate::sets::FoldedSets;
use exchange::Team;
use keeper::Keeper;
use morpion_core::Encoding;
use morpion_machine::progress::Progress;
use store::Storage;

/// Solves the remaining layers and writes them to `keeper`. The threads of this pool solve games that push, and games with entries of two
/// bits, in memory. Any other game is solved by `team`. Rows are in `storage`.
///
/// # Errors
/// If a distance does not fit the entries, the observer requests a stop, another member of the team is lost, or files
/// cannot be read or written.
pub fn solve(
    sets: &FoldedSets,
    encoding: Encoding,
    storage: &Storage,
    team: &mut dyn Team,
    keeper: &mut dyn Keeper,
    progress: &dyn Progress,
) -> Result<(), SolveError> {
    let has_pushes = has_pushes(&sets.layout.game);
    match encoding {
        Encoding::Plies8 if has_pushes => pushes::solve::<u8>(sets, keeper, progress),
        Encoding::Plies16 if has_pushes => pushes::solve::<u16>(sets, keeper, progress),
        Encoding::Plies8 => distances::solve::<u8>(sets, storage, team, keeper, progress),
        Encoding::Plies16 => distances::solve::<u16>(sets, storage, team, keeper, progress),
        Encoding::Wdl | Encoding::WdlCycle => values::solve(sets, keeper, progress),
    }
}
