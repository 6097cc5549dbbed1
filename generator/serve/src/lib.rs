//! The explorer: a web page and its HTTP interface.
//!
//! [`serve()`] answers requests from open tables ([`library`]) within [`limits`]. [`export`] writes the page as plain files. A request
//! passes these modules: `server` → `routes` (with `client`, `log`, `host` as layers) → `library`. A
//! longer request is a `job`; a fault becomes a `refusal`.

#![warn(unreachable_pub)]

mod about;
mod assets;
mod batch;
mod client;
mod describe;
pub mod export;
mod extract;
mod host;
mod interface;
mod job;
pub mod library;
pub mod limits;
mod log;
mod metrics;
mod reasons;
mod refusal;
mod routes;
mod server;

use client::Clients;
use library::Library;
use limits::Limits;
pub use log::Log;
use metrics::Metrics;
use morpion_grundy::GrundyTable;
use routes::{Document, State};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::net::TcpListener;

/// File descriptors that the process needs in addition to its connections.
const OTHER_FILES: u64 = 64;

/// Time to wait at shutdown for threads that are still busy.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(200);

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
    /// Format of the access log.
    pub log: Log,
    /// Interface to serve.
    pub protocol: Protocol,
    /// Limits on requests.
    pub limits: Limits,
}

/// Interface that is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The page and the interface behind it.
    Explorer,
    /// The universal web API of GamesCrafters.
    Uwapi,
}

/// Reason why a server does not start.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The address is in use, or does not belong to this machine.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        source: io::Error,
    },
    /// The system cannot create threads.
    #[error("cannot start the threads of the server")]
    Threads(#[source] io::Error),
}

/// Serves tables of boards and of Grundy values until the future that `stop` returns is ready. Then open requests have a
/// few seconds to finish. `stop` is called on the server's runtime, and then `ready` receives the address, as soon as the
/// server answers requests.
///
/// # Errors
/// [`ServeError`] if the server does not start.
pub fn serve<S: Future<Output = ()>>(
    mut config: Config,
    library: &Library,
    grundy: Vec<GrundyTable>,
    stop: impl FnOnce() -> S,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    config.limits.connections =
        config.limits.connections.min(available_files(config.limits.connections));
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores)
        .max_blocking_threads(2 * cores)
        .enable_all()
        .build()
        .map_err(ServeError::Threads)?;
    let served = runtime.block_on(async {
        let address = config.listen;
        let failed = |source| ServeError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let (limits, metrics) = (Arc::new(config.limits.clone()), Arc::new(Metrics::default()));
        let document = Document::new(&config.base);
        let state = State::new(library, grundy, limits.clone(), metrics.clone(), document);
        let jobs = state.jobs().clone();
        let clients = Clients::new(limits.rate, config.trust_proxy);
        let router = routes::router(state, &config, clients);
        let stop = stop();
        ready(address);
        server::run(listener, router, jobs, limits, metrics, stop).await;
        Ok(())
    });
    runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
    served
}

/// Returns the number of connections that the system allows, at most `wanted`. Raises the limit on open files if
/// possible.
#[cfg(unix)]
fn available_files(wanted: usize) -> usize {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    let needed = wanted as u64 + OTHER_FILES;
    let Ok((mut granted, most)) = getrlimit(Resource::RLIMIT_NOFILE) else { return wanted };
    if granted < needed && setrlimit(Resource::RLIMIT_NOFILE, needed.min(most), most).is_ok() {
        granted = needed.min(most);
    }
    usize::try_from(granted.saturating_sub(OTHER_FILES)).unwrap_or(usize::MAX).max(1)
}

/// Returns the number of connections that the system allows, at most `wanted`.
#[cfg(not(unix))]
fn available_files(wanted: usize) -> usize {
    wanted
}
