//! The progress of work on a table of Grundy values: a bar on standard error, where that is a terminal.

use crate::program::progress::When;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// A bar on standard error, on a terminal only.
pub fn bar(when: When, length: u64, name: &str) -> ProgressBar {
    let target = if std::io::stderr().is_terminal() && when != When::Never {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let style = ProgressStyle::with_template("{prefix} {wide_bar} {human_pos}/{human_len} {eta}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(length), target)
        .with_style(style)
        .with_prefix(name.to_string())
}
