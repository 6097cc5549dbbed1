//! The explorer's page in a real browser. Needs Node, Chromium, and `npm ci` in tests/browser.

mod server;

use morpion_tests::{morpion, needs, tools};
use server::Server;
use std::process::Command;

#[test]
#[cfg_attr(
    not(all(has_node, has_chromium, has_playwright_core)),
    ignore = "needs node, chromium, and playwright-core (npm ci in tests/browser)"
)]
fn the_page_works_in_a_browser() {
    needs(&["node", "chromium", "playwright-core"]);
    let (folder, chromium) = (tools::browser(), tools::chromium().expect("a browser"));
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
