//! Jobs: requests that take longer than one read of a table. Each is worked on by a thread of its own, as many at a time as
//! the limit allows, and given up when its time is over, its client is gone, or the server has to stop.

use super::flight::{Buffer, Flight};
use super::limits::Limits;
use super::reply::Reply;
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

    /// Has all jobs given up, those to come too.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }
}

/// One request that takes longer: it first reads its body, if there is one, then is worked on.
pub struct Job {
    jobs: Jobs,
    client: Client,
    abandoned: Arc<AtomicBool>,
    end: Instant,
}

impl<S: Send + Sync> FromRequestParts<S> for Job
where
    Jobs: FromRef<S>,
{
    type Rejection = Reply;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Job, Reply> {
        let client = parts.extensions.get::<Client>().cloned();
        let client = client.ok_or_else(|| Reply::fault("a request without a connection"))?;
        Ok(Job {
            jobs: Jobs::from_ref(state),
            client,
            abandoned: Arc::default(),
            end: Instant::now(),
        })
    }
}

/// Has a job given up when the request is dropped.
struct OnDrop(Arc<AtomicBool>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Job {
    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.jobs.limits
    }

    /// Whose request it is.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The bytes in flight.
    pub fn flight(&self) -> &Arc<Flight> {
        &self.jobs.flight
    }

    /// Works on a thread that may wait; `work` gives the answer, which is JSON, and looks at [`Job::check`] from time to
    /// time.
    ///
    /// # Errors
    /// 429 where there are as many jobs as there may be, 503 where the job is given up, and those of `work`.
    pub async fn run(
        self,
        work: impl FnOnce(&Job) -> Result<Buffer, Reply> + Send + 'static,
    ) -> Result<Response, Reply> {
        let limit = self.limits().heavy;
        let Ok(permit) = self.jobs.free.clone().try_acquire_owned() else {
            return Err(Reply::often(format!(
                "{limit} longer requests are being worked on: try again"
            )));
        };
        let job = Job { end: Instant::now() + self.limits().work_time, ..self };
        let _abandon = OnDrop(job.abandoned.clone());
        let worked = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            job.check()?;
            work(&job)
        });
        let answer =
            worked.await.map_err(|_| Reply::fault("the work on this request failed"))??;
        Ok(([(CONTENT_TYPE, "application/json")], answer.into_bytes()).into_response())
    }

    /// Whether to go on.
    ///
    /// # Errors
    /// 503 where not.
    pub fn check(&self) -> Result<(), Reply> {
        if self.jobs.stopping.load(Ordering::Relaxed) {
            return Err(Reply::busy("the server is stopping"));
        }
        if self.abandoned.load(Ordering::Relaxed) || Instant::now() >= self.end {
            let seconds = self.limits().work_time.as_secs_f64();
            return Err(Reply::busy(format!(
                "not done within {seconds} s, expected a request for less at once: or try again"
            )));
        }
        Ok(())
    }

    /// An empty answer.
    pub fn begin(&self) -> Buffer {
        self.flight().buffer(&self.client, self.limits().answer)
    }

    /// This answer.
    ///
    /// # Errors
    /// Where it does not fit.
    pub fn answer(&self, value: &impl Serialize) -> Result<Buffer, Reply> {
        let mut answer = self.begin();
        answer.json(value)?;
        Ok(answer)
    }
}
