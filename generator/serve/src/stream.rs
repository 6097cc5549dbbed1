//! The stream of one connection, shared by those that read and write it and those that watch over it.
//!
//! In: a TCP stream. Out: the same stream, which notes when bytes pass and whether a request is being worked on, and holds
//! back errors without a body: hyper answers a request that it cannot parse by itself, with a status and nothing else.
//! [`super::connection`] says the same in JSON, with a reason.

use socket2::SockRef;
use std::io::{self, IoSlice};
use std::net::{IpAddr, Shutdown};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, Waker, ready};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;

/// How long a request is still worked on when its client has closed its side: one that still waits for the answer may do that,
/// but it looks the same when a client has gone.
const HALF_CLOSED: Duration = Duration::from_secs(2);

/// The client of a request, as handlers find it among the request's extensions.
#[derive(Clone)]
pub struct Client {
    /// Its address.
    pub address: IpAddr,
    /// Its connection.
    pub activity: Arc<Activity>,
}

/// A connection: what happens on it, and how to close it.
pub struct Activity {
    stream: TcpStream,
    began: Instant,
    last: AtomicU64,
    /// When the client was first found to have closed its side; `u64::MAX`: not yet.
    half_closed: AtomicU64,
    working: AtomicBool,
    close: Notify,
}

impl Activity {
    /// A connection that was accepted just now.
    pub fn new(stream: TcpStream) -> Activity {
        Activity {
            stream,
            began: Instant::now(),
            last: AtomicU64::new(0),
            half_closed: AtomicU64::new(u64::MAX),
            working: AtomicBool::new(false),
            close: Notify::new(),
        }
    }

    /// How long no bytes have passed in either direction, and no request was worked on.
    pub fn silence(&self) -> Duration {
        let last = self.last.load(Ordering::Relaxed);
        Duration::from_millis(self.now().saturating_sub(last))
    }

    /// Whether a request has been read whole and has no answer yet.
    pub fn is_working(&self) -> bool {
        self.working.load(Ordering::Relaxed)
    }

    /// Notes whether a request is being worked on from now on.
    pub fn set_working(&self, working: bool) {
        self.touch();
        self.working.store(working, Ordering::Relaxed);
    }

    /// Whether nobody waits for the answer any more: the connection is broken, or the client closed its side some seconds
    /// ago.
    pub fn is_abandoned(&self) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        // Ready at once with what is known of the stream; other wakers of the stream stay as they are.
        let state = pin!(self.stream.ready(Interest::READABLE | Interest::WRITABLE));
        let Poll::Ready(Ok(state)) = state.poll(&mut context) else { return false };
        if !state.is_read_closed() {
            return false;
        }
        let now = self.now();
        let since = self.half_closed.fetch_min(now, Ordering::Relaxed).min(now);
        state.is_write_closed() || now - since >= HALF_CLOSED.as_millis() as u64
    }

    /// Asks for the connection to be closed, whatever happens on it.
    pub fn close(&self) {
        self.close.notify_one();
    }

    /// Ready when the connection is to be closed.
    pub async fn closed(&self) {
        self.close.notified().await;
    }

    fn now(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    fn touch(&self) {
        self.last.store(self.now(), Ordering::Relaxed);
    }

    fn touch_if_done<T>(&self, done: io::Result<T>) -> io::Result<T> {
        if done.is_ok() {
            self.touch();
        }
        done
    }
}

/// Reads and writes on a connection, notes when bytes pass, and drops errors that have no body.
pub(crate) struct Stream(pub Arc<Activity>);

impl Stream {
    /// Writes all these bytes, unfiltered.
    ///
    /// # Errors
    /// Those of the stream.
    pub(crate) async fn write_raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut rest = bytes;
        while !rest.is_empty() {
            self.0.stream.writable().await?;
            match self.0.stream.try_write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        self.flush().await
    }

    /// Writes with `write` once the stream takes bytes.
    fn poll_with(
        &self,
        cx: &mut Context<'_>,
        mut write: impl FnMut(&TcpStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.0.stream.poll_write_ready(cx))?;
            match write(&self.0.stream) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                done => return Poll::Ready(self.0.touch_if_done(done)),
            }
        }
    }
}

/// Whether these bytes are an error without a body. The errors of [`super::refusal`] all have one.
fn is_empty_error(bytes: &[u8]) -> bool {
    const LENGTH: &[u8] = b"\r\ncontent-length: 0\r\n";
    bytes.starts_with(b"HTTP/1.")
        && bytes.get(8..10) == Some(b" 4")
        && bytes.ends_with(b"\r\n\r\n")
        && bytes.windows(LENGTH.len()).any(|window| window == LENGTH)
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.0.stream.poll_read_ready(cx))?;
            match self.0.stream.try_read_buf(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Ok(0) => return Poll::Ready(Ok(())),
                done => return Poll::Ready(self.0.touch_if_done(done).map(|_| ())),
            }
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if is_empty_error(bytes) {
            return Poll::Ready(Ok(bytes.len()));
        }
        self.poll_with(cx, |stream| stream.try_write(bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let [head] = parts
            && is_empty_error(head)
        {
            return Poll::Ready(Ok(head.len()));
        }
        self.poll_with(cx, |stream| stream.try_write_vectored(parts))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    /// Nothing is held back.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(SockRef::from(&self.0.stream).shutdown(Shutdown::Write))
    }
}
