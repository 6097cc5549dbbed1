//! The way of results from the waiter's rows to the rows of the table. An outbox collects batches, a team exchanges
//! them, and an inbox stores them until they are written.

mod batch;
mod inbox;
mod places;
mod team;

pub use batch::{Batch, FULL, Outbox, Send};
pub(crate) use batch::{beyond, each_entry};
pub use inbox::{Arrived, Inbox};
pub(crate) use places::Places;
pub use team::{Deliver, Team, Threads, Work, wait};
