//! The plain way with vector instructions: for games where no mask is sparse.
//!
//! The first splits are marked one by one; then the least value not yet seen is looked for in all splits at once, until one is
//! found in none. That is the definition, in another order.

use super::marks::{Bytes, Marks};
use super::state::{Overflow, State};
use super::value::Value;

/// Works all heaps from `next` to `last`.
pub(super) fn work<V: Value>(state: &mut State<V>, last: usize) -> Result<(), Overflow> {
    state.reserve(last);
    let mut marks = Bytes::new(state.words());
    while state.next <= last {
        if marks.words() != state.words() {
            marks = Bytes::new(state.words());
        }
        let value = heap(state, state.next, &mut marks);
        state.put(state.next, value)?;
        state.next += 1;
    }
    Ok(())
}

fn heap<V: Value>(state: &mut State<V>, n: usize, marks: &mut Bytes<Vec<u8>>) -> usize {
    marks.clear();
    state.begin(n, marks);
    state.work += 64 + state.size;
    let more = state.mark_first(n, 4 * state.size, marks);
    loop {
        let candidate = marks.mex();
        if !more || !state.has_split(n, candidate) {
            return candidate;
        }
        marks.mark(candidate);
    }
}
