//! Checkpoints: the files from which a build resumes after a kill, a full disk or Ctrl-C.
//!
//! A build by one process has an unfinished table, `.NAME.partial`, which holds the lock, and a folder `.NAME.rows`. A
//! process of a cluster has a *shard*, which is a folder `NAME.I-of-N.shard`, but no partial file. The rows of all its
//! layers stay in the shard, and `morpion join` makes the table from them.
//!
//! | moment | in the folder | in the partial file | resumes |
//! |---|---|---|---|
//! | before the first checkpoint | files that belong to no checkpoint | part of a table | at the beginning |
//! | inside a layer group | state: *k* layers, as below, distance *d*; the blocks of the layer group, solved to *d* or beyond | *k* layers | after distance *d*; entries beyond *d* are reset, children outside are found again |
//! | after a layer, one process | state: *k* layers, with their counts and checksums | *k* layers, then bytes written after the checkpoint | after layer *k*; layers are read back when moves lead to them |
//! | after a layer, cluster | state of each worker: *k* layers; the blocks of these layers | (none) | after the last layer that all workers of all processes have saved |
//! | at the end, one process | (removed) | (renamed to the table) | |
//!
//! The folder contains a sealed file `worker-I.state` for each worker (a build by one process has only worker 0). If rows are stored in
//! files, it also contains `L-B.rows` for block *B* of each layer *L* in progress. Pending entries, planes and the codes of children outside
//! are in unnamed files. Files are replaced as a whole, or records are appended to the log of a block. A kill leaves at most a temporary
//! file per thread, which the next build removes before it checks the disk, and a record that is cut off, which is ignored.
//!
//! A state is written after the rows or the table bytes that it refers to are synced. Blocks may be ahead of the state, but never behind
//! it: the log of each block has a mark of the distance. Damaged files and files of other rules are not resumed: one process starts again,
//! and a cluster asks for `--fresh`.

mod files;
mod state;
mod table;
mod worker;

pub(crate) use files::BuildFiles;
pub use files::{remove_files, remove_temporaries};
pub use state::{ShardId, State, Written, is_damage};
pub(crate) use table::FileKeeper;
pub use worker::{WorkerCheckpoint, WorkerId};
