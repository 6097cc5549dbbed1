//! Jobs: requests that take longer than one read of a table.
//!
//! A limited number of jobs runs at a time, each on a thread that may block. A job gives up when its time is over, its
//! client disconnects, or the server stops.

use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::share::{Client, Taken};
use crate::state::Shared;
use axum::body::Bytes;
use morpion_machine::progress::Progress;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Instant;
use tokio::sync::{Mutex, MutexGuard};

/// One longer request, whose body is read.
pub(crate) struct Job {
    shared: Arc<Shared>,
    client: Client,
    _slot: Taken,
    /// Alive while the client waits.
    waiting: Weak<()>,
    end: Instant,
}

impl Job {
    /// Takes a place, or returns 429 if none is free.
    pub(crate) fn new(shared: &Arc<Shared>, client: Client) -> Result<Job, Refusal> {
        let (slot, shared) = (client.slot()?, shared.clone());
        Ok(Job { shared, client, _slot: slot, waiting: Weak::new(), end: Instant::now() })
    }

    /// Limits of the server.
    pub(crate) fn limits(&self) -> &Limits {
        &self.shared.config.limits
    }

    /// Runs `work` on a thread that may block. It calls [`Job::check`] from time to time.
    ///
    /// # Errors
    /// 413 if the answer is too long, 429 if too many answers wait to be sent, 503 if the job gives up, and errors of
    /// `work`.
    pub(crate) async fn run(
        mut self,
        work: impl FnOnce(&Job) -> Result<Bytes, Refusal> + Send + 'static,
    ) -> Result<Bytes, Refusal> {
        let client = self.client.clone();
        // If the client disconnects, the future of this function is dropped.
        let waiting = Arc::new(());
        self.waiting = Arc::downgrade(&waiting);
        self.end = Instant::now() + self.limits().work_time;
        let thread = client.thread().await;
        let done = tokio::task::spawn_blocking(move || {
            let _thread = thread;
            self.check()?;
            let text = work(&self)?;
            self.check_length(&text)?;
            Ok::<_, Refusal>(text)
        });
        let bytes =
            done.await.map_err(|_| Refusal::new(500, "the work on this request failed"))??;
        drop(waiting);
        let room = client.answer(bytes.len())?;
        Ok(Bytes::from_owner(Sent { bytes, _room: room }))
    }

    /// Returns 503 if the job has to give up.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        if self.stop() { Err(self.given_up()) } else { Ok(()) }
    }

    /// 503 with the reason.
    pub(crate) fn given_up(&self) -> Refusal {
        if self.shared.stopping.load(Ordering::Relaxed) {
            return Refusal::new(503, "the server is stopping");
        }
        let seconds = self.limits().work_time.as_secs_f64();
        let message = format!("not done within {seconds} s: ask for less at once, or try again");
        Refusal::new(503, message)
    }

    /// Returns 413 if an answer is too long.
    pub(crate) fn check_length(&self, text: &[u8]) -> Result<(), Refusal> {
        let most = self.limits().answer;
        if text.len() > most {
            let message = format!("the answer is longer than {most} bytes: ask for less at once");
            return Err(Refusal::new(413, message));
        }
        Ok(())
    }
}

impl Progress for Job {
    fn stop(&self) -> bool {
        self.shared.stopping.load(Ordering::Relaxed)
            || self.waiting.strong_count() == 0
            || Instant::now() >= self.end
    }
}

/// Held while games are solved or judged: one request at a time, since each uses all cores.
static BUSY: Mutex<()> = Mutex::const_new(());

/// Returns the right to use all cores.
///
/// # Errors
/// 429 while another request has it.
pub(crate) fn alone() -> Result<MutexGuard<'static, ()>, Refusal> {
    let busy = |_| Refusal::new(429, "another game is being solved or judged: try again");
    BUSY.try_lock().map_err(busy)
}

/// An answer, which occupies its room until it is sent.
struct Sent {
    bytes: Bytes,
    _room: Taken,
}

impl AsRef<[u8]> for Sent {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}
