//! Accepting connections, and closing those that hold others up.
//!
//! A connection costs little, but the system grants a process only so many. So each has a clock that every byte in
//! either direction sets back: the silent ones are closed after a while, and when the last place is taken, the
//! connection that has been silent longest makes room for the new one.

use super::limits::{HEAD, HEADER_FIELDS, Limits};
use super::metrics::Metrics;
use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};

/// How long open requests may take once the server is told to stop.
const FAREWELL: Duration = Duration::from_secs(5);

/// What is read of a request that was answered before its end, so that the client gets to see the answer.
const LINGER_BYTES: u64 = 4 << 20;
const LINGER_TIME: Duration = Duration::from_secs(2);

/// The address a request came from.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// Serves `router` on `listener` until `stop` is ready, then lets open requests finish.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Arc<Limits>,
    metrics: Arc<Metrics>,
    stop: impl Future<Output = ()>,
) {
    let register = Arc::new(Register::new(limits.connections, metrics));
    let (stopping, stopped) = watch::channel(false);
    let reaper = tokio::spawn(reap(register.clone(), limits.idle_time));
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                let (router, limits) = (router.clone(), limits.clone());
                let (entry, stopped) = (Register::enter(&register), stopped.clone());
                tokio::spawn(handle(stream, peer, router, limits, entry, stopped));
            }
            Err(_) => {
                // Out of file descriptors, or a client gone before it was greeted.
                register.close_most_silent();
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    }
    drop((listener, stopped));
    stopping.send_replace(true);
    // `closed` is ready when every connection has dropped its receiver.
    let _ = tokio::time::timeout(FAREWELL, stopping.closed()).await;
    reaper.abort();
}

async fn reap(register: Arc<Register>, idle: Duration) {
    let mut tick = tokio::time::interval((idle / 8).max(Duration::from_millis(20)));
    loop {
        tick.tick().await;
        register.close_silent(idle);
    }
}

/// One connection, from its first byte to its last.
async fn handle(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    limits: Arc<Limits>,
    entry: Entry,
    mut stopped: watch::Receiver<bool>,
) {
    // Answers are written whole, so nothing is gained by waiting for more.
    let _ = stream.set_nodelay(true);
    let service = service_fn(|mut request: Request<Incoming>| {
        use tower_service::Service;
        request.extensions_mut().insert(Peer(peer.ip()));
        router.clone().call(request)
    });
    let io = TokioIo::new(Watched { stream, activity: entry.activity.clone() });
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.request_time)
        .max_buf_size(HEAD)
        .max_headers(HEADER_FIELDS)
        .serve_connection(io, service);
    let told_to_stop = async { stopped.wait_for(|stopped| *stopped).await.is_ok() };
    let finished = tokio::select! {
        result = poll_fn(|cx| connection.poll_without_shutdown(cx)) => result.is_ok(),
        _ = told_to_stop => {
            Pin::new(&mut connection).graceful_shutdown();
            poll_fn(|cx| connection.poll_without_shutdown(cx)).await.is_ok()
        }
        () = entry.activity.close.notified() => return,
    };
    if finished {
        let stream = connection.into_parts().io.into_inner();
        tokio::select! {
            () = linger(stream) => {}
            () = entry.activity.close.notified() => {}
        }
    }
}

/// Closes a connection for writing and reads the rest of what the client is still sending. Without this, bytes left
/// unread would make the system reset the connection, and the client would lose an answer like 413.
async fn linger(mut stream: Watched) {
    let read = async {
        stream.shutdown().await?;
        tokio::io::copy(&mut (&mut stream).take(LINGER_BYTES), &mut tokio::io::sink()).await
    };
    let _ = tokio::time::timeout(LINGER_TIME, read).await;
}

/// The connections that are open.
struct Register {
    began: Instant,
    limit: usize,
    open: Mutex<Open>,
    metrics: Arc<Metrics>,
}

#[derive(Default)]
struct Open {
    next: u64,
    entries: HashMap<u64, Arc<Activity>>,
}

/// When a connection was last heard of, and how to close it.
struct Activity {
    began: Instant,
    /// In milliseconds since `began`.
    last: AtomicU64,
    close: Notify,
}

impl Activity {
    fn touch(&self) {
        self.last.store(self.began.elapsed().as_millis() as u64, Ordering::Relaxed);
    }
}

/// The place of one connection, given back when it is dropped.
struct Entry {
    number: u64,
    activity: Arc<Activity>,
    register: Arc<Register>,
}

impl Register {
    fn new(limit: usize, metrics: Arc<Metrics>) -> Register {
        Register { began: Instant::now(), limit, open: Mutex::default(), metrics }
    }

    /// The map is sound after a panic elsewhere: every change to it is one call.
    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(this: &Arc<Register>) -> Entry {
        let activity =
            Arc::new(Activity { began: this.began, last: AtomicU64::new(0), close: Notify::new() });
        activity.touch();
        while this.open().entries.len() >= this.limit {
            this.close_most_silent();
        }
        let mut open = this.open();
        let number = open.next;
        open.next += 1;
        open.entries.insert(number, activity.clone());
        this.metrics.connections.set(open.entries.len() as i64);
        Entry { number, activity, register: this.clone() }
    }

    fn close_most_silent(&self) {
        let mut open = self.open();
        let key = |(number, activity): (&u64, &Arc<Activity>)| {
            (activity.last.load(Ordering::Relaxed), *number)
        };
        if let Some((_, number)) = open.entries.iter().map(key).min() {
            self.close(&mut open, number);
        }
    }

    fn close_silent(&self, idle: Duration) {
        let now = self.began.elapsed().as_millis() as u64;
        let silent = |activity: &Activity| {
            now.saturating_sub(activity.last.load(Ordering::Relaxed)) > idle.as_millis() as u64
        };
        let mut open = self.open();
        let numbers: Vec<u64> = open
            .entries
            .iter()
            .filter(|(_, activity)| silent(activity))
            .map(|(number, _)| *number)
            .collect();
        for number in numbers {
            self.close(&mut open, number);
        }
    }

    fn close(&self, open: &mut Open, number: u64) {
        if let Some(activity) = open.entries.remove(&number) {
            activity.close.notify_one();
            self.metrics.closed.inc();
        }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let mut open = self.register.open();
        open.entries.remove(&self.number);
        self.register.metrics.connections.set(open.entries.len() as i64);
    }
}

/// A stream that notes when bytes pass.
struct Watched {
    stream: TcpStream,
    activity: Arc<Activity>,
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
        let polled = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.noted(polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
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

impl Watched {
    fn noted<T>(&self, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if matches!(polled, Poll::Ready(Ok(_))) {
            self.activity.touch();
        }
        polled
    }
}
