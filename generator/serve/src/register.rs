//! The connections that are open, whose number is limited.
//!
//! In: new connections. Out: a place for each, made where necessary by closing the one that has been silent longest.

use super::metrics::Metrics;
use super::stream::Activity;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::net::TcpStream;

/// The open connections.
pub(crate) struct Register {
    limit: usize,
    open: Mutex<Open>,
    metrics: Arc<Metrics>,
}

#[derive(Default)]
struct Open {
    next: u64,
    connections: HashMap<u64, Arc<Activity>>,
}

/// The place of one connection; dropping it makes it free.
pub(crate) struct Registration {
    number: u64,
    /// Where it is registered.
    pub register: Arc<Register>,
    /// The connection.
    pub activity: Arc<Activity>,
}

impl Register {
    /// No connection yet, and never more than `limit`.
    pub(crate) fn new(limit: usize, metrics: Arc<Metrics>) -> Arc<Register> {
        Arc::new(Register { limit, open: Mutex::default(), metrics })
    }

    /// The counters.
    pub(crate) fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// The map is sound after a panic elsewhere: every change to it is one call.
    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a connection; when there are as many as there may be, the one that has been silent longest is closed.
    ///
    /// # Errors
    /// The new connection, where a request is being worked on on every other one.
    pub(crate) fn enter(self: &Arc<Self>, stream: TcpStream) -> Result<Registration, TcpStream> {
        let mut open = self.open();
        while open.connections.len() >= self.limit {
            if !self.close_most_silent_of(&mut open) {
                return Err(stream);
            }
        }
        let activity = Arc::new(Activity::new(stream));
        let number = open.next;
        open.next += 1;
        open.connections.insert(number, activity.clone());
        self.metrics.connections.set(open.connections.len() as i64);
        Ok(Registration { number, register: self.clone(), activity })
    }

    /// Closes the connection that has been silent longest, of those whose request is not being worked on.
    pub(crate) fn close_most_silent(&self) {
        self.close_most_silent_of(&mut self.open());
    }

    /// Closes all that have been silent for longer than `idle`, or whose client has gone while its request is worked on.
    pub(crate) fn close_silent(&self, idle: Duration) {
        let over = |activity: &Activity| match activity.is_working() {
            true => activity.is_abandoned(),
            false => activity.silence() > idle,
        };
        let mut open = self.open();
        let numbers: Vec<u64> = open
            .connections
            .iter()
            .filter(|(_, activity)| over(activity))
            .map(|(number, _)| *number)
            .collect();
        for number in numbers {
            self.close(&mut open, number);
        }
    }

    /// Whether there was one to close.
    fn close_most_silent_of(&self, open: &mut Open) -> bool {
        let idle = open.connections.iter().filter(|(_, activity)| !activity.is_working());
        let oldest_first = |(number, activity): &(&u64, &Arc<Activity>)| {
            (activity.silence(), std::cmp::Reverse(**number))
        };
        let Some(number) = idle.max_by_key(oldest_first).map(|(number, _)| *number) else {
            return false;
        };
        self.close(open, number);
        true
    }

    fn close(&self, open: &mut Open, number: u64) {
        if let Some(activity) = open.connections.remove(&number) {
            activity.close();
            self.metrics.closed.inc();
        }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut open = self.register.open();
        open.connections.remove(&self.number);
        self.register.metrics.connections.set(open.connections.len() as i64);
    }
}
