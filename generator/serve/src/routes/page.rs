//! Files of the page. They come only from a fixed list.

use crate::assets::ASSETS;
use crate::refusal::Refusal;
use axum::extract::OriginalUri;
use axum::http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, VARY};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Redirect, Response};

/// Answers any path that is not part of the interface.
pub(super) async fn show(
    method: Method,
    OriginalUri(original): OriginalUri,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    // Below a base path, the page's address must end with a slash, since its links are relative.
    if uri.path() == "/" && !original.path().ends_with('/') {
        return Redirect::permanent(&format!("{}/", original.path())).into_response();
    }
    let name = match uri.path() {
        "/" => "index.html",
        "/favicon.ico" => "icon.svg",
        path => path.trim_start_matches('/'),
    };
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == name) else {
        let base = original.path().strip_suffix(uri.path()).unwrap_or_default();
        return missing(base, original.path(), &headers);
    };
    if method != Method::GET && method != Method::HEAD {
        let message = format!("{method} is not allowed here: use GET");
        return Refusal::new(405, message).into_response();
    }
    let Some(packed) = accepts_gzip(&headers).then(|| asset.packed()).flatten() else {
        return asset.plain.answer(&method, &headers);
    };
    let encoding = [(CONTENT_ENCODING, "gzip"), (VARY, "accept-encoding")];
    (encoding, packed.answer(&method, &headers)).into_response()
}

/// Returns true if a browser unpacks gzip.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|accepted| accepted.to_str().ok());
    let mut kinds = accepted.unwrap_or_default().split(',');
    kinds.any(|kind| kind.trim().eq_ignore_ascii_case("gzip"))
}

/// Answers 404 to any path outside the page and the interface.
pub(super) async fn nothing(OriginalUri(uri): OriginalUri, headers: HeaderMap) -> Response {
    missing("", uri.path(), &headers)
}

/// Answers 404 as a page to browsers and as JSON to programs.
fn missing(base: &str, path: &str, headers: &HeaderMap) -> Response {
    let accepted = headers.get(ACCEPT).and_then(|accepted| accepted.to_str().ok());
    if accepted.is_some_and(|accepted| accepted.contains("text/html")) {
        let page = format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Not found</title>\
             <link rel=\"stylesheet\" href=\"{base}/style.css\"><main><h1>Not found</h1>\
             <p>There is no page at this address. <a href=\"{base}/\">All games</a></p></main>"
        );
        return (StatusCode::NOT_FOUND, Html(page)).into_response();
    }
    let path: String = path.chars().take(128).collect();
    Refusal::new(404, format!("nothing at {path:?}")).into_response()
}
