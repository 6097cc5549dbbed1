//! Accepting connections, and closing those that hold others up.
//!
//! A connection costs little, but the system grants a process only so many. So each has a clock that every byte in
//! either direction sets back: the silent ones are closed after a while, and when the last place is taken, the
//! connection that has been silent longest makes room for the new one.

use super::limits::{HEAD, HEADER_FIELDS, Limits};
use super::metrics::Metrics;
use super::reply::Reply;
use super::watched::{Activity, Watched};
use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1::{self, Parts};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

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
    let io = TokioIo::new(Watched::new(stream, entry.activity.clone()));
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.request_time)
        // Whoever has said everything may close its side before the answer comes.
        .half_close(true)
        .max_buf_size(HEAD)
        .max_headers(HEADER_FIELDS)
        .serve_connection(io, service);
    let told_to_stop = async { stopped.wait_for(|stopped| *stopped).await.is_ok() };
    let result = tokio::select! {
        result = poll_fn(|cx| connection.poll_without_shutdown(cx)) => result,
        _ = told_to_stop => {
            std::pin::Pin::new(&mut connection).graceful_shutdown();
            poll_fn(|cx| connection.poll_without_shutdown(cx)).await
        }
        () = entry.activity.close.notified() => return,
    };
    let Parts { io, read_buf, .. } = connection.into_parts();
    let refusal = match result {
        Ok(()) => None,
        Err(error) => match refused(&error, !read_buf.is_empty(), &limits) {
            None => return,
            Some(reply) => Some(reply),
        },
    };
    if let Some(reply) = &refusal {
        entry.register.metrics.refused(reply.status());
    }
    tokio::select! {
        () = farewell(io.into_inner(), refusal) => {}
        () = entry.activity.close.notified() => {}
    }
}

/// The answer to a request that broke off or was too broken to reach the routes; `None` where there was none.
fn refused(error: &hyper::Error, begun: bool, limits: &Limits) -> Option<Reply> {
    if error.is_parse_too_large() {
        Some(Reply::long_head(format!(
            "a head too long, expected at most {HEAD} bytes and {HEADER_FIELDS} header fields"
        )))
    } else if error.is_parse() {
        Some(Reply::bad(format!("this is no HTTP request: {error}")))
    } else if error.is_timeout() && begun {
        let seconds = limits.request_time.as_secs_f64();
        Some(Reply::slow(format!("the head took longer than {seconds} s")))
    } else if error.is_incomplete_message() && begun {
        Some(Reply::bad("the request broke off within its head"))
    } else {
        None
    }
}

/// Says why there is no other answer, closes a connection for writing, and reads the rest of what the client is still
/// sending. Without this, bytes left unread would make the system reset the connection, and the client would lose an
/// answer like 413.
async fn farewell(mut stream: Watched, refusal: Option<Reply>) {
    let read = async {
        if let Some(reply) = refusal {
            stream.say(&reply.to_bytes()).await?;
        }
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
        let activity = Arc::new(Activity::new(this.began));
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
        let key = |(number, activity): (&u64, &Arc<Activity>)| (activity.last(), *number);
        if let Some((_, number)) = open.entries.iter().map(key).min() {
            self.close(&mut open, number);
        }
    }

    fn close_silent(&self, idle: Duration) {
        let now = self.began.elapsed().as_millis() as u64;
        let silent =
            |activity: &Activity| now.saturating_sub(activity.last()) > idle.as_millis() as u64;
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
