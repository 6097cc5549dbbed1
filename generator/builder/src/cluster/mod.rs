//! Solves one game in several processes, on one or several machines, with timely dataflow.
//!
//! The driver is [`morpion_solver::solve`], which divides rows into blocks, works on each block, and sends batches to
//! the owners of other blocks. This module adds the team. `hosts` reads the addresses, `connect` connects the
//! processes, and `stream` detects a lost process. `member` exchanges batches as messages of a dataflow. `build` runs
//! a process, and `plan` estimates its cost. Each process writes a shard, and [`crate::join::join`] makes the table from all shards.

pub mod build;
mod connect;
pub mod hosts;
mod member;
pub mod plan;
mod stream;
