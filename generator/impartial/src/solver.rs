//! The values of a finite octal game, heap by heap, by the fastest of the exact ways, until they repeat or a last heap is reached.

use super::mask::{self, Counts, Mask};
use super::moves::Moves;
use super::period::{self, Found, Period};
use super::sparse::Sparse;
use super::state::{Overflow, State};
use super::value::Value;
use super::vector;

/// Which way the values are worked out. Each gives the same values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// Sparse space where some mask is sparse, else the plain way with vector instructions.
    #[default]
    Best,
    /// Always the plain way with vector instructions.
    Vector,
    /// Always sparse space, however many heaps are rare.
    Sparse,
    /// Always sparse space with one mask.
    Fixed(Mask),
}

/// What to do, and when to stop.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The last heap to work.
    pub last: usize,
    /// Stop as soon as a period is proved.
    pub until_period: bool,
    /// Stop after so much work, in the unit of [`Solution::work`].
    pub work: usize,
    /// The way to work.
    pub way: Way,
}

impl Task {
    /// All heaps to `last`, fewer if a period is proved before.
    #[must_use]
    pub fn until_period(last: usize) -> Self {
        Self { last, until_period: true, work: usize::MAX, way: Way::Best }
    }

    /// All heaps to `last`.
    #[must_use]
    pub fn all(last: usize) -> Self {
        Self { last, until_period: false, work: usize::MAX, way: Way::Best }
    }
}

/// The least heap number at which masks are tried.
const FIRST_CHOICE: usize = 256;
/// Heaps worked in each way to see which one costs less.
const TRIAL: usize = 16;
/// Heaps worked between two looks at progress.
const STEP: usize = 256;

/// Values of heaps, the narrowest type that holds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// All below 2^8.
    One(Vec<u8>),
    /// All below 2^16.
    Two(Vec<u16>),
    /// All below 2^32.
    Four(Vec<u32>),
}

/// Does `$body` with the vector of values named, whatever its width.
#[macro_export]
macro_rules! with_values {
    ($values:expr, $name:ident => $body:expr) => {
        match $values {
            $crate::solver::Values::One($name) => $body,
            $crate::solver::Values::Two($name) => $body,
            $crate::solver::Values::Four($name) => $body,
        }
    };
}

impl Values {
    /// The value of heap `n`.
    ///
    /// # Panics
    /// `n` is not below [`Values::len`].
    #[must_use]
    #[allow(clippy::useless_conversion, reason = "the widest values are of this type already")]
    pub fn get(&self, n: usize) -> u32 {
        with_values!(self, v => v[n].into())
    }

    /// How many heaps, heap 0 among them.
    #[must_use]
    pub fn len(&self) -> usize {
        with_values!(self, v => v.len())
    }

    /// Never: heap 0 is always there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All values, from heap 0.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.len()).map(|n| self.get(n))
    }

    /// The greatest value.
    #[must_use]
    pub fn greatest(&self) -> u32 {
        with_values!(self, v => v.iter().max().copied().map_or(0, Into::into))
    }

    /// The least period that the values prove, `last_digit` the code's.
    #[must_use]
    pub fn period(&self, last_digit: usize) -> Found {
        with_values!(self, v => period::find(v, last_digit))
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Values of heaps 0 to the last one worked.
    pub values: Values,
    /// The period, if the task was to go on until one is proved, and it is.
    pub period: Option<Period>,
    /// Work done, in about a quarter of a nanosecond; the same in every run.
    pub work: usize,
}

impl Solution {
    /// The last heap whose value is there.
    #[must_use]
    pub fn heaps(&self) -> usize {
        self.values.len() - 1
    }

    /// The same with the period that the values prove, if they do, `moves` being the game's.
    #[must_use]
    pub fn with_period(self, moves: &Moves) -> Self {
        let period = match self.values.period(moves.last) {
            Found::Certified(period) => Some(period),
            _ => None,
        };
        Self { period, ..self }
    }

    /// The mask that makes the fewest of heaps 1 to `heaps` rare, and how many. Heaps that were not worked have their values from the period:
    /// the cost is that of those that were.
    ///
    /// # Panics
    /// `heaps` are more than were worked and there is no period, or they are 2^62 or more.
    #[must_use]
    pub fn mask(&self, moves: &Moves, heaps: usize) -> (Mask, usize) {
        let size = (self.values.greatest() as usize + 1).next_power_of_two();
        let worked = self.heaps();
        let mut counts =
            with_values!(&self.values, v => Counts::of(&v[..=heaps.min(worked)], size));
        if heaps > worked {
            let period = self.period.expect("heaps that were not worked have a period");
            // After twice the period both the value and the parity come back.
            let round = 2 * period.length;
            for heap in worked + 1..=heaps.min(worked + round) {
                let value = self.values.get(period.start + (heap - period.start) % period.length);
                counts.add(heap, value as usize, ((heaps - heap) / round + 1) as i64);
            }
        }
        counts.sparsest(moves.parity())
    }
}

/// Works `task`; `progress` hears the next heap, from time to time.
///
/// # Panics
/// A value of 2^32 or more (there are not so many heaps).
pub fn solve(moves: &Moves, task: Task, mut progress: impl FnMut(usize)) -> Solution {
    let mut schedule = Schedule { next: 64, found: None };
    let narrow = State::<u8>::new(moves.clone());
    let (values, work) = match run(narrow, task, &mut schedule, &mut progress) {
        Ok(state) => (Values::One(finish(&state)), state.work),
        Err(state) => match run(state.widen::<u16>(), task, &mut schedule, &mut progress) {
            Ok(state) => (Values::Two(finish(&state)), state.work),
            Err(state) => match run(state.widen::<u32>(), task, &mut schedule, &mut progress) {
                Ok(state) => (Values::Four(finish(&state)), state.work),
                Err(_) => unreachable!("a Grundy value of 2^32"),
            },
        },
    };
    Solution { values, period: schedule.found, work }
}

fn finish<V: Value>(state: &State<V>) -> Vec<V> {
    state.g[..state.next].to_vec()
}

/// When to look for a period again.
struct Schedule {
    next: usize,
    found: Option<Period>,
}

impl Schedule {
    /// Looks, if it is time to; whether a period is proved.
    fn look<V: Value>(&mut self, state: &State<V>, last: usize) -> bool {
        let known = state.next - 1;
        if known < self.next && known < last {
            return false;
        }
        let later = known + known / 4 + 16;
        self.next = match period::find(&state.g[..state.next], state.moves.last) {
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

/// Works until the task is done; the state comes back as an error where a value does not fit.
#[allow(clippy::result_large_err, reason = "the state is handed back either way, once a game")]
fn run<V: Value>(
    mut state: State<V>,
    task: Task,
    schedule: &mut Schedule,
    progress: &mut impl FnMut(usize),
) -> Result<State<V>, State<V>> {
    let Ok(mut engine) = Engine::choose(&mut state, task.way, task.last, None) else {
        return Err(state);
    };
    loop {
        let enough = state.next > task.last || state.work > task.work;
        if task.until_period && schedule.look(&state, task.last) || enough {
            return Ok(state);
        }
        let last = if task.until_period { task.last.min(schedule.next) } else { task.last };
        progress(state.next);
        if engine.work(&mut state, last).is_err() {
            return Err(state);
        }
        if engine.stale(&state) {
            match Engine::choose(&mut state, task.way, task.last, engine.sparse.take()) {
                Ok(chosen) => engine = chosen,
                Err(Overflow) => return Err(state),
            }
        }
    }
}

/// The way in use, and when to choose again.
struct Engine<V: Value> {
    sparse: Option<Sparse<V>>,
    /// The heap at which to choose again.
    again: usize,
    /// The number of rare heaps at which to choose again.
    limit: usize,
}

impl<V: Value> Engine<V> {
    /// Chooses for the heaps from `next` on, after what was used `before`. Where both ways are open it works the next few heaps once in each and takes the one
    /// that costs less.
    fn choose(
        state: &mut State<V>,
        way: Way,
        last: usize,
        before: Option<Sparse<V>>,
    ) -> Result<Self, Overflow> {
        let known = state.next - 1;
        let plain = Self { sparse: None, again: usize::MAX, limit: usize::MAX };
        if state.moves.two.is_empty() || way == Way::Vector {
            return Ok(plain);
        }
        if let Way::Fixed(mask) = way {
            return Ok(Self { sparse: Some(Sparse::new(mask)), ..plain });
        }
        let best = way == Way::Best;
        if best && known < FIRST_CHOICE {
            return Ok(Self { again: FIRST_CHOICE, ..plain });
        }
        let (mask, rare) = mask::choose(&state.g[..state.next], state.size, state.moves.parity());
        let again = (2 * known).max(16);
        let limit = 2 * rare + 32;
        let before = before.filter(|sparse| sparse.classes.mask == mask);
        let mut sparse = before.unwrap_or_else(|| Sparse::new(mask));
        if best && state.next + 2 * TRIAL <= last {
            let (start, work) = (state.next, state.work);
            vector::work(state, start + TRIAL - 1)?;
            let vector = state.work - work;
            sparse.work(state, start + 2 * TRIAL - 1, usize::MAX)?;
            if state.work - work > 2 * vector {
                return Ok(Self { again, ..plain });
            }
        }
        Ok(Self { sparse: Some(sparse), again, limit })
    }

    /// Some heaps, none behind `last`.
    fn work(&mut self, state: &mut State<V>, last: usize) -> Result<(), Overflow> {
        let last = last.min(state.next + STEP - 1);
        match &mut self.sparse {
            Some(sparse) => sparse.work(state, last, self.limit),
            None => vector::work(state, last),
        }
    }

    /// Whether heaps or rare heaps have doubled since the choice.
    fn stale(&self, state: &State<V>) -> bool {
        state.next > self.again || self.sparse.as_ref().is_some_and(|s| s.rare() > self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_period_gives_the_mask_of_heaps_that_were_not_worked() {
        // Periods 12, 349 and 1550, the last two with position masks to choose from.
        for code in ["0.77", "0.156", "0.165"] {
            let moves = Moves::new(&code.parse().unwrap()).unwrap();
            let short = solve(&moves, Task::until_period(1 << 16), |_| ());
            let worked = short.heaps();
            for heaps in [1, 100, worked - 1, worked, worked + 1, worked + 350, 3 * worked + 7] {
                let long = solve(&moves, Task::all(heaps), |_| ());
                assert_eq!(short.mask(&moves, heaps), long.mask(&moves, heaps), "{code} {heaps}");
            }
        }
    }

    #[test]
    fn enough_work_ends_the_search_for_a_period() {
        let moves = Moves::new(&"0.007".parse().unwrap()).unwrap();
        let task = Task { work: 1 << 20, ..Task::until_period(1 << 19) };
        let (once, again) = (solve(&moves, task, |_| ()), solve(&moves, task, |_| ()));
        assert!(once.work > 1 << 20 && once.heaps() < 1 << 14, "{}", once.heaps());
        assert_eq!(once.heaps(), again.heaps());
        assert_eq!(once.period, None);
    }
}
