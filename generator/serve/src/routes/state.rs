//! What all requests share: tables, counters, limits.
//!
//! In: the tables and limits of a server. Out: the state of which each handler takes its part.

use super::{cram, heaps, own};
use crate::cram::CramBoard;
use crate::flight::Flight;
use crate::heaps::HeapGame;
use crate::job::Jobs;
use crate::library::Library;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::rate::Buckets;
use axum::extract::FromRef;
use morpion_grundy::GrundyTable;
use std::sync::Arc;

/// The state with `FromRef` for each part, as axum's derive would write it: its macros and their parser take longer to
/// compile.
macro_rules! state {
    ($($field:ident: $part:ty,)*) => {
        /// What all requests share. Each handler takes its part.
        #[derive(Clone)]
        pub struct State {
            $($field: $part,)*
        }

        $(impl FromRef<State> for $part {
            fn from_ref(state: &State) -> $part {
                state.$field.clone()
            }
        })*
    };
}

state! {
    library: Arc<Library>,
    heaps: heaps::Games,
    cram: cram::Boards,
    metrics: Arc<Metrics>,
    flight: Arc<Flight>,
    buckets: Arc<Buckets>,
    jobs: Jobs,
    solving: own::Solving,
}

impl State {
    /// Nothing asked yet.
    pub fn new(
        library: Library,
        grundy: Vec<GrundyTable>,
        limits: Arc<Limits>,
        metrics: Arc<Metrics>,
    ) -> State {
        let (cram, heaps) = grundy.into_iter().partition(|table| table.cram().is_ok());
        let flight = Flight::new(limits.in_flight, metrics.clone());
        State {
            library: Arc::new(library),
            heaps: HeapGame::all(heaps).into(),
            cram: CramBoard::all(cram).into(),
            metrics,
            buckets: Arc::new(Buckets::new(limits.rate)),
            jobs: Jobs::new(limits, flight.clone()),
            flight,
            solving: own::Solving::default(),
        }
    }

    /// The longer requests.
    pub fn jobs(&self) -> &Jobs {
        &self.jobs
    }
}
