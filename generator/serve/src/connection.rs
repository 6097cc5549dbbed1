//! Accepting connections, and closing those that hold others up.
//!
//! A connection costs little, but the system grants a process only so many. So each has a clock that every byte in
//! either direction sets back: the silent ones are closed after a while, and when the last place is taken, the
//! connection that has been silent longest makes room for the new one. While a request is being worked on its connection
//! stays, unless its client has gone.

use super::job::Jobs;
use super::limits::{HEAD, HEADER_FIELDS, Limits};
use super::metrics::Metrics;
use super::register::{Entry, Register};
use super::reply::Reply;
use super::stream::{Activity, Client, Stream};
use axum::Router;
use axum::http::Version;
use axum::http::header::CONNECTION;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1::{self, Parts};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};

/// How long open requests may take once the server is told to stop.
const FAREWELL: Duration = Duration::from_secs(3);

/// How long answers may take after that, those of the requests that are given up among them.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How often connections are looked through.
const LOOK: Duration = Duration::from_millis(250);

/// Connections beyond the limit that are told so at a time; others are closed without a word.
const TURNED_AWAY: usize = 16;

/// What is read of a request that was answered before its end, so that the client gets to see the answer.
const LINGER_BYTES: u64 = 4 << 20;
const LINGER_TIME: Duration = Duration::from_secs(2);

/// Serves `router` on `listener` until `stop` is ready, then lets open requests finish.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    jobs: Jobs,
    limits: Arc<Limits>,
    metrics: Arc<Metrics>,
    stop: impl Future<Output = ()>,
) {
    let register = Register::new(limits.connections, metrics);
    let turned_away = Arc::new(Semaphore::new(TURNED_AWAY));
    let (stopping, stopped) = watch::channel(false);
    let reaper = tokio::spawn(reap(register.clone(), limits.idle_time));
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let Ok((stream, peer)) = accepted else {
            // Out of file descriptors, or a client gone before it was greeted.
            register.close_most_silent();
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        // Answers are written whole, so nothing is gained by waiting for more.
        let _ = stream.set_nodelay(true);
        match register.enter(stream) {
            Ok(entry) => {
                let (router, limits, stopped) = (router.clone(), limits.clone(), stopped.clone());
                tokio::spawn(handle(peer, router, limits, entry, stopped));
            }
            Err(stream) => turn_away(stream, &limits, &register, &turned_away),
        }
    }
    drop((listener, stopped));
    stopping.send_replace(true);
    // `closed` is ready when every connection has dropped its receiver.
    if tokio::time::timeout(FAREWELL, stopping.closed()).await.is_err() {
        jobs.stop();
        let _ = tokio::time::timeout(LAST_WORDS, stopping.closed()).await;
    }
    reaper.abort();
}

async fn reap(register: Arc<Register>, idle: Duration) {
    let mut tick = tokio::time::interval((idle / 8).clamp(Duration::from_millis(20), LOOK));
    loop {
        tick.tick().await;
        register.close_silent(idle);
    }
}

/// Tells a client that there is no place for it.
fn turn_away(stream: TcpStream, limits: &Limits, register: &Register, places: &Arc<Semaphore>) {
    let limit = limits.connections;
    let reply = Reply::busy(format!(
        "a request is being worked on on each of {limit} connections: try again"
    ));
    register.metrics().refused(reply.status());
    if let Ok(place) = places.clone().try_acquire_owned() {
        let stream = Stream(Arc::new(Activity::new(stream)));
        tokio::spawn(async move {
            farewell(stream, Some(reply)).await;
            drop(place);
        });
    }
}

/// One connection, from its first byte to its last.
async fn handle(
    peer: SocketAddr,
    router: Router,
    limits: Arc<Limits>,
    entry: Entry,
    mut stopped: watch::Receiver<bool>,
) {
    let activity = &entry.activity;
    let last = AtomicBool::new(false);
    let service = service_fn(|mut request: Request<Incoming>| {
        use tower_service::Service;
        let client = Client { address: peer.ip(), activity: activity.clone() };
        request.extensions_mut().insert(client);
        last.store(is_last(&request), Ordering::Relaxed);
        activity.set_working(true);
        let answer = router.clone().call(request);
        Box::pin(async {
            let answer = answer.await;
            activity.set_working(false);
            answer
        })
    });
    let io = TokioIo::new(Stream(activity.clone()));
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
            // Of an answer that is the last one in any case, hyper would drop what is not sent yet.
            if !last.load(Ordering::Relaxed) {
                std::pin::Pin::new(&mut connection).graceful_shutdown();
            }
            tokio::select! {
                result = poll_fn(|cx| connection.poll_without_shutdown(cx)) => result,
                () = activity.closed() => return,
            }
        }
        () = activity.closed() => return,
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
        entry.register.metrics().refused(reply.status());
    }
    tokio::select! {
        () = farewell(io.into_inner(), refusal) => {}
        () = activity.closed() => {}
    }
}

/// Whether the client wants no more than the answer to this request on its connection.
fn is_last(request: &Request<Incoming>) -> bool {
    let says = |word: &str| {
        let fields =
            request.headers().get_all(CONNECTION).iter().filter_map(|field| field.to_str().ok());
        fields.flat_map(|field| field.split(',')).any(|said| said.trim().eq_ignore_ascii_case(word))
    };
    says("close") || request.version() < Version::HTTP_11 && !says("keep-alive")
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
async fn farewell(mut stream: Stream, refusal: Option<Reply>) {
    let read = async {
        if let Some(reply) = refusal {
            stream.say(&reply.to_bytes()).await?;
        }
        stream.shutdown().await?;
        tokio::io::copy(&mut (&mut stream).take(LINGER_BYTES), &mut tokio::io::sink()).await
    };
    let _ = tokio::time::timeout(LINGER_TIME, read).await;
}
