//! The progress of work on a table of Grundy values, on standard error: a bar on a terminal, elsewhere a line now and then.

use crate::program::progress::{NowAndThen, When};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
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
        let target = if std::io::stderr().is_terminal() && when != When::Never {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let template = "{prefix} {wide_bar} {human_pos}/{human_len} {eta}";
        let style =
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(length), target)
            .with_style(style)
            .with_prefix(name.to_string());
        Steps { bar, length, now_and_then: Mutex::new(NowAndThen::begin(when, name)) }
    }

    /// So many are done.
    pub fn reach(&self, done: u64) {
        self.bar.set_position(done);
        let mut lines = self.now_and_then.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lines) = &mut *lines {
            lines.tell(done, self.length);
        }
    }

    /// One more is done.
    pub fn advance(&self) {
        self.bar.inc(1);
        self.reach(self.bar.position());
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
