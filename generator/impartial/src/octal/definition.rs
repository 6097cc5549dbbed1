//! Computes the nim-sequence of a game from the definition. Every faster method is compared with it.

use super::moves::Moves;

/// Computes the values of heaps 0 to `last`, each as the mex over all legal moves. Takes about `last`² / 4 steps for
/// each digit that splits.
#[must_use]
pub fn values(moves: &Moves, last: usize) -> Vec<u32> {
    // A power of two above every value, and therefore above the xor of any two values.
    let (mut g, mut bound) = (vec![0_u32], 1);
    for n in 1..=last {
        let mut is_option = vec![false; bound];
        if moves.whole.contains(&n) {
            is_option[0] = true;
        }
        for t in moves.shrink.iter().filter(|t| **t < n) {
            is_option[g[n - t] as usize] = true;
        }
        for t in moves.split.iter().filter(|t| **t < n) {
            let left = n - t;
            for a in 1..=left / 2 {
                is_option[(g[a] ^ g[left - a]) as usize] = true;
            }
        }
        let mex = is_option.iter().position(|is_option| !is_option).unwrap_or(bound);
        bound = bound.max((mex + 1).next_power_of_two());
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
