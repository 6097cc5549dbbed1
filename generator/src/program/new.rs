//! `morpion new`: a rule file to begin with.

use super::output::{Output, Shown};
use super::tables::Target;
use anyhow::{Context, Result, bail};
use morpion_games::catalogue::standard_game;
use morpion_games::rules::starter;
use std::fs::{self, File};
use std::io::Write;
use std::process::ExitCode;

/// Write a rule file to begin with, NAME.toml, where tables go: a small game, every key with a comment
#[derive(clap::Args)]
#[command(after_help = "\
`morpion help rules` explains every key.

Examples:
  morpion new mine
  morpion build mine
  morpion play mine")]
pub struct Args {
    /// Name of the game: letters, digits, - or _
    name: String,
    #[command(flatten)]
    target: Target,
}

pub fn run(args: Args, out: &mut Output) -> Result<ExitCode> {
    let name = &args.name;
    let Some(text) = starter(name) else {
        bail!("found {name:?}, expected a name of 1 to 64 letters, digits, - or _");
    };
    if let Some(game) = standard_game(name) {
        bail!("{name} is a standard game ({}), expected a new name", game.rules().name);
    }
    let folder = args.target.folder();
    let file = folder.join(format!("{name}.toml"));
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    // Never over a file that is there.
    let written = File::create_new(&file).and_then(|mut new| new.write_all(text.as_bytes()));
    written.with_context(|| format!("{}: not written", file.display()))?;
    writeln!(out, "{}", Shown(file.display()))?;
    writeln!(out, "Change it (morpion help rules), then: morpion build {name}")?;
    Ok(ExitCode::SUCCESS)
}
