//! Errors of building a table.

use indicatif::BinaryBytes;
use morpion_solver::error::SolveError;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Reason why a table is not built. The numbers are bytes.
#[derive(Debug, Error)]
pub enum BuildError {
    /// Solving failed.
    #[error(transparent)]
    Solve(SolveError),
    /// The memory does not suffice.
    #[error("{game}: needs {} of memory{}, but at most {} may be used", BinaryBytes(*needed), if *is_process { " in each process" } else { "" }, BinaryBytes(*most))]
    Memory {
        /// The game's name.
        game: String,
        /// True for the memory of each process of a cluster.
        is_process: bool,
        /// The least memory that the build needs.
        needed: u64,
        /// Available memory.
        most: u64,
    },
    /// A table of values alone would replace a table with distances.
    #[error("{}: has distances, which values alone would replace: choose another --out", .0.display())]
    Distances(PathBuf),
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
        /// Path of the file or folder.
        path: PathBuf,
        /// The operation that failed.
        what: String,
        /// The system's error.
        source: io::Error,
    },
    /// Another process builds the table or the shard, or a cluster cannot build the game.
    #[error("{what}")]
    Refused {
        /// The fault and its remedy.
        what: String,
        /// The system's error.
        source: Option<io::Error>,
    },
    /// The written file is not a valid table.
    #[error("the written file is not a table")]
    NotATable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A build failed after it had begun.
    #[error("{}: not built; {rest}", file.display())]
    NotBuilt {
        /// The table, or the shard of a process of a cluster.
        file: PathBuf,
        /// The files that are kept, and how the build is resumed.
        rest: &'static str,
        /// Reason for the failure.
        source: Box<BuildError>,
    },
}

impl<E: Into<SolveError>> From<E> for BuildError {
    fn from(error: E) -> BuildError {
        BuildError::Solve(error.into())
    }
}

impl BuildError {
    /// Creates an error without a cause in the system. `what` is the fault and its remedy.
    pub(crate) fn refused(what: impl Display) -> BuildError {
        BuildError::Refused { what: what.to_string(), source: None }
    }

    /// Adds a path and the operation to an error of the system.
    pub(crate) fn at<'p>(
        path: &'p Path,
        what: &'p str,
    ) -> impl Fn(io::Error) -> BuildError + Copy + 'p {
        move |source| BuildError::File { path: path.into(), what: what.into(), source }
    }

    /// Returns true if the observer requested a stop.
    pub fn is_stop(&self) -> bool {
        match self {
            BuildError::Solve(error) => matches!(error, SolveError::Stopped(_)),
            BuildError::NotBuilt { source, .. } => source.is_stop(),
            _ => false,
        }
    }
}
