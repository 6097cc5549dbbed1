//! The connection to another process, which counts bytes and notices when that process is lost.
//!
//! Timely's threads read and write the connection, and would panic on errors. So the connection suspends these threads if the other end is
//! gone. The worker checks [`Peers`] while it waits, and fails with an error that names the process.

use morpion_machine::threads::lock;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use timely::communication::allocator::zero_copy::stream::Stream;

/// State that the connections to other processes share.
#[derive(Debug, Default)]
pub(crate) struct Peers {
    /// Number of bytes sent to other processes.
    pub(crate) sent: AtomicU64,
    /// Number of bytes received from other processes.
    pub(crate) received: AtomicU64,
    is_over: AtomicBool,
    lost: Mutex<Option<String>>,
}

impl Peers {
    /// Fails if a process is lost.
    pub(crate) fn check(&self) -> io::Result<()> {
        match &*lock(&self.lost) {
            None => Ok(()),
            Some(lost) => Err(io::Error::new(io::ErrorKind::ConnectionAborted, lost.clone())),
        }
    }

    /// Ends the work: from now on, a closed connection does not count as lost.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    fn lose(&self, name: &str, why: &str) {
        lock(&self.lost).get_or_insert_with(|| format!("{name} is lost: {why}"));
    }
}

/// Time that this process has to finish after a connection is closed. Then the other end counts as lost.
const END: Duration = Duration::from_secs(2);

/// A connection to another process.
pub(crate) struct Connection {
    stream: TcpStream,
    /// Name by which messages call the other process.
    name: String,
    peers: Arc<Peers>,
}

impl Connection {
    /// A connection to the process with this name.
    pub(crate) fn new(stream: TcpStream, name: String, peers: Arc<Peers>) -> Connection {
        Connection { stream, name, peers }
    }

    fn is_over(&self) -> bool {
        self.peers.is_over.load(Ordering::SeqCst)
    }
}

impl Read for Connection {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        // An interrupting signal is harmless, but timely would panic at the error. So try again.
        let read = loop {
            match self.stream.read(into) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        if let Ok(length @ 1..) = read {
            self.peers.received.fetch_add(length as u64, Ordering::Relaxed);
            return Ok(length);
        }
        // The last message of another process may still be on its way to the workers of this process.
        let began = Instant::now();
        while !self.is_over() && began.elapsed() < END {
            thread::sleep(Duration::from_millis(10));
        }
        if self.is_over() {
            return Ok(0);
        }
        let why = match read {
            Err(error) => error.to_string(),
            Ok(_) => "it has closed the connection".into(),
        };
        self.peers.lose(&self.name, &why);
        loop {
            thread::park();
        }
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Ok(length) => {
                self.peers.sent.fetch_add(length as u64, Ordering::Relaxed);
                Ok(length)
            }
            // The buffer above this layer tries again.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                if !self.is_over() {
                    self.peers.lose(&self.name, &error.to_string());
                }
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Connection {
    fn try_clone(&self) -> io::Result<Connection> {
        let (name, peers) = (self.name.clone(), Arc::clone(&self.peers));
        Ok(Connection { stream: self.stream.try_clone()?, name, peers })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // If the other end is already gone, there is nothing to shut down.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
