//! One game solved by several processes, each on a machine of its own or all on one, on timely dataflow.
//!
//! The work is that of [`morpion_solver::solve`]: rows in blocks, an operator local to a block, and batches to the
//! owners of other blocks. Here are only the members of the team: [`hosts`] says where they are, `connect` brings
//! them together, `stream` notices when one is lost, `member` exchanges batches as messages of a dataflow, and [`build`] runs a
//! process. [`plan`] says before what it takes. What a process leaves is a shard, and [`morpion_solver::build::table::join`] makes the table of all of them.

pub mod build;
pub mod connect;
pub mod error;
pub mod hosts;
mod member;
pub mod plan;
mod stream;
