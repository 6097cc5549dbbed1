//! Connects the processes: each one listens on its own address, and connects to the addresses before it in the list.
//!
//! Both ends send their number, their table and their number of workers. So a process with other rules, another list or
//! another number of workers is rejected with a clear error. Handshakes run concurrently, each with a deadline, so a
//! client that stays silent delays nobody.

use crate::hosts::Hosts;
use morpion_machine::progress::{Progress, Stopped};
use socket2::{SockRef, TcpKeepalive};
use std::io;
use std::net::TcpStream;
use std::time::Duration;
use thiserror::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net;
use tokio::runtime;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep, timeout};

/// Reason why the processes of a build cannot connect.
#[derive(Debug, Error)]
pub enum ConnectError {
    /// The process cannot listen on its own address.
    #[error("process {process}: cannot listen on {address}")]
    Listen {
        /// Number of this process.
        process: usize,
        /// Its address in the list of hosts.
        address: String,
        /// The system's error.
        source: io::Error,
    },
    /// A name in the list of hosts does not resolve.
    #[error("process {process}: no such host: {address}")]
    UnknownHost {
        /// Number of the process with this address.
        process: usize,
        /// Address in the list of hosts.
        address: String,
        /// The system's error.
        source: io::Error,
    },
    /// Another process builds another table.
    #[error("process {process} at {address} builds another table")]
    OtherTable {
        /// Number that the other process gives.
        process: u32,
        /// Its address.
        address: String,
    },
    /// Another process has another number of processes or workers.
    #[error(
        "process {process} at {address} has {found} {noun}, and this process {expected}: use the same number"
    )]
    OtherCount {
        /// Number that the other process gives.
        process: u32,
        /// Its address.
        address: String,
        /// `processes` or `workers`.
        noun: &'static str,
        /// Number that the other process has.
        found: u32,
        /// Number that this process has.
        expected: u32,
    },
    /// The lists of hosts differ.
    #[error("{address} is process {found}, not {expected}: use the same list of hosts everywhere")]
    OtherNumber {
        /// Address in the list of hosts.
        address: String,
        /// Number according to the process at this address.
        found: u32,
        /// Position of the address in this process's list.
        expected: usize,
    },
    /// Two processes have the same number.
    #[error("two processes have the number {0}: give each its own")]
    Twice(u32),
    /// Some processes did not connect in time.
    #[error(
        "{missing} of {processes} processes did not connect within {seconds} s, the first of them process {first} at {address}"
    )]
    Missing {
        /// Number of missing processes.
        missing: usize,
        /// Number of processes of the build.
        processes: usize,
        /// Time that this process has waited, in seconds.
        seconds: u64,
        /// Number of the first missing process.
        first: usize,
        /// Address of the first missing process.
        address: String,
    },
    /// The observer requested a stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The system cannot create a socket.
    #[error("cannot set up the connections")]
    Socket(#[from] io::Error),
}

/// First message from both ends of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handshake {
    magic: u64,
    /// The checksum of the header of the sender's table, with entries of one byte.
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

/// Name and version of this protocol.
const MAGIC: u64 = u64::from_le_bytes(*b"MORPCL02");

/// Length of a handshake in bytes.
const LENGTH: usize = 32;

/// Maximum time for a whole handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum time for one attempt to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// Pause before the next attempt, and between two checks for a stop.
const PAUSE: Duration = Duration::from_millis(50);

/// Maximum number of concurrent handshakes: as many as a build can have processes, and as many unknown clients.
const HANDSHAKES: usize = 2048;

impl Handshake {
    /// Handshake of a process that builds `table` with `workers` workers and `bits` bits per entry.
    pub(crate) fn new(
        table: u64,
        [process, processes]: [u32; 2],
        workers: u32,
        bits: u32,
    ) -> Handshake {
        Handshake { magic: MAGIC, table, process, processes, workers, bits }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.magic.to_le_bytes().to_vec();
        bytes.extend(self.table.to_le_bytes());
        [self.process, self.processes, self.workers, self.bits]
            .iter()
            .for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes
    }

    fn read(bytes: [u8; LENGTH]) -> Handshake {
        let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
        let short = |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
        let [process, processes, workers, bits] = [16, 20, 24, 28].map(short);
        Handshake { magic: long(0), table: long(8), process, processes, workers, bits }
    }
}

/// Connections to all other processes.
pub(crate) struct Connected {
    /// Connections by process number; `None` for this process.
    pub(crate) streams: Vec<Option<TcpStream>>,
    /// Largest number of bits per entry with which any process resumes. All processes use it, also one that was
    /// interrupted before it used wider entries.
    pub(crate) bits: u32,
}

/// Another process and the connection to it.
type Peer = (Handshake, net::TcpStream);

/// Connects to all other processes. Waits at most `wait`.
///
/// # Errors
/// If the process cannot listen on its own address, another process does not connect in time or builds another table,
/// or the observer requests a stop.
pub(crate) fn connect(
    hosts: &Hosts,
    own: Handshake,
    wait: Duration,
    progress: &dyn Progress,
) -> Result<Connected, ConnectError> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let connected = runtime.block_on(meet(hosts, own, wait, progress));
    // A name lookup that is still running must not delay the end.
    runtime.shutdown_background();
    connected
}

/// Runs all handshakes until every other process is connected.
async fn meet(
    hosts: &Hosts,
    own: Handshake,
    wait: Duration,
    progress: &dyn Progress,
) -> Result<Connected, ConnectError> {
    let (number, addresses) = (own.process as usize, &hosts.0);
    let mut bits = own.bits;
    let mut streams: Vec<Option<TcpStream>> = addresses.iter().map(|_| None).collect();
    let listener = net::TcpListener::bind(&addresses[number]).await.map_err(|source| {
        ConnectError::Listen { process: number, address: addresses[number].clone(), source }
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
        let Some(first) = missing.next() else { return Ok(Connected { streams, bits }) };
        progress.check()?;
        if began.elapsed() > wait {
            return Err(ConnectError::Missing {
                missing: 1 + missing.count(),
                processes: streams.len(),
                seconds: wait.as_secs(),
                first,
                address: addresses[first].clone(),
            });
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
                    return Err(ConnectError::Twice(other.process));
                }
                bits = bits.max(other.bits);
                streams[process] = Some(keep_alive(stream)?);
            }
            _ = pauses.tick() => {}
        }
    }
}

/// Calls a process with a smaller number until it answers.
async fn call(
    address: String,
    process: usize,
    own: Handshake,
) -> Result<Option<Peer>, ConnectError> {
    loop {
        let resolved = net::lookup_host(address.as_str()).await.map_err(|source| {
            ConnectError::UnknownHost { process, address: address.clone(), source }
        })?;
        for resolved in resolved {
            let stream = timeout(CONNECT_TIMEOUT, net::TcpStream::connect(resolved)).await;
            let Ok(Ok(mut stream)) = stream else { continue };
            let greeted = timeout(HANDSHAKE_TIMEOUT, async {
                stream.write_all(&own.bytes()).await?;
                read_handshake(&mut stream).await
            });
            let Ok(Ok(Some(other))) = greeted.await else { continue };
            agree(own, other, &address)?;
            if other.process as usize != process {
                let found = other.process;
                let address = address.clone();
                return Err(ConnectError::OtherNumber { address, found, expected: process });
            }
            return Ok(Some((other, stream)));
        }
        sleep(PAUSE).await;
    }
}

/// Answers a process with a greater number. Returns `None` if the other end is not such a process, or gives up.
async fn answer(
    mut stream: net::TcpStream,
    address: String,
    own: Handshake,
) -> Result<Option<Peer>, ConnectError> {
    let greeted = timeout(HANDSHAKE_TIMEOUT, async {
        let Some(other) = read_handshake(&mut stream).await? else { return Ok(None) };
        let answered = stream.write_all(&own.bytes()).await;
        // Both ends report a difference, so it counts even if the answer does not arrive.
        Ok::<_, io::Error>(Some((other, answered)))
    });
    let Ok(Ok(Some((other, answered)))) = greeted.await else { return Ok(None) };
    agree(own, other, &address)?;
    Ok(answered.is_ok().then_some((other, stream)))
}

/// Reads a handshake. Returns `None` if the other end uses another protocol.
async fn read_handshake(stream: &mut net::TcpStream) -> io::Result<Option<Handshake>> {
    let mut bytes = [0; LENGTH];
    stream.read_exact(&mut bytes).await?;
    Ok(Some(Handshake::read(bytes)).filter(|handshake| handshake.magic == MAGIC))
}

/// Checks that two processes belong to one build.
fn agree(own: Handshake, other: Handshake, address: &str) -> Result<(), ConnectError> {
    let (process, address) = (other.process, address.to_owned());
    if own.table != other.table {
        return Err(ConnectError::OtherTable { process, address });
    }
    for (noun, found, expected) in
        [("processes", other.processes, own.processes), ("workers", other.workers, own.workers)]
    {
        if found != expected {
            return Err(ConnectError::OtherCount { process, address, noun, found, expected });
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
