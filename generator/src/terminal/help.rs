//! The help of the commands below their options, from one page of text.

use super::output::{WIDTH, wrapped};
use morpion_play::players::{KINDS, PlayerKind};
use morpion_serve::limits::{HEAD, HEADER_FIELDS};
use std::sync::LazyLock;

/// The page with the players, the commands during a game, and the limits of the server.
static PAGE: LazyLock<String> = LazyLock::new(|| {
    let page = include_str!("help.txt");
    let player = |kind: &PlayerKind| {
        let about = wrapped(kind.about, WIDTH - 32).join(&format!("\n{:32}", ""));
        format!("  {:<29} {about}\n", kind.usage)
    };
    let texts = [
        ("{players}", KINDS.iter().map(player).collect()),
        ("{commands}", section(page, "playing").replace('\n', "\n  ")),
        ("{head}", HEAD.to_string()),
        ("{fields}", HEADER_FIELDS.to_string()),
    ];
    texts.iter().fold(page.to_owned(), |page, (mark, text)| page.replace(mark, text))
});

/// Returns the section of the page about a command.
///
/// # Panics
/// If the page has no such section, which a test of the whole help would find.
pub fn help(command: &str) -> &'static str {
    section(&PAGE, command)
}

fn section<'p>(page: &'p str, command: &str) -> &'p str {
    let mut sections = page.split("\n# ").filter_map(|text| text.split_once('\n'));
    let section = sections.find(|(title, _)| *title == command);
    section.unwrap_or_else(|| panic!("no help about {command}")).1.trim_end()
}
