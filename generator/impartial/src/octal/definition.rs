//! Computes the nim-sequence of a game from the definition. Every faster method is compared with it.

use super::moves::Moves;

/// Computes the values of heaps 0 to `last`, each as the mex over all legal moves. Takes about `last`² / 4 steps for
/// each digit that splits.
#[must_use]
pub fn values(moves: &Moves, last: usize) -> Vec<u32> {
    let mut g: Vec<u32> = Vec::with_capacity(last + 1);
    g.push(0);
    // For each value, the last heap with an option of this value.
    let mut option_of = vec![0_usize; 64];
    for n in 1..=last {
        let mut insert = |value: u32| {
            let at = value as usize;
            if at >= option_of.len() {
                option_of.resize((at + 1).next_power_of_two(), 0);
            }
            option_of[at] = n;
        };
        if moves.whole.contains(&n) {
            insert(0);
        }
        for t in moves.shrink.iter().filter(|t| **t < n) {
            insert(g[n - t]);
        }
        for t in moves.split.iter().filter(|t| **t < n) {
            let left = n - t;
            for a in 1..=left / 2 {
                insert(g[a] ^ g[left - a]);
            }
        }
        let mex = option_of.iter().position(|heap| *heap != n).unwrap_or(option_of.len());
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
        assert_eq!(first("4.0", 6), [0, 0, 1, 0, 1, 0]); // splitting alone: n − 1 moves until all heaps are 1
        assert_eq!(first("0.77", 10), [0, 1, 2, 3, 1, 4, 3, 2, 1, 4]);
        assert_eq!(first("0.1", 5), [0, 1, 0, 0, 0]);
    }
}
