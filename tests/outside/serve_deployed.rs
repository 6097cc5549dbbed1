//! The server as administrators run it: host names, a base path, proxies and signals.

use morpion_tests::server::{Client, Response, Server};
use morpion_tests::{built, morpion, needs, repository};
use serde_json::json;
use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command};

fn get(server: &Client, path: &str, headers: &str) -> Response {
    server.send(format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").as_bytes())
}

#[test]
fn configured_host_names_are_answered() {
    let server = Server::start(&["classic", "--host", "games.example", "--host", "other.example"]);
    for host in ["games.example", "OTHER.example:8080", "localhost", "127.0.0.1"] {
        assert_eq!(get(&server, "/healthz", &format!("Host: {host}\r\n")).status, 200, "{host}");
    }
    let refused = get(&server, "/healthz", "Host: games.example.evil.example\r\n");
    assert_eq!(refused.status, 421, "{refused:?}");
    assert!(refused.error().contains("--host"), "{refused:?}");
    // Others can reach this address, so all names are answered, unless some are given.
    let mut open = vec!["classic", "--listen", "0.0.0.0:0"];
    for expected in [200, 421] {
        let server = Server::start(&open);
        assert_eq!(get(&server, "/healthz", "Host: evil.example\r\n").status, expected);
        open.extend(["--host", "games.example"]);
    }
}

#[test]
fn a_server_below_a_path_redirects_to_its_page() {
    let server = Server::start(&["classic", "--base", "morpion"]);
    for (path, status) in [
        ("/morpion/", 200),
        ("/morpion/app.js", 200),
        ("/morpion/healthz", 200),
        ("/morpion/api/v1/games/classic", 200),
        ("/morpion", 308),
        ("/morpion/nowhere", 404),
        ("/", 404),
        ("/app.js", 404),
        ("/morpionx/", 404),
    ] {
        assert_eq!(server.get(path).status, status, "{path}");
    }
    assert_eq!(server.get("/morpion").header("location"), Some("/morpion/"));
    let document = server.get("/morpion/api/v1/openapi.json").json();
    assert_eq!(document["servers"][0]["url"], "/morpion/");
    let page = get(&server, "/morpion/nowhere", "Host: localhost\r\nAccept: text/html\r\n");
    assert!(page.body.contains("href=\"/morpion/\""), "{page:?}");
}

#[test]
fn browsers_get_a_page_where_programs_get_json() {
    let server = Server::start(&["classic"]);
    let page = get(&server, "/nowhere", "Host: localhost\r\nAccept: text/html,*/*;q=0.8\r\n");
    assert_eq!((page.status, page.header("content-type")), (404, Some("text/html; charset=utf-8")));
    assert_eq!(server.get("/nowhere").error(), "nothing at \"/nowhere\"");
    let icon = server.get("/favicon.ico");
    assert_eq!((icon.status, icon.header("content-type")), (200, Some("image/svg+xml")));
}

#[test]
fn requests_outside_the_base_path_are_refused_and_counted_like_all_others() {
    let server = Server::start(&["classic", "--base", "/morpion/"]);
    let evil = get(&server, "/nowhere", "Host: evil.example\r\n");
    assert_eq!(evil.status, 421, "{evil:?}");
    let outside = server.get("/");
    assert_eq!(outside.status, 404);
    assert_eq!(outside.header("x-content-type-options"), Some("nosniff"));
    assert!(outside.header("content-security-policy").is_some(), "{outside:?}");
    assert_eq!(server.get("/morpion//metrics").status, 404);
    let metrics = server.get("/morpion/metrics").body;
    assert!(metrics.contains("\nmorpion_requests_total 4\n"), "{metrics}");
}

/// Names of the games that the server lists at a path.
fn games(server: &Client, path: &str) -> Vec<String> {
    let listed = server.get(path).json();
    let games = listed["games"].as_array().expect("a list of games").iter();
    games.map(|game| game["game"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn a_named_folder_is_published_and_no_other() {
    let [folder, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let copy = |name: &str, folder: &Path| {
        let name = format!("{name}.morpion");
        std::fs::copy(morpion_tests::server::tables().join(&name), folder.join(&name)).unwrap();
    };
    copy("swap", folder.path());
    copy("achi", other.path());
    let start = |arguments: &[&str]| {
        let mut command = morpion(["serve", "--tables"]);
        command.arg(folder.path()).args(arguments).env("MORPION_TABLES", other.path());
        Server::spawn(&mut command).0
    };
    let server = start(&[]);
    assert_eq!(games(&server, "/api/v1/games"), ["swap"]);
    // A game that is named is looked for elsewhere too.
    assert_eq!(games(&start(&["achi", "swap"]), "/api/v1/games"), ["achi", "swap"]);
}

#[cfg(unix)]
#[test]
fn a_hangup_reloads_the_tables() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let table = |name: &str| morpion_tests::server::tables().join(name);
    std::fs::copy(table("classic.morpion"), at("classic.morpion")).unwrap();
    let mut server = Server::start(&["--tables", folder.path().to_str().unwrap()]);
    assert_eq!(games(&server, "/api/v1/games"), ["classic"]);
    std::fs::copy(table("swap.morpion"), at("swap.morpion")).unwrap();
    std::fs::remove_file(at("classic.morpion")).unwrap();
    server.signal("HUP");
    let until = |expected: &str| {
        for _ in 0..600 {
            if games(&server, "/api/v1/games") == [expected] {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("{:?}", games(&server, "/api/v1/games"));
    };
    until("swap");
    assert_eq!(server.get("/api/v1/games/swap/position").status, 200);
    assert_eq!(server.get("/api/v1/games/classic/position").status, 404);
    // Without tables the server keeps those that it has.
    std::fs::remove_file(at("swap.morpion")).unwrap();
    server.signal("HUP");
    std::thread::sleep(std::time::Duration::from_millis(300));
    until("swap");
    std::fs::copy(table("classic.morpion"), at("classic.morpion")).unwrap();
    server.signal("HUP");
    until("classic");
    server.signal("TERM");
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}

/// A server reloads a folder in which one table is damaged, another one is new and damaged, and a third is right.
#[cfg(unix)]
#[test]
fn a_damaged_table_leaves_the_old_one_and_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(format!("{name}.morpion"));
    let table = |name: &str| {
        std::fs::read(morpion_tests::server::tables().join(format!("{name}.morpion"))).unwrap()
    };
    let replace = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.path().join("new"), bytes).unwrap();
        std::fs::rename(folder.path().join("new"), at(name)).unwrap();
    };
    replace("classic", &table("classic"));
    replace("swap", &table("swap"));
    let server = Server::start(&["--tables", folder.path().to_str().unwrap()]);
    let mut health =
        json!({ "status": "ok", "games": 2, "kept": [], "left_out": [], "stale": false });
    assert_eq!(server.get("/healthz").json(), health);
    let reload = |name: &str, value: u64| {
        server.signal("HUP");
        server.wait_for(name, |found| found == value);
    };
    let start = server.metric("morpion_loaded_timestamp_seconds");
    replace("swap", &table("swap")[..1000]);
    replace("achi", b"no table");
    replace("tapatan", &table("tapatan"));
    reload("morpion_tables_served", 3);
    health["status"] = "degraded".into();
    (health["games"], health["kept"], health["left_out"]) =
        (3.into(), json!(["swap"]), json!(["achi"]));
    assert_eq!(server.get("/healthz").json(), health);
    let all = Server::start(&["--tables", morpion_tests::server::tables().to_str().unwrap()]);
    let mut order = games(&all, "/api/v1/games");
    order.retain(|name| ["classic", "swap", "tapatan"].contains(&name.as_str()));
    assert_eq!(games(&server, "/api/v1/games"), order);
    assert_eq!(server.get("/api/v1/games/swap/position").json()["value"], "draw");
    for (name, value) in [("tables_kept", 1), ("tables_left_out", 1), ("last_load_successful", 0)] {
        assert_eq!(server.metric(&format!("morpion_{name}")), value, "{name}");
    }
    assert!(server.metric("morpion_loaded_timestamp_seconds") >= start);
    // A table that is kept once is kept again.
    replace("achi", &table("achi"));
    reload("morpion_tables_served", 4);
    assert_eq!(server.get("/healthz").json()["kept"], json!(["swap"]));
    // Without any right table all old ones stay.
    for name in ["classic", "achi", "tapatan"] {
        std::fs::remove_file(at(name)).unwrap();
    }
    server.signal("HUP");
    while server.get("/healthz").json()["stale"] != true {}
    assert_eq!(server.metric("morpion_tables_served"), 4);
    replace("swap", &table("swap"));
    reload("morpion_last_load_successful", 1);
    assert_eq!(games(&server, "/api/v1/games"), ["swap"]);
    assert_eq!(server.get("/healthz").json()["status"], "ok");
}

#[cfg(unix)]
#[test]
fn no_request_is_lost_while_tables_are_reloaded() {
    let server = Server::start(&["classic"]);
    for round in 0..100 {
        if round % 10 == 0 {
            server.signal("HUP");
        }
        assert_eq!(server.get("/api/v1/games/classic/position").status, 200, "{round}");
    }
}

#[test]
fn folders_that_do_not_exist_are_refused() {
    let output = morpion(["serve", "classic", "--tables", "/nowhere/at/all"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("this folder does not exist"), "{error}");
}

/// `cp new.morpion old.morpion` truncates a served table in place.
#[test]
fn tables_that_are_truncated_in_place_are_still_answered() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["teeko.morpion.zst", "classic.morpion"] {
        std::fs::copy(morpion_tests::server::tables().join(name), folder.path().join(name))
            .unwrap();
    }
    let mut server = Server::start(&["--tables", folder.path().to_str().unwrap()]);
    for file in std::fs::read_dir(folder.path()).unwrap() {
        std::fs::File::create(file.unwrap().path()).unwrap();
    }
    for game in ["teeko", "classic"] {
        assert_eq!(server.get(&format!("/api/v1/games/{game}/position")).status, 200, "{game}");
    }
    assert!(server.child.try_wait().unwrap().is_none());
}

#[test]
fn an_export_has_the_files_of_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let (site, rules) = (folder.path().join("site"), folder.path().join("games.toml"));
    let text = "name = \"games\"\n[board]\nrows = 2\ncolumns = 2\n[lines]\nlength = 2";
    std::fs::write(&rules, text).unwrap();
    // A game may have the name of another file.
    built(folder.path(), &[rules.to_str().unwrap()]);
    let output = morpion(["serve", "achi", "games", "--export"])
        .args([&site, Path::new("--tables"), folder.path()])
        .output()
        .unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let files = |folder: &str| {
        let files = std::fs::read_dir(site.join(folder)).unwrap();
        let name = |file: std::fs::DirEntry| file.file_name().into_string().unwrap();
        files.map(|file| name(file.unwrap())).collect::<std::collections::BTreeSet<_>>()
    };
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(files("data"), names(&["games", "games.json"]));
    // The rules of all standard games are there, since the page solves them.
    let found = files("data/games");
    let tables: Vec<&String> = found.iter().filter(|name| !name.ends_with(".toml")).collect();
    assert_eq!(tables, ["achi.json", "achi.morpion", "games.json", "games.morpion"]);
    assert!(found.contains("nine-mens-morris.toml") && !found.contains("games.toml"), "{found:?}");
}

/// A running proxy, stopped when it is dropped.
struct Proxy(Child);

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a proxy with the configuration that `configure` writes for a free address, and waits until it listens.
fn proxy(
    folder: &Path,
    command: &[&str],
    configure: impl Fn(SocketAddr) -> String,
) -> (Proxy, Client) {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let file = folder.join("configuration");
    std::fs::write(&file, configure(address)).unwrap();
    let mut child = Command::new(command[0])
        .args(&command[1..])
        .arg(&file)
        // Caddy keeps its last configuration and certificates there.
        .envs(["XDG_CONFIG_HOME", "XDG_DATA_HOME"].map(|name| (name, folder)))
        .spawn()
        .unwrap();
    while std::net::TcpStream::connect(address).is_err() {
        assert!(child.try_wait().unwrap().is_none(), "{} has ended", command[0]);
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    (Proxy(child), Client { address })
}

/// Checks a proxy under a host name, and below a path that it forwards with and without the path. `start` starts the proxy
/// with the address at which it forwards requests, the path there, and the path at which visitors ask.
fn check_proxy(start: impl Fn(&Path, SocketAddr, [&str; 2]) -> (Proxy, Client)) {
    // Links of the page are relative, so a proxy that removes the path needs no --base.
    for [base, path] in [["/", "/"], ["/morpion/", "/morpion/"], ["/", "/morpion/"]] {
        let arguments = ["classic", "--host", "games.example", "--base", base];
        let server = Server::start(&arguments);
        let folder = tempfile::tempdir().unwrap();
        let (_running, proxy) = start(folder.path(), server.address, [base, path]);
        // Otherwise Caddy asks for compressed answers, and sends them without their length.
        let heads = "Host: games.example\r\nAccept-Encoding: identity\r\n";
        let ask = |below: &str| get(&proxy, &format!("{path}{below}"), heads);
        for below in ["", "app.js", "api/v1/games"] {
            assert_eq!(ask(below).status, 200, "{base} {path}{below}");
        }
        assert_eq!(ask("api/v1/games/classic/position").json()["value"], "draw");
        let hidden = ask("metrics");
        assert!([403, 404].contains(&hidden.status), "{hidden:?}");
        let body = "{\"positions\":[\"X../.../...\"]}";
        let length = body.len();
        let mut batch = proxy.connect();
        write!(
            batch,
            "POST {path}api/v1/games/classic/positions HTTP/1.1\r\nHost: games.example\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        assert_eq!(Response::read(&mut batch).unwrap().status, 200);
        // A request for another host gets an empty answer from Caddy, or is refused by the server.
        let evil = get(&proxy, &format!("{path}healthz"), "Host: evil.example\r\n");
        assert!(evil.status == 421 || evil.body.is_empty(), "{evil:?}");
    }
}

/// The text of the first block of the page for administrators that begins with these words.
fn block(begin: &str) -> String {
    let page = std::fs::read_to_string(repository().join("generator/serve/DEPLOY.md")).unwrap();
    let from = page.find(begin).expect("the block");
    page[from..].split("```").next().expect("its text").to_owned()
}

/// Starts nginx with the lines of the page. They limit the rate of requests and write a log.
fn nginx(folder: &Path, server: SocketAddr, [base, path]: [&str; 2]) -> (Proxy, Client) {
    let mut lines = block("map $remote_addr $visitor");
    if path != "/" {
        let (from, to) = (lines.find("    location / {").unwrap(), lines.rfind('}').unwrap());
        lines.replace_range(from..to, &block("    location /morpion/ {"));
    }
    let removed = if base == path { "" } else { base };
    let files = folder.display().to_string();
    let lines = lines
        .replace("127.0.0.1:8080", &format!("{server}{removed}"))
        .replace("/var/log/nginx", &files);
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {files}/{kind};\n"))
        .concat();
    proxy(folder, &["nginx", "-p", &files, "-c"], |address| {
        let lines = lines.replace("listen 80", &format!("listen {address}"));
        format!(
            "daemon off;\nmaster_process off;\npid {files}/pid;\nerror_log {files}/errors;\nevents {{}}\n\
             http {{\n{temporary}{lines}\n}}\n"
        )
    })
}

#[test]
#[cfg_attr(not(has_nginx), ignore = "needs nginx")]
fn behind_nginx_under_a_name_and_below_a_path() {
    needs(&["nginx"]);
    check_proxy(nginx);
}

#[test]
#[cfg_attr(not(has_nginx), ignore = "needs nginx")]
fn nginx_limits_rates_and_writes_the_log() {
    needs(&["nginx"]);
    let (server, folder) = (Server::start(&["classic"]), tempfile::tempdir().unwrap());
    let (_running, proxy) = nginx(folder.path(), server.address, ["/", "/"]);
    // The whole page is loaded at once, and then the burst is used up.
    let statuses: Vec<u16> = (0..1000).map(|_| proxy.get("/style.css").status).collect();
    assert!(statuses[..200].iter().all(|status| *status == 200), "{statuses:?}");
    assert!(statuses.contains(&429), "the limit of the rate");
    let lines = |text: &str| {
        let log = std::fs::read_to_string(folder.path().join("morpion.log")).unwrap();
        log.lines().filter(|line| line.contains(text)).count()
    };
    while lines("127.0.0.1 - - [") < 1000 {}
    let refused = statuses.iter().filter(|status| **status == 429).count();
    assert_eq!(lines("GET /style.css HTTP/1.1\" 429"), refused);
}

#[test]
#[cfg_attr(not(has_caddy), ignore = "needs caddy")]
fn behind_caddy_under_a_name_and_below_a_path() {
    needs(&["caddy"]);
    check_proxy(|folder, server, [base, path]| {
        let lines = match path {
            "/" => block("games.example {\n    log"),
            _ => block("games.example {\n    redir"),
        };
        let handle = if base == path { "handle /morpion/*" } else { "handle_path /morpion/*" };
        let files = folder.display().to_string();
        let lines = lines
            .replace("handle /morpion/*", handle)
            .replace("127.0.0.1:8080", &server.to_string())
            .replace("/var/log/caddy", &files);
        let command = ["caddy", "run", "--adapter", "caddyfile", "--config"];
        proxy(folder, &command, |address| {
            let site = format!("http://games.example:{}", address.port());
            let lines = lines.replacen("games.example", &site, 1);
            format!("{{\nadmin off\nauto_https off\n}}\n{lines}")
        })
    });
}

#[test]
#[cfg_attr(not(has_apache2), ignore = "needs apache2")]
fn behind_apache_under_a_name_and_below_a_path() {
    needs(&["apache2"]);
    check_proxy(|folder, server, [base, path]| {
        let mut lines = block("<VirtualHost *:80>");
        if path != "/" {
            let (from, to) = (lines.find("    ProxyPass").unwrap(), lines.find("</Virt").unwrap());
            lines.replace_range(from..to, &block("    RedirectMatch"));
        }
        let to = format!("http://{server}{base}");
        let lines = lines.replace(&format!("http://127.0.0.1:8080{path}"), &to);
        let modules = ["mpm_event", "authz_core", "alias", "proxy", "proxy_http"].map(|name| {
            format!("LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n")
        });
        let files = folder.display();
        proxy(folder, &["apache2", "-X", "-f"], |address| {
            let lines = lines.replace("*:80", &address.to_string());
            format!(
                "ServerRoot {files}\nPidFile {files}/pid\nErrorLog {files}/log\n{}Listen {address}\n{lines}",
                modules.concat()
            )
        })
    });
}

#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(not(has_systemd), ignore = "needs systemd-analyze and systemd-socket-activate")]
fn the_unit_of_the_page_is_hardened_and_takes_the_socket_of_systemd() {
    needs(&["systemd"]);
    let folder = tempfile::tempdir().unwrap();
    let unit = folder.path().join("morpion.service");
    std::fs::write(&unit, block("[Unit]")).unwrap();
    let found = Command::new("systemd-analyze")
        .args(["security", "--offline=true", "--threshold=19"])
        .arg(&unit)
        .output()
        .unwrap();
    assert!(found.status.success(), "the exposure is 2 or more: {found:?}");
    // The port is open before the program is started by the first client.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut command = Command::new("systemd-socket-activate");
    command.arg(format!("--listen=127.0.0.1:{port}")).arg(morpion_tests::program());
    let mut server = command.args(["serve", "classic"]).spawn().unwrap();
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let connected = (0..600).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        std::net::TcpStream::connect(address).ok()
    });
    drop(connected.expect("systemd listens"));
    assert_eq!(Client { address }.get("/healthz").status, 200);
    server.kill().unwrap();
    server.wait().unwrap();
}
