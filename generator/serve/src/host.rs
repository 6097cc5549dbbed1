//! The host that a request names.
//!
//! In: a request to a server that only this machine can reach. Out: the request, if it names this machine, else 421: a page
//! from elsewhere could let its own name resolve to this machine (DNS rebinding) and read what is not shared with it.

use super::refusal::Refusal;
use axum::extract::Request;
use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;

/// Whether only this machine can reach an address.
pub(crate) fn is_local(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// Whether a host, with or without a port, is this machine as it names itself.
fn names_this_machine(host: &str) -> bool {
    let Ok(authority) = host.parse::<Authority>() else { return false };
    let name = authority.host();
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || address.parse().is_ok_and(is_local)
}

/// Lets a request through that names this machine, in its head and in its address if that names a host; answers 421 to
/// others. One that names none comes from no browser.
pub(crate) async fn check(request: Request, next: Next) -> Response {
    let named =
        request.headers().get_all(HOST).iter().map(|host| host.to_str().unwrap_or("\u{fffd}"));
    let addressed = request.uri().authority().map(Authority::as_str);
    match named.chain(addressed).find(|host| !names_this_machine(host)) {
        Some(host) => {
            let host: String = host.chars().take(128).collect();
            Refusal::misdirected(format!(
                "host {host:?}, expected localhost, 127.0.0.1 or [::1]: only this machine is answered here"
            ))
            .into_response()
        }
        None => next.run(request).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_few_names() {
        for host in [
            "localhost",
            "LocalHost:8080",
            "127.0.0.1",
            "127.0.0.1:1",
            "127.9.8.7:65535",
            "[::1]",
            "[::1]:8080",
            "[::ffff:127.0.0.1]:80",
        ] {
            assert!(names_this_machine(host), "{host}");
        }
        for host in [
            "",
            "example.com",
            "localhost.example.com",
            "localhost.example.com:8080",
            "127.0.0.1.example.com",
            "example.com:127.0.0.1",
            "user@example.com",
            "0.0.0.0",
            "0.0.0.0:8080",
            "10.0.0.1",
            "[::]",
            "[::2]:80",
            "::2",
            "127.0.0.1 example.com",
            "localhost,example.com",
            "\u{fffd}",
        ] {
            assert!(!names_this_machine(host), "{host}");
        }
    }
}
