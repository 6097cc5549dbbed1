//! The `morpion` program: builds, asks and checks tables of perfect play.

mod program;

use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let command = program::Program::parse_from(std::env::args_os().map(shield));
    match command.run() {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("morpion: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// A position may begin with `-`, an empty cell: a space before it keeps it from being taken for an option.
fn shield(argument: OsString) -> OsString {
    let is_position = |text: &str| {
        text.starts_with('-')
            && !["-", "--", "--x", "--o"].contains(&text)
            && text.chars().all(|c| "-_.012XxOo/|,;()[] ".contains(c))
    };
    match argument.to_str() {
        Some(text) if is_position(text) => format!(" {text}").into(),
        _ => argument,
    }
}

/// A reader such as `head` that has seen enough is no error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>());
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
