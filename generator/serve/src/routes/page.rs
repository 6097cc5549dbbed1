//! The files of the page.
//!
//! In: any path that is not part of the interface. Out: the file of that name, which is looked up in a list and nowhere else,
//! or 404.

use crate::assets::ASSETS;
use crate::refusal::Refusal;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use std::hash::{DefaultHasher, Hasher};

/// Any path that is not part of the interface.
pub(super) async fn show(
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let name = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == name) else {
        let path: String = uri.path().chars().take(128).collect();
        return Err(Refusal::missing(format!("nothing at {path:?}")));
    };
    if method != Method::GET && method != Method::HEAD {
        return Err(Refusal::method(format!("{method} is not answered here: expected GET")));
    }
    let tag = format!("\"{:016x}\"", sum(&asset.text));
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
        (headers, &*asset.text).into_response()
    })
}

fn sum(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}
