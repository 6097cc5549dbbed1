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

/// What a process says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Greeting {
    magic: u64,
    /// The sum of the header of the table that it builds.
    pub table: u64,
    /// Its number, and how many there are.
    pub process: u32,
    /// How many there are.
    pub processes: u32,
    /// Its workers.
    pub workers: u32,
}

/// This protocol and its version.
const MAGIC: u64 = u64::from_le_bytes(*b"MORPCL01");

/// Bytes of a greeting.
const LENGTH: usize = 28;

/// How long the other end of a connection may take to say who it is.
const GREETING: Duration = Duration::from_secs(5);

/// How long an attempt to connect may take, and the pause before the next one.
const CALL: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(50);

impl Greeting {
    /// Process number `process` of so many, which builds this table with so many workers.
    pub fn new(table: u64, [process, processes]: [u32; 2], workers: u32) -> Greeting {
        Greeting { magic: MAGIC, table, process, processes, workers }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.magic.to_le_bytes().to_vec();
        bytes.extend(self.table.to_le_bytes());
        [self.process, self.processes, self.workers]
            .iter()
            .for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes
    }

    fn read(bytes: [u8; LENGTH]) -> Greeting {
        let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
        let short = |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
        let [process, processes, workers] = [short(16), short(20), short(24)];
        Greeting { magic: long(0), table: long(8), process, processes, workers }
    }
}

/// Connections to all other processes, by their number; nothing for this one. Waits for them as long as `wait`.
///
/// # Errors
/// Where the own address cannot be listened on, a process does not come in time or builds something else, or the observer
/// asks for a stop.
pub fn connect(
    hosts: &Hosts,
    own: Greeting,
    wait: Duration,
    progress: &dyn Progress,
) -> Result<Vec<Option<TcpStream>>> {
    let (number, addresses) = (own.process as usize, &hosts.0);
    let mut streams: Vec<Option<TcpStream>> = addresses.iter().map(|_| None).collect();
    let listener = TcpListener::bind(&addresses[number])
        .with_context(|| format!("process {number}: cannot listen on {}", addresses[number]))?;
    listener.set_nonblocking(true)?;
    let began = Instant::now();
    loop {
        progress.check()?;
        for process in 0..number {
            if streams[process].is_none() {
                streams[process] = call(&addresses[process], own, process, hosts)?;
            }
        }
        while let Some((process, stream)) = accept(&listener, own)? {
            ensure!(
                process > number && process < streams.len() && streams[process].is_none(),
                "a process calls as number {process}, which is there already or is to be called"
            );
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
    Ok(streams)
}

/// Has the system notice within some seconds that the other machine is gone, though it closed nothing.
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
fn call(address: &str, own: Greeting, process: usize, hosts: &Hosts) -> Result<Option<TcpStream>> {
    let resolved = address
        .to_socket_addrs()
        .with_context(|| format!("process {process}: no such host: {address}"))?;
    for address in resolved {
        let Ok(mut stream) = TcpStream::connect_timeout(&address, CALL) else { continue };
        let said = stream.write_all(&own.bytes()).map(|()| greeting(&mut stream));
        let Ok(Some(other)) = said else { continue };
        agree(own, other, &hosts.0[process])?;
        ensure!(
            other.process as usize == process,
            "{address} is process {}, expected {process}: the lists of hosts differ",
            other.process
        );
        return Ok(Some(stream));
    }
    Ok(None)
}

/// Accepts the next connection of a process. `None` where there is none yet.
fn accept(listener: &TcpListener, own: Greeting) -> Result<Option<(usize, TcpStream)>> {
    loop {
        let (mut stream, address) = match listener.accept() {
            Ok(called) => called,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        stream.set_nonblocking(false)?;
        // Without a greeting it is no process of any build.
        let Some(other) = greeting(&mut stream) else { continue };
        let said = stream.write_all(&own.bytes());
        agree(own, other, &address.to_string())?;
        if said.is_ok() {
            return Ok(Some((other.process as usize, stream)));
        }
    }
}

fn greeting(stream: &mut TcpStream) -> Option<Greeting> {
    stream.set_read_timeout(Some(GREETING)).ok()?;
    let mut bytes = [0; LENGTH];
    stream.read_exact(&mut bytes).ok()?;
    Some(Greeting::read(bytes)).filter(|greeting| greeting.magic == MAGIC)
}

/// Whether two processes are of one build.
fn agree(own: Greeting, other: Greeting, address: &str) -> Result<()> {
    let who = || format!("process {} at {address}", other.process);
    ensure!(own.table == other.table, "{} builds another table", who());
    for (what, found, expected) in
        [("processes", other.processes, own.processes), ("workers", other.workers, own.workers)]
    {
        ensure!(found == expected, "{} has {found} {what}, expected {expected}", who());
    }
    Ok(())
}
