//! The progress of work on a table of Grundy values, on standard error: a bar on a terminal, elsewhere a line now and then.

use crate::program::output::note;
use crate::program::progress::{NowAndThen, When, style, target};
use indicatif::ProgressBar;
use std::fmt::Display;
use std::sync::{Mutex, PoisonError};

/// Work in so many steps.
pub struct Steps {
    bar: ProgressBar,
    length: u64,
    now_and_then: Mutex<Option<NowAndThen>>,
}

impl Steps {
    /// So many steps of `name` begin.
    pub fn begin(when: When, length: u64, name: &str) -> Steps {
        let bar = ProgressBar::with_draw_target(Some(length), target(when))
            .with_style(style("{prefix} {wide_bar} {human_pos}/{human_len} {eta}"))
            .with_prefix(name.to_string());
        Steps { bar, length, now_and_then: Mutex::new(NowAndThen::begin(when, name)) }
    }

    /// So many are done.
    pub fn reach(&self, done: u64) {
        self.bar.set_position(done);
        self.tell(done);
    }

    /// One more is done.
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

/// Ends the program where it was asked to stop: nothing is written before the end, so there is nothing to clean up.
/// `without` says what the work comes to then.
pub fn stopped(work: impl Display, without: &str) -> ! {
    note(format_args!("morpion: {work}: stopped before the end, {without}"));
    std::process::exit(130)
}

/// What tables and pages come to that are not finished.
pub const NOTHING_KEPT: &str = "nothing is kept";

impl Drop for Steps {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
