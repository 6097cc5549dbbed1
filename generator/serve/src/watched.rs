//! The stream of one connection: it notes when bytes pass, and holds back answers that say nothing.
//!
//! Hyper answers a request that it cannot parse by itself, with a status and no body. Such an answer is swallowed here,
//! so that [`super::connection`] can say the same in JSON, with a reason.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Instant;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;

/// When a connection was last heard of, and how to close it.
pub struct Activity {
    began: Instant,
    last: AtomicU64,
    /// Told when the connection shall be closed.
    pub close: Notify,
}

impl Activity {
    /// Of a connection that was heard of just now; times are counted from `began`.
    pub fn new(began: Instant) -> Activity {
        let activity = Activity { began, last: AtomicU64::new(0), close: Notify::new() };
        activity.touch();
        activity
    }

    /// When bytes last passed, in milliseconds since `began`.
    pub fn last(&self) -> u64 {
        self.last.load(Ordering::Relaxed)
    }

    fn touch(&self) {
        self.last.store(self.began.elapsed().as_millis() as u64, Ordering::Relaxed);
    }
}

/// A stream that notes when bytes pass, and lets no error pass that has no body.
pub struct Watched {
    stream: TcpStream,
    activity: Arc<Activity>,
}

impl Watched {
    /// Notes what passes on `stream` in `activity`.
    pub fn new(stream: TcpStream, activity: Arc<Activity>) -> Watched {
        Watched { stream, activity }
    }

    /// Writes all these bytes, whatever they are.
    ///
    /// # Errors
    /// Those of the stream.
    pub async fn say(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes).await
    }

    fn noted<T>(&self, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if matches!(polled, Poll::Ready(Ok(_))) {
            self.activity.touch();
        }
        polled
    }
}

/// Whether these bytes are an error without a body. The errors of [`super::reply`] all have one.
fn says_nothing(bytes: &[u8]) -> bool {
    const LENGTH: &[u8] = b"\r\ncontent-length: 0\r\n";
    bytes.starts_with(b"HTTP/1.")
        && bytes.get(8..10) == Some(b" 4")
        && bytes.ends_with(b"\r\n\r\n")
        && bytes.windows(LENGTH.len()).any(|window| window == LENGTH)
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if buffer.filled().len() > before {
            self.activity.touch();
        }
        polled
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if says_nothing(bytes) {
            return Poll::Ready(Ok(bytes.len()));
        }
        let polled = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.noted(polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let [head] = parts
            && says_nothing(head)
        {
            return Poll::Ready(Ok(head.len()));
        }
        let polled = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.noted(polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
