//! The published packages: packed, installed into empty folders, and used by other people's programs.
//!
//! The test programs are in `tests/packages` and `lookup/python/tests`. A test is ignored if its tools are missing.

use morpion_tests::{needs, package_test, program, repository, run, tools};
use std::process::Command;

#[test]
#[cfg_attr(
    not(all(has_node, has_npm_packages)),
    ignore = "needs node and npm ci in tests/packages"
)]
fn the_npm_packages_run_as_their_readme_says_in_node_and_typescript() {
    needs(&["node", "npm-packages"]);
    run(package_test("readme.test.mjs").env("MORPION_PROGRAM", program()));
}

#[test]
#[cfg_attr(not(all(has_node, has_deno)), ignore = "needs node and deno")]
fn the_npm_packages_run_as_their_readme_says_in_deno() {
    needs(&["node", "deno"]);
    run(package_test("runtimes.test.mjs").env("RUNTIME", "deno"));
}

#[test]
#[cfg_attr(not(all(has_node, has_bun)), ignore = "needs node and bun")]
fn the_npm_packages_run_as_their_readme_says_in_bun() {
    needs(&["node", "bun"]);
    run(package_test("runtimes.test.mjs").env("RUNTIME", "bun"));
}

#[test]
#[cfg_attr(
    not(all(has_node, has_npm_packages, has_chromium, has_playwright_core)),
    ignore = "needs node, chromium, npm ci in tests/packages and in tests/browser"
)]
fn the_npm_packages_work_in_a_page_with_and_without_a_bundler() {
    needs(&["node", "npm-packages", "chromium", "playwright-core"]);
    let chromium = tools::chromium().unwrap_or_default();
    run(package_test("bundlers.test.mjs").env("CHROMIUM", chromium));
}

#[test]
#[cfg_attr(
    not(all(has_node, has_npm_packages)),
    ignore = "needs node and npm ci in tests/packages"
)]
fn a_bot_plays_in_boardgame_io() {
    needs(&["node", "npm-packages"]);
    run(&mut package_test("boardgame.test.mjs"));
}

#[test]
#[cfg_attr(
    not(all(has_node, has_npm_packages)),
    ignore = "needs node and npm ci in tests/packages"
)]
fn no_move_of_an_engine_from_npm_is_worth_less_than_the_position() {
    needs(&["node", "npm-packages"]);
    run(&mut package_test("engines.test.mjs"));
}

#[test]
#[cfg_attr(
    not(all(has_maturin, has_pytest, has_open_spiel, has_pettingzoo, has_easyai)),
    ignore = "needs maturin, pytest, open_spiel, pettingzoo, pygame and easyAI"
)]
fn bots_play_in_openspiel_and_pettingzoo_and_easyai_finds_the_same_values() {
    needs(&["maturin", "pytest", "open-spiel", "pettingzoo", "easyai"]);
    run(Command::new(tools::python())
        .args(["-m", "pytest", "-q", "tests/test_third_party.py"])
        .current_dir(repository().join("lookup/python")));
}
