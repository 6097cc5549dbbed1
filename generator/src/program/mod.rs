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

use crate::impartial::{cram::Cram, describe, is_table, nim::Nim, prove};
use crate::terminal::prelude::*;
use clap::builder::Styles;
use clap::{CommandFactory, Parser, Subcommand};

/// Tables of perfect play for tic-tac-toe and its family
#[derive(Parser)]
#[command(name = "morpion", version, max_term_width = 80)]
#[command(help_template = template())]
#[command(after_help = help("morpion"), mut_subcommands = |command| with_help("", command))]
pub struct Program {
    #[command(subcommand)]
    pub command: Command,
}

/// The sections of the help, each with its first command.
const SECTIONS: [(&str, &str); 5] = [
    ("Solve", "games"),
    ("Ask", "query"),
    ("Play", "play"),
    ("Publish", "serve"),
    ("Other", "completions"),
];

/// Adds the page about a command to its help. The page of a subcommand is named after its parents too: `cram-value`. `parents` is that
/// beginning, `cram-`.
fn with_help(parents: &str, command: clap::Command) -> clap::Command {
    let name = format!("{parents}{}", command.get_name());
    let command = command.after_help(help(&name));
    command.mut_subcommands(|part| with_help(&format!("{name}-"), part))
}

/// The template of the help. The template lists the commands, since clap cannot group them.
fn template() -> String {
    let styles = Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let program = Command::augment_subcommands(clap::Command::new("morpion"));
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for command in program.get_subcommands() {
        let name = command.get_name();
        if let Some((title, _)) = SECTIONS.iter().find(|(_, first)| *first == name) {
            text.push_str(&format!("\n{header}{title}:{header:#}\n"));
        }
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        text.push_str(&format!("  {literal}{name:<11}{literal:#}  {about}\n"));
    }
    text + &format!("\n{header}Options:{header:#}\n{{options}}{{after-help}}")
}

commands! {
    /// The order of the commands is their order in the help.
    Command {
        Games(games::Args) => games::run,
        New(new::Args) => new::run,
        Plan(plan::Args) => plan::run,
        Build(build::Args) => build::run,
        #[cfg(feature = "cluster")]
        Join(cluster::JoinArgs) => cluster::join,
        Verify(verify::Args) => run_verify,

        Query(query::Args) => query::run,
        Strategy(strategy::Args) => strategy::run,
        Count(count::Args) => count::run,
        Info(info::Args) => run_info,
        Judge(judge::Args) => judge::run,
        #[command(subcommand)]
        Nim(Nim) => Nim::run,
        #[command(subcommand)]
        Cram(Cram) => Cram::run,

        Play(play::Args) => play::run,
        Puzzle(puzzle::Args) => puzzle::run,
        Arena(arena::Args) => arena::run,

        Serve(serve::Args) => serve::run,
        Atlas(atlas::Args) => atlas::run,
        Dump(dump::Args) => dump::run,
        Pack(pack::Args) => pack::run,

        Completions(shell::CompletionsArgs) => |args, out| shell::completions(args, Program::command(), out),
        Man(shell::ManArgs) => |args, out| shell::man(args, Program::command(), out),
    }
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

    #[test]
    fn the_help_lists_every_command_in_one_line() {
        let program = Program::command();
        let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
        let firsts = SECTIONS.map(|(_, first)| first);
        assert_eq!(names[0], firsts[0]);
        let in_order: Vec<&str> =
            names.iter().copied().filter(|name| firsts.contains(name)).collect();
        assert_eq!(in_order, firsts);
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
