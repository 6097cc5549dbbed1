//! State that all requests share: tables, counters and limits. Each handler extracts the parts that it needs.

use super::impartial::{CramBoard, HeapGame};
use super::{Document, own};
use crate::extract::All;
use crate::job::Jobs;
use crate::library::{Library, ServedGame};
use crate::limits::Limits;
use crate::metrics::Metrics;
use axum::extract::FromRef;
use morpion_grundy::GrundyTable;
use std::sync::Arc;

/// The state, with `FromRef` for each part. Axum has a derive macro for this, which takes longer to compile.
macro_rules! state {
    ($($field:ident: $part:ty,)*) => {
        /// State that all requests share. Each handler extracts the parts that it needs.
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
    games: All<ServedGame>,
    heaps: All<HeapGame>,
    cram: All<CramBoard>,
    document: Document,
    metrics: Arc<Metrics>,
    jobs: Jobs,
    solving: own::Solving,
}

impl State {
    /// Creates the state before the first request.
    pub(crate) fn new(
        library: &Library,
        grundy: Vec<GrundyTable>,
        limits: Arc<Limits>,
        metrics: Arc<Metrics>,
        document: Document,
    ) -> State {
        let (cram, heaps) = grundy.into_iter().partition(|table| table.cram().is_ok());
        State {
            games: library.all().clone(),
            document,
            heaps: HeapGame::all(heaps).into(),
            cram: CramBoard::all(cram).into(),
            metrics,
            jobs: Jobs::new(limits),
            solving: own::Solving::default(),
        }
    }

    /// Longer requests.
    pub(crate) fn jobs(&self) -> &Jobs {
        &self.jobs
    }
}
