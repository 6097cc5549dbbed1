//! Code that all commands share. [`output`] prints results and messages, and [`progress`] shows long work and stops it at a signal.
//! [`lines`] reads questions, and [`answers`] answers them. [`commands`] declares commands, [`bytes`] and [`folders`] read
//! their arguments, which [`mod@help`] explains.

// A closed pipe or a full disk is an ordinary error: see `output`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod answers;
pub mod bytes;
pub mod commands;
pub mod folders;
pub mod help;
pub mod lines;
pub mod output;
pub mod prelude;
pub mod progress;
