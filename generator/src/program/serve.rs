//! `morpion serve`: the explorer in the browser, and the HTTP interface behind it.

use super::output::{Output, Shown, note};
use super::progress::{Bars, When};
use super::tables::Tables;
use anyhow::{Result, ensure};
use morpion_games::catalogue::LookupError;
use morpion_games::catalogue::Table;
use morpion_grundy::GrundyTable;
use morpion_impartial::table;
use morpion_serve::Protocol;
use morpion_serve::library::Library;
use morpion_serve::limits::{HEAD, HEADER_FIELDS, Limits};
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use tokio::sync::oneshot;

/// Open the explorer: a page on which every move shows what it is worth, and a JSON interface
///
/// Everything is in the program; nothing is loaded from elsewhere. Ctrl-C and SIGTERM stop it: open requests get some
/// seconds to finish, and a second signal ends it at once. Where only this machine can reach the address, requests have to be
/// addressed to localhost, 127.0.0.1 or `[::1]`.
#[derive(clap::Args)]
#[command(after_help = after_help())]
pub struct Args {
    /// Games or table files to serve; without any, every table that is found. Grundy tables are served in any case
    #[arg(value_name = "GAME|TABLE")]
    games: Vec<String>,
    /// Address and port, or a port alone, which only this machine can reach; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", value_parser = address)]
    listen: SocketAddr,
    /// Instead of serving, write the page with all tables into this folder, large ones packed, for any server of files that knows range requests
    #[arg(long, value_name = "DIR", conflicts_with = "listen")]
    export: Option<PathBuf>,
    /// Instead of the page, answer the universal web API of GamesCrafters, for the viewer GamesmanUni
    #[arg(long, conflicts_with = "export")]
    uwapi: bool,
    #[command(flatten)]
    tables: Tables,
    /// Connections open at a time; one more closes the one that has been silent longest, unless all are busy with a request
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections, value_parser = positive())]
    connections: usize,
    /// Seconds a client may take to send the head of a request, or a body
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    request_time: f64,
    /// Seconds a connection may be silent before it is closed
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = seconds)]
    idle_time: f64,
    /// Longest body of a request, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().body, value_parser = positive())]
    body: usize,
    /// Positions in one batch
    #[arg(long, value_name = "N", default_value_t = Limits::default().batch, value_parser = positive())]
    batch: usize,
    /// Longest answer to a longer request, in bytes; one that would be longer is answered 413
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().answer, value_parser = positive())]
    answer: usize,
    /// Bytes of bodies and of answers to longer requests in memory; where one more finds no room, a client that has been slow
    /// for some seconds loses its connection, and if none is slow the one more is answered 429
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().in_flight, value_parser = positive())]
    in_flight: usize,
    /// Longer requests (batches, lines, moves of opponents, puzzles, own games, heaps, cram) worked on at a time; one more is answered 429
    #[arg(long, value_name = "N", default_value_t = Limits::default().heavy, value_parser = positive())]
    heavy: usize,
    /// Seconds that a longer request may take, waiting included; then it is answered 503
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().work_time.as_secs_f64(), value_parser = seconds)]
    work_time: f64,
    /// Requests a second that one address may make; one more is answered 429. 0: no limit
    #[arg(long, value_name = "N", default_value_t = 0)]
    rate: u32,
}

fn after_help() -> String {
    format!(
        "\
Further limits: the head of a request has at most {HEAD} bytes and
{HEADER_FIELDS} header fields (431). A longer body, or a batch of more positions, is
answered 413; a head or body that takes too long 408. Games of heaps with a
name and boards of cram with at most 20 cells need no table; of the others
every *.grundy that is found is served.

Examples:
  morpion serve
  morpion serve --listen 127.0.0.1:0 classic swap
  morpion serve --listen 0.0.0.0:80 --tables /srv/tables --rate 50
  morpion serve --export site classic swap tapatan
  morpion serve --uwapi --listen 8082
  curl 'localhost:8080/api/v1/games/classic/position?position=X../.O./..X+o'
  curl 'localhost:8080/api/v1/grundy/kayles/position?heaps=9,14'
  curl 'localhost:8080/api/v1/cram/3x4/position?position=X.../XX../....'
  curl 'localhost:8080/api/v1/openapi.json'"
    )
}

fn positive() -> clap::builder::RangedU64ValueParser<usize> {
    clap::builder::RangedU64ValueParser::new().range(1..=1 << 30)
}

/// Reads `8080`, `localhost:8080` or `0.0.0.0:80`.
fn address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(port) = text.parse::<u16>() {
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    let expected = "expected an address and a port such as 127.0.0.1:8080, or a port";
    let found = text.to_socket_addrs().map_err(|error| format!("{error}; {expected}"))?;
    let found: Vec<SocketAddr> = found.collect();
    let first = found.iter().find(|address| address.is_ipv4()).or(found.first());
    first.copied().ok_or_else(|| format!("this name has no address; {expected}"))
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected seconds, 0.01 to 86400".into()),
    }
}

pub fn run(args: Args, out: &mut Output) -> Result<ExitCode> {
    let library = Library::new(tables(&args)?)?;
    if let Some(folder) = &args.export {
        let exported = morpion_serve::export::export(&library, folder, |table| {
            let bars = Bars::new(When::Auto, &table.game().rules().name);
            bars.bytes(table.size());
            bars
        })?;
        writeln!(out, "{}: {}", Shown(folder.display()), exported.join(", "))?;
        return Ok(ExitCode::SUCCESS);
    }
    let limits = Limits {
        connections: args.connections,
        request_time: Duration::from_secs_f64(args.request_time),
        idle_time: Duration::from_secs_f64(args.idle_time),
        body: args.body,
        batch: args.batch,
        answer: args.answer,
        in_flight: args.in_flight,
        heavy: args.heavy,
        work_time: Duration::from_secs_f64(args.work_time),
        rate: args.rate,
    };
    let longest = limits.body.max(limits.answer);
    ensure!(
        limits.in_flight >= longest,
        "--in-flight {}, expected at least the longest body or answer, {longest}",
        limits.in_flight
    );
    let games = library.games();
    morpion_serve::serve(
        args.listen,
        if args.uwapi { Protocol::Uwapi } else { Protocol::Explorer },
        library,
        grundy_tables(&args)?,
        limits,
        stop_on_signal(),
        |address| {
            // The program that started this one may wait for the line; serving goes on if it cannot be written.
            let _ = writeln!(out, "{games} games at http://{address}/ (Ctrl-C to stop)");
            let _ = out.flush();
        },
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Ready at the first Ctrl-C or termination signal; a second one ends the process at once.
fn stop_on_signal() -> impl Future<Output = ()> {
    let (tell, told) = oneshot::channel();
    let mut tell = Some(tell);
    // Without a handler a signal ends the process at once, which loses the answers that are open but nothing else.
    let _ = ctrlc::set_handler(move || match tell.take() {
        Some(tell) => drop(tell.send(())),
        None => std::process::exit(130),
    });
    async {
        if told.await.is_err() {
            std::future::pending().await
        }
    }
}

/// The tables named, or all there are. One that is damaged does not keep the others from being served.
fn tables(args: &Args) -> Result<Vec<Table>> {
    if !args.games.is_empty() {
        let names = args.games.iter().filter(|name| !table::is_named(name));
        return names.map(|name| Ok(args.tables.open(name)?.0)).collect();
    }
    let mut tables = Vec::new();
    for name in args.tables.folders().names() {
        match args.tables.open(&name) {
            Ok((table, _)) => tables.push(table),
            Err(LookupError::NotBuilt { .. }) => {}
            Err(error) => note(format_args!("morpion: left out: {error}")),
        }
    }
    ensure!(!tables.is_empty(), "found no table, expected at least one: morpion build classic");
    Ok(tables)
}

/// The tables of Grundy values named, then all others there are. Of two of one game the first is served.
fn grundy_tables(args: &Args) -> Result<Vec<GrundyTable>> {
    // SAFETY: tables are only ever replaced by renaming a new file over them.
    let open = |file: &Path| unsafe { GrundyTable::map(file) };
    let named =
        args.games.iter().filter(|name| table::is_named(name)).map(|name| open(Path::new(name)));
    let mut tables = named.collect::<Result<Vec<_>, _>>()?;
    for file in args.tables.folders().files(table::EXTENSION) {
        match open(&file) {
            Ok(table) => tables.push(table),
            Err(error) => note(format_args!("morpion: left out: {error}")),
        }
    }
    Ok(tables)
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
            assert!(
                address(text).unwrap_err().contains("expected an address and a port"),
                "{text}"
            );
        }
    }
}
