//! Progress on standard error, and stopping on a signal.

use super::output::note;
use clap::ValueEnum;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use morpion_games::progress::Progress;
use morpion_lookup::Counts;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

/// Whether progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// Bars on a terminal, else nothing
    Auto,
    /// Bars on a terminal, else plain lines
    Always,
    /// Nothing
    Never,
}

static STOP: AtomicBool = AtomicBool::new(false);

/// Makes the first Ctrl-C (or termination signal) stop the work at the next safe point; a second one ends it at once.
pub fn stop_on_signal() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        // Without a handler a signal ends the process at once, which loses time but nothing else.
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
    });
}

/// Whether a signal has asked to stop.
pub fn asked_to_stop() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// One bar a layer.
pub struct Bars {
    game: String,
    lines: bool,
    bar: Mutex<ProgressBar>,
    target: fn() -> ProgressDrawTarget,
}

impl Bars {
    /// Progress of the work on `game`.
    pub fn new(when: When, game: &str) -> Bars {
        let terminal = std::io::stderr().is_terminal();
        let target: fn() -> ProgressDrawTarget = if terminal && when != When::Never {
            ProgressDrawTarget::stderr
        } else {
            ProgressDrawTarget::hidden
        };
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        Bars {
            game: game.into(),
            lines: when == When::Always && !terminal,
            bar: Mutex::new(bar),
            target,
        }
    }

    /// Begins to go through so many bytes.
    pub fn bytes(&self, length: u64) {
        self.begin(self.game.clone(), length, "{bytes}/{total_bytes} {bytes_per_sec} {eta}");
    }

    fn begin(&self, prefix: String, length: u64, figures: &str) {
        let style = ProgressStyle::with_template(&format!("{{prefix}} {{wide_bar}} {figures}"));
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(length), (self.target)()).with_style(style);
        bar.set_prefix(prefix);
        std::mem::replace(&mut *self.bar(), bar).finish_and_clear();
    }

    fn bar(&self) -> std::sync::MutexGuard<'_, ProgressBar> {
        self.bar.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Progress for Bars {
    fn layer(&self, counts: Counts, entries: u64) {
        let prefix = format!("{} ({}, {})", self.game, counts.mover, counts.waiter);
        self.begin(prefix, entries, "{human_pos}/{human_len} {per_sec} {eta} {msg}");
        if self.lines {
            note(format_args!(
                "{} layer ({}, {}): {} entries",
                self.game,
                counts.mover,
                counts.waiter,
                HumanCount(entries)
            ));
        }
    }

    fn advance(&self, entries: u64) {
        self.bar().inc(entries);
    }

    fn distance(&self, distance: u16) {
        let bar = self.bar();
        bar.set_message(format!("distance {distance}"));
        if self.lines {
            note(format_args!(
                "{} distance {distance}: {} entries decided",
                self.game,
                HumanCount(bar.position())
            ));
        }
    }

    fn stop(&self) -> bool {
        asked_to_stop()
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        self.bar().finish_and_clear();
    }
}
