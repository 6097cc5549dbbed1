//! Errors of a build by several processes.

use crate::checkpoint::{ShardId, is_damage};
use indicatif::BinaryBytes;
use morpion_solver::error::SolveError;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Reason why a process fails. Sizes are in bytes.
#[derive(Debug, Error)]
pub enum ClusterError {
    /// Solving failed.
    #[error(transparent)]
    Solve(SolveError),
    /// The file of hosts or the folder of the shard cannot be used.
    #[error("{}", path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// The system's error, or the fault in the file.
        source: io::Error,
    },
    /// A cluster cannot build the table, or its processes do not form one.
    #[error("{what}")]
    Refused {
        /// The fault and its remedy.
        what: String,
        /// The system's error.
        source: Option<io::Error>,
    },
    /// The memory does not suffice.
    #[error("{game}: needs {} of memory in each process, but at most {} may be used", BinaryBytes(*needed), BinaryBytes(*most))]
    Memory {
        /// The game's name.
        game: String,
        /// The least memory that each process needs.
        needed: u64,
        /// Available memory.
        most: u64,
    },
    /// A file of an interrupted build is damaged or missing.
    #[error("{}: not built; a file of it is damaged or missing: start again with --fresh on all hosts", shard.display())]
    Damaged {
        /// The shard.
        shard: PathBuf,
        /// The fault.
        source: SolveError,
    },
    /// A build failed after it had begun.
    #[error("{}", ClusterError::outcome(shard, *is_kept))]
    NotBuilt {
        /// The shard.
        shard: PathBuf,
        /// True if the shard has a checkpoint.
        is_kept: bool,
        /// Reason for the failure.
        source: Box<ClusterError>,
    },
}

impl ClusterError {
    /// Reports that a shard was not built and, if it has a checkpoint, that the same command resumes.
    fn outcome(shard: &Path, is_kept: bool) -> String {
        let kept = match is_kept {
            true => "the checkpoint is kept, and the same command on all hosts resumes",
            false => "nothing is kept",
        };
        format!("{}: not built; {kept}", shard.display())
    }

    /// The error with this fault and its remedy.
    pub(crate) fn refused(what: impl Display) -> ClusterError {
        ClusterError::Refused { what: what.to_string(), source: None }
    }

    /// Adds the shard to the error of a build.
    pub(crate) fn of_shard(self, shard: PathBuf) -> ClusterError {
        match self {
            ClusterError::Solve(SolveError::Io(error)) if is_damage(&error) => {
                ClusterError::Damaged { shard, source: error.into() }
            }
            error => {
                let is_kept = ShardId::of_folder(&shard).is_ok();
                ClusterError::NotBuilt { shard, is_kept, source: Box::new(error) }
            }
        }
    }
}

impl<E: Into<SolveError>> From<E> for ClusterError {
    fn from(error: E) -> ClusterError {
        ClusterError::Solve(error.into())
    }
}
