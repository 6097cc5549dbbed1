//! One game solved by several processes, each on a machine of its own or all on one, on timely dataflow.
//!
//! The driver is [`morpion_solver::solve`]: rows in blocks, an operator local to a block, and batches to the
//! owners of other blocks. This crate adds the team: [`hosts`] reads the addresses, `connect` connects the processes,
//! `stream` notices a lost one, `member` exchanges batches as messages of a dataflow, [`build`] runs a process, and [`plan`]
//! estimates its cost. Each process writes a shard, and [`morpion_solver::build::table::join`] makes the table from all shards.

pub mod build;
pub mod connect;
pub mod error;
pub mod hosts;
mod member;
pub mod plan;
mod stream;
