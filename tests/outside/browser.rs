//! The explorer in a real browser, and its export behind nginx. Needs Node, Chromium, and `npm ci` in tests/browser.

use morpion_tests::server::Server;
use morpion_tests::{built, morpion, needs, tools};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

#[test]
#[cfg_attr(
    not(all(has_node, has_chromium, has_playwright_core, has_axe_core)),
    ignore = "needs node, chromium, playwright-core and axe-core (npm ci in tests/browser)"
)]
fn the_page_works_in_a_browser() {
    needs(&["node", "chromium", "playwright-core", "axe-core"]);
    let own = tempfile::tempdir().unwrap();
    for name in ["torus.toml", "cube.toml", "holes.toml", "puzzle.toml"] {
        built(own.path(), &[tools::browser().join(name).to_str().unwrap()]);
    }
    // In addition to the tables inside the program.
    let (server, _) = Server::spawn(morpion(["serve"]).env("MORPION_TABLES", own.path()));
    let export = tempfile::tempdir().unwrap();
    exported(export.path(), &[]);
    let export = export.path().display().to_string();
    for (script, least) in [
        ("explorer.mjs", 15),
        ("board.mjs", 15),
        ("others.mjs", 5),
        ("pages.mjs", 20),
        ("kinds.mjs", 8),
    ] {
        scenes(script, &server, &export, least);
    }
}

#[test]
#[cfg_attr(
    not(all(has_node, has_chromium, has_playwright_core, has_nginx)),
    ignore = "needs node, chromium, playwright-core (npm ci in tests/browser), and nginx"
)]
fn an_export_works_in_a_browser_behind_a_server_of_files() {
    needs(&["node", "chromium", "playwright-core", "nginx"]);
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    built(&tables, &["teeko", "--packed"]);
    std::fs::copy(
        morpion_tests::server::tables().join("swap4.morpion"),
        tables.join("swap4.morpion"),
    )
    .unwrap();
    let tables = tables.display().to_string();
    let arguments = ["swap4", "teeko", "--tables", &tables];
    let server = Server::start(&arguments);
    let site = folder.path().join("site");
    exported(&site, &arguments);
    let nginx = Nginx::start(folder.path(), &site);
    scenes("exported.mjs", &server, &format!("http://127.0.0.1:{}/", nginx.port), 3);
}

#[test]
#[cfg_attr(
    not(all(has_node, has_chromium, has_playwright_core, has_python3)),
    ignore = "needs node, chromium, playwright-core (npm ci in tests/browser), and python3"
)]
fn an_export_needs_no_server_but_pythons() {
    needs(&["node", "chromium", "playwright-core", "python3"]);
    let folder = tempfile::tempdir().unwrap();
    exported(&folder.path().join("some/path"), &[]);
    let mut python = Command::new(tools::python());
    python.args(["-u", "-m", "http.server", "--bind", "127.0.0.1", "0"]);
    let files = python.current_dir(folder.path()).stderr(Stdio::null()).stdout(Stdio::piped());
    let mut files = files.spawn().unwrap();
    // Its first line ends with the address in brackets, with the port that it has chosen.
    let mut line = String::new();
    BufReader::new(files.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.split(['(', ')']).nth(1).expect("the server of files names its address");
    let output = Command::new("node")
        .arg(tools::browser().join("recorded.mjs"))
        .arg(format!("{address}some/path/"))
        .arg(tools::chromium().expect("a browser"))
        .output();
    let _ = files.kill();
    let _ = files.wait();
    let output = output.expect("node runs");
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success());
    assert_eq!(text.lines().filter(|line| line.starts_with("ok ")).count(), 8);
}

fn exported(site: &Path, arguments: &[&str]) {
    let output = morpion(["serve", "--export"]).arg(site).args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// Plays the scenes of a script, which receives the address of the server and the folder of the export.
fn scenes(script: &str, server: &Server, export: &str, least: usize) {
    let output = Command::new("node")
        .arg(tools::browser().join(script))
        .arg(format!("http://{}/", server.address))
        .arg(export)
        .arg(tools::chromium().expect("a browser"))
        .arg(std::env::var_os("MORPION_SCREENSHOTS").unwrap_or_default())
        .output()
        .expect("node runs");
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success());
    if std::env::var_os("MORPION_SCENE").is_some() {
        return;
    }
    let played = text.lines().filter(|line| line.starts_with("ok ")).count();
    assert!(played >= least, "{played} scenes were played");
}

/// A running nginx that serves only files, stopped when dropped.
struct Nginx {
    child: Child,
    port: u16,
}

impl Nginx {
    /// Starts nginx on a free port. Tries another port if a different program takes it first.
    fn start(folder: &Path, site: &Path) -> Nginx {
        for _ in 0..10 {
            let free = TcpListener::bind("127.0.0.1:0").unwrap();
            let port = free.local_addr().unwrap().port();
            drop(free);
            let mut nginx = Nginx { child: Nginx::spawn(folder, site, port), port };
            while nginx.child.try_wait().unwrap().is_none() {
                if nginx.answers(folder) {
                    return nginx;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        panic!("nginx does not start");
    }

    /// Checks that the server on the port is this nginx, which knows its folder.
    fn answers(&self, folder: &Path) -> bool {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) else { return false };
        let _ = stream.set_read_timeout(Some(Duration::from_secs(1)));
        let _ = stream.write_all(b"GET /folder HTTP/1.0\r\n\r\n");
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer.ends_with(&folder.display().to_string())
    }

    fn spawn(folder: &Path, site: &Path, port: u16) -> Child {
        let (folder, site) = (folder.display(), site.display());
        let configuration = format!(
            "daemon off; master_process off; worker_processes 1; pid {folder}/pid; error_log {folder}/errors;
events {{ worker_connections 64; }}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  types {{ text/html html; text/css css; text/javascript js; image/svg+xml svg; application/json json; }}
  server {{ listen 127.0.0.1:{port}; root {site}; location = /folder {{ return 200 {folder}; }} }}
}}"
        );
        let file = format!("{folder}/nginx.conf");
        std::fs::write(&file, configuration).unwrap();
        Command::new("nginx").args(["-e", "stderr", "-c", &file]).spawn().unwrap()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
