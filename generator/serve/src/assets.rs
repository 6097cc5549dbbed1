//! The files of the page, inside the program.
//!
//! In: the folder `web`, when the program is compiled. Out: names, media types and texts, for the server and the export.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asset {
    /// Its name, which is also its path.
    pub name: &'static str,
    /// Its media type.
    pub kind: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! assets {
    ($($name:literal: $kind:literal),* $(,)?) => {
        &[$(Asset { name: $name, kind: $kind, text: include_str!(concat!("../web/", $name)) }),*]
    };
}

/// All files of the page.
pub(crate) const ASSETS: &[Asset] = assets![
    "index.html": "text/html; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "address.js": "text/javascript; charset=utf-8",
    "app.js": "text/javascript; charset=utf-8",
    "board.js": "text/javascript; charset=utf-8",
    "cards.js": "text/javascript; charset=utf-8",
    "census.js": "text/javascript; charset=utf-8",
    "cram.js": "text/javascript; charset=utf-8",
    "dom.js": "text/javascript; charset=utf-8",
    "explorer.js": "text/javascript; charset=utf-8",
    "heaps.js": "text/javascript; charset=utf-8",
    "levels.js": "text/javascript; charset=utf-8",
    "links.js": "text/javascript; charset=utf-8",
    "match.js": "text/javascript; charset=utf-8",
    "moves.js": "text/javascript; charset=utf-8",
    "playbar.js": "text/javascript; charset=utf-8",
    "position.js": "text/javascript; charset=utf-8",
    "review.js": "text/javascript; charset=utf-8",
    "rules.js": "text/javascript; charset=utf-8",
    "setup.js": "text/javascript; charset=utf-8",
    "source.js": "text/javascript; charset=utf-8",
    "tabled.js": "text/javascript; charset=utf-8",
    "timeline.js": "text/javascript; charset=utf-8",
    "words.js": "text/javascript; charset=utf-8",
];

/// The file that asks the interface. An export has `files.js` in its place.
pub(crate) const SOURCE: &str = "source.js";

macro_rules! reader {
    ($($name:literal),* $(,)?) => {
        &[
            (SOURCE, include_str!("../web/files.js")),
            $((concat!("reader/", $name), include_str!(concat!("../web/reader/", $name)))),*
        ]
    };
}

/// What an export carries beside the page: where the facts come from, and the reader of tables with its decoder.
pub(crate) const READER: &[(&str, &str)] = reader![
    "answers.js",
    "error.js",
    "fields.js",
    "format.js",
    "fzstd/LICENSE",
    "fzstd/fzstd.js",
    "game.js",
    "key.js",
    "morpion.js",
    "packed.js",
    "position.js",
    "range.js",
    "remote.js",
    "sets.js",
    "table.js",
    "xxh3.js",
    "xxh64.js",
];
