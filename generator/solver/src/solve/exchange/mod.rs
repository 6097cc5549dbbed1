//! The way of results from the waiter's rows to the rows of the table. An outbox collects batches, a team exchanges
//! them, and an inbox stores them until they are written.

pub mod batch;
pub mod inbox;
pub(crate) mod places;
pub mod team;
