//! Limits on clients: no client can exceed the server's memory limits, keep it working after disconnecting, close the connection
//! of a client with an open request, or delay a stop.

use morpion_serve::limits::Limits;
use morpion_tests::server::{COSTLY, Client, Limited, Response, Server, costly_batch};
use serde_json::json;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// A limit that no work reaches.
const DAY: Duration = Duration::from_secs(86_400);

const KAYLES: &str = "/api/v1/grundy/kayles/positions";

/// A batch whose answer has this many kilobytes, about nine per position.
fn long_batch(positions: u64) -> String {
    let sums: Vec<[u64; 4]> = (0..positions).map(|at| [16_000, 15_999, 3, 7 + at]).collect();
    json!({ "positions": sums }).to_string()
}

#[test]
#[ignore = "waits for limits of seconds; .ci/run runs it"]
fn unread_answers_stay_within_the_bytes_in_flight() {
    let server = Server::start(&["classic"]);
    let batch = long_batch(1000);
    let whole = server.ask("POST", KAYLES, Some(&batch));
    assert_eq!(whole.status, 200);
    assert!(whole.body.len() > 8 << 20, "{}", whole.body.len());
    let unread: Vec<TcpStream> = (0..100).map(|_| server.begin("POST", KAYLES, &batch)).collect();
    // The number of jobs is also zero before the first job begins.
    server.wait_for("morpion_in_flight_bytes", |bytes| bytes > 16 << 20);
    server.wait_for("morpion_jobs", |jobs| jobs == 0);
    let in_flight = server.metric("morpion_in_flight_bytes");
    assert!(in_flight > 16 << 20 && in_flight <= 64 << 20, "{in_flight}");
    #[cfg(target_os = "linux")]
    assert!(server.memory() < 200 << 10, "{} kB", server.memory());
    // Later clients are answered as soon as the slow clients are disconnected.
    let mut refused = 0;
    while server.ask("POST", KAYLES, Some(&batch)).status != 200 {
        refused += 1;
        assert!(refused < 600, "no room is made");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    drop(unread);
    server.wait_for("morpion_in_flight_bytes", |bytes| bytes == 0);
}

/// A client behind a proxy that the server trusts.
fn client(number: u32) -> String {
    format!("X-Forwarded-For: 192.0.2.{number}\r\n")
}

/// Sends a request with a body, or with the beginning of one, from a client.
fn send(server: &Client, path: &str, client: &str, length: usize, body: &str) -> TcpStream {
    let mut stream = server.connect();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\n{client}Connection: close\r\nContent-Length: {length}\r\n\r\n"
    );
    // The server may answer and close before it has read everything.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
    stream
}

/// Waits for an answer on one of these connections.
fn first_answer(streams: &mut [TcpStream]) -> Response {
    for _ in 0..500 {
        for stream in &mut *streams {
            stream.set_read_timeout(Some(Duration::from_millis(3))).unwrap();
            if let Ok(answer) = Response::read(stream) {
                return answer;
            }
        }
    }
    panic!("no answer")
}

/// Checks that a client gets its short and its longer answers within a second.
fn is_answered_at_once(server: &Client, client: &str) {
    let path = "/api/v1/games/classic/positions";
    let batch = json!({ "positions": ["X../.O./..X o"] }).to_string();
    let ask = |_| {
        let began = Instant::now();
        let mut stream = send(server, path, client, batch.len(), &batch);
        assert_eq!(Response::read(&mut stream).unwrap().status, 200);
        assert_eq!(server.get("/api/v1/games/classic/position").status, 200);
        began.elapsed()
    };
    // The fastest of several, since other tests may occupy the processor.
    let fastest = (0..5).map(ask).min().unwrap();
    assert!(fastest < Duration::from_secs(1), "{fastest:?}");
}

#[test]
fn unfinished_bodies_take_no_place() {
    let server = Server::start(&["classic", "--trust-proxy"]);
    let path = "/api/v1/games/classic/positions";
    let held: Vec<TcpStream> =
        (0..70).map(|_| send(&server, path, &client(1), 100_000, "[")).collect();
    server.wait_for("morpion_body_bytes", |bytes| bytes >= 64);
    assert_eq!(server.metric("morpion_jobs"), 0);
    is_answered_at_once(&server, &client(2));
    is_answered_at_once(&server, &client(1));
    drop(held);
    server.wait_for("morpion_body_bytes", |bytes| bytes == 0);
}

#[test]
fn bodies_that_are_being_received_are_limited_in_bytes() {
    let server = Limited::start(Limits { heavy: 20, ..Limits::default() }, 100, None);
    let path = "/api/v1/games/classic/positions";
    let unfinished = "[".repeat(900_000);
    let from = |number| {
        let held = (0..30).map(|_| send(&server, path, &client(number), 1_000_000, &unfinished));
        held.collect::<Vec<TcpStream>>()
    };
    // 16 MiB of one client, 20 MiB of all.
    let mut held = from(1);
    server.wait_for("morpion_body_bytes", |bytes| bytes > 13 << 20);
    is_answered_at_once(&server, &client(2));
    let refused = first_answer(&mut held);
    assert_eq!(refused.status, 429, "{refused:?}");
    assert!(refused.error().contains("too many long bodies"), "{refused:?}");
    held.extend(from(2));
    server.wait_for("morpion_body_bytes", |bytes| bytes > 17 << 20);
    assert!(server.metric("morpion_body_bytes") <= 20 << 20);
    drop(held);
    server.wait_for("morpion_body_bytes", |bytes| bytes == 0);
    is_answered_at_once(&server, &client(1));
}

#[test]
fn one_client_leaves_places_and_threads_to_others() {
    let (folder, batch) = costly_batch();
    let server =
        Limited::start(Limits { work_time: DAY, ..Limits::default() }, 100, Some(folder.path()));
    // Few enough that all bodies have room: 20 of half a megabyte.
    let mut working: Vec<TcpStream> =
        (0..20).map(|_| send(&server, COSTLY, &client(1), batch.len(), &batch)).collect();
    server.wait_for("morpion_jobs", |jobs| jobs == 16);
    is_answered_at_once(&server, &client(2));
    assert_eq!(server.metric("morpion_jobs"), 16);
    let refused = first_answer(&mut working);
    assert_eq!(refused.status, 429, "{refused:?}");
    assert!(refused.error().contains("16 longer requests of one client"), "{refused:?}");
    // Addresses of one network of IPv6 are one client.
    let network = |host: u32| format!("X-Forwarded-For: 2001:db8::{host}\r\n");
    let mut others: Vec<TcpStream> =
        (0..20).map(|host| send(&server, COSTLY, &network(host), batch.len(), &batch)).collect();
    server.wait_for("morpion_jobs", |jobs| jobs == 32);
    // Many networks of one organisation get half of all places, and those of its provider three quarters.
    let home = |number: u32| format!("X-Forwarded-For: 2001:db8:0:{:x}::1\r\n", number << 8);
    others.extend((1..9).flat_map(|number| {
        (0..4)
            .map(move |_| number)
            .map(|number| send(&server, COSTLY, &home(number), batch.len(), &batch))
    }));
    server.wait_for("morpion_jobs", |jobs| jobs == 48);
    assert_eq!(server.metric("morpion_jobs"), 48);
    // The first client and the networks have all threads together, so one of them has to go.
    drop(working);
    server.wait_for("morpion_jobs", |jobs| jobs == 32);
    is_answered_at_once(&server, &client(3));
    assert_eq!(server.metric("morpion_jobs"), 32);
    drop(others);
    server.wait_for("morpion_jobs", |jobs| jobs == 0);
}

#[test]
fn unread_answers_of_one_client_leave_room_for_others() {
    let server = Server::start(&["classic", "--trust-proxy"]);
    let batch = long_batch(1000);
    let unread: Vec<TcpStream> =
        (0..16).map(|_| send(&server, KAYLES, &client(1), batch.len(), &batch)).collect();
    server.wait_for("morpion_in_flight_bytes", |bytes| bytes > 16 << 20);
    server.wait_for("morpion_jobs", |jobs| jobs == 0);
    assert!(server.metric("morpion_in_flight_bytes") <= 32 << 20);
    let mut stream = send(&server, KAYLES, &client(2), batch.len(), &batch);
    assert_eq!(Response::read(&mut stream).unwrap().status, 200);
    drop(unread);
}

#[test]
fn the_length_of_an_answer_is_limited() {
    let server = Limited::start(Limits { answer: 100_000, ..Limits::default() }, 10, None);
    assert_eq!(server.ask("POST", KAYLES, Some(&long_batch(5))).status, 200);
    let refused = server.ask("POST", KAYLES, Some(&long_batch(50)));
    assert_eq!(refused.status, 413, "{refused:?}");
    assert!(refused.error().contains("longer than 100000 bytes"), "{refused:?}");
    server.wait_for("morpion_in_flight_bytes", |bytes| bytes == 0);
}

#[test]
fn work_ends_when_its_client_leaves() {
    let (folder, batch) = costly_batch();
    let server =
        Limited::start(Limits { work_time: DAY, ..Limits::default() }, 100, Some(folder.path()));
    for half_closed in [false, true] {
        let clients: Vec<TcpStream> =
            (0..10).map(|_| server.begin("POST", COSTLY, &batch)).collect();
        server.wait_for("morpion_jobs", |jobs| jobs == 10);
        if half_closed {
            clients.iter().for_each(|stream| stream.shutdown(Shutdown::Write).unwrap());
            server.wait_for("morpion_jobs", |jobs| jobs == 0);
        } else {
            drop(clients);
            server.wait_for("morpion_jobs", |jobs| jobs == 0);
        }
    }
}

#[test]
fn the_time_of_a_job_is_limited() {
    let (folder, batch) = costly_batch();
    let hasty = Limits { work_time: Duration::from_millis(500), ..Limits::default() };
    let server = Limited::start(hasty, 100, Some(folder.path()));
    let mut clients: Vec<TcpStream> =
        (0..10).map(|_| server.begin("POST", COSTLY, &batch)).collect();
    for client in &mut clients {
        let refused = Response::read(client).unwrap();
        assert_eq!(refused.status, 503, "{refused:?}");
        assert!(refused.error().contains("not done within 0.5 s"), "{refused:?}");
        assert_eq!(refused.header("retry-after"), Some("1"));
    }
    assert_eq!(server.metric("morpion_jobs"), 0);
    // With the default limits a short batch about the same table is answered in time.
    let server = Limited::start(Limits::default(), 100, Some(folder.path()));
    let short = json!({ "positions": [[3, 5]] }).to_string();
    assert_eq!(server.ask("POST", COSTLY, Some(&short)).status, 200);
}

/// A game described by a user. On 5×5 it has 3.5 million arrangements with three pieces each. With four pieces each, it is
/// too large for the server.
fn own_game([rows, columns]: [u32; 2], pieces: u32) -> String {
    let rules = format!(
        "name = \"own\"\n[board]\nrows = {rows}\ncolumns = {columns}\n[lines]\nlength = 3\n[pieces]\neach = {pieces}\n\
         [moves]\nto = \"king\"\n"
    );
    json!({ "rules": rules }).to_string()
}

#[test]
fn a_described_game_is_solved_within_bounds_and_leaves_no_file() {
    const TABLE: &str = "/api/v1/rules/table";
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().to_str().unwrap();
    let server = Server::start(&["classic", "--tables", tables]);
    let solved = server.ask("POST", TABLE, Some(&own_game([5, 5], 3)));
    assert_eq!(solved.status, 200);
    assert_eq!(solved.json()["description"]["cells"], 25);
    let large = server.ask("POST", TABLE, Some(&own_game([5, 5], 4)));
    assert_eq!(large.status, 422, "{large:?}");
    assert!(large.error().contains("entries, expected at most"), "{large:?}");
    // One at a time: while a game is being solved, the other clients are asked to try again.
    for round in 1.. {
        let mut clients: Vec<TcpStream> =
            (0..8).map(|_| server.begin("POST", TABLE, &own_game([5, 5], 3))).collect();
        let answers: Vec<u16> =
            clients.iter_mut().map(|client| Response::read(client).unwrap().status).collect();
        assert!(answers.contains(&200), "{answers:?}");
        assert!(answers.iter().all(|status| [200, 429].contains(status)), "{answers:?}");
        if answers.contains(&429) {
            break;
        }
        assert!(round < 100, "all are solved");
    }
    server.wait_for("morpion_in_flight_bytes", |bytes| bytes == 0);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    // The game has 5 million entries, so that 10 milliseconds do not suffice.
    let hasty = Limits { work_time: Duration::from_millis(10), ..Limits::default() };
    let hasty = Limited::start(hasty, 10, None);
    let refused = hasty.ask("POST", TABLE, Some(&own_game([3, 7], 4)));
    assert_eq!(refused.status, 503, "{refused:?}");
    assert!(refused.error().contains("not done within 0.01 s"), "{refused:?}");
}

#[test]
fn work_beyond_the_limit_is_refused() {
    let (folder, batch) = costly_batch();
    let server = Limited::start(Limits { heavy: 2, ..Limits::default() }, 100, Some(folder.path()));
    let working: Vec<TcpStream> = (0..2).map(|_| server.begin("POST", COSTLY, &batch)).collect();
    server.wait_for("morpion_jobs", |jobs| jobs == 2);
    let refused = server.get("/api/v1/games/classic/line");
    assert_eq!(refused.status, 429, "{refused:?}");
    assert!(refused.error().contains("2 longer requests"), "{refused:?}");
    assert_eq!(server.get("/api/v1/games/classic/position").status, 200);
    drop(working);
    server.wait_for("morpion_jobs", |jobs| jobs == 0);
    assert_eq!(server.get("/api/v1/games/classic/line").status, 200);
}

#[test]
#[ignore = "waits for limits of seconds; .ci/run runs it"]
fn a_connection_with_an_open_request_stays() {
    let (folder, batch) = costly_batch();
    let second = Duration::from_secs(1);
    let times = Limits {
        idle_time: second,
        request_time: second,
        work_time: 4 * second,
        ..Limits::default()
    };
    let server = Limited::start(times, 3, Some(folder.path()));
    let mut first = server.begin("POST", COSTLY, &batch);
    server.wait_for("morpion_jobs", |jobs| jobs == 1);
    // Many more idle connections than places: each gets its turn when an idle connection is closed.
    let idle: Vec<TcpStream> = (0..5).map(|_| server.connect()).collect();
    assert_eq!(server.get("/healthz").status, 200);
    drop(idle);
    let given_up = Response::read(&mut first).unwrap();
    assert!(given_up.error().contains("not done within 4 s"), "{given_up:?}");
}

#[cfg(unix)]
#[test]
fn a_stop_under_load_ends_open_work() {
    let (folder, batch) = costly_batch();
    let tables = folder.path().to_str().unwrap();
    for twice in [false, true] {
        let mut server = Server::start(&["classic", "--tables", tables]);
        let unread: Vec<TcpStream> = (0..4)
            .map(|_| {
                let mut stream = server.begin("POST", KAYLES, &long_batch(10));
                stream.read_exact(&mut [0]).expect("an answer begins");
                stream
            })
            .collect();
        // Few enough that all get the message within the one second allowed, also if they share a processor.
        let mut working: Vec<TcpStream> =
            (0..8).map(|_| server.begin("POST", COSTLY, &batch)).collect();
        server.wait_for("morpion_jobs", |jobs| jobs == 8);
        server.signal("TERM");
        if twice {
            // Only a signal after the first one was handled counts as the second.
            while TcpStream::connect(server.address).is_ok() {}
            server.signal("TERM");
        }
        // Without the stop the work would take many minutes.
        assert_eq!(server.child.wait().unwrap().code(), Some(if twice { 130 } else { 0 }));
        for client in &mut working {
            let answer = Response::read(client).ok();
            let has_message =
                answer.as_ref().is_some_and(|answer| answer.error().contains("is stopping"));
            assert_eq!(has_message, !twice, "{answer:?}");
        }
        drop(unread);
    }
}

#[cfg(unix)]
#[test]
fn an_answer_that_is_being_sent_is_sent_to_its_end() {
    for connection in ["close", "keep-alive"] {
        let mut server = Server::start(&["classic"]);
        let batch = long_batch(1000);
        let mut stream = server.connect();
        let head = format!(
            "POST {KAYLES} HTTP/1.1\r\nHost: localhost\r\nConnection: {connection}\r\nContent-Length: {}\r\n\r\n{batch}",
            batch.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        server.wait_for("morpion_in_flight_bytes", |bytes| bytes > 8 << 20);
        server.wait_for("morpion_jobs", |jobs| jobs == 0);
        server.signal("TERM");
        while TcpStream::connect(server.address).is_ok() {}
        let answer = Response::read(&mut stream).unwrap();
        assert!(answer.body.len() > 8 << 20 && answer.body.ends_with("]}"), "{connection}");
        assert_eq!(server.child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn only_names_of_this_machine_are_answered() {
    let server = Server::start(&["classic"]);
    let port = server.address.port();
    let ask = |path: &str, host: &str| {
        server.send(format!("GET {path} HTTP/1.1\r\n{host}Connection: close\r\n\r\n").as_bytes())
    };
    for host in [
        "localhost",
        "LOCALHOST:80",
        "127.0.0.1",
        "127.3.2.1:9",
        "[::1]",
        "[::1]:8080",
        "[::ffff:127.0.0.1]:80",
    ] {
        assert_eq!(ask("/", &format!("Host: {host}\r\n")).status, 200, "{host}");
    }
    assert_eq!(ask("/healthz", &format!("Host: 127.0.0.1:{port}\r\n")).status, 200);
    assert_eq!(ask("/healthz", "").status, 200, "no browser leaves it out");
    for (path, host) in [
        ("/", "Host: evil.example\r\n"),
        ("/app.js", "Host: localhost.evil.example\r\n"),
        ("/api/v1/games", "Host: 192.168.1.1:8080\r\n"),
        ("/nowhere", "Host: 127.0.0.1.evil.example\r\n"),
        ("/metrics", "Host: localhost\r\nHost: evil.example\r\n"),
        ("/healthz", "Host:\r\n"),
        ("http://evil.example/healthz", "Host: localhost\r\n"),
    ] {
        let response = ask(path, host);
        assert_eq!(response.status, 421, "{path} {host}: {response:?}");
        assert!(response.error().contains("use localhost, 127.0.0.1 or [::1]"), "{response:?}");
    }
    for host in [
        "localhost.example.com:8080",
        "example.com:127.0.0.1",
        "user@example.com",
        "0.0.0.0:8080",
        "[::]",
        "[::2]:80",
        "::2",
        "127.0.0.1 example.com",
        "localhost,example.com",
        "\u{fffd}",
    ] {
        assert_eq!(ask("/", &format!("Host: {host}\r\n")).status, 421, "{host}");
    }
    let shown = ask("/", &format!("Host: {port}.evil.example:{port}\r\n")).error();
    assert!(shown.contains("evil.example"), "{shown}");
}

#[cfg(unix)]
#[test]
fn pipes_and_folders_are_not_tables() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["x.grundy", "y.morpion"] {
        let made = std::process::Command::new("mkfifo").arg(at(name)).status();
        assert!(made.expect("`mkfifo` runs").success());
    }
    std::fs::create_dir(at("z.grundy")).unwrap();
    // The server must not wait for a file that another process has locked.
    std::fs::copy(morpion_tests::server::tables().join("classic.morpion"), at("classic.morpion"))
        .unwrap();
    let built = morpion_tests::morpion(["nim", "build", "0.123", "--out"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(built.status.success(), "{built:?}");
    let locks = ["classic.morpion", "0.123.grundy"].map(|name| {
        let file = std::fs::File::open(at(name)).unwrap();
        file.lock().unwrap();
        file
    });
    let server = Server::start(&["--tables", folder.path().to_str().unwrap()]);
    assert_eq!(server.get("/api/v1/games/classic/position").status, 200);
    assert_eq!(server.get("/api/v1/grundy/0.123/position?heaps=5").status, 200);
    drop(locks);
    let named = morpion_tests::morpion(["serve", "--listen", "127.0.0.1:0"])
        .arg(at("x.grundy"))
        .output()
        .unwrap();
    assert_eq!(named.status.code(), Some(2), "{named:?}");
    assert!(String::from_utf8_lossy(&named.stderr).contains("x.grundy"), "{named:?}");
}
