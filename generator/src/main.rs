//! The `morpion` program: builds, queries and verifies tables of perfect play.
//!
//! Prints the result of the command. The exit status is 2 if it fails, and 130 if it is stopped by a signal.

// A closed pipe or a full disk is an ordinary error: see `terminal::output`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod impartial;
mod program;
mod terminal;

use crate::terminal::output::{Output, Shown, is_closed_pipe, lines_of, note};
use crate::terminal::progress::asked_to_stop;
use anyhow::Result;
use clap::Parser;
use clap::error::ErrorKind;
use program::Program;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut out = Output::default();
    let arguments: Vec<OsString> = std::env::args_os().map(keep_position).collect();
    let done = match Program::try_parse_from(&arguments) {
        _ if arguments.iter().skip(1).eq(["help", "rules"]) => {
            // This page is listed next to the help of the commands.
            out.write_all(morpion_games::rules::PAGE.as_bytes()).map_err(Into::into)
        }
        Ok(program) => program.command.run(&mut out),
        Err(usage) => explain(&arguments, usage, &mut out),
    };
    let flushed = out.flush();
    match (done, flushed.map_err(anyhow::Error::from)) {
        (Err(error), _) | (Ok(_), Err(error)) if !is_closed_pipe(&error) => {
            for line in lines_of(&error) {
                note(format_args!("morpion: {line}"));
            }
            // 130 is the status that shells report for a command stopped by Ctrl-C.
            ExitCode::from(if asked_to_stop() { 130 } else { 2 })
        }
        (Ok(()), _) => ExitCode::from(out.status),
        (Err(_), _) => ExitCode::SUCCESS,
    }
}

/// Adds a space before a position that begins with `-`, an empty cell, so that it is not taken for an option.
fn keep_position(argument: OsString) -> OsString {
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

/// Prints help, or the error in the arguments.
fn explain(arguments: &[OsString], usage: clap::Error, out: &mut Output) -> Result<()> {
    if !usage.use_stderr() {
        return Ok(write!(out.coloured(), "{}", usage.render().ansi())?);
    }
    out.status = 2;
    if usage.kind() == ErrorKind::InvalidUtf8 {
        for argument in arguments.iter().filter(|argument| argument.to_str().is_none()) {
            note(format_args!("morpion: {argument:?} is not UTF-8 text: write it in UTF-8"));
        }
        return Ok(());
    }
    // The message quotes arguments, so it is made again from escaped arguments. If an argument is not UTF-8, escaping
    // would change it, so the original message is printed.
    let texts: Option<Vec<&str>> = arguments.iter().map(|argument| argument.to_str()).collect();
    let shown = texts.map(|texts| texts.into_iter().map(|text| Shown(text).to_string()));
    let again = shown.and_then(|shown| Program::try_parse_from(shown).err());
    let again = again.filter(|again| again.kind() == usage.kind());
    let _ = again.unwrap_or(usage).print();
    Ok(())
}
