//! Bringing the processes together: each listens on its own address and connects to those before it in the list.
//!
//! Both ends say who they are and what they build, so that a process with other rules, another list or another number of
//! workers is refused by name.

use crate::hosts::Hosts;
use anyhow::{Context, Result, bail, ensure};
use morpion_games::progress::Progress;
use socket2::{SockRef, TcpKeepalive};
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// What a process says of itself when a connection begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handshake {
    magic: u64,
    /// The sum of the header of the table that it builds, with entries of one byte.
    pub(crate) table: u64,
    /// Its number.
    pub(crate) process: u32,
    /// How many processes there are.
    pub(crate) processes: u32,
    /// Workers of each process.
    pub(crate) workers: u32,
    /// Bits of an entry of the table that it goes on with.
    pub(crate) bits: u32,
}

/// This protocol and its version.
const MAGIC: u64 = u64::from_le_bytes(*b"MORPCL02");

/// Bytes of a handshake.
const LENGTH: usize = 32;

/// How long the other end of a connection may take to say who it is.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);

/// How long an attempt to connect may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// The pause before the next attempt.
const PAUSE: Duration = Duration::from_millis(50);

impl Handshake {
    /// That of process `process` of `processes`, which builds `table` with `workers` workers and goes on with `bits` bits an entry.
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
    /// By their number; none for this one.
    pub(crate) streams: Vec<Option<TcpStream>>,
    /// The most bits of an entry that any process goes on with, this one among them: all go on with as many, even those that were
    /// interrupted before they turned to wider entries.
    pub(crate) bits: u32,
}

/// Connects to all other processes, and waits for them as long as `wait`.
///
/// # Errors
/// Where the own address cannot be listened on, a process does not come in time or builds something else, or the observer
/// asks for a stop.
pub(crate) fn connect(
    hosts: &Hosts,
    own: Handshake,
    wait: Duration,
    progress: &dyn Progress,
) -> Result<Connected> {
    let (number, addresses) = (own.process as usize, &hosts.0);
    let mut bits = own.bits;
    let mut streams: Vec<Option<TcpStream>> = addresses.iter().map(|_| None).collect();
    let listener = TcpListener::bind(&addresses[number])
        .with_context(|| format!("process {number}: cannot listen on {}", addresses[number]))?;
    listener.set_nonblocking(true)?;
    let began = Instant::now();
    loop {
        progress.check()?;
        for process in 0..number {
            if streams[process].is_none() {
                let Some((other, stream)) = dial(&addresses[process], own, process, hosts)? else {
                    continue;
                };
                bits = bits.max(other.bits);
                streams[process] = Some(stream);
            }
        }
        while let Some((other, stream)) = accept(&listener, own)? {
            let process = other.process as usize;
            ensure!(
                process > number && process < streams.len() && streams[process].is_none(),
                "a process says it is number {process}, which is already connected or is connected to from here"
            );
            bits = bits.max(other.bits);
            streams[process] = Some(stream);
        }
        let missing = (0..streams.len()).filter(|&process| process != number);
        let mut missing = missing.filter(|&process| streams[process].is_none());
        let Some(first) = missing.next() else { break };
        if began.elapsed() > wait {
            bail!(
                "{} of {} processes did not come within {} s, the first of them process {first} at {}",
                1 + missing.count(),
                streams.len(),
                wait.as_secs(),
                addresses[first]
            );
        }
        std::thread::sleep(PAUSE);
    }
    streams.iter().flatten().try_for_each(keep_alive)?;
    Ok(Connected { streams, bits })
}

/// Has the system notice within some seconds that the other machine is gone, even if it never closed the connection.
fn keep_alive(stream: &TcpStream) -> Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(None)?;
    stream.set_nonblocking(false)?;
    let second = Duration::from_secs(1);
    let socket = SockRef::from(stream);
    let probes = TcpKeepalive::new().with_time(5 * second).with_interval(2 * second);
    socket.set_tcp_keepalive(&probes)?;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    socket.set_tcp_user_timeout(Some(15 * second))?;
    Ok(())
}

/// Connects to a process. `None` where it does not listen yet.
fn dial(
    address: &str,
    own: Handshake,
    process: usize,
    hosts: &Hosts,
) -> Result<Option<(Handshake, TcpStream)>> {
    let resolved = address
        .to_socket_addrs()
        .with_context(|| format!("process {process}: no such host: {address}"))?;
    for address in resolved {
        let Ok(mut stream) = TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) else {
            continue;
        };
        let said = stream.write_all(&own.bytes()).map(|()| read_handshake(&mut stream));
        let Ok(Some(other)) = said else { continue };
        agree(own, other, &hosts.0[process])?;
        ensure!(
            other.process as usize == process,
            "{address} is process {}, expected {process}: the lists of hosts differ",
            other.process
        );
        return Ok(Some((other, stream)));
    }
    Ok(None)
}

/// Accepts the next connection of a process. `None` where there is none yet.
fn accept(listener: &TcpListener, own: Handshake) -> Result<Option<(Handshake, TcpStream)>> {
    loop {
        let (mut stream, address) = match listener.accept() {
            Ok(accepted) => accepted,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        stream.set_nonblocking(false)?;
        // Without a handshake it is no process of any build.
        let Some(other) = read_handshake(&mut stream) else { continue };
        let said = stream.write_all(&own.bytes());
        agree(own, other, &address.to_string())?;
        if said.is_ok() {
            return Ok(Some((other, stream)));
        }
    }
}

fn read_handshake(stream: &mut TcpStream) -> Option<Handshake> {
    stream.set_read_timeout(Some(HANDSHAKE_TIMEOUT)).ok()?;
    let mut bytes = [0; LENGTH];
    stream.read_exact(&mut bytes).ok()?;
    Some(Handshake::read(bytes)).filter(|handshake| handshake.magic == MAGIC)
}

/// Fails where two processes are not of one build.
fn agree(own: Handshake, other: Handshake, address: &str) -> Result<()> {
    let who = || format!("process {} at {address}", other.process);
    ensure!(own.table == other.table, "{} builds another table", who());
    for (what, found, expected) in
        [("processes", other.processes, own.processes), ("workers", other.workers, own.workers)]
    {
        ensure!(found == expected, "{} has {found} {what}, expected {expected}", who());
    }
    Ok(())
}
