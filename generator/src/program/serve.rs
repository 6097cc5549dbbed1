//! `morpion serve`: the explorer in the browser, and its HTTP interface.

use super::tables::{Tables, is_not_built, open_all, open_or_solve};
use crate::terminal::prelude::*;
use anyhow::Error;
use morpion_builder::folders::{Folders, Location, LookupError};
use morpion_games::catalogue::is_rule_file;
use morpion_lookup::raw::IN_MEMORY;
use morpion_serve::export::export;
use morpion_serve::library::Library;
use morpion_serve::{Config, Replace, address};
#[cfg(unix)]
use tokio::signal::unix::{SignalKind, signal};

/// The help of `--tables`. In other commands, the option only names the folder that is searched first.
const TABLES: &str = "Serve only the tables in this folder, and named games; it is searched for these first [default: MORPION_TABLES \
     (a list), ./tables, morpion in $XDG_DATA_HOME and $XDG_DATA_DIRS, built-in tables]";

/// Serve a page with the value of every move, and a JSON interface
///
/// The page loads nothing from elsewhere. Ctrl-C and SIGTERM stop the server: open requests get up to 3 seconds to finish, and a second
/// signal ends it at once. SIGHUP loads the tables again, except in a terminal. On a loopback address, requests must name localhost, 127.0.0.1, `[::1]` or a name given by --host.
#[derive(Clone, clap::Args)]
#[command(mut_arg("folder", |tables| tables.help(TABLES)))]
pub struct Args {
    /// Games, table files or rule files to serve; the game of a rule file without a table is solved [default: every table found]
    #[arg(value_name = "GAME|FILE")]
    games: Vec<String>,
    #[command(flatten)]
    config: Config,
    /// Port of this machine to listen at, as --listen PORT
    #[arg(long, value_name = "PORT", conflicts_with = "listen")]
    port: Option<u16>,
    /// Write the page and all tables into this folder instead of serving, for any file server with range requests
    #[arg(long, value_name = "DIR", conflicts_with_all = ["listen", "port"])]
    export: Option<PathBuf>,
    #[command(flatten)]
    tables: Tables,
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let library = load(&args)?;
    let games = counted(library.games() as u64, "game");
    if let Some(folder) = &args.export {
        let bars = |table: &Table| Bars::over(When::Auto, table.game().name(), table.size());
        export(&library, folder, bars)?;
        return Ok(writeln!(out, "{}: {games}", Shown(folder.display()))?);
    }
    let (mut config, base) = (args.config.clone(), args.config.base.clone());
    if let Some(port) = args.port {
        config.listen.set_port(port);
    }
    let events = |replace| {
        reload_on_hangup(args, replace);
        stop_on_signal()
    };
    morpion_serve::serve(config, library, events, |address| {
        // The program that started this process may wait for this line. Serving continues if the line cannot be written.
        let _ = writeln!(out, "{games} at http://{address}{base} (Ctrl-C to stop)");
        let _ = out.flush();
    })?;
    Ok(())
}

/// Waits for Ctrl-C or SIGTERM. A second signal ends the process at once.
async fn stop_on_signal() {
    signal_to_stop().await;
    tokio::spawn(async {
        signal_to_stop().await;
        std::process::exit(130);
    });
}

/// Waits for the next Ctrl-C or SIGTERM. Without a handler, a signal ends the process at once, which loses only open answers.
async fn signal_to_stop() {
    tokio::select! {
        Ok(()) = tokio::signal::ctrl_c() => {}
        Some(()) = terminated() => {}
        else => std::future::pending().await,
    }
}

/// Waits for the next SIGTERM. Returns `None` if the system has no such signal, or no handler can be installed.
async fn terminated() -> Option<()> {
    #[cfg(unix)]
    return signal(SignalKind::terminate()).ok()?.recv().await;
    #[cfg(not(unix))]
    None
}

/// Loads the tables again at every SIGHUP. In a terminal this signal keeps its default action, since it means that the terminal
/// was closed.
#[cfg(unix)]
fn reload_on_hangup(args: Args, replace: Replace) {
    use std::io::IsTerminal;
    if std::io::stdin().is_terminal() {
        return;
    }
    // Without a handler, the signal ends the process.
    let Ok(mut hangups) = signal(SignalKind::hangup()) else { return };
    tokio::spawn(async move {
        while hangups.recv().await.is_some() {
            let args = args.clone();
            if let Ok(found) = tokio::task::spawn_blocking(move || reload(&args)).await {
                replace(found);
            }
        }
    });
}

/// Opens the tables again. The report is written on a thread that may block, since nobody may read it.
#[cfg(unix)]
fn reload(args: &Args) -> Option<Library> {
    let loaded = load(args);
    match &loaded {
        Ok(library) => {
            let games = counted(library.games() as u64, "game");
            note(format_args!("morpion: loaded again: {games}"));
        }
        Err(error) => note(format_args!("morpion: the old tables stay: {error:#}")),
    }
    loaded.ok()
}

/// Tables are loaded once: there is no signal to load them again.
#[cfg(windows)]
fn reload_on_hangup(_: Args, _: Replace) {}

/// Opens the named tables, or all tables in the folder that is published. Damaged tables of the folder are left out with a note.
fn load(args: &Args) -> Result<Library> {
    let mut library = Library::default();
    if !args.games.is_empty() {
        let folders = args.tables.folders();
        for name in &args.games {
            library.add(open_named(args, &folders, name)?)?;
        }
        return Ok(library);
    }
    let folders = args.tables.published();
    open_all(&folders, |name| {
        let added = open(&folders, name).map_err(Error::from).and_then(|table| library.add(table));
        if added.as_ref().is_err_and(|error| !is_not_built(error)) {
            library.leave_out(name.to_owned());
        }
        added
    })?;
    Ok(library)
}

/// Opens a named table. The game of a rule file is solved in memory.
fn open_named(args: &Args, folders: &Folders, name: &str) -> Result<Table> {
    match open(folders, name) {
        Err(LookupError::NotBuilt { .. }) if is_rule_file(name) => {
            Ok(open_or_solve(&args.tables, name, false, is_rule_file)?.0)
        }
        Err(error) if address(name).is_ok() => {
            Err(anyhow!("{error}; to listen at this address, write --listen {name}"))
        }
        opened => Ok(opened?),
    }
}

/// Opens the table of a game. A small file is read into memory, and a large file is mapped. If a mapped file is truncated in place,
/// the process is killed.
fn open(folders: &Folders, name: &str) -> Result<Table, LookupError> {
    let is_small = |file: &Path| file.metadata().is_ok_and(|metadata| metadata.len() <= IN_MEMORY);
    match folders.open(name)? {
        (_, Location::File(file)) if is_small(&file) => Ok(Table::open(file)?),
        (table, _) => Ok(table),
    }
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn a_port_alone_and_a_name_are_addresses_of_this_machine() {
        for (text, expected) in [
            ("8080", "127.0.0.1:8080"),
            ("localhost:8080", "127.0.0.1:8080"),
            ("0.0.0.0:80", "0.0.0.0:80"),
            ("[::1]:8080", "[::1]:8080"),
        ] {
            assert_eq!(address(text).unwrap().to_string(), expected);
        }
        for text in ["", "80800", "127.0.0.1", "localhost", "127.0.0.1:port"] {
            assert!(address(text).unwrap_err().contains("give an address and a port"), "{text}");
        }
    }
}
