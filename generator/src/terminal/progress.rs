//! Progress on standard error, and stopping on a signal.
//!
//! On a terminal, shows a bar for the whole work and a line per layer. Elsewhere, writes a line at regular intervals.
//! Includes the remaining time if it can be estimated.

use crate::terminal::output::note;
use clap::ValueEnum;
use indicatif::{
    HumanDuration, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
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
    /// Bars on a terminal, otherwise a line after a second and one per minute
    Auto,
    /// Bars on a terminal, otherwise one line per second, layer and distance
    Always,
    /// Nothing
    Never,
}

static STOP: AtomicBool = AtomicBool::new(false);

/// Makes the first Ctrl-C (or termination signal) stop the work at the next safe point; a second one ends it at once.
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

/// The kind of time that a bar shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Time {
    /// The remaining time at the present speed.
    Left,
    /// The time of the layers before, scaled to the rest, in a movement layer: its number of distances is unknown, and so is the number
    /// of entries of the next one. The time so far in the first layer, or in one that takes longer.
    Layers,
}

/// Template for the figures of a bar of entries.
const ENTRIES: &str = "{percent:>3} %  {msg}";

/// Template for the figures of a bar of bytes.
const BYTES: &str = "{bytes} of {total_bytes}  {left}";

/// Shows the progress of the work on one game on standard error.
pub struct Bars {
    game: String,
    when: When,
    is_terminal: bool,
    bars: MultiProgress,
    state: Mutex<State>,
}

struct State {
    /// The whole work, in entries or bytes. Without a length, it is unknown.
    whole: ProgressBar,
    time: Time,
    /// Size of the layers before the present one, and their time.
    before: u64,
    time_before: Duration,
    layer: ProgressBar,
    /// The bars of earlier layers, which are shown until all is done.
    ended: Vec<ProgressBar>,
    /// Time from which on the next line is written, if standard error is not a terminal.
    next: Instant,
}

impl Bars {
    /// Progress of the work on `game`.
    pub fn new(when: When, game: &str) -> Bars {
        let is_terminal = std::io::stderr().is_terminal();
        let target = match is_terminal && when != When::Never {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        Bars {
            game: game.into(),
            when,
            is_terminal,
            bars: MultiProgress::with_draw_target(target),
            state: Mutex::new(State {
                whole: ProgressBar::hidden(),
                time: Time::Left,
                before: 0,
                time_before: Duration::ZERO,
                layer: ProgressBar::hidden(),
                ended: Vec::new(),
                next: Instant::now(),
            }),
        }
    }

    /// Removes all lines from the terminal.
    pub fn clear(&self) {
        let _ = self.bars.clear();
    }

    /// Returns true if layers and distances have lines of their own.
    fn is_detailed(&self) -> bool {
        self.when == When::Always && !self.is_terminal
    }

    /// Begins work on `length` bytes.
    pub fn bytes(&self, length: u64) {
        self.begin(self.game.clone(), length, BYTES);
    }

    /// Begins `work` of `length`, and ends the work before it.
    fn begin(&self, work: String, length: u64, figures: &str) {
        let mut state = self.state();
        state.end_layer();
        self.bars.remove(&state.whole);
        state.whole = self.bars.insert(0, ProgressBar::new(length));
        state.whole.set_style(bar(figures));
        (state.time, state.before, state.time_before) = (Time::Left, 0, Duration::ZERO);
        state.next = Instant::now() + Duration::from_secs(1);
        state.whole.set_prefix(work);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The style of the bar for the whole work.
fn bar(figures: &str) -> ProgressStyle {
    style(&format!("{{prefix}} {{wide_bar}} {figures}"))
}

/// The style of a bar with this template.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("left", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            // An error is reported when the bar is drawn.
            let _ = out.write_str(&left(state.eta(), state.pos(), state.len()));
        })
}

/// The remaining time in words; empty as long as there is no estimate, which is zero then.
fn left(estimate: Duration, done: u64, all: Option<u64>) -> String {
    let is_done = all.is_some_and(|all| done >= all);
    if estimate.is_zero() && !is_done {
        return String::new();
    }
    format!("{:#} left", HumanDuration(estimate))
}

impl State {
    /// The remaining time, or the time so far, in words.
    fn time(&self) -> String {
        let (passed, all, done) = (self.whole.elapsed(), self.whole.length(), self.done());
        let rest = |time: Duration, done: u64| {
            let left = all?.checked_sub(done)?;
            (done > 0).then(|| time.mul_f64(left as f64 / done as f64))
        };
        let left = match self.time {
            Time::Left => rest(passed, done),
            Time::Layers => rest(self.time_before, self.before)
                .and_then(|rest| rest.checked_sub(passed.saturating_sub(self.time_before))),
        };
        match left {
            Some(left) => format!("{:#} left", HumanDuration(left)),
            None => format!("{:#} so far", HumanDuration(passed)),
        }
    }

    /// The finished part of the whole work.
    fn done(&self) -> u64 {
        let layer = self.layer.length().unwrap_or(0).min(self.layer.position());
        self.before + layer
    }

    /// The line about the whole work, if one is due; the next one follows after an interval.
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

    /// Ends the present layer. Its remaining entries were decided without being counted.
    fn end_layer(&mut self) {
        if let Some(entries) = self.layer.length() {
            let layer = std::mem::replace(&mut self.layer, ProgressBar::hidden());
            let took = match layer.elapsed() {
                short if short < Duration::from_secs(1) => String::new(),
                long => format!(", {:#}", HumanDuration(long)),
            };
            layer.set_style(style("  {prefix}  {msg}"));
            layer.finish_with_message(format!("{} entries{took}", grouped(entries)));
            self.ended.push(layer);
            self.before += entries;
            self.time_before = self.whole.elapsed();
        }
        self.whole.set_position(self.before);
    }
}

impl Progress for Bars {
    fn whole(&self, entries: u64) {
        self.begin(self.game.clone(), entries, ENTRIES);
    }

    fn checking(&self, bytes: u64) {
        self.begin(format!("{} checksums", self.game), bytes, BYTES);
    }

    fn writing(&self, entries: u64) {
        self.begin(format!("{} written", self.game), entries, ENTRIES);
    }

    fn layer(&self, counts: Counts, entries: u64) {
        let mut state = self.state();
        state.end_layer();
        state.time = Time::Left;
        state.layer = self.bars.add(ProgressBar::new(entries));
        state.layer.set_style(style("  {prefix}  {human_pos} of {human_len}  {msg}"));
        state.layer.set_prefix(format!("({}, {})", counts.mover, counts.waiter));
        if self.is_detailed() {
            note(format_args!(
                "{} layer ({}, {}): {} entries",
                self.game,
                counts.mover,
                counts.waiter,
                grouped(entries)
            ));
        }
    }

    fn advance(&self, done: u64) {
        let mut state = self.state();
        match state.layer.length() {
            Some(_) => state.layer.inc(done),
            None => state.before += done,
        }
        let done = state.done();
        state.whole.set_position(done);
        state.whole.set_message(state.time());
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
        state.time = Time::Layers;
        state.whole.set_message(state.time());
        state.layer.set_message(format!("distance {distance}"));
        if self.is_detailed() {
            note(format_args!(
                "{} distance {distance}: {} entries decided",
                self.game,
                grouped(state.layer.position())
            ));
        }
    }

    fn stop(&self) -> bool {
        asked_to_stop()
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        // The result is reported on standard output.
        let _ = self.bars.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_an_estimate_there_is_no_remaining_time() {
        assert_eq!(left(Duration::ZERO, 0, Some(4)), "");
        assert_eq!(left(Duration::ZERO, 1, Some(400)), "");
        assert_eq!(left(Duration::ZERO, 0, None), "");
        assert_eq!(left(Duration::from_secs(3), 1, Some(4)), "3s left");
        assert_eq!(left(Duration::from_secs(600), 1, Some(4)), "10m left");
        assert_eq!(left(Duration::ZERO, 4, Some(4)), "0s left");
    }

    #[test]
    fn one_line_per_minute_reports_progress_and_remaining_time() {
        let ago = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds)).unwrap();
        let interval = Duration::from_secs(60);
        let whole = ProgressBar::with_draw_target(Some(4), ProgressDrawTarget::hidden());
        let whole = whole.with_prefix("cram 5x6").with_elapsed(Duration::from_secs(120));
        let layer = ProgressBar::hidden();
        let (time, ended) = (Time::Left, Vec::new());
        let mut state = State {
            whole,
            time,
            before: 0,
            time_before: Duration::ZERO,
            layer,
            ended,
            next: ago(0),
        };
        let mut line = |passed, done, time| {
            (state.next, state.before, state.time) = (ago(passed) + interval, done, time);
            state.line(interval)
        };
        assert_eq!(line(61, 0, Time::Left), None, "nothing is known yet");
        assert_eq!(line(61, 1, Time::Left).as_deref(), Some("cram 5x6: 25 %, 6m left"));
        assert_eq!(line(61, 1, Time::Layers).as_deref(), Some("cram 5x6: 25 %, 2m so far"));
        assert_eq!(line(1, 2, Time::Left), None, "a line was just written");
        assert_eq!(line(61, 5, Time::Left), None, "more than was ahead");
        // The first layer took a minute, and this one has taken a minute, too.
        (state.before, state.time_before) = (1, Duration::from_secs(60));
        (state.next, state.time) = (ago(1), Time::Layers);
        assert_eq!(state.line(interval).as_deref(), Some("cram 5x6: 25 %, 2m left"));
    }
}
