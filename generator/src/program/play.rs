//! `morpion play`: a game in the terminal.

pub mod board;
pub mod hint;
pub mod input;
mod review;
mod saved;
mod session;

use super::tables::{TableSource, Tables};
use crate::terminal::lines::Prompts;
use crate::terminal::output::lines_of;
use crate::terminal::prelude::*;
use morpion_builder::files;
use morpion_builder::folders::Folders;
use morpion_core::Game;
use morpion_games::catalogue::short_title;
use morpion_play::link;
use morpion_play::players::{self, Player};
use morpion_play::record::Record;
use saved::Saved;
use session::Session;
use std::cell::OnceCell;
use std::hash::{BuildHasher, Hasher, RandomState};

/// Play a game in the terminal, human or computer on either side
#[derive(clap::Args)]
pub struct Args {
    /// A game by name, a table file, or a rule file [default: the game of the record or link, else choose from a menu]
    #[arg(value_name = "GAME|FILE")]
    game: Option<String>,
    #[command(flatten)]
    tables: Tables,
    /// Player of X: human, or one of the players below [default: human]
    #[arg(long, value_name = "WHO")]
    x: Option<String>,
    /// Player of O: human, or one of the players below [default: club]
    #[arg(long, value_name = "WHO")]
    o: Option<String>,
    /// Begin from this position, or continue the game of this link to the page of morpion serve
    #[arg(long, value_name = "POSITION|LINK", allow_hyphen_values = true, conflicts_with = "load")]
    from: Option<String>,
    /// Seed of the players' choices; the same seed gives the same game [default: a random seed]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Continue the game of this record, with its players unless --x and --o name others
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Write the record of the game to this file whenever a human is to move, at the end, and when you leave
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let (origin, beginning) = beginning(args.from.as_deref(), args.load.as_deref())?;
    let mut prompts = Prompts::default();
    let name = match args.game.as_deref().unwrap_or(&beginning.game) {
        "" if args.load.is_some() => {
            bail!("{origin}: a list of moves does not name its game: morpion play GAME --load …")
        }
        "" => menu(&args.tables.folders(), &mut prompts, out)?,
        name => Some(name.to_owned()),
    };
    let Some(name) = name else { return Ok(()) };
    let source = TableSource { game: name, tables: args.tables };
    let game = source.rules().with_context(|| match &args.load {
        Some(_) => {
            format!("the game of {origin} (name its rule file: morpion play FILE.toml --load …)")
        }
        None => "the game to play".into(),
    })?;
    let referee = beginning.replay(&game).context(origin)?;
    let players = [args.x.unwrap_or(beginning.x), args.o.unwrap_or(beginning.o)];
    let [x, o] = players.map(|name| player(&name));
    if let Some(path) = &args.save {
        // An error now is better than an error after the game.
        files::resolve(path)
            .and_then(|path| files::beside(&path))
            .with_context(|| path.display().to_string())?;
    }
    let fresh = || RandomState::new().build_hasher().finish() >> 32;
    let mut session = Session {
        referee,
        players: [x?, o?],
        seed: args.seed.or(beginning.seed).unwrap_or_else(fresh),
        source,
        table: OnceCell::new(),
        saved: Saved::new(args.save),
        prompts,
        out: out.coloured(),
        hints: 0,
        asked: None,
    };
    for player in session.players.iter().flatten().filter(|player| player.needs_table) {
        session.table().with_context(|| {
            format!("{} plays from a table (others do not: --o club)", player.name)
        })?;
    }
    if let Some(path) = &args.load {
        let record = session.record();
        session.saved.remember_saved(&record, path);
    }
    let ended = session.run();
    // The game is saved even if it ended by an error, such as a closed pipe.
    let record = session.record();
    let kept = session.saved.keep(&record)?;
    if let Some(path) = &session.saved.path {
        let done = if kept { "record written" } else { "no move was made: nothing is written" };
        note(format_args!("{done} to {}", path.display()));
    }
    ended?;
    Ok(())
}

/// Reads the game to continue from the value of `--from` or `--load`, of which at most one is given. Returns the name of its source
/// too, for messages.
fn beginning(from: Option<&str>, load: Option<&Path>) -> Result<(String, Record)> {
    match (load, from.unwrap_or_default()) {
        (Some(path), _) => {
            let origin = path.display().to_string();
            let (record, unused) = saved::read(path).context(origin.clone())?;
            if !unused.is_empty() {
                note(format_args!("morpion: {origin}: not used: {}", unused.join(", ")));
            }
            Ok((origin, record))
        }
        (None, text) if link::is_link(text) => Ok(("the link".into(), link::read(text)?)),
        (None, text) => {
            let mut record = Record::unnamed();
            (record.start, record.o) = (text.into(), "club".into());
            Ok((format!("{text:?}"), record))
        }
    }
}

/// Lists the games that have a table and asks for one, by its number or name. Returns `None` at the end of the input.
fn menu(folders: &Folders, prompts: &mut Prompts, out: &mut Output) -> Result<Option<String>> {
    let names = folders.names();
    let games: Vec<Game> = names
        .iter()
        .filter_map(|name| folders.open(name).ok())
        .map(|(table, _)| table.game().clone())
        .collect();
    for (number, game) in (1..).zip(&games) {
        writeln!(out, "{number:>3}  {}", Shown(short_title(game)))?;
    }
    if games.len() < names.len() {
        writeln!(out, "Games without a table are not listed; morpion games lists all.")?;
    }
    loop {
        let Some(line) = prompts.ask("Game by number or name [Tic-tac-toe]> ", out)? else {
            writeln!(out)?;
            return Ok(None);
        };
        let typed = line.trim().to_lowercase();
        let typed = typed.as_str();
        let numbered =
            typed.parse().ok().and_then(|number: usize| games.get(number.checked_sub(1)?));
        let titled = || games.iter().find(|game| short_title(game).to_lowercase() == typed);
        match (typed, numbered.or_else(titled)) {
            ("", _) => return Ok(Some("classic".into())),
            ("quit" | "exit", _) => return Ok(None),
            (_, Some(game)) => return Ok(Some(game.name().to_owned())),
            (name, None) => match folders.game(name) {
                Ok(_) => return Ok(Some(name.to_owned())),
                Err(error) => {
                    for line in lines_of(&error.into()) {
                        writeln!(out, "{}", Shown(line))?;
                    }
                }
            },
        }
    }
}

/// Makes the player of this name; `None` for a human.
fn player(name: &str) -> Result<Option<Player>> {
    match players::parse(name) {
        _ if name == "human" => Ok(None),
        Ok(player) => Ok(Some(player)),
        Err(error) => bail!("{error}, or human"),
    }
}
