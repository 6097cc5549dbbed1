//! The explorer: a page, and the HTTP interface behind it.
//!
//! In: open tables ([`library`]) and [`limits`]. Out: a server ([`serve()`]), or the page as plain files ([`export`]). The way
//! of a request: `connection` → `routes` → `library`, `puzzles`, `own`, `heaps`, `cram`; `job` where it takes longer, `refusal` where it fails.

#![warn(unreachable_pub)]

mod about;
mod assets;
mod batch;
mod body;
mod connection;
mod cram;
mod describe;
pub mod export;
mod extract;
mod flight;
mod geometry;
mod heaps;
mod host;
mod interface;
mod job;
mod json;
pub mod library;
pub mod limits;
mod metrics;
mod own;
mod protocol;
mod puzzles;
mod rate;
mod reasons;
mod refusal;
mod register;
mod routes;
mod sharing;
mod stream;

use anyhow::Context;
use library::Library;
use limits::Limits;
use metrics::Metrics;
use morpion_grundy::GrundyTable;
pub use protocol::Protocol;
use routes::State;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// File descriptors that the process needs beside its connections.
const OTHER_FILES: u64 = 64;

/// How long the end waits for threads that are still at work.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(200);

/// Serves the tables, of boards and of Grundy values, on `address` until `stop` is ready; open requests then have some
/// seconds to be answered. `ready` is called with the address once requests are answered.
///
/// # Errors
/// Where the address cannot be listened on.
pub fn serve(
    address: SocketAddr,
    protocol: Protocol,
    library: Library,
    grundy: Vec<GrundyTable>,
    mut limits: Limits,
    stop: impl Future<Output = ()>,
    ready: impl FnOnce(SocketAddr),
) -> anyhow::Result<()> {
    limits.connections = limits.connections.min(available_files(limits.connections));
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores)
        .max_blocking_threads(2 * cores)
        .enable_all()
        .build()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(address)
            .await
            .with_context(|| format!("found {address}, expected an address that is free"))?;
        let address = listener.local_addr()?;
        let (limits, metrics) = (Arc::new(limits), Arc::new(Metrics::default()));
        let state = State::new(library, grundy, limits.clone(), metrics.clone());
        let jobs = state.jobs().clone();
        let router = routes::router(state, host::is_local(address.ip()), protocol);
        ready(address);
        connection::serve(listener, router, jobs, limits, metrics, stop).await;
        Ok(())
    });
    runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
    served
}

/// How many connections the system lets the process have, of those wanted; asks for more files where it may.
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

/// How many connections the system lets the process have, of those wanted.
#[cfg(not(unix))]
fn available_files(wanted: usize) -> usize {
    wanted
}
