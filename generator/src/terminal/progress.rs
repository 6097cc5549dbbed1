//! Progress on standard error, and stopping on a signal.
//!
//! On a terminal, shows a bar for the whole work, with the present layer. Elsewhere, writes a line at regular intervals.
//! Includes the remaining time if it can be estimated.

use crate::terminal::output::note;
use clap::ValueEnum;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use morpion_core::Counts;
use morpion_machine::progress::Progress;
use morpion_report::phrases::grouped;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// When to show progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// A bar on a terminal, otherwise a line after a second and one per minute
    Auto,
    /// A bar on a terminal, otherwise one line per second, layer and distance
    Always,
    /// Nothing
    Never,
}

static STOP: AtomicBool = AtomicBool::new(false);

/// Makes the first Ctrl-C (or termination signal) stop the work at the next safe point. A second signal ends the process at once.
pub fn stop_on_signal() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        // Without a handler, a signal ends the process at once, which loses only time.
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
    });
}

/// Returns true if a signal has requested a stop.
pub fn asked_to_stop() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Shows the progress of the work on one game on standard error.
pub struct Bars {
    game: String,
    when: When,
    is_terminal: bool,
    state: Mutex<State>,
}

struct State {
    /// The bar of the whole work, in entries or bytes; without a length if the amount of work is unknown.
    whole: ProgressBar,
    /// Size of the layers before the present one, and their time.
    before: u64,
    time_before: Duration,
    /// The present layer; `None` in work without layers.
    layer: Option<Layer>,
    /// Time at which the next line is due, if standard error is not a terminal.
    next: Instant,
}

/// The present layer.
struct Layer {
    counts: Counts,
    entries: u64,
    done: u64,
    /// The distance that is decided, in a layer in which pieces move.
    distance: Option<u16>,
}

impl Bars {
    /// Progress of the work on `game`.
    pub fn new(when: When, game: &str) -> Bars {
        let is_terminal = std::io::stderr().is_terminal();
        let state = Mutex::new(State::new(ProgressBar::hidden()));
        Bars { game: game.into(), when, is_terminal, state }
    }

    /// Progress of work of `length` units: entries, bytes or positions.
    pub fn over(when: When, game: &str, length: u64) -> Bars {
        let bars = Bars::new(when, game);
        bars.whole(length);
        bars
    }

    /// Writes a line about a layer or a distance, if each of them has a line of its own.
    fn detail(&self, detail: &str, entries: u64, what: &str) {
        if self.when == When::Always && !self.is_terminal {
            note(format_args!("{} {detail}: {} entries{what}", self.game, grouped(entries)));
        }
    }

    /// Begins `work` of `length`, and ends the work before it.
    fn begin(&self, work: String, length: u64) {
        let target = match self.is_terminal && self.when != When::Never {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let style = ProgressStyle::with_template("{prefix} {wide_bar} {percent:>3} %  {msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let whole = ProgressBar::with_draw_target(Some(length), target).with_style(style);
        let mut state = self.state();
        state.whole.finish_and_clear();
        *state = State::new(whole.with_prefix(work));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn new(whole: ProgressBar) -> State {
        let next = Instant::now() + Duration::from_secs(1);
        State { whole, before: 0, time_before: Duration::ZERO, layer: None, next }
    }

    /// The remaining time, or the time so far, in words.
    ///
    /// In a layer in which pieces move, neither the number of distances nor the number of entries of the next distance is known.
    /// The remaining time is then estimated from the time of the earlier layers.
    fn time(&self) -> String {
        let (passed, all, done) = (self.whole.elapsed(), self.whole.length(), self.done());
        let rest = |time: Duration, done: u64| {
            let left = all?.checked_sub(done)?;
            (done > 0).then(|| time.mul_f64(left as f64 / done as f64))
        };
        let left = match self.layer {
            Some(Layer { distance: Some(_), .. }) => rest(self.time_before, self.before)
                .and_then(|rest| rest.checked_sub(passed.saturating_sub(self.time_before))),
            _ => rest(passed, done),
        };
        match left {
            Some(left) => format!("{:#} left", HumanDuration(left)),
            None => format!("{:#} so far", HumanDuration(passed)),
        }
    }

    /// The finished part of the whole work.
    fn done(&self) -> u64 {
        self.before + self.layer.as_ref().map_or(0, |layer| layer.done.min(layer.entries))
    }

    /// Shows the finished part, the layer, and the time.
    fn show(&self) {
        let layer = self.layer.as_ref().map_or(String::new(), |layer| {
            let distance = layer.distance.map(|distance| format!("distance {distance}, "));
            let Counts { mover, waiter } = layer.counts;
            format!("({mover}, {waiter}), {}", distance.unwrap_or_default())
        });
        self.whole.set_message(layer + &self.time());
        self.whole.set_position(self.done());
    }

    /// The line about the whole work, if it is due. The next line is due after `interval`.
    fn line(&mut self, interval: Duration) -> Option<String> {
        let (now, done) = (Instant::now(), self.done());
        let all = self.whole.length().filter(|all| (1..=*all).contains(&done))?;
        if now < self.next {
            return None;
        }
        self.next = now + interval;
        let percent = u128::from(done) * 100 / u128::from(all);
        Some(format!("{}: {percent} %, {}", self.whole.prefix(), self.time()))
    }
}

impl Progress for Bars {
    fn whole(&self, entries: u64) {
        self.begin(self.game.clone(), entries);
    }

    fn checking(&self, bytes: u64) {
        self.begin(format!("{} checksums", self.game), bytes);
    }

    fn writing(&self, entries: u64) {
        self.begin(format!("{} written", self.game), entries);
    }

    fn layer(&self, counts: Counts, entries: u64) {
        let mut state = self.state();
        // The remaining entries of the layer before were decided without being counted.
        state.before += state.layer.as_ref().map_or(0, |layer| layer.entries);
        state.time_before = state.whole.elapsed();
        state.layer = Some(Layer { counts, entries, done: 0, distance: None });
        self.detail(&format!("layer ({}, {})", counts.mover, counts.waiter), entries, "");
    }

    fn advance(&self, done: u64) {
        let mut state = self.state();
        match &mut state.layer {
            Some(layer) => layer.done += done,
            None => state.before += done,
        }
        state.show();
        let seconds = if self.when == When::Always { 1 } else { 60 };
        if self.when != When::Never
            && !self.is_terminal
            && let Some(line) = state.line(Duration::from_secs(seconds))
        {
            note(line);
        }
    }

    fn distance(&self, distance: u16) {
        let mut state = self.state();
        let Some(layer) = &mut state.layer else { return };
        layer.distance = Some(distance);
        self.detail(&format!("distance {distance}"), layer.done, " decided");
        state.show();
    }

    fn stop(&self) -> bool {
        asked_to_stop()
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        // The result is reported on standard output.
        self.state().whole.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_per_minute_reports_progress_and_remaining_time() {
        let ago = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds)).unwrap();
        let interval = Duration::from_secs(60);
        let whole = ProgressBar::with_draw_target(Some(4), ProgressDrawTarget::hidden());
        let whole = whole.with_prefix("cram 5x6").with_elapsed(Duration::from_secs(120));
        let mut state = State { next: ago(0), ..State::new(whole) };
        let moving = |distance| {
            let counts = Counts { mover: 3, waiter: 3 };
            Some(Layer { counts, entries: 2, done: 0, distance })
        };
        let mut line = |passed, done, distance| {
            (state.next, state.before) = (ago(passed) + interval, done);
            state.layer = moving(distance);
            state.line(interval)
        };
        assert_eq!(line(61, 0, None), None, "nothing is known yet");
        assert_eq!(line(61, 1, None).as_deref(), Some("cram 5x6: 25 %, 6m left"));
        assert_eq!(line(61, 1, Some(7)).as_deref(), Some("cram 5x6: 25 %, 2m so far"));
        assert_eq!(line(1, 2, None), None, "a line was just written");
        assert_eq!(line(61, 5, None), None, "more than was ahead");
        // The first layer took a minute, and this one has taken a minute, too.
        (state.before, state.time_before) = (1, Duration::from_secs(60));
        (state.next, state.layer) = (ago(1), moving(Some(7)));
        assert_eq!(state.line(interval).as_deref(), Some("cram 5x6: 25 %, 2m left"));
    }
}
