//! The host that a request names.
//!
//! Another site could let its name resolve to this machine (DNS rebinding), and so read private answers. Therefore a
//! server that only this machine can reach checks the host. It accepts this machine's names and the configured names.

use crate::config::Config;
use crate::refusal::Refusal;
use axum::extract::Request;
use axum::http::header::HOST;
use axum::http::uri::Authority;
use std::net::IpAddr;

/// Checks that only this machine can reach an address.
fn is_local(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// Checks a host with or without a port. Any name is accepted if other machines can reach the server and no names are configured.
fn is_accepted(config: &Config, host: &str) -> bool {
    if !is_local(config.listen.ip()) && config.hosts.is_empty() {
        return true;
    }
    let Ok(authority) = host.parse::<Authority>() else { return false };
    let name = authority.host();
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    let is_local = bare.parse().is_ok_and(is_local) || name.eq_ignore_ascii_case("localhost");
    let is_named = config.hosts.iter().any(|other| name.eq_ignore_ascii_case(other));
    !authority.as_str().contains('@') && (is_local || is_named)
}

/// Returns 421 if the head or the target of a request names another host. A request without a host is accepted, since
/// browsers always send one.
pub(crate) fn check(config: &Config, request: &Request) -> Result<(), Refusal> {
    let named = request.headers().get_all(HOST).iter();
    let named = named.map(|host| host.to_str().unwrap_or("\u{fffd}"));
    let addressed = request.uri().authority().map(Authority::as_str);
    match named.chain(addressed).find(|host| !is_accepted(config, host)) {
        None => Ok(()),
        Some(host) => {
            let host: String = host.chars().take(128).collect();
            Err(Refusal::new(
                421,
                format!(
                    "host {host:?} is not answered: use localhost, 127.0.0.1 or [::1], or start the server with --host NAME"
                ),
            ))
        }
    }
}
