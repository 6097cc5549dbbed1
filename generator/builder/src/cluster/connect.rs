//! Connects the processes. Each process listens on its own address, and connects to the addresses before its own in the list.
//!
//! Both ends send their number, their table and their number of workers. So a process with other rules, another list or
//! another number of workers is rejected with a clear error. Handshakes run concurrently, each with a deadline, so a
//! client that stays silent delays nobody.

use crate::cluster::hosts::Hosts;
use crate::cluster::stream::{Connection, Peers};
use crate::error::BuildError;
use morpion_core::{deserialise, fields, serialise};
use morpion_machine::progress::Progress;
use socket2::{SockRef, TcpKeepalive};
use std::io;
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net;
use tokio::runtime;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep, timeout};

/// First message from both ends of a connection. It is sent as its fields in order, little endian.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handshake {
    /// [`MAGIC`].
    pub(crate) magic: u64,
    /// Checksum of the header of the sender's table. Computed as if entries had one byte, so that widened builds match.
    pub(crate) table: u64,
    /// Number of the sender.
    pub(crate) process: u32,
    /// Number of processes.
    pub(crate) processes: u32,
    /// Number of workers of each process.
    pub(crate) workers: u32,
    /// Bits per entry of the table with which the sender resumes.
    pub(crate) bits: u32,
}

fields!(Handshake { magic, table, process, processes, workers, bits });

/// Name and version of this protocol.
pub(crate) const MAGIC: u64 = u64::from_le_bytes(*b"MORPCL02");

/// Length of a handshake in bytes.
const LENGTH: usize = 32;

/// Maximum time for a whole handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum time for one attempt to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// Pause before the next attempt, and between two checks for a stop.
const PAUSE: Duration = Duration::from_millis(50);

/// Maximum number of concurrent handshakes: 1024 for the most processes that a build can have, and 1024 for unknown clients.
const HANDSHAKES: usize = 2048;

/// Another process and the connection to it.
type Peer = (Handshake, net::TcpStream);

/// Connects to all other processes. Waits at most `wait`. Returns the connections by process number, and `None` for this process. Also
/// returns the largest number of bits per entry with which any process resumes. All processes use that number, even a process that was
/// interrupted before it used wider entries.
pub(crate) fn connect(
    hosts: &Hosts,
    own: Handshake,
    wait: Duration,
    peers: &Arc<Peers>,
    progress: &dyn Progress,
) -> Result<(Vec<Option<Connection>>, u32), BuildError> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let connected = runtime.block_on(meet(&hosts.0, own, wait, peers, progress));
    // A name lookup that is still running must not delay the end.
    runtime.shutdown_background();
    connected
}

/// Runs all handshakes until every other process is connected.
async fn meet(
    addresses: &[String],
    own: Handshake,
    wait: Duration,
    peers: &Arc<Peers>,
    progress: &dyn Progress,
) -> Result<(Vec<Option<Connection>>, u32), BuildError> {
    let (number, mut bits) = (own.process as usize, own.bits);
    let mut streams: Vec<Option<Connection>> = addresses.iter().map(|_| None).collect();
    let listener = net::TcpListener::bind(&addresses[number]).await.map_err(|source| {
        let what = format!("process {number}: cannot listen on {}", addresses[number]);
        BuildError::Refused { what, source: Some(source) }
    })?;
    let mut handshakes = JoinSet::new();
    for (process, address) in addresses[..number].iter().enumerate() {
        handshakes.spawn(call(address.clone(), process, own));
    }
    let began = Instant::now();
    let mut pauses = interval(PAUSE);
    loop {
        let mut missing =
            (0..streams.len()).filter(|&process| process != number && streams[process].is_none());
        let Some(first) = missing.next() else { return Ok((streams, bits)) };
        progress.check()?;
        if began.elapsed() > wait {
            let what = format!(
                "{} of {} processes did not connect within {} s, the first of them process {first} at {}",
                1 + missing.count(),
                streams.len(),
                wait.as_secs(),
                addresses[first],
            );
            return Err(BuildError::refused(what));
        }
        tokio::select! {
            accepted = listener.accept(), if handshakes.len() < HANDSHAKES => {
                let (stream, address) = accepted?;
                handshakes.spawn(answer(stream, address.to_string(), own));
            }
            Some(done) = handshakes.join_next() => {
                // Continue the panic of a handshake, since it is a bug in this program.
                let done = done.unwrap_or_else(|fault| std::panic::resume_unwind(fault.into_panic()));
                let Some((other, stream)) = done? else { continue };
                let process = other.process as usize;
                if process == number || streams.get(process).is_none_or(Option::is_some) {
                    let what = format!("two processes have the number {process}: give each its own");
                    return Err(BuildError::refused(what));
                }
                bits = bits.max(other.bits);
                let name = format!("process {process} at {}", addresses[process]);
                streams[process] = Some(Connection::new(keep_alive(stream)?, name, Arc::clone(peers)));
            }
            _ = pauses.tick() => {}
        }
    }
}

/// Calls a process with a smaller number until it answers.
async fn call(address: String, process: usize, own: Handshake) -> Result<Option<Peer>, BuildError> {
    loop {
        let resolved = net::lookup_host(address.as_str()).await.map_err(|source| {
            let what = format!("process {process}: no such host: {address}");
            BuildError::Refused { what, source: Some(source) }
        })?;
        for resolved in resolved {
            let stream = timeout(CONNECT_TIMEOUT, net::TcpStream::connect(resolved)).await;
            let Ok(Ok(mut stream)) = stream else { continue };
            let Some(other) = greet(&mut stream, own).await else { continue };
            agree(own, other, &address)?;
            if other.process as usize != process {
                let what = format!(
                    "{address} is process {}, not {process}: use the same list of hosts everywhere",
                    other.process
                );
                return Err(BuildError::refused(what));
            }
            return Ok(Some((other, stream)));
        }
        sleep(PAUSE).await;
    }
}

/// Answers a process with a greater number. Returns `None` if the other end is not such a process, or closes the connection early.
async fn answer(
    mut stream: net::TcpStream,
    address: String,
    own: Handshake,
) -> Result<Option<Peer>, BuildError> {
    let Some(other) = greet(&mut stream, own).await else { return Ok(None) };
    agree(own, other, &address)?;
    Ok(Some((other, stream)))
}

/// Sends this process's handshake and reads the handshake of the other end. Returns `None` if the other end is silent, closes
/// the connection or uses another protocol.
async fn greet(stream: &mut net::TcpStream, own: Handshake) -> Option<Handshake> {
    let exchange = async {
        // Both ends send first, so that both report a difference.
        stream.write_all(&serialise(&own).map_err(io::Error::other)?).await?;
        let mut bytes = [0; LENGTH];
        stream.read_exact(&mut bytes).await?;
        io::Result::Ok(deserialise(&bytes).ok())
    };
    let other: Option<Handshake> = timeout(HANDSHAKE_TIMEOUT, exchange).await.ok()?.ok()?;
    other.filter(|other| other.magic == MAGIC)
}

/// Checks that two processes belong to one build.
fn agree(own: Handshake, other: Handshake, address: &str) -> Result<(), BuildError> {
    let process = other.process;
    if own.table != other.table {
        let what = format!("process {process} at {address} builds another table");
        return Err(BuildError::refused(what));
    }
    for (noun, found, expected) in
        [("processes", other.processes, own.processes), ("workers", other.workers, own.workers)]
    {
        if found != expected {
            let what = format!(
                "process {process} at {address} has {found} {noun}, and this process {expected}: use the same number"
            );
            return Err(BuildError::refused(what));
        }
    }
    Ok(())
}

/// Makes a connection blocking and enables keep-alive. So the system notices within seconds if the other machine is
/// gone, even if it never closed the connection.
fn keep_alive(stream: net::TcpStream) -> io::Result<TcpStream> {
    let stream = stream.into_std()?;
    stream.set_nodelay(true)?;
    stream.set_nonblocking(false)?;
    let second = Duration::from_secs(1);
    let socket = SockRef::from(&stream);
    let probes = TcpKeepalive::new().with_time(5 * second).with_interval(2 * second);
    socket.set_tcp_keepalive(&probes)?;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    socket.set_tcp_user_timeout(Some(15 * second))?;
    Ok(stream)
}
