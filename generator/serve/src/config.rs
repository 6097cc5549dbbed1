//! Settings of a server, as options of `morpion serve`.

use crate::limits::Limits;
use crate::log::Log;
use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs};

/// Settings of a server.
#[derive(Clone, Debug, clap::Args)]
pub struct Config {
    /// Address and port, or a port of this machine; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", value_parser = address)]
    pub listen: SocketAddr,
    /// Host name to answer, besides localhost on a loopback address [default on other addresses: all names]
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
    /// Path below which a proxy forwards requests without removing it, for example /morpion/
    #[arg(long, value_name = "PATH", default_value = "/", value_parser = base)]
    pub base: String,
    /// Take client addresses from X-Forwarded-For; only behind a proxy that sets it
    #[arg(long)]
    pub trust_proxy: bool,
    /// Write one line per request to standard output
    #[arg(long, value_name = "FORMAT")]
    pub log: Option<Log>,
    /// Serve the universal web API of GamesCrafters, for the viewer GamesmanUni, instead of the page
    #[arg(long)]
    pub uwapi: bool,
    /// Limits on requests.
    #[command(flatten)]
    pub limits: Limits,
}

/// Reads a path such as `/morpion/`. Returns it with a slash at both ends.
fn base(text: &str) -> Result<String, String> {
    let path = text.trim_matches('/');
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~/".contains(c);
    if !path.chars().all(is_plain) || path.split('/').skip(1).any(str::is_empty) {
        return Err(
            "use a path of letters, digits, `-`, `.`, `_` and `~`, such as /morpion/".into()
        );
    }
    Ok(if path.is_empty() { "/".into() } else { format!("/{path}/") })
}

/// Reads an address such as `8080`, `localhost:8080` or `0.0.0.0:80`.
///
/// # Errors
/// If the text is not an address, or its name is unknown.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(port) = text.parse::<u16>() {
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    let remedy = "give an address and a port such as 127.0.0.1:8080, or a port";
    let found = text.to_socket_addrs().map_err(|error| format!("{error}: {remedy}"))?;
    let found: Vec<SocketAddr> = found.collect();
    let first = found.iter().find(|address| address.is_ipv4()).or(found.first());
    first.copied().ok_or_else(|| format!("this name has no address: {remedy}"))
}
