//! Progress of work on a table of Grundy values, on standard error: a bar on a terminal, otherwise a line from time to time.

use crate::program::output::note;
use crate::program::progress::{NowAndThen, When, style, target};
use indicatif::ProgressBar;
use std::fmt::Display;
use std::sync::{Mutex, PoisonError};

/// Progress of work that is done in steps.
pub struct Steps {
    bar: ProgressBar,
    length: u64,
    now_and_then: Mutex<Option<NowAndThen>>,
}

impl Steps {
    /// Starts the work `name` of `length` steps.
    pub fn begin(when: When, length: u64, name: &str) -> Steps {
        let bar = ProgressBar::with_draw_target(Some(length), target(when))
            .with_style(style("{prefix} {wide_bar} {human_pos}/{human_len} {eta}"))
            .with_prefix(name.to_string());
        Steps { bar, length, now_and_then: Mutex::new(NowAndThen::begin(when, name)) }
    }

    /// Reports that `done` steps are done.
    pub fn reach(&self, done: u64) {
        self.bar.set_position(done);
        self.tell(done);
    }

    /// Reports that one more step is done.
    pub fn advance(&self) {
        self.bar.inc(1);
        self.tell(self.bar.position());
    }

    fn tell(&self, done: u64) {
        let mut lines = self.now_and_then.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lines) = &mut *lines {
            lines.tell(done, self.length);
        }
    }
}

/// Ends the program if it was asked to stop. Nothing is written before the end, so nothing has to be cleaned up. `outcome` is the
/// message about the unfinished work.
pub fn stopped(work: impl Display, outcome: &str) -> ! {
    note(format_args!("morpion: {work}: stopped before the end, {outcome}"));
    std::process::exit(130)
}

/// Message about a table or a page that is not finished.
pub const NOTHING_KEPT: &str = "nothing is kept";

impl Drop for Steps {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
