//! Solves a finite octal game by the fastest exact method, heap by heap, until a period is certified or the last heap is reached.
//! Meanwhile, values are stored in the narrowest type that can represent all of them.

mod mask;
mod sequence;
mod space;
mod split_search;

use super::moves::Moves;
use super::period;
use crate::nimber::Nimber;
use mask::sparsest;
use morpion_grundy::{Mask, Period};
use morpion_machine::progress::{Progress, Stopped};
use sequence::{Overflow, Sequence};
use space::Space;

/// Heaps computed between two progress reports.
const STEP: usize = 256;

/// The heaps to compute, and conditions for stopping early.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The last heap to compute.
    pub last: usize,
    /// Stop as soon as a period is proved.
    pub until_period: bool,
    /// Stop after this much work, in the unit of [`Solution::work`].
    pub work: usize,
    /// Try all splits of every heap, even if a mask is sparse. The values are the same.
    pub exhaustive: bool,
}

impl Task {
    /// Computes the heaps to `last`, or until a period is proved.
    #[must_use]
    pub fn until_period(last: usize) -> Self {
        Self { last, until_period: true, work: usize::MAX, exhaustive: false }
    }

    /// Computes all heaps to `last`.
    #[must_use]
    pub fn all(last: usize) -> Self {
        Self { until_period: false, ..Self::until_period(last) }
    }
}

/// The last heap that the solver can compute.
pub const LAST_HEAP: u64 = 0xffff_0000;

/// Result of a [`Task`].
#[derive(Clone, Debug)]
pub struct Solution {
    /// Values of heaps 0 to the last one computed.
    pub values: Vec<u32>,
    /// The period that the values prove.
    pub period: Option<Period>,
    /// Work done, in units of about a quarter of a nanosecond: the same number in every run.
    pub work: usize,
}

impl Solution {
    /// The solution of a game whose values are known without a table: heap 0 alone.
    pub(crate) fn closed() -> Self {
        Self { values: vec![0], period: None, work: 0 }
    }

    /// The last heap whose value is known.
    #[must_use]
    pub fn heaps(&self) -> usize {
        self.values.len() - 1
    }

    /// The greatest value.
    #[must_use]
    pub fn greatest(&self) -> u32 {
        self.values.iter().max().copied().unwrap_or(0)
    }

    /// Returns the mask that makes the fewest of the computed heaps rare.
    #[must_use]
    pub fn mask(&self, moves: &Moves) -> Mask {
        let bound = (self.greatest() as usize + 1).next_power_of_two();
        sparsest(&self.values, bound, moves.parity())
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
    let mut search = if task.until_period { 64 } else { usize::MAX };
    let narrow = match run(Sequence::<u8>::new(moves.clone()), task, &mut search, progress)? {
        Ok(solution) => return Ok(solution),
        Err(narrow) => narrow,
    };
    let narrow = match run(narrow.widen::<u16>(), task, &mut search, progress)? {
        Ok(solution) => return Ok(solution),
        Err(narrow) => narrow,
    };
    let solved = run(narrow.widen::<u32>(), task, &mut search, progress)?;
    Ok(solved.unwrap_or_else(|_| unreachable!("a Grundy value of 2^32")))
}

/// Returns the first heap at which the next search for a period is worth its cost, or `None` if the values prove one.
fn next_search<V: Nimber>(sequence: &Sequence<V>) -> Option<usize> {
    let known = sequence.next - 1;
    let later = known + known / 4 + 16;
    period::find(&sequence.g[..sequence.next], sequence.moves.last).err().map(|at| at.min(later))
}

/// Computes until the task is done. `search` is the last heap before the next search for a period. If the next value does not
/// fit, the inner error contains the sequence so far.
fn run<V: Nimber>(
    mut sequence: Sequence<V>,
    task: Task,
    search: &mut usize,
    progress: &dyn Progress,
) -> Result<Result<Solution, Sequence<V>>, Stopped> {
    let mut space = None;
    loop {
        let mut done = sequence.next > task.last || sequence.work > task.work;
        if sequence.next > task.last.min(*search) {
            match next_search(&sequence) {
                Some(next) => *search = next,
                None => done = true,
            }
        }
        if done {
            let values = &sequence.g[..sequence.next];
            let period = period::find(values, sequence.moves.last).ok();
            let values = values.iter().map(|value| (*value).into()).collect();
            return Ok(Ok(Solution { values, period, work: sequence.work }));
        }
        progress.check()?;
        let before = sequence.next;
        let last = task.last.min(*search).min(before + STEP - 1);
        if compute(&mut space, &mut sequence, task, last).is_err() {
            return Ok(Err(sequence));
        }
        progress.advance((sequence.next - before) as u64);
    }
}

/// Computes the heaps to `last`, or stops earlier if another mask may be better. Chooses a mask if there is none, or if the old
/// mask is stale.
fn compute<V: Nimber>(
    space: &mut Option<Space<V>>,
    sequence: &mut Sequence<V>,
    task: Task,
    last: usize,
) -> Result<(), Overflow> {
    if space.as_ref().is_none_or(|space| space.is_stale(sequence)) {
        *space = Some(Space::choose(sequence, task.last, task.exhaustive)?);
    }
    space.as_mut().map_or(Ok(()), |space| space.compute(sequence, last))
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
