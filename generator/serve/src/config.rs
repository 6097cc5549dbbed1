//! Settings of a server, as options of `morpion serve`.

use crate::limits::Limits;
use axum::http::HeaderValue;
use clap::builder::RangedU64ValueParser;
use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs};

/// Address of the page, unless [`Config::listen`] is set.
pub const PAGE: &str = "http://127.0.0.1:8080/";

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
    /// Site whose pages may show this page in a frame, its scheme and host, or * for any [default: none]
    #[arg(long = "embed", value_name = "SITE", value_parser = site)]
    pub embedding: Vec<String>,
    /// Number of connections; further ones wait
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1 << 30))]
    pub connections: usize,
    /// Limits on requests.
    #[arg(skip)]
    pub limits: Limits,
}

impl Config {
    /// The policy that forbids browsers to load anything from other sites. It also forbids other sites to show the page in a
    /// frame, except the sites of `embedding`.
    pub(crate) fn policy(&self) -> HeaderValue {
        let sites = match self.embedding.as_slice() {
            [] => "'none'".into(),
            sites => sites.join(" "),
        };
        let policy = format!(
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
             manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {sites}"
        );
        HeaderValue::try_from(policy).expect("names of sites are ASCII")
    }
}

/// Reads a site such as `https://school.example` or `https://*.school.example:8443`, or `*`.
fn site(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let host = host.map(|host| host.trim_end_matches('/'));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-.:*".contains(c);
    let is_site = host.is_some_and(|host| !host.is_empty() && host.chars().all(is_plain));
    match is_site || text == "*" {
        true => Ok(text.trim_end_matches('/').into()),
        false => Err("use a site without a path, such as https://school.example, or *".into()),
    }
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
