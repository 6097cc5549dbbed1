//! The host that a request names.
//!
//! Another site could let its name resolve to this machine (DNS rebinding), and so read private answers. Therefore a
//! server that only this machine can reach checks the host. It accepts this machine's names and the configured names.

use super::refusal::Refusal;
use axum::extract::{Request, State};
use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;

/// Checks that only this machine can reach an address.
fn is_local(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// Names that requests may use for the server.
#[derive(Clone, Debug)]
pub(crate) enum Hosts {
    /// Any name.
    Any,
    /// This machine's own names, and these names.
    Only(Arc<[String]>),
}

impl Hosts {
    /// Accepts any name if others can reach `address` and no name is given.
    pub(crate) fn new(address: IpAddr, names: Vec<String>) -> Hosts {
        if is_local(address) || !names.is_empty() { Hosts::Only(names.into()) } else { Hosts::Any }
    }

    /// Checks a host with or without a port.
    fn has(&self, host: &str) -> bool {
        let Hosts::Only(names) = self else { return true };
        let Ok(authority) = host.parse::<Authority>() else { return false };
        let name = authority.host();
        let is_named = |other: &String| name.eq_ignore_ascii_case(other);
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let is_local = bare.parse().is_ok_and(is_local) || name.eq_ignore_ascii_case("localhost");
        !authority.as_str().contains('@') && (is_local || names.iter().any(is_named))
    }
}

/// Answers 421 if the head or the target of a request names another host. A request without a host is accepted, since
/// browsers always send one.
pub(crate) async fn check(State(hosts): State<Hosts>, request: Request, next: Next) -> Response {
    let named =
        request.headers().get_all(HOST).iter().map(|host| host.to_str().unwrap_or("\u{fffd}"));
    let addressed = request.uri().authority().map(Authority::as_str);
    match named.chain(addressed).find(|host| !hosts.has(host)) {
        Some(host) => {
            let host: String = host.chars().take(128).collect();
            Refusal::misdirected(format!(
                "host {host:?} is not answered: use localhost, 127.0.0.1 or [::1], or start the server with --host NAME"
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
    fn other_hosts_need_a_name_or_a_public_address() {
        let named = Hosts::new([127, 0, 0, 1].into(), vec!["games.example".into()]);
        assert!(named.has("Games.Example:8080") && named.has("localhost"));
        assert!(!named.has("other.example") && !named.has("games.example.other.example"));
        assert!(Hosts::new([0, 0, 0, 0].into(), vec![]).has("other.example"));
        assert!(
            !Hosts::new([0, 0, 0, 0].into(), vec!["games.example".into()]).has("other.example")
        );
    }
}
