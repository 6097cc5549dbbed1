//! Errors of building a table.

use indicatif::BinaryBytes;
use morpion_solver::error::SolveError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Reason why a table is not built. The numbers are bytes.
#[derive(Debug, Error)]
pub enum BuildError {
    /// Solving failed.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The memory does not suffice.
    #[error("{game}: needs {} of memory, but at most {} may be used", BinaryBytes(*needed), BinaryBytes(*most))]
    Memory {
        /// The game's name.
        game: String,
        /// The least memory that the build needs.
        needed: u64,
        /// Available memory.
        most: u64,
    },
    /// A table of values alone would replace a table with distances.
    #[error("{}: has distances, which values alone would replace: choose another --out", file.display())]
    Distances {
        /// The table with distances.
        file: PathBuf,
    },
    /// The disk does not suffice.
    #[error("{game}: needs {} on disk in {}, but only {} are free", BinaryBytes(*needed), folder.display(), BinaryBytes(*free))]
    Disk {
        /// The game's name.
        game: String,
        /// Folder of the table.
        folder: PathBuf,
        /// Needed space.
        needed: u64,
        /// Free space, not counting the files of an interrupted build.
        free: u64,
    },
    /// A file or folder cannot be used.
    #[error("{}: {what}", path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// The operation that failed.
        what: String,
        /// The system's error.
        source: io::Error,
    },
    /// Another build of the same table is running.
    #[error("{}: another build of this table is running", file.display())]
    Locked {
        /// The table.
        file: PathBuf,
    },
    /// The written file is not a valid table.
    #[error("the written file is not a table")]
    NotATable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A build failed after it had begun.
    #[error(
        "{}: not built; {}",
        file.display(),
        if *is_kept { "the checkpoint is kept, and the same command resumes" } else { "nothing is kept" }
    )]
    NotBuilt {
        /// The table.
        file: PathBuf,
        /// True if the same command resumes.
        is_kept: bool,
        /// Reason for the failure.
        source: Box<BuildError>,
    },
}

impl From<io::Error> for BuildError {
    fn from(error: io::Error) -> BuildError {
        SolveError::Io(error).into()
    }
}

impl BuildError {
    /// Returns true if the observer requested a stop.
    pub fn is_stop(&self) -> bool {
        match self {
            BuildError::Solve(error) => matches!(error, SolveError::Stopped(_)),
            BuildError::NotBuilt { source, .. } => source.is_stop(),
            _ => false,
        }
    }
}
