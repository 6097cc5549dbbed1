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
mod line;
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
mod sheet;
mod shell;
mod strategy;
mod tables;
mod verify;

use crate::impartial::{cram, describe, is_table, nim, prove};
use crate::terminal::help::help;
use crate::terminal::output::Output;
use anyhow::{Result, ensure};
use clap::builder::Styles;
use clap::{CommandFactory, Parser, Subcommand};

/// Tables of perfect play for tic-tac-toe and its family
#[derive(Parser)]
#[command(name = "morpion", version, max_term_width = 80)]
#[command(help_template = template())]
#[command(after_help = help("morpion"))]
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

/// The template of the help. It lists the commands itself, since clap cannot group them.
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

#[derive(Subcommand)]
enum Command {
    Games(games::Args),
    Plan(plan::Args),
    Build(build::Args),
    Info(info::Args),
    Query(query::Args),
    Count(count::Args),
    Judge(judge::Args),
    Play(play::Args),
    Puzzle(puzzle::Args),
    New(new::Args),
    Verify(verify::Args),
    Strategy(strategy::Args),
    Serve(serve::Args),
    Arena(arena::Args),
    Atlas(atlas::Args),
    Dump(dump::Args),
    Pack(pack::Args),
    #[cfg(feature = "cluster")]
    Join(cluster::JoinArgs),
    Nim(nim::Args),
    Cram(cram::Args),
    Completions(shell::CompletionsArgs),
    Man(shell::ManArgs),
}

impl Program {
    /// Runs the command. The caller flushes its output.
    pub fn run(self, out: &mut Output) -> Result<()> {
        match self.command {
            // The first bytes of a file decide: a table of Grundy values is handed over to impartial games.
            Command::Info(info::Args { source, check, csv, bibtex, json, .. })
                if is_table(&source.game) =>
            {
                let game = source.game;
                ensure!(!csv, "{game}: a table of Grundy values has no census");
                ensure!(
                    !bibtex,
                    "{game}: a table of Grundy values has no entry for BibTeX: cite the program as in CITATION.cff"
                );
                describe(game.as_ref(), check, json, out)
            }
            Command::Verify(verify::Args { game: Some(game), part, progress, json, .. })
                if is_table(&game) =>
            {
                let is_whole = part.is_none();
                ensure!(is_whole, "{game}: a Grundy table is proved as a whole: leave out --part");
                prove(game.as_ref(), progress, json, out)
            }
            Command::Games(args) => games::run(args, out),
            Command::Plan(args) => plan::run(args, out),
            Command::Build(args) => build::run(args, out),
            Command::Info(args) => info::run(args, out),
            Command::Query(args) => query::run(args, out),
            Command::Count(args) => count::run(args, out),
            Command::Judge(args) => judge::run(args, out),
            Command::Play(args) => play::run(args, out),
            Command::Puzzle(args) => puzzle::run(args, out),
            Command::New(args) => new::run(args, out),
            Command::Verify(args) => verify::run(args, out),
            Command::Strategy(args) => strategy::run(args, out),
            Command::Serve(args) => serve::run(args, out),
            Command::Arena(args) => arena::run(args, out),
            Command::Atlas(args) => atlas::run(args, out),
            Command::Dump(args) => dump::run(args, out),
            Command::Pack(args) => pack::run(args, out),
            #[cfg(feature = "cluster")]
            Command::Join(args) => cluster::join(args, out),
            Command::Nim(args) => nim::run(args, out),
            Command::Cram(args) => cram::run(args, out),
            Command::Completions(args) => shell::completions(args, Program::command(), out),
            Command::Man(args) => shell::man(args, Program::command(), out),
        }
    }
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
