//! The server as administrators run it: host names, a base path, proxies and signals.

use morpion_tests::server::{Client, Response, Server};
use morpion_tests::{built, morpion, needs};
use std::io::{BufRead, Write};
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
fn each_visitor_behind_a_proxy_has_a_rate_of_its_own() {
    for trusted in [true, false] {
        let arguments = ["classic", "--rate", "3", "--trust-proxy"];
        let server = Server::start(&arguments[..if trusted { 4 } else { 3 }]);
        let ask = |visitor: usize| {
            let headers =
                format!("Host: localhost\r\nX-Forwarded-For: 198.51.100.9, 192.0.2.{visitor}\r\n");
            get(&server, "/healthz", &headers).status
        };
        let statuses: Vec<u16> = (0..20).map(ask).collect();
        let refused = statuses.iter().filter(|status| **status == 429).count();
        assert_eq!(refused > 0, !trusted, "{statuses:?}");
        assert!((0..100).any(|_| ask(7) == 429));
    }
}

/// Requests per second, within a burst, that clients with these addresses may send together.
fn admitted(server: &Client, visitors: &[String]) -> usize {
    let ask = |visitor: &String| {
        get(server, "/healthz", &format!("Host: localhost\r\nX-Forwarded-For: {visitor}\r\n"))
    };
    visitors.iter().map(ask).filter(|response| response.status == 200).count()
}

#[test]
fn addresses_of_one_network_share_a_rate() {
    let server = Server::start(&["classic", "--rate", "1", "--trust-proxy"]);
    let network: Vec<String> = (0..9).map(|host| format!("2001:db8::{host}")).collect();
    assert!(admitted(&server, &network) < 9);
    let networks: Vec<String> = (0..9).map(|net| format!("2001:db8:0:{net:x}00::1")).collect();
    assert_eq!(admitted(&server, &networks[1..]), 8);
    // A mapped address counts as its IPv4 address.
    let mapped = ["192.0.2.1", "::ffff:192.0.2.1"].map(String::from);
    assert!((0..100).any(|_| admitted(&server, &mapped) == 0));
    assert_eq!(
        admitted(&Server::start(&["classic", "--trust-proxy"]), &vec![mapped[0].clone(); 200]),
        200
    );
}

#[test]
fn requests_outside_the_base_path_are_refused_and_counted_like_all_others() {
    let arguments = ["serve", "classic", "--base", "/morpion/", "--log", "common", "--rate", "3"];
    let (server, mut log) = Server::spawn(&mut morpion(arguments));
    let evil = get(&server, "/nowhere", "Host: evil.example\r\n");
    assert_eq!(evil.status, 421, "{evil:?}");
    let mut line = String::new();
    log.read_line(&mut line).unwrap();
    assert!(line.contains("\"GET /nowhere HTTP/1.1\" 421 "), "{line}");
    let statuses: Vec<u16> = (0..20).map(|_| server.get("/nowhere").status).collect();
    assert!(statuses.contains(&404) && statuses.contains(&429), "{statuses:?}");
    let admitted = |path: &str| loop {
        let response = server.get(path);
        if response.status != 429 {
            return response;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    };
    let outside = admitted("/");
    assert_eq!(outside.status, 404);
    assert_eq!(outside.header("x-content-type-options"), Some("nosniff"));
    assert!(outside.header("content-security-policy").is_some(), "{outside:?}");
    let metrics = admitted("/morpion/metrics");
    let counted = "morpion_requests_total{route=\"other\",status=\"421\"} 1";
    assert!(metrics.body.contains(counted), "{metrics:?}");
    assert_eq!(admitted("/morpion//metrics").status, 404);
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
    for (code, folder) in [("0.142", &folder), ("0.143", &other)] {
        let built = morpion(["nim", "build", code, "--heaps", "1000", "--out"])
            .arg(folder.path())
            .output()
            .unwrap();
        assert!(built.status.success(), "{built:?}");
    }
    let start = |arguments: &[&str]| {
        let mut command = morpion(["serve", "--tables"]);
        command.arg(folder.path()).args(arguments).env("MORPION_TABLES", other.path());
        Server::spawn(&mut command).0
    };
    let server = start(&[]);
    assert_eq!(games(&server, "/api/v1/games"), ["swap"]);
    let heaps = games(&server, "/api/v1/grundy");
    assert!(heaps.contains(&"0.142".into()) && !heaps.contains(&"0.143".into()), "{heaps:?}");
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
    let built = morpion(["nim", "build", "0.77", "--out"]).arg(folder.path()).output();
    assert!(built.unwrap().status.success());
    let mut server = Server::start(&["--tables", folder.path().to_str().unwrap()]);
    for file in std::fs::read_dir(folder.path()).unwrap() {
        std::fs::File::create(file.unwrap().path()).unwrap();
    }
    for path in
        ["games/teeko/position", "games/classic/position", "grundy/0.77/position?heaps=9,14"]
    {
        assert_eq!(server.get(&format!("/api/v1/{path}")).status, 200, "{path}");
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
        let arguments = ["classic", "--host", "games.example", "--base", base, "--trust-proxy"];
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

/// This and the next configurations are those of `generator/serve/DEPLOY.md`.
#[test]
#[cfg_attr(not(has_nginx), ignore = "needs nginx")]
fn behind_nginx_under_a_name_and_below_a_path() {
    needs(&["nginx"]);
    check_proxy(|folder, server, [base, path]| {
        let removed = if base == path { "" } else { base };
        let files = folder.display();
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {files}/{kind};\n"));
        proxy(folder, &["nginx", "-p", folder.to_str().unwrap(), "-c"], |address| {
            format!(
                "daemon off;\nmaster_process off;\npid {files}/pid;\nerror_log stderr;\nevents {{}}\n\
                 http {{\naccess_log off;\n{}server {{\nlisten {address};\n\
                 location {path} {{\nproxy_pass http://{server}{removed};\nproxy_http_version 1.1;\n\
                 proxy_set_header Host $host;\n\
                 proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;\n}}\n\
                 location = {path}metrics {{ deny all; }}\n}}\n}}\n",
                temporary.concat()
            )
        })
    });
}

#[test]
#[cfg_attr(not(has_caddy), ignore = "needs caddy")]
fn behind_caddy_under_a_name_and_below_a_path() {
    needs(&["caddy"]);
    check_proxy(|folder, server, [base, path]| {
        let command = ["caddy", "run", "--adapter", "caddyfile", "--config"];
        let handle = if base == path { "handle" } else { "handle_path" };
        proxy(folder, &command, |address| {
            format!(
                "{{\nadmin off\nauto_https off\n}}\nhttp://games.example:{} {{\n\
                 handle {path}metrics {{\nrespond 403\n}}\n\
                 {handle} {path}* {{\nreverse_proxy {server}\n}}\n}}\n",
                address.port()
            )
        })
    });
}

#[test]
#[cfg_attr(not(has_apache2), ignore = "needs apache2")]
fn behind_apache_under_a_name_and_below_a_path() {
    needs(&["apache2"]);
    check_proxy(|folder, server, [base, path]| {
        let modules = ["mpm_event", "authz_core", "proxy", "proxy_http"].map(|name| {
            format!("LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n")
        });
        let files = folder.display();
        proxy(folder, &["apache2", "-X", "-f"], |address| {
            format!(
                "ServerRoot {files}\nPidFile {files}/pid\nErrorLog {files}/log\n{}Listen {address}\n\
                 <VirtualHost {address}>\nServerName games.example\nProxyPreserveHost On\n\
                 ProxyPass {path}metrics !\nProxyPass {path} http://{server}{base}\n</VirtualHost>\n",
                modules.concat()
            )
        })
    });
}

/// The text of the first block of a page that begins with these words.
fn block(page: &str, begin: &str) -> String {
    let from = page.find(begin).expect("the block");
    page[from..].split("```").next().expect("its text").to_owned()
}

#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(not(has_systemd), ignore = "needs systemd-analyze and systemd-socket-activate")]
fn the_unit_of_the_page_is_hardened_and_takes_the_socket_of_systemd() {
    needs(&["systemd"]);
    let page =
        std::fs::read_to_string(morpion_tests::repository().join("generator/serve/DEPLOY.md"));
    let folder = tempfile::tempdir().unwrap();
    let unit = folder.path().join("morpion.service");
    std::fs::write(&unit, block(&page.unwrap(), "[Unit]")).unwrap();
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
