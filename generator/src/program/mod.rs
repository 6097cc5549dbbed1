//! The commands, one file each.

mod answers;
mod arena;
mod atlas;
mod build;
mod bytes;
#[cfg(feature = "cluster")]
mod cluster;
mod count;
mod cram;
mod dump;
mod games;
mod grundy;
mod info;
mod line;
mod lines;
mod moves;
mod new;
mod nim;
pub mod output;
mod pack;
mod plan;
mod play;
mod position;
pub mod progress;
mod puzzle;
mod query;
mod serve;
mod shell;
mod strategy;
mod tables;
mod ugi;
mod verify;

use clap::{CommandFactory, Parser, Subcommand};
use output::Output;
use std::process::ExitCode;

/// Tables of perfect play for tic-tac-toe and its family.
///
/// Exit status: 0 done, 1 the answer is no, 2 wrong usage or bad input, 130 stopped by Ctrl-C.
#[derive(Parser)]
#[command(name = "morpion", version, max_term_width = 80)]
#[command(after_help = "morpion help rules explains how a game of your own is written.")]
pub struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Games(games::Args),
    Plan(plan::Args),
    Build(build::Args),
    Info(info::Args),
    Query(query::Args),
    Count(count::Args),
    Play(play::Args),
    Puzzle(puzzle::Args),
    New(new::Args),
    Verify(verify::Args),
    Line(line::Args),
    Strategy(strategy::Args),
    Serve(serve::Args),
    Arena(arena::Args),
    Ugi(ugi::Args),
    Atlas(atlas::Args),
    Dump(dump::Args),
    Pack(pack::PackArgs),
    Unpack(pack::UnpackArgs),
    #[cfg(feature = "cluster")]
    Join(cluster::JoinArgs),
    Nim(nim::Args),
    Cram(cram::Args),
    Completions(shell::CompletionsArgs),
    Man(shell::ManArgs),
}

impl Program {
    /// Runs the command. The caller flushes its output.
    pub fn run(self, out: &mut Output) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::Games(args) => games::run(args, out),
            Command::Plan(args) => plan::run(args, out),
            Command::Build(args) => build::run(args, out),
            Command::Info(args) => info::run(args, out),
            Command::Query(args) => query::run(args, out),
            Command::Count(args) => count::run(args, out),
            Command::Play(args) => play::run(args, out),
            Command::Puzzle(args) => puzzle::run(args, out),
            Command::New(args) => new::run(args, out),
            Command::Verify(args) => verify::run(args, out),
            Command::Line(args) => line::run(args, out),
            Command::Strategy(args) => strategy::run(args, out),
            Command::Serve(args) => serve::run(args, out),
            Command::Arena(args) => arena::run(args, out),
            Command::Ugi(args) => ugi::run(args, out),
            Command::Atlas(args) => atlas::run(args, out),
            Command::Dump(args) => dump::run(args, out),
            Command::Pack(args) => pack::pack(args, out),
            Command::Unpack(args) => pack::unpack(args, out),
            #[cfg(feature = "cluster")]
            Command::Join(args) => cluster::join(args, out),
            Command::Nim(args) => nim::run(args, out),
            Command::Cram(args) => cram::run(args, out),
            Command::Completions(args) => shell::completions(args, Program::command(), out),
            Command::Man(args) => shell::man(args, Program::command(), out),
        }
    }
}
