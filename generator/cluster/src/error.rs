//! Errors of a build by several processes.

use morpion_solver::build::checkpoint::{ShardId, is_damage};
use morpion_solver::error::SolveError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Reason why a process fails. Sizes are in bytes.
#[derive(Debug, Error)]
pub enum ClusterError {
    /// Solving failed.
    #[error(transparent)]
    Solve(SolveError),
    /// The file of hosts cannot be read, or is invalid.
    #[error("{}", path.display())]
    Hosts {
        /// Its path.
        path: PathBuf,
        /// The system's error, or the fault in the file.
        source: io::Error,
    },
    /// The processes cannot connect, or do not belong to one build.
    #[error("{what}")]
    Connect {
        /// The fault and its remedy.
        what: String,
        /// The system's error.
        source: Option<io::Error>,
    },
    /// The number of the process is not in the list of hosts.
    #[error("there is no process {process}: choose 0 to {}, one per host", processes - 1)]
    Process {
        /// Number of the process.
        process: usize,
        /// Number of hosts.
        processes: usize,
    },
    /// Several processes cannot solve entries of two bits.
    #[error("{game}: a cluster cannot write entries of two bits: use --encoding plies")]
    TwoBits {
        /// The game's name.
        game: String,
    },
    /// Several processes cannot solve a game that pushes.
    #[error("{game}: a cluster cannot solve games that push: use morpion build")]
    Pushes {
        /// The game's name.
        game: String,
    },
    /// The memory does not suffice.
    #[error(
        "{game}: needs {needed} bytes of memory in each process, but at most {most} may be used"
    )]
    Memory {
        /// The game's name.
        game: String,
        /// The least memory that each process needs.
        needed: u64,
        /// Available memory.
        most: u64,
    },
    /// The shard cannot be used.
    #[error("{}", shard.display())]
    Shard {
        /// Its folder.
        shard: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Another process is building the same shard.
    #[error("{}: another process writes this shard", shard.display())]
    Locked {
        /// Its folder.
        shard: PathBuf,
    },
    /// The workers did not start, or one ended without a result.
    #[error("{0}")]
    Workers(String),
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
    pub fn outcome(shard: &Path, is_kept: bool) -> String {
        let kept = match is_kept {
            true => "the checkpoint is kept, and the same command on all hosts resumes",
            false => "nothing is kept",
        };
        format!("{}: not built; {kept}", shard.display())
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
