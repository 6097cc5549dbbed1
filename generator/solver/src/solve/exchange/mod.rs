//! From what an operator finds in the waiter's rows to the rows of the table: batches, collected by an outbox, exchanged by a team,
//! and waiting in an inbox.

pub mod batch;
pub mod inbox;
pub(crate) mod places;
pub mod team;
