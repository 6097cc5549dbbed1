//! Benchmarks the server under load: requests per second, the 99th percentile, and memory. The requests are for
//! positions, for a static file and for a part of a table.
//!
//! Usage: `cargo bench -p morpion-tests --bench load`. MORPION_LOAD sets the seconds of each part (60). Client and
//! server share the machine. The exit status is 1 if a request failed.

use morpion_core::Game;
use morpion_lookup::Table;
use morpion_tests::server::Server;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const CONNECTIONS: usize = 64;

fn main() {
    let seconds = std::env::var("MORPION_LOAD").ok().and_then(|text| text.parse().ok());
    let time = Duration::from_secs_f64(seconds.unwrap_or(60.0));
    let server = Server::start(&[]);
    let positions = positions();
    let parts = [
        ("position", requests(&positions)),
        ("static file", vec![request("/style.css")]),
        ("part of table", vec![part("/data/games/teeko.morpion", "bytes=1000000-1004095")]),
    ];
    let mut failed = 0;
    for (name, requests) in parts {
        let before = server.memory();
        let (mut latencies, failures) = load(&server, &requests, time);
        failed += failures;
        latencies.sort_unstable();
        let at = |share: f64| latencies[((latencies.len() - 1) as f64 * share) as usize];
        println!(
            "{name:<12} {:>8.0} requests/s  median {:>6} µs  99th percentile {:>6} µs  slowest {:>6} µs  {} requests, {failures} failed  memory {before} kB before, {} kB after",
            latencies.len() as f64 / time.as_secs_f64(),
            at(0.5),
            at(0.99),
            at(1.0),
            latencies.len(),
            server.memory(),
        );
    }
    // Dropped here, because `exit` would not drop the server.
    drop(server);
    std::process::exit(i32::from(failed > 0));
}

/// Sends one request after another on each connection until the time is over. Returns the latencies in microseconds, and the
/// number of failed requests.
fn load(server: &Server, requests: &[Vec<u8>], time: Duration) -> (Vec<u32>, usize) {
    let end = Instant::now() + time;
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CONNECTIONS)
            .map(|client| {
                let mut stream = server.connect();
                stream.set_nodelay(true).unwrap();
                scope.spawn(move || {
                    let (mut latencies, mut failures, mut buffer) =
                        (Vec::new(), 0, vec![0; 1 << 16]);
                    for request in requests.iter().cycle().skip(client * 31) {
                        let began = Instant::now();
                        if began >= end {
                            break;
                        }
                        match ask(&mut stream, request, &mut buffer) {
                            Some(()) => latencies.push(began.elapsed().as_micros() as u32),
                            None => {
                                failures += 1;
                                stream = server.connect();
                            }
                        }
                    }
                    (latencies, failures)
                })
            })
            .collect();
        clients.into_iter().fold((Vec::new(), 0), |(mut all, failed), client| {
            let (latencies, failures) = client.join().unwrap();
            all.extend(latencies);
            (all, failed + failures)
        })
    })
}

/// Sends a request and reads the whole answer; `None` unless its status is 200 or 206.
fn ask(stream: &mut TcpStream, request: &[u8], buffer: &mut [u8]) -> Option<()> {
    stream.write_all(request).ok()?;
    let (mut filled, mut expected) = (0, usize::MAX);
    while filled < expected {
        let read = stream.read(&mut buffer[filled..]).ok().filter(|&read| read > 0)?;
        filled += read;
        if expected == usize::MAX
            && let Some(end) = buffer[..filled].windows(4).position(|window| window == b"\r\n\r\n")
        {
            let head = std::str::from_utf8(&buffer[..end]).ok()?;
            let (_, rest) = head.split_once("content-length: ")?;
            let length: usize = rest.lines().next()?.parse().ok()?;
            expected = end + 4 + length;
        }
    }
    [b"HTTP/1.1 200 ", b"HTTP/1.1 206 "]
        .iter()
        .any(|status| buffer.starts_with(*status))
        .then_some(())
}

fn request(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").into_bytes()
}

fn part(path: &str, range: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nRange: {range}\r\n\r\n").into_bytes()
}

fn requests(positions: &[(String, String)]) -> Vec<Vec<u8>> {
    positions
        .iter()
        .map(|(game, position)| {
            request(&format!(
                "/api/v1/games/{game}/position?position={}",
                position.replace(' ', "+").replace('#', "%23")
            ))
        })
        .collect()
}

/// Positions from games between random players on all built-in boards, the same in every run.
fn positions() -> Vec<(String, String)> {
    let mut positions = Vec::new();
    let mut state = 1u64;
    for name in morpion_lookup::Table::builtin_names() {
        let table = Table::builtin(name).unwrap();
        let game: &Game = table.game();
        for _ in 0..20 {
            let mut position = game.start();
            for _ in 0..12 {
                positions.push((name.to_string(), position.to_string()));
                let moves: Vec<_> =
                    table.ranked_moves(position).unwrap().iter().map(|ranked| ranked.mv).collect();
                if moves.is_empty() {
                    break;
                }
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let mv = moves[(state >> 33) as usize % moves.len()];
                position = game.after(position, mv);
            }
        }
    }
    positions
}
