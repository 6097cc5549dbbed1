//! The files of the page, inside the program. A path is looked up in a list, so it leads to one of them or nowhere.

use super::reply::Reply;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use std::hash::{DefaultHasher, Hasher};

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
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
pub const ASSETS: &[Asset] = assets![
    "index.html": "text/html; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "app.js": "text/javascript; charset=utf-8",
    "board.js": "text/javascript; charset=utf-8",
    "cards.js": "text/javascript; charset=utf-8",
    "census.js": "text/javascript; charset=utf-8",
    "cram.js": "text/javascript; charset=utf-8",
    "dom.js": "text/javascript; charset=utf-8",
    "explorer.js": "text/javascript; charset=utf-8",
    "heaps.js": "text/javascript; charset=utf-8",
    "position.js": "text/javascript; charset=utf-8",
    "setup.js": "text/javascript; charset=utf-8",
    "source.js": "text/javascript; charset=utf-8",
    "timeline.js": "text/javascript; charset=utf-8",
    "words.js": "text/javascript; charset=utf-8",
];

/// The file that asks the interface. An export has `files.js` in its place.
pub const SOURCE: &str = "source.js";

/// What an export carries beside the page: where the facts come from, and the reader of tables.
pub const READER: &[(&str, &str)] = &[
    (SOURCE, include_str!("../web/files.js")),
    ("reader/morpion.js", include_str!("../web/reader/morpion.js")),
    ("reader/xxh3.js", include_str!("../web/reader/xxh3.js")),
];

/// The description of the interface.
const OPENAPI: &str = include_str!("openapi.json");

/// `GET /api/v1/openapi.json`
pub async fn openapi() -> Response {
    ([(CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

/// Any path that is not part of the interface.
pub async fn show(method: Method, uri: Uri, headers: HeaderMap) -> Result<Response, Reply> {
    let name = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == name) else {
        let path: String = uri.path().chars().take(128).collect();
        return Err(Reply::missing(format!("nothing at {path:?}")));
    };
    if method != Method::GET && method != Method::HEAD {
        return Err(Reply::method(format!("{method} is not answered here: expected GET")));
    }
    let tag = format!("\"{:016x}\"", sum(asset.text));
    let fresh = headers.get(IF_NONE_MATCH).is_some_and(|known| known == tag.as_str());
    let headers = [
        (CONTENT_TYPE, asset.kind.to_owned()),
        // The next version of the program has other files under the same names.
        (CACHE_CONTROL, "no-cache".to_owned()),
        (ETAG, tag),
    ];
    Ok(if fresh {
        (StatusCode::NOT_MODIFIED, headers).into_response()
    } else {
        (headers, asset.text).into_response()
    })
}

fn sum(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}
