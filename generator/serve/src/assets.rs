//! The files of the page, inside the program: the folder `web` and the [`about`](crate::about) pages.

use crate::about;
use crate::file::Loaded;
use axum::body::Bytes;
use std::sync::{LazyLock, OnceLock};

/// A file of the page.
pub(crate) struct Asset {
    /// Name of the file, which is also its path.
    pub name: &'static str,
    pub plain: Loaded,
    packed: OnceLock<Option<Loaded>>,
}

macro_rules! files {
    ($($name:literal)*) => {
        [$(($name, include_bytes!(concat!("../web/", $name)) as &[u8])),*]
    };
}

/// The files of the folder. Files below `reader/` are the JavaScript reader of plain tables, and files below `solver/` are the
/// module that solves games.
const FILES: &[(&str, &[u8])] = &files! {
    "index.html" "style.css" "icon.svg" "address.js" "app.js" "board.js" "cards.js" "census.js" "cram.js" "dom.js"
    "download.js" "editor.js" "explorer.js" "families.js" "hand.js" "heaps.js" "hint.js" "judge.js" "labels.js" "lesson.js" "levels.js" "lined.js" "links.js" "match.js"
    "moves.js" "offline.js" "playbar.js" "position.js" "print.js" "puzzle.js" "record.js" "review.js" "rules.js" "setup.js" "solving.js" "source.js"
    "storage.js" "streak.js" "sw.js" "timeline.js" "variants.js" "words.js" "solver/index.js" "solver/module.js" "solver/morpion.wasm" "solver/worker.js" "reader/answers.js" "reader/beside.js" "reader/board.js"
    "reader/census.js" "reader/error.js" "reader/fields.js" "reader/format.js" "reader/forms.js" "reader/game.js" "reader/graph.js" "reader/key.js"
    "reader/moves.js" "reader/order.js" "reader/position.js" "reader/range.js" "reader/reach.js" "reader/remote.js" "reader/sets.js"
    "reader/table.js" "reader/xxh3.js"
};

/// All files of the page.
pub(crate) static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let files = FILES.iter().map(|&(name, bytes)| (name, Bytes::from_static(bytes)));
    let pages = about::PAGES.iter().map(|page| (page.name, page.to_html().into()));
    let asset = |(name, bytes)| {
        let (plain, packed) = (Loaded::new(kind(name), bytes), OnceLock::new());
        Asset { name, plain, packed }
    };
    files.chain(pages).map(asset).collect()
});

impl Asset {
    /// The file packed by gzip. The result is kept, since packing the module takes a tenth of a second.
    pub(crate) fn packed(&self) -> Option<&Loaded> {
        self.packed.get_or_init(|| self.plain.packed().ok()).as_ref()
    }
}

/// The media type of a file.
fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        Some("js") => "text/javascript; charset=utf-8",
        _ => "text/plain; charset=utf-8",
    }
}
