//! The explorer: a page, and the HTTP interface it is made of.
//!
//! The way of a request: [`connection`] → [`routes`] → [`library`], and back through [`reply`] where it went wrong.

pub mod assets;
mod batch;
mod body;
pub mod connection;
pub mod cram;
pub mod describe;
pub mod export;
pub mod geometry;
pub mod heaps;
pub mod library;
pub mod limits;
pub mod metrics;
pub mod opponent;
mod rate;
pub mod reply;
pub mod routes;
mod watched;

use anyhow::Context;
use library::Library;
use limits::Limits;
use metrics::Metrics;
use morpion_grundy::GrundyTable;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;

/// File descriptors that the process needs beside its connections.
const OTHER_FILES: u64 = 64;

/// Serves the tables, of boards and of Grundy values, on `address` until the process is told to stop (Ctrl-C or SIGTERM). `ready` is called with the
/// address once requests are answered.
///
/// # Errors
/// Where the address cannot be listened on.
pub fn serve(
    address: SocketAddr,
    library: Library,
    grundy: Vec<GrundyTable>,
    mut limits: Limits,
    ready: impl FnOnce(SocketAddr),
) -> anyhow::Result<()> {
    limits.connections = limits.connections.min(available_files(limits.connections));
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores)
        .max_blocking_threads(2 * cores)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let stop = stop()?;
        let listener = TcpListener::bind(address)
            .await
            .with_context(|| format!("found {address}, expected an address that is free"))?;
        let (limits, metrics) = (Arc::new(limits), Arc::new(Metrics::default()));
        let router = routes::router(library, grundy, limits.clone(), metrics.clone());
        ready(listener.local_addr()?);
        connection::serve(listener, router, limits, metrics, stop).await;
        Ok(())
    })
}

/// Ready when the process is told to stop.
#[cfg(unix)]
fn stop() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) =
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Ready when the process is told to stop.
#[cfg(not(unix))]
fn stop() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
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
