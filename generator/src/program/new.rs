//! `morpion new`: creates a starter rule file.

use super::tables::folder;
use crate::terminal::prelude::*;
use morpion_games::catalogue::standard_game;
use morpion_games::rules::starter;
use std::fs::{self, File};
use std::io::ErrorKind;

/// Create NAME.toml, a commented starter rule file
#[derive(clap::Args)]
pub struct Args {
    /// Name of the game: letters, digits, - or _
    name: String,
    /// Folder of the rule file; a game in a folder of tables is found by its name
    #[arg(long, value_name = "DIR", default_value = ".", value_parser = folder())]
    out: PathBuf,
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let name = &args.name;
    let Some(text) = starter(name) else {
        bail!("{name:?} is not a valid name: use 1 to 64 letters, digits, - or _");
    };
    if let Some(game) = standard_game(name) {
        bail!("{name} is a standard game ({}): choose another name", game.name());
    }
    let file = args.out.join(format!("{name}.toml"));
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    // An existing file is never overwritten.
    let written = File::create_new(&file).and_then(|mut new| new.write_all(text.as_bytes()));
    let shown = Shown(file.display());
    if written.as_ref().is_err_and(|error| error.kind() == ErrorKind::AlreadyExists) {
        bail!("{shown}: exists already: edit it, or choose another name");
    }
    written.with_context(|| format!("{}: cannot be written", file.display()))?;
    writeln!(out, "{shown}")?;
    Ok(writeln!(out, "Change it (morpion help rules), then: morpion build {shown}")?)
}
