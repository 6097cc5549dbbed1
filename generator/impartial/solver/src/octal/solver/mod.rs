//! Solves a finite octal game by the fastest exact method, heap by heap, until a period is certified or the last heap
//! is reached. The values have the narrowest type that can represent them.

mod engine;
mod exhaustive;
mod sequence;
mod sparse;
mod split_search;

pub use engine::Method;
pub use sparse::Mask;

use super::moves::Moves;
use super::period::{self, Found};
use super::values::{Values, with_values};
use crate::nimber::Nimber;
use engine::Engine;
use morpion_grundy::Period;
use morpion_machine::progress::{Progress, Stopped};
use sequence::{Overflow, Sequence};
use sparse::Histogram;

/// The heaps to compute, and conditions for stopping early.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The last heap to compute.
    pub last: usize,
    /// Stop as soon as a period is proved.
    pub until_period: bool,
    /// Stop after this much work, in the unit of [`Solution::work`].
    pub work: usize,
    /// Method of computing the values.
    pub method: Method,
}

impl Task {
    /// Computes the heaps to `last`, or until a period is proved.
    #[must_use]
    pub fn until_period(last: usize) -> Self {
        Self { last, until_period: true, work: usize::MAX, method: Method::Best }
    }

    /// Computes all heaps to `last`.
    #[must_use]
    pub fn all(last: usize) -> Self {
        Self { last, until_period: false, work: usize::MAX, method: Method::Best }
    }
}

/// The last heap that the solver can compute.
pub const LAST_HEAP: u64 = 0xffff_0000;

/// Result of a [`Task`].
#[derive(Clone, Debug)]
pub struct Solution {
    /// Values of heaps 0 to the last one computed.
    pub values: Values,
    /// The period, if the task looks for one and it is proved.
    pub period: Option<Period>,
    /// Work done, in units of about a quarter of a nanosecond. The same in every run.
    pub work: usize,
}

impl Solution {
    /// The last heap whose value is known.
    #[must_use]
    pub fn heaps(&self) -> usize {
        self.values.len() - 1
    }

    /// Adds the period that the values prove, if there is one. `moves` are the moves of the game.
    #[must_use]
    pub fn with_period(self, moves: &Moves) -> Self {
        let period = match self.values.period(moves.last) {
            Found::Certified(period) => Some(period),
            _ => None,
        };
        Self { period, ..self }
    }

    /// Returns the mask that makes the fewest of the computed heaps rare, and the number of rare heaps.
    #[must_use]
    pub fn mask(&self, moves: &Moves) -> (Mask, usize) {
        let bound = (self.values.greatest() as usize + 1).next_power_of_two();
        with_values!(&self.values, v => Histogram::of(v, bound)).sparsest(moves.parity())
    }
}

/// Computes the values of `task`. `progress` receives the number of computed heaps.
///
/// # Errors
/// If `progress` requests a stop.
///
/// # Panics
/// If a value is 2^32 or more, which takes more heaps than fit into memory.
pub fn solve(moves: &Moves, task: Task, progress: &dyn Progress) -> Result<Solution, Stopped> {
    progress.whole(task.last as u64);
    let mut schedule = Schedule { next: 64, found: None };
    let sequence = Sequence::<u8>::new(moves.clone());
    let (values, work) = match run(sequence, task, &mut schedule, progress)? {
        Ok(sequence) => (Values::One(sequence.g[..sequence.next].to_vec()), sequence.work),
        Err(sequence) => match run(sequence.widen::<u16>(), task, &mut schedule, progress)? {
            Ok(sequence) => (Values::Two(sequence.g[..sequence.next].to_vec()), sequence.work),
            Err(sequence) => match run(sequence.widen::<u32>(), task, &mut schedule, progress)? {
                Ok(sequence) => (Values::Four(sequence.g[..sequence.next].to_vec()), sequence.work),
                Err(_) => unreachable!("a Grundy value of 2^32"),
            },
        },
    };
    Ok(Solution { values, period: schedule.found, work })
}

/// Schedule of the searches for a period.
struct Schedule {
    /// First heap at which the next search is worth its cost.
    next: usize,
    /// The period, once it is proved.
    found: Option<Period>,
}

impl Schedule {
    /// Looks for a period if a search is due. Returns true if one is proved.
    fn look<V: Nimber>(&mut self, sequence: &Sequence<V>, last: usize) -> bool {
        let known = sequence.next - 1;
        if known < self.next && known < last {
            return false;
        }
        let later = known + known / 4 + 16;
        self.next = match period::find(&sequence.g[..sequence.next], sequence.moves.last) {
            Found::Certified(period) => {
                self.found = Some(period);
                return true;
            }
            Found::Promising { needs } if needs > known => later.min(needs),
            _ => later,
        };
        false
    }
}

/// Computes until the task is done. If the next value does not fit, the inner error contains the sequence so far.
fn run<V: Nimber>(
    mut sequence: Sequence<V>,
    task: Task,
    schedule: &mut Schedule,
    progress: &dyn Progress,
) -> Result<Result<Sequence<V>, Sequence<V>>, Stopped> {
    let Ok(mut engine) = Engine::choose(&mut sequence, task.method, task.last, None) else {
        return Ok(Err(sequence));
    };
    loop {
        let enough = sequence.next > task.last || sequence.work > task.work;
        if task.until_period && schedule.look(&sequence, task.last) || enough {
            return Ok(Ok(sequence));
        }
        let last = if task.until_period { task.last.min(schedule.next) } else { task.last };
        progress.check()?;
        let before = sequence.next;
        if engine.compute(&mut sequence, last).is_err() {
            return Ok(Err(sequence));
        }
        progress.advance((sequence.next - before) as u64);
        if engine.is_stale(&sequence) {
            match Engine::choose(&mut sequence, task.method, task.last, Some(engine)) {
                Ok(chosen) => engine = chosen,
                Err(Overflow) => return Ok(Err(sequence)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_machine::progress::Unobserved;

    #[test]
    fn enough_work_ends_the_search_for_a_period() {
        let moves = Moves::new(&"0.007".parse().unwrap()).unwrap();
        let task = Task { work: 1 << 20, ..Task::until_period(1 << 19) };
        let [once, again] = [(); 2].map(|()| solve(&moves, task, &Unobserved).unwrap());
        assert!(once.work > 1 << 20 && once.heaps() < 1 << 14, "{}", once.heaps());
        assert_eq!(once.heaps(), again.heaps());
        assert_eq!(once.period, None);
    }
}
