//! The explorer: a web page and its HTTP interface.
//!
//! [`serve()`] answers requests from open tables ([`library`]) within [`limits`]. [`export`] writes the page as files. A request
//! passes these modules: `server` → `routes` (with `host`) → a handler in `routes` → `library`. A fault becomes a `refusal`.

#![warn(unreachable_pub)]

mod about;
mod assets;
mod body;
mod config;
mod data;
pub mod export;
mod file;
mod host;
pub mod library;
pub mod limits;
mod refusal;
mod routes;
mod server;
mod state;

pub use config::{Config, PAGE, address};

use anyhow::{Context, Result};
use library::Library;
use listenfd::ListenFd;
#[cfg(unix)]
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use state::State;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// The description of the interface, for a server whose base path is `/`.
const OPENAPI: &str = include_str!("openapi.json");

/// File descriptors that the process needs in addition to its connections.
const OTHER_FILES: u64 = 64;

/// Time to wait at shutdown for threads that are still busy.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(200);

/// A function that replaces the tables of a running server. If it is called with `None`, the old tables stay.
pub type Replace = Box<dyn Fn(Option<Library>) + Send + Sync>;

/// Serves tables until the future that `events` returns is ready. Then open requests have a few seconds to finish. `events` is
/// called on the server's runtime, with the function that replaces the tables. Then `ready` receives the address, as soon as the
/// server answers requests. When tables are replaced, open requests are answered from the tables with which they began.
///
/// # Errors
/// If the system cannot create threads, the address is in use, or it does not belong to this machine.
pub fn serve<S: Future<Output = ()>>(
    mut config: Config,
    library: Library,
    events: impl FnOnce(Replace) -> S,
    ready: impl FnOnce(SocketAddr),
) -> Result<()> {
    config.connections = available_files(config.connections);
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores)
        .max_blocking_threads(2 * cores)
        .enable_all()
        .build()
        .context("cannot start the threads of the server")?;
    let served = runtime.block_on(async {
        let listener = listener(config.listen).await?;
        let address = listener.local_addr()?;
        let document = OPENAPI.replace("\"url\": \"/\"", &format!("\"url\": {:?}", config.base));
        let state = Arc::new(State::new(config, document.into(), library));
        let served = state.clone();
        let stop = events(Box::new(move |found| served.reload(found)));
        ready(address);
        server::run(listener, routes::service(&state), &state, stop).await;
        Ok(())
    });
    runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
    served
}

/// Takes the socket that systemd has opened for this process, or listens on `address` if there is none.
async fn listener(address: SocketAddr) -> Result<TcpListener> {
    let passed = ListenFd::from_env().take_tcp_listener(0);
    if let Some(socket) = passed.context("the socket of the service manager is not a TCP socket")? {
        socket.set_nonblocking(true)?;
        return Ok(TcpListener::from_std(socket)?);
    }
    TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))
}

/// Returns the number of connections that the system allows, at most `wanted`. Raises the limit on open files if
/// possible.
fn available_files(wanted: usize) -> usize {
    #[cfg(unix)]
    if let Ok((mut granted, most)) = getrlimit(Resource::RLIMIT_NOFILE) {
        let needed = wanted as u64 + OTHER_FILES;
        if granted < needed && setrlimit(Resource::RLIMIT_NOFILE, needed.min(most), most).is_ok() {
            granted = needed.min(most);
        }
        return wanted.min(granted.saturating_sub(OTHER_FILES).max(1) as usize);
    }
    wanted
}
