//! `morpion nim`: octal games.
use crate::terminal::prelude::*;

mod build;
mod info;
mod query;
mod source;

/// Octal games such as kayles: values of heaps, winning moves
///
/// A game is an octal code or a name (`morpion nim games`). The t-th digit after the point lists the allowed remainders after t
/// counters are taken from a heap: 1 for nothing, 2 for one heap, 4 for two heaps, or a sum of these. A 4 before the point allows
/// splitting a heap without taking. Digits in parentheses repeat forever.
#[derive(clap::Args)]
#[command(after_help = help("nim"))]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Games(info::GamesArgs),
    Build(build::Args),
    Info(info::Args),
    Query(query::Args),
}

/// Runs the command.
pub fn run(args: Args, out: &mut Output) -> Result<()> {
    match args.command {
        Command::Games(args) => info::games(args, out),
        Command::Build(args) => build::run(args, out),
        Command::Info(args) => info::run(args, out),
        Command::Query(args) => query::run(args, out),
    }
}
