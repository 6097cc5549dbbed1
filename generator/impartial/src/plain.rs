//! The definition, and nothing else: the way against which every faster one is held.

use super::moves::Moves;

/// The Grundy values of heaps 0 to `last`, each the mex over all legal moves. About `last`² / 4 steps for each digit that splits.
#[must_use]
pub fn values(moves: &Moves, last: usize) -> Vec<u32> {
    let mut g: Vec<u32> = Vec::with_capacity(last + 1);
    g.push(0);
    let mut seen = vec![0_usize; 64];
    for n in 1..=last {
        let mut mark = |value: u32| {
            let at = value as usize;
            if at >= seen.len() {
                seen.resize((at + 1).next_power_of_two(), 0);
            }
            seen[at] = n;
        };
        if moves.all.contains(&n) {
            mark(0);
        }
        for t in moves.one.iter().filter(|t| **t < n) {
            mark(g[n - t]);
        }
        for t in moves.two.iter().filter(|t| **t < n) {
            let left = n - t;
            for a in 1..=left / 2 {
                mark(g[a] ^ g[left - a]);
            }
        }
        let mex = seen.iter().position(|stamp| *stamp != n).unwrap_or(seen.len());
        g.push(mex as u32);
    }
    g
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(code: &str, count: usize) -> Vec<u32> {
        values(&Moves::new(&code.parse().unwrap()).unwrap(), count - 1)
    }

    #[test]
    fn small_games_by_hand() {
        assert_eq!(first("0.0", 4), [0, 0, 0, 0]);
        assert_eq!(first("0.333", 6), [0, 1, 2, 3, 0, 1]);
        assert_eq!(first("4.0", 6), [0, 0, 1, 0, 1, 0]); // split only: two moves in all from an odd number of parts
        assert_eq!(first("0.77", 10), [0, 1, 2, 3, 1, 4, 3, 2, 1, 4]);
        assert_eq!(first("0.1", 5), [0, 1, 0, 0, 0]);
    }
}
