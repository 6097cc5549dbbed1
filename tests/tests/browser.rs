//! The explorer's page in a real browser. Needs Node, Chromium, and `npm ci` in tests/browser; without them it says so
//! and passes, unless MORPION_REQUIRE_TOOLS is set, as it is where the whole suite has to run.

mod server;

use morpion_tests::morpion;
use server::Server;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is missing, or the browser.
fn browser(folder: &Path) -> Result<PathBuf, &'static str> {
    if !Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return Err("node is missing");
    }
    if !folder.join("node_modules/playwright-core").is_dir() {
        return Err("playwright-core is missing: run `npm ci` in tests/browser");
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|file| file.is_file());
    found.ok_or("chromium is missing")
}

#[test]
fn the_page_works_in_a_browser() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("browser");
    let chromium = match browser(&folder) {
        Ok(chromium) => chromium,
        Err(missing) if std::env::var_os("MORPION_REQUIRE_TOOLS").is_some() => panic!("{missing}"),
        Err(missing) => {
            eprintln!("SKIPPED the page in a browser: {missing}");
            return;
        }
    };
    let server = Server::start(&[]);
    let export = tempfile::tempdir().unwrap();
    let exported = morpion(["serve", "--export"]).arg(export.path()).output().unwrap();
    assert!(exported.status.success(), "{exported:?}");
    let output = Command::new("node")
        .arg(folder.join("explorer.mjs"))
        .arg(format!("http://{}/", server.address))
        .arg(export.path())
        .arg(chromium)
        .arg(std::env::var_os("MORPION_SCREENSHOTS").unwrap_or_default())
        .output()
        .expect("node runs");
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success());
    assert!(text.lines().filter(|line| line.starts_with("ok ")).count() > 10, "scenes were played");
}
