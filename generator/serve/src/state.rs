//! State that all requests share.

use crate::client::Clients;
use crate::config::Config;
use crate::log::AccessLog;
use crate::metrics::Metrics;
use crate::served::Served;
use crate::share::Shares;
use axum::body::Bytes;
use axum::http::HeaderValue;
use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError, RwLock};

/// Settings, limits and counters.
pub(crate) struct Shared {
    pub metrics: Metrics,
    pub clients: Clients,
    pub shares: Shares,
    pub log: Option<AccessLog>,
    /// Set when longer requests have to give up.
    pub stopping: AtomicBool,
    /// The description of the interface.
    pub document: Bytes,
    /// Header of all answers.
    pub policy: HeaderValue,
    pub config: Config,
}

impl Shared {
    /// Makes the state of a server with so many threads for longer requests.
    ///
    /// # Errors
    /// If the log cannot be written.
    pub(crate) fn new(config: Config, document: Bytes, threads: usize) -> io::Result<Shared> {
        Ok(Shared {
            metrics: Metrics::default(),
            clients: Clients::new(config.rate, config.trust_proxy),
            shares: Shares::new(&config.limits, threads),
            log: config.log.map(AccessLog::start).transpose()?,
            stopping: AtomicBool::new(false),
            document,
            policy: config.policy(),
            config,
        })
    }
}

/// The shared state, and the tables that are served.
#[derive(Clone)]
pub(crate) struct State {
    pub shared: Arc<Shared>,
    served: Arc<RwLock<Arc<Served>>>,
}

impl State {
    pub(crate) fn new(shared: Shared, served: Served) -> State {
        State { shared: Arc::new(shared), served: Arc::new(RwLock::new(Arc::new(served))) }
    }

    /// Returns the tables. A request uses the same ones until it is answered.
    pub(crate) fn served(&self) -> Arc<Served> {
        self.served.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the tables for all later requests.
    pub(crate) fn replace(&self, served: Served) {
        *self.served.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(served);
    }
}
