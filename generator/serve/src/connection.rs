//! Connections, from being accepted to being closed.
//!
//! In: a listener and the router. Out: answers, until the server is told to stop.
//!
//! A connection costs little, but the system grants a process only so many. So each has a clock that every byte in either
//! direction sets back: the silent ones are closed after a while, and when the last place is taken, the connection that has
//! been silent longest makes room for the new one. While a request is being worked on its connection stays, unless its
//! client has gone.

use super::job::Jobs;
use super::limits::{HEAD, HEADER_FIELDS, Limits};
use super::metrics::Metrics;
use super::refusal::Refusal;
use super::register::{Register, Registration};
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

/// How long open requests may take once the server is told to stop; then jobs are told to give up.
const GRACE_PERIOD: Duration = Duration::from_secs(3);

/// How long the answers may take after that, also those that say that a job was given up.
const ABORT_PERIOD: Duration = Duration::from_secs(1);

/// How often silent connections are looked for.
const CHECK_INTERVAL: Duration = Duration::from_millis(250);

/// Connections beyond the limit that are answered 503 at a time; others are closed without an answer.
const REFUSED_AT_A_TIME: usize = 16;

/// How much is read, and for how long, of a request that was answered before its end: see [`close_gracefully`].
const LINGER_BYTES: u64 = 4 << 20;
const LINGER_TIME: Duration = Duration::from_secs(2);

/// Serves `router` on `listener` until `stop` is ready, then lets open requests finish.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    jobs: Jobs,
    limits: Arc<Limits>,
    metrics: Arc<Metrics>,
    stop: impl Future<Output = ()>,
) {
    let register = Register::new(limits.connections, metrics);
    let refusing = Arc::new(Semaphore::new(REFUSED_AT_A_TIME));
    let (stopping, stopped) = watch::channel(false);
    let reaper = tokio::spawn(reap(register.clone(), limits.idle_time));
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let Ok((stream, peer)) = accepted else {
            // Out of file descriptors, or the client has gone before it was accepted.
            register.close_most_silent();
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        // Answers are written whole, so nothing is gained by waiting for more.
        let _ = stream.set_nodelay(true);
        match register.enter(stream) {
            Ok(registration) => {
                let (router, limits, stopped) = (router.clone(), limits.clone(), stopped.clone());
                tokio::spawn(handle(peer, router, limits, registration, stopped));
            }
            Err(stream) => refuse(stream, &limits, &register, &refusing),
        }
    }
    drop((listener, stopped));
    stopping.send_replace(true);
    // `closed` is ready when every connection has dropped its receiver.
    if tokio::time::timeout(GRACE_PERIOD, stopping.closed()).await.is_err() {
        jobs.stop();
        let _ = tokio::time::timeout(ABORT_PERIOD, stopping.closed()).await;
    }
    reaper.abort();
}

async fn reap(register: Arc<Register>, idle: Duration) {
    let mut tick =
        tokio::time::interval((idle / 8).clamp(Duration::from_millis(20), CHECK_INTERVAL));
    loop {
        tick.tick().await;
        register.close_silent(idle);
    }
}

/// Answers 503 to a client for whose connection there is no place.
fn refuse(stream: TcpStream, limits: &Limits, register: &Register, places: &Arc<Semaphore>) {
    let limit = limits.connections;
    let refusal =
        Refusal::busy(format!("all {limit} connections are busy with a request: try again"));
    register.metrics().refused(refusal.status());
    if let Ok(place) = places.clone().try_acquire_owned() {
        let stream = Stream(Arc::new(Activity::new(stream)));
        tokio::spawn(async move {
            close_gracefully(stream, Some(refusal)).await;
            drop(place);
        });
    }
}

/// One connection, from its first byte to its last.
async fn handle(
    peer: SocketAddr,
    router: Router,
    limits: Arc<Limits>,
    registration: Registration,
    mut stopped: watch::Receiver<bool>,
) {
    let activity = &registration.activity;
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
        // A client may close its sending side as soon as its request is complete.
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
        Err(error) => match Refusal::of_connection(&error, !read_buf.is_empty(), &limits) {
            None => return,
            Some(refusal) => Some(refusal),
        },
    };
    if let Some(refusal) = &refusal {
        registration.register.metrics().refused(refusal.status());
    }
    tokio::select! {
        () = close_gracefully(io.into_inner(), refusal) => {}
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

/// Sends the error, if there is one, closes a connection for writing, and reads the rest of what the client is still
/// sending. Without the reading, bytes left unread would make the system reset the connection, and the client would lose an
/// answer like 413.
async fn close_gracefully(mut stream: Stream, refusal: Option<Refusal>) {
    let read = async {
        if let Some(refusal) = refusal {
            stream.write_raw(&refusal.to_bytes()).await?;
        }
        stream.shutdown().await?;
        tokio::io::copy(&mut (&mut stream).take(LINGER_BYTES), &mut tokio::io::sink()).await
    };
    let _ = tokio::time::timeout(LINGER_TIME, read).await;
}
