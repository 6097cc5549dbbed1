//! Jobs: requests that take longer than one read of a table.
//!
//! A limited number of jobs runs at a time, each on a thread that may block. A job gives up when its time is over, its
//! client disconnects, or the server stops.

use super::limits::Limits;
use super::refusal::Refusal;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{FromRef, FromRequestParts};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use morpion_machine::progress::Progress;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Limits of time and bytes for reading on after a body is refused, so that the client sees the answer before the
/// connection closes.
const LINGER: (Duration, usize) = (Duration::from_secs(2), 4 << 20);

/// State that all jobs share.
#[derive(Clone)]
pub(crate) struct Jobs {
    limits: Arc<Limits>,
    places: Arc<Semaphore>,
    /// Kilobytes of answers that may wait to be sent.
    room: Arc<Semaphore>,
    stopping: Arc<AtomicBool>,
}

impl Jobs {
    /// Creates the state before the first job.
    pub(crate) fn new(limits: Arc<Limits>) -> Jobs {
        let places = Arc::new(Semaphore::new(limits.heavy));
        let room = Arc::new(Semaphore::new(limits.in_flight >> 10));
        Jobs { limits, places, room, stopping: Arc::default() }
    }

    /// Number of jobs that read their body, wait for a thread, or run.
    pub(crate) fn open(&self) -> usize {
        self.limits.heavy - self.places.available_permits()
    }

    /// Bytes of answers that wait to be sent, each rounded up to kilobytes.
    pub(crate) fn in_flight(&self) -> usize {
        ((self.limits.in_flight >> 10) - self.room.available_permits()) << 10
    }

    /// Makes all jobs give up at their next [`Job::check`].
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }
}

/// One longer request. When a handler takes it as an argument, it occupies a place before the body is read.
pub(crate) struct Job {
    jobs: Jobs,
    _place: OwnedSemaphorePermit,
    abandoned: Arc<AtomicBool>,
    end: Instant,
}

impl<S: Send + Sync> FromRequestParts<S> for Job
where
    Jobs: FromRef<S>,
{
    type Rejection = Refusal;

    async fn from_request_parts(_: &mut Parts, state: &S) -> Result<Job, Refusal> {
        let jobs = Jobs::from_ref(state);
        let limit = jobs.limits.heavy;
        let Ok(place) = jobs.places.clone().try_acquire_owned() else {
            return Err(Refusal::often(format!(
                "{limit} longer requests are being worked on: try again"
            )));
        };
        let end = Instant::now() + jobs.limits.work_time;
        Ok(Job { jobs, _place: place, abandoned: Arc::default(), end })
    }
}

/// Work of a job. It is boxed so that the code around it is compiled only once.
type Work = Box<dyn FnOnce(&Job) -> Result<Vec<u8>, Refusal> + Send>;

/// Makes a job give up when its request is dropped.
struct OnDrop(Arc<AtomicBool>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Job {
    /// Limits of the server.
    pub(crate) fn limits(&self) -> &Limits {
        &self.jobs.limits
    }

    /// Reads the body of the request.
    ///
    /// # Errors
    /// 413 if it is too long, 408 if it does not arrive in time, 400 if it is incomplete.
    pub(crate) async fn body(&mut self, mut body: Body) -> Result<Bytes, Refusal> {
        let (most, time) = (self.limits().body, self.limits().request_time);
        let too_large = || Refusal::large(format!("a body longer than {most} bytes"));
        if body.size_hint().lower() > most as u64 {
            return Err(too_large());
        }
        let read = match timeout(time, Limited::new(&mut body, most).collect()).await {
            Ok(read) => read,
            Err(_) => {
                let seconds = time.as_secs_f64();
                return Err(Refusal::slow(format!("the body took longer than {seconds} s")));
            }
        };
        self.end = Instant::now() + self.limits().work_time;
        match read {
            Ok(read) => Ok(read.to_bytes()),
            Err(error) if error.is::<LengthLimitError>() => {
                let _ = timeout(LINGER.0, Limited::new(body, LINGER.1).collect()).await;
                Err(too_large())
            }
            Err(error) => Err(Refusal::bad(format!("the body broke off: {error}"))),
        }
    }

    /// Runs `work` on a thread that may block. It returns the answer as JSON, and calls [`Job::check`] from time to time.
    ///
    /// # Errors
    /// 429 if too many answers wait to be sent, 503 if the job gives up, and errors of `work`.
    pub(crate) fn run(
        self,
        work: impl FnOnce(&Job) -> Result<Vec<u8>, Refusal> + Send + 'static,
    ) -> impl Future<Output = Result<Response, Refusal>> {
        self.work(Box::new(work))
    }

    async fn work(self, work: Work) -> Result<Response, Refusal> {
        let room = self.jobs.room.clone();
        let _abandon = OnDrop(self.abandoned.clone());
        let done = tokio::task::spawn_blocking(move || {
            self.check()?;
            work(&self)
        });
        let bytes = done.await.map_err(|_| Refusal::fault("the work on this request failed"))??;
        let Ok(room) = room.try_acquire_many_owned(bytes.len().div_ceil(1 << 10) as u32) else {
            return Err(Refusal::often("too many answers wait for slow clients: try again"));
        };
        let answer = Bytes::from_owner(Sent { bytes, _room: room });
        Ok(([(CONTENT_TYPE, "application/json")], answer).into_response())
    }

    /// Checks that the job may continue.
    ///
    /// # Errors
    /// 503 with the reason if it has to give up.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        if self.jobs.stopping.load(Ordering::Relaxed) {
            return Err(Refusal::busy("the server is stopping"));
        }
        if self.abandoned.load(Ordering::Relaxed) || Instant::now() >= self.end {
            let seconds = self.limits().work_time.as_secs_f64();
            return Err(Refusal::busy(format!(
                "not done within {seconds} s: ask for less at once, or try again"
            )));
        }
        Ok(())
    }

    /// Returns the reason why the job gave up.
    pub(crate) fn given_up(&self) -> Refusal {
        self.check().err().unwrap_or_else(|| Refusal::busy("given up"))
    }

    /// Writes an answer as JSON.
    ///
    /// # Errors
    /// 413 if it is too long.
    pub(crate) fn answer(&self, value: &impl Serialize) -> Result<Vec<u8>, Refusal> {
        let text = serde_json::to_vec(value)?;
        self.check_length(&text)?;
        Ok(text)
    }

    /// Checks the length of an answer.
    ///
    /// # Errors
    /// 413 if it is too long.
    pub(crate) fn check_length(&self, text: &[u8]) -> Result<(), Refusal> {
        let most = self.limits().answer;
        if text.len() > most {
            return Err(Refusal::large(format!(
                "the answer is longer than {most} bytes: ask for less at once"
            )));
        }
        Ok(())
    }
}

impl Progress for Job {
    fn stop(&self) -> bool {
        self.check().is_err()
    }
}

/// An answer, which occupies its room until it is sent.
struct Sent {
    bytes: Vec<u8>,
    _room: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Sent {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}
