//! The keeper of a solution: its sink and its checkpoint.

use crate::solve::checkpoint::Checkpoint;
use crate::solve::sink::Sink;

/// A sink with its checkpoint. They are one value, because a checkpoint of a file records what the sink has written.
pub trait Keeper: Sink + Checkpoint {}

impl<K: Sink + Checkpoint> Keeper for K {}
