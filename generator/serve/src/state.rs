//! State that all requests share.

use crate::config::Config;
use crate::library::Library;
use crate::refusal::Refusal;
use axum::body::Bytes;
use axum::http::HeaderValue;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// The tables that are served, and how the last attempt to load them ended.
#[derive(Clone)]
pub(crate) struct Served {
    pub library: Library,
    /// Time at which the tables were loaded.
    pub loaded: SystemTime,
    /// True if the last attempt found no tables, so that the old tables stay.
    pub is_stale: bool,
}

/// Settings, counters and tables.
pub(crate) struct State {
    pub config: Config,
    /// The description of the interface.
    pub document: Bytes,
    /// The content security policy, a header of all answers.
    pub policy: HeaderValue,
    /// Number of requests since the start.
    pub requests: AtomicU64,
    /// Number of open connections.
    pub connections: AtomicUsize,
    /// Permits for computing: one is taken for each piece of a batch and each line that is being computed.
    computed: Arc<Semaphore>,
    served: RwLock<Arc<Served>>,
}

impl State {
    /// Makes the state of a server with these tables.
    pub(crate) fn new(config: Config, document: Bytes, library: Library) -> State {
        let (policy, computed) =
            (config.policy(), Arc::new(Semaphore::new(config.limits.computed)));
        let served = Served { library, loaded: SystemTime::now(), is_stale: false };
        State {
            config,
            document,
            policy,
            requests: AtomicU64::new(0),
            connections: AtomicUsize::new(0),
            computed,
            served: RwLock::new(Arc::new(served)),
        }
    }

    /// Returns the tables. A request uses the same tables until it is answered.
    pub(crate) fn served(&self) -> Arc<Served> {
        self.served.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the tables for all later requests. If no table was found (`None`), the old tables stay.
    pub(crate) fn reload(&self, found: Option<Library>) {
        let mut served = self.served.write().unwrap_or_else(PoisonError::into_inner);
        *served = Arc::new(match found {
            Some(library) => Served {
                library: library.keeping(&served.library),
                loaded: SystemTime::now(),
                is_stale: false,
            },
            None => Served { is_stale: true, ..Served::clone(&served) },
        });
    }

    /// Number of pieces of batches, and of lines, that are being computed.
    pub(crate) fn computing(&self) -> usize {
        self.config.limits.computed - self.computed.available_permits()
    }

    /// Runs `work` on a thread that may block, as soon as one of the permits is free.
    ///
    /// # Errors
    /// 500 if the work panics, and errors of `work`.
    pub(crate) async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let turn = self.computed.clone().acquire_owned().await?;
        let done = spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        done.await.map_err(|_| Refusal::new(500, "the work on this request failed"))?
    }
}
