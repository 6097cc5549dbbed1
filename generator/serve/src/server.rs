//! Accepts connections and runs HTTP on each until the server stops.

use crate::limits::{HEAD, HEADER_FIELDS};
use crate::state::State;
use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutWriter;
use tower_service::Service;

/// Time for open requests to finish after the signal to stop.
const GRACE_PERIOD: Duration = Duration::from_secs(3);

/// Pause after the system refuses to accept a connection, for example for lack of file descriptors.
const PAUSE: Duration = Duration::from_millis(10);

/// The answer to the beginning of a connection of HTTP/2, which hyper would close without an answer.
const NOT_HTTP2: &[u8] =
    b"HTTP/1.1 505 HTTP Version Not Supported\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// Waits for the first bytes of a connection. Returns false if none arrive, or if they begin HTTP/2, which gets an answer here.
async fn is_http1(stream: &TcpStream) -> bool {
    let mut first = [0; 12];
    let Ok(length @ 1..) = stream.peek(&mut first).await else { return false };
    let is_http2 = first[..length].starts_with(b"PRI * HTTP/2");
    if is_http2 && stream.writable().await.is_ok() {
        // These bytes fit into the buffer of any socket. If the write fails, the client only misses the answer.
        let _ = stream.try_write(NOT_HTTP2);
        // A connection that is closed with unread bytes would lose the answer.
        let _ = stream.try_read(&mut [0; 1024]);
    }
    !is_http2
}

/// Serves `router` on `listener` until `stop` is ready, then lets open requests finish. Connections beyond the limit
/// wait in the system's queue.
pub(crate) async fn run(
    listener: TcpListener,
    router: Router,
    state: &Arc<State>,
    stop: impl Future<Output = ()>,
) {
    let (limits, connections) = (&state.config.limits, state.config.connections);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.request_time)
        .max_buf_size(HEAD)
        .max_headers(HEADER_FIELDS);
    let places = Arc::new(Semaphore::new(connections));
    let open = GracefulShutdown::new();
    let accept = async {
        loop {
            let Ok(place) = places.clone().acquire_owned().await else { return };
            let Ok((stream, peer)) = listener.accept().await else {
                sleep(PAUSE).await;
                continue;
            };
            // Answers are written at once, so waiting for more bytes gains nothing.
            let _ = stream.set_nodelay(true);
            let router = router.clone();
            let service = service_fn(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(peer);
                router.clone().call(request)
            });
            let (http, watcher, state) = (http.clone(), open.watcher(), state.clone());
            tokio::spawn(async move {
                state.connections.fetch_add(1, Ordering::Relaxed);
                let limits = &state.config.limits;
                if timeout(limits.request_time, is_http1(&stream)).await == Ok(true) {
                    let mut stream = TimeoutWriter::new(stream);
                    stream.set_timeout(Some(limits.idle_time));
                    let connection = http.serve_connection(TokioIo::new(Box::pin(stream)), service);
                    // Disconnects and invalid requests of a client are ignored.
                    let _ = watcher.watch(connection).await;
                }
                state.connections.fetch_sub(1, Ordering::Relaxed);
                drop(place);
            });
        }
    };
    tokio::select! {
        () = accept => {}
        () = stop => {}
    }
    drop(listener);
    // The runtime drops connections that are still open.
    let _ = timeout(GRACE_PERIOD, open.shutdown()).await;
}
