//! The packages as their users have them: packed, installed into empty folders, and plugged into other people's programs.
//!
//! The tests themselves stand in `tests/packages` and `lookup/python/tests`; each is ignored where what it needs is missing.

use morpion_tests::{needs, repository, run, tools};
use std::process::Command;

fn node(test: &str) {
    run(Command::new("node")
        .args(["--test", test])
        .env("CHROMIUM", tools::chromium().unwrap_or_default())
        .current_dir(tools::packages()));
}

#[test]
#[cfg_attr(
    not(all(has_node, has_npm_packages)),
    ignore = "needs node and npm ci in tests/packages"
)]
fn the_npm_packages_run_as_their_readme_says_in_node_and_typescript() {
    needs(&["node", "npm-packages"]);
    node("readme.test.mjs");
}

#[test]
#[cfg_attr(not(all(has_node, has_deno)), ignore = "needs node and deno")]
fn the_npm_packages_run_as_their_readme_says_in_deno() {
    needs(&["node", "deno"]);
    node("deno.test.mjs");
}

#[test]
#[cfg_attr(
    not(all(has_node, has_npm_packages, has_chromium, has_playwright_core)),
    ignore = "needs node, chromium, npm ci in tests/packages and in tests/browser"
)]
fn the_npm_packages_work_in_a_page_with_and_without_a_bundler() {
    needs(&["node", "npm-packages", "chromium", "playwright-core"]);
    node("bundlers.test.mjs");
}

#[test]
#[cfg_attr(
    not(all(has_node, has_npm_packages)),
    ignore = "needs node and npm ci in tests/packages"
)]
fn a_bot_plays_in_boardgame_io() {
    needs(&["node", "npm-packages"]);
    node("boardgame.test.mjs");
}

#[test]
#[cfg_attr(
    not(all(has_maturin, has_pytest, has_open_spiel, has_pettingzoo)),
    ignore = "needs maturin, pytest, open_spiel, pettingzoo and pygame"
)]
fn bots_play_in_openspiel_and_pettingzoo() {
    needs(&["maturin", "pytest", "open-spiel", "pettingzoo"]);
    run(Command::new(tools::python())
        .args(["-m", "pytest", "-q", "tests/test_third_party.py"])
        .current_dir(repository().join("lookup/python")));
}
