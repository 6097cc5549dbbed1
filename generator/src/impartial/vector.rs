//! The plain way with vector instructions: for games where no mask is sparse.
//!
//! The first splits are marked one by one; then the least value not yet seen is looked for in all splits at once, until one is
//! found in none. That is the definition, in another order.

use super::state::{Overflow, State};
use super::value::Value;

/// Works heap `next` and goes on to the following one.
pub(super) fn step<V: Value>(state: &mut State<V>) -> Result<(), Overflow> {
    let n = state.next;
    state.reserve(n);
    state.begin(n);
    let ones = 4 * state.size;
    for i in 0..state.moves.two.len() {
        let t = state.moves.two[i];
        if t < n {
            let left = n - t;
            state.mark_splits(left, 1, (left / 2 + 1).min(1 + ones));
        }
    }
    let longest = state.moves.two.first().map_or(0, |t| n.saturating_sub(*t) / 2);
    let value = loop {
        let candidate = state.mex();
        if longest <= ones || !state.has_split(n, candidate) {
            break candidate;
        }
        state.mark(candidate);
    };
    state.put(n, value)?;
    state.next += 1;
    Ok(())
}
