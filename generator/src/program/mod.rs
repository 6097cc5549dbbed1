//! The commands, one file each, and the help that lists them in sections.

mod arena;
mod atlas;
mod build;
#[cfg(feature = "cluster")]
mod cluster;
mod count;
mod dump;
mod games;
mod info;
mod judge;
mod known;
mod moves;
mod new;
#[cfg(not(feature = "cluster"))]
mod no_cluster;
mod pack;
mod plan;
mod play;
mod puzzle;
mod query;
mod serve;
mod shell;
mod strategy;
mod tables;
mod verify;

use crate::impartial::{cram, describe, is_table, nim, prove};
use crate::terminal::prelude::*;
use clap::builder::Styles;
use clap::{CommandFactory, Parser, Subcommand};

/// Tables of perfect play for tic-tac-toe and its family
#[derive(Parser)]
#[command(name = "morpion", version, max_term_width = 80)]
#[command(help_template = template())]
#[command(after_help = help("morpion"), mut_subcommands = with_help)]
pub struct Program {
    #[command(subcommand)]
    command: Command,
}

/// The commands by sections of the help.
const SECTIONS: [(&str, &[&str]); 5] = [
    ("Solve", &["games", "new", "plan", "build", "join", "verify"]),
    ("Ask", &["query", "strategy", "count", "info", "judge", "nim", "cram"]),
    ("Play", &["play", "puzzle", "arena"]),
    ("Publish", &["serve", "atlas", "dump", "pack"]),
    ("Other", &["completions", "man"]),
];

/// Adds the page about a command to its help, unless the command adds the page itself.
fn with_help(command: clap::Command) -> clap::Command {
    match command.get_after_help() {
        Some(_) => command,
        None => {
            let page = help(command.get_name());
            command.after_help(page)
        }
    }
}

/// The template of the help. The template lists the commands, since clap cannot group them.
fn template() -> String {
    let styles = Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let program = Command::augment_subcommands(clap::Command::new("morpion"));
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n\n".to_owned();
    for (title, names) in SECTIONS {
        text.push_str(&format!("{header}{title}:{header:#}\n"));
        for command in names.iter().filter_map(|name| program.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            text.push_str(&format!("  {literal}{:<11}{literal:#}  {about}\n", command.get_name()));
        }
        text.push('\n');
    }
    text + &format!("{header}Options:{header:#}\n{{options}}{{after-help}}")
}

/// Declares the commands: the arguments of each command, and the function that runs it.
macro_rules! commands {
    ($($(#[$condition:meta])? $Name:ident($Args:ty) => $run:expr,)+) => {
        #[derive(Subcommand)]
        enum Command {
            $($(#[$condition])? $Name($Args),)+
        }

        impl Program {
            /// Runs the command. The caller flushes its output.
            pub fn run(self, out: &mut Output) -> Result<()> {
                match self.command {
                    $($(#[$condition])? Command::$Name(args) => ($run)(args, out),)+
                }
            }
        }
    };
}

commands! {
    Games(games::Args) => games::run,
    Plan(plan::Args) => plan::run,
    Build(build::Args) => build::run,
    Info(info::Args) => run_info,
    Query(query::Args) => query::run,
    Count(count::Args) => count::run,
    Judge(judge::Args) => judge::run,
    Play(play::Args) => play::run,
    Puzzle(puzzle::Args) => puzzle::run,
    New(new::Args) => new::run,
    Verify(verify::Args) => run_verify,
    Strategy(strategy::Args) => strategy::run,
    Serve(serve::Args) => serve::run,
    Arena(arena::Args) => arena::run,
    Atlas(atlas::Args) => atlas::run,
    Dump(dump::Args) => dump::run,
    Pack(pack::Args) => pack::run,
    #[cfg(feature = "cluster")]
    Join(cluster::JoinArgs) => cluster::join,
    Nim(nim::Args) => nim::run,
    Cram(cram::Args) => cram::run,
    Completions(shell::CompletionsArgs) => |args, out| shell::completions(args, Program::command(), out),
    Man(shell::ManArgs) => |args, out| shell::man(args, Program::command(), out),
}

/// Runs `morpion info`. The first bytes of a file decide whether it is a table of Grundy values.
fn run_info(args: info::Args, out: &mut Output) -> Result<()> {
    let game = &args.source.game;
    if !is_table(game) {
        return info::run(args, out);
    }
    ensure!(!args.csv, "{game}: a table of Grundy values has no census");
    ensure!(
        !args.bibtex,
        "{game}: a table of Grundy values has no entry for BibTeX: cite the program as in CITATION.cff"
    );
    describe(game.as_ref(), args.check, args.json, out)
}

/// Runs `morpion verify`.
fn run_verify(args: verify::Args, out: &mut Output) -> Result<()> {
    let Some(game) = args.game.as_ref().filter(|game| is_table(game)) else {
        return verify::run(args, out);
    };
    ensure!(args.part.is_none(), "{game}: a Grundy table is proved as a whole: leave out --part");
    prove(game.as_ref(), args.progress, args.json, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_help_lists_every_command_in_one_line() {
        let program = Program::command();
        let names: BTreeSet<&str> =
            program.get_subcommands().map(clap::Command::get_name).collect();
        let listed: Vec<&str> = SECTIONS.iter().flat_map(|(_, names)| *names).copied().collect();
        let listed = listed.into_iter().filter(|name| names.contains(name) || *name != "join");
        let listed: Vec<&str> = listed.collect();
        assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), names);
        assert_eq!(listed.len(), names.len(), "a command is in two sections");
        let help = Program::command().render_long_help().to_string();
        for name in names {
            let line = help.lines().find(|line| line.starts_with(&format!("  {name:<11}  ")));
            assert!(
                line.is_some_and(|line| line.len() > 15 && line.len() <= 80),
                "{name}: {line:?}"
            );
        }
    }
}
