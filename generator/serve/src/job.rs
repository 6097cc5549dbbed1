//! Jobs: requests that take longer than one read of a table.
//!
//! In: work. Out: its answer, found on a thread of its own; as many jobs at a time as the limit allows, each given up when
//! its time is over, its client is gone, or the server has to stop.

use super::flight::{Buffer, Content, Flight};
use super::limits::Limits;
use super::refusal::Refusal;
use super::stream::Client;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tokio::sync::Semaphore;

/// What all jobs share.
#[derive(Clone)]
pub struct Jobs {
    limits: Arc<Limits>,
    flight: Arc<Flight>,
    free: Arc<Semaphore>,
    stopping: Arc<AtomicBool>,
}

impl Jobs {
    /// No job yet.
    pub fn new(limits: Arc<Limits>, flight: Arc<Flight>) -> Jobs {
        let free = Arc::new(Semaphore::new(limits.heavy));
        Jobs { limits, flight, free, stopping: Arc::default() }
    }

    /// Jobs that are worked on or wait for a thread.
    pub fn open(&self) -> usize {
        self.limits.heavy - self.free.available_permits()
    }

    /// Makes all jobs give up at their next [`Job::check`], later ones too.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }
}

/// One request that takes longer: it first reads its body, if there is one, then is worked on.
pub(crate) struct Job {
    jobs: Jobs,
    client: Client,
    abandoned: Arc<AtomicBool>,
    end: Instant,
}

impl<S: Send + Sync> FromRequestParts<S> for Job
where
    Jobs: FromRef<S>,
{
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Job, Refusal> {
        let client = parts.extensions.get::<Client>().cloned();
        let client = client.ok_or_else(|| Refusal::fault("a request without a connection"))?;
        Ok(Job {
            jobs: Jobs::from_ref(state),
            client,
            abandoned: Arc::default(),
            end: Instant::now(),
        })
    }
}

/// What a job does: boxed, so that running it is compiled once.
type Work = Box<dyn FnOnce(&Job) -> Result<Buffer, Refusal> + Send>;

/// Makes a job give up when its request is dropped.
struct OnDrop(Arc<AtomicBool>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Job {
    /// The limits.
    pub(crate) fn limits(&self) -> &Limits {
        &self.jobs.limits
    }

    /// Whose request it is.
    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// The bytes in flight.
    pub(crate) fn flight(&self) -> &Arc<Flight> {
        &self.jobs.flight
    }

    /// Runs `work` on a thread that may block. It returns the answer, which is JSON, and calls [`Job::check`] from time to
    /// time.
    ///
    /// # Errors
    /// 429 where there are as many jobs as there may be, 503 where the job is given up, and those of `work`.
    pub(crate) fn run(
        self,
        work: impl FnOnce(&Job) -> Result<Buffer, Refusal> + Send + 'static,
    ) -> impl Future<Output = Result<Response, Refusal>> {
        self.work(Box::new(work))
    }

    async fn work(self, work: Work) -> Result<Response, Refusal> {
        let limit = self.limits().heavy;
        let Ok(permit) = self.jobs.free.clone().try_acquire_owned() else {
            return Err(Refusal::often(format!(
                "{limit} longer requests are being worked on: try again"
            )));
        };
        let job = Job { end: Instant::now() + self.limits().work_time, ..self };
        let _abandon = OnDrop(job.abandoned.clone());
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            job.check()?;
            work(&job)
        });
        let answer =
            done.await.map_err(|_| Refusal::fault("the work on this request failed"))??;
        Ok(([(CONTENT_TYPE, "application/json")], answer.into_bytes()).into_response())
    }

    /// Fails where the job is to be given up.
    ///
    /// # Errors
    /// 503, with the reason.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        if self.jobs.stopping.load(Ordering::Relaxed) {
            return Err(Refusal::busy("the server is stopping"));
        }
        if self.abandoned.load(Ordering::Relaxed) || Instant::now() >= self.end {
            let seconds = self.limits().work_time.as_secs_f64();
            return Err(Refusal::busy(format!(
                "not done within {seconds} s, expected a request for less at once: or try again"
            )));
        }
        Ok(())
    }

    /// An empty answer.
    pub(crate) fn begin(&self) -> Buffer {
        self.flight().buffer(&self.client, Content::Answer, self.limits().answer)
    }

    /// This answer.
    ///
    /// # Errors
    /// Where it does not fit.
    pub(crate) fn answer(&self, value: &impl Serialize) -> Result<Buffer, Refusal> {
        let mut answer = self.begin();
        answer.json(value)?;
        Ok(answer)
    }
}
