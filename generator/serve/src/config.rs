//! Settings of a server.

use crate::limits::Limits;
use crate::log::Log;
use std::net::SocketAddr;

/// Settings of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address to listen on.
    pub listen: SocketAddr,
    /// Path under which the page and the interface are served: `/`, or a path such as `/morpion/`.
    pub base: String,
    /// Names that requests may use for the server, in addition to this machine's own names.
    pub hosts: Vec<String>,
    /// Take the client's address from `X-Forwarded-For`.
    pub trust_proxy: bool,
    /// Format of the access log, if there is one.
    pub log: Option<Log>,
    /// Serve the universal web API of GamesCrafters instead of the page and the interface behind it.
    pub uwapi: bool,
    /// Limits on requests.
    pub limits: Limits,
}
