//! Where to look first for a split of a given value.

use super::state::State;
use super::value::Value;

/// So many of the most frequent values are tried.
const POPULAR: usize = 16;
/// So many heaps are kept for each value.
const PLACES: usize = 8;
/// So many heaps tell which values are frequent.
const ENOUGH: usize = 1 << 14;

/// Some heaps of each value, and the most frequent values. A split of value `w` is sought among the pairs of a heap of value
/// `w ^ v` and one of a frequent value `v`: the second part has that value as often as any, however seldom `w` is among all splits.
pub(super) struct Witnesses<V> {
    popular: Vec<V>,
    places: Vec<Vec<u32>>,
}

impl<V: Value> Witnesses<V> {
    /// From the values known so far.
    pub fn new(state: &State<V>) -> Self {
        let mut counts = vec![0_usize; state.size];
        let mut places = vec![Vec::new(); state.size];
        for n in 1..state.next.min(ENOUGH) {
            let value = state.g[n].index();
            counts[value] += 1;
            if places[value].len() < PLACES {
                places[value].push(n as u32);
            }
        }
        let mut popular: Vec<usize> = (0..state.size).filter(|v| counts[*v] > 0).collect();
        popular.sort_by_key(|v| std::cmp::Reverse(counts[*v]));
        popular.truncate(POPULAR);
        Self { popular: popular.into_iter().map(V::new).collect(), places }
    }

    /// Whether one of the likely splits of heap `n` has the value `value`. `false` proves nothing.
    pub fn find(&self, state: &mut State<V>, n: usize, value: usize) -> bool {
        for popular in &self.popular {
            let Some(places) = self.places.get(popular.index() ^ value) else { continue };
            for t in &state.moves.two {
                let others = &state.g[..n.saturating_sub(*t)];
                let fits = |place: &u32| {
                    let place = *place as usize;
                    place < others.len() && others[others.len() - place] == *popular
                };
                let found = places.iter().position(fits);
                state.work += 6 * found.unwrap_or(places.len());
                if found.is_some() {
                    return true;
                }
            }
        }
        false
    }
}
