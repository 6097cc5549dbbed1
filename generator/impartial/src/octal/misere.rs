//! Misère play of games with a simple rule: nim, and one heap of a game that never splits. In other sums, values cannot
//! be added.

use super::answer::{AnswerError, CHECK_EVERY, HeapAnswer, WinningMoves, distinct};
use crate::Outcome;
use morpion_grundy::{Closed, Code};
use morpion_machine::progress::Progress;
use thiserror::Error;

/// The largest heap that is computed if no repetition of wins and losses is found before.
const LONGEST: u64 = 1 << 24;

/// Reason why no rule is known for a game or a sum.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoRule {
    /// Some moves leave two heaps.
    #[error(
        "{0} has no answers in misère play, since some moves leave two heaps and the values of parts do not add: choose nim, or one heap of a game that never splits"
    )]
    Splits(Code),
    /// The sum has more than one heap.
    #[error(
        "{code} has no answers for {heaps} heaps in misère play, in which the values of parts do not add: give one heap, or choose nim"
    )]
    Sum {
        /// The game.
        code: Code,
        /// Number of heaps.
        heaps: usize,
    },
    /// The digits of the code repeat forever.
    #[error("{0} has no answers in misère play: choose a finite code, or nim")]
    Endless(Code),
    /// The heap is too large to be computed, and no repetition of wins and losses was found.
    #[error("{0} has no period up to heap {LONGEST} in misère play: give a smaller heap")]
    NoPeriod(Code),
}

/// Answers a sum of heaps in misère play: the player who makes the last move loses.
///
/// # Errors
/// [`NoRule`], or if `progress` requests a stop. `progress` is called about a thousand times a second.
pub fn answer(
    code: &Code,
    heaps: &[u64],
    limit: usize,
    progress: &dyn Progress,
) -> Result<HeapAnswer, AnswerError> {
    if code.closed() == Some(Closed::Nim) {
        return Ok(nim(code, heaps, limit));
    }
    let heaps_left: Vec<u64> = heaps.iter().copied().filter(|heap| *heap > 0).collect();
    if code.splits() {
        return Err(NoRule::Splits(code.clone()).into());
    }
    if heaps_left.len() > 1 {
        return Err(NoRule::Sum { code: code.clone(), heaps: heaps_left.len() }.into());
    }
    let Some(digits) = code.finite() else {
        return Err(NoRule::Endless(code.clone()).into());
    };
    one_heap(code, digits, heaps, heaps_left.first().copied().unwrap_or(0), limit, progress)
}

/// Nim. If some heap is larger than 1, the winner is the same as in normal play. With heaps of 1 only, an odd number is
/// lost.
fn nim(code: &Code, heaps: &[u64], limit: usize) -> HeapAnswer {
    let lost = |large: bool, sum: u64, ones: usize| if large { sum == 0 } else { ones % 2 == 1 };
    let sum = heaps.iter().fold(0, |x, heap| x ^ heap);
    let count = |heaps: &[u64], size: u64| heaps.iter().filter(|heap| **heap == size).count();
    let win = !lost(heaps.iter().any(|h| *h > 1), sum, count(heaps, 1));
    let mut found = WinningMoves::new(limit);
    for heap in distinct(heaps) {
        let mut others = heaps.to_vec();
        others.remove(heaps.iter().position(|h| *h == heap).unwrap_or(0));
        let (large, ones) = (others.iter().any(|h| *h > 1), count(&others, 1));
        let mut left = vec![0, 1, sum ^ heap];
        left.sort_unstable();
        left.dedup();
        // Moves that take fewer counters come first.
        for left in left.into_iter().rev().filter(|left| *left < heap) {
            let after = ones + usize::from(left == 1);
            if lost(large || left > 1, sum ^ heap ^ left, after) {
                let leave = if left == 0 { &[][..] } else { &[left] };
                found.push(heap, heap - left, leave);
            }
        }
    }
    HeapAnswer {
        code: code.to_string(),
        misere: Some(true),
        heaps: heaps.to_vec(),
        values: Some(heaps.to_vec()),
        value: Some(sum),
        outcome: Outcome::from(win),
        moves: found.moves,
        more: found.more.then_some(true),
    }
}

/// Answers one heap of a game that never splits. With `k` digits, the outcome of a heap depends only on the `k` heaps
/// before it. So the sequence of wins and losses repeats as soon as `k` consecutive outcomes occur again.
fn one_heap(
    code: &Code,
    digits: &[u8],
    heaps: &[u64],
    heap: u64,
    limit: usize,
    progress: &dyn Progress,
) -> Result<HeapAnswer, AnswerError> {
    let k = digits.len() - 1;
    let moves = |n: u64| {
        digits.iter().enumerate().skip(1).filter_map(move |(t, digit)| {
            let left = n.checked_sub(t as u64)?;
            let legal = if left == 0 { digit & 1 != 0 } else { digit & 2 != 0 };
            legal.then_some((t as u64, left))
        })
    };
    // `wins[n]` is true if the side to move wins heap n. A side without a move has won.
    let mut wins = vec![true];
    let mut seen = std::collections::HashMap::new();
    let mut repeat = None;
    while wins.len() as u64 <= heap {
        let n = wins.len() as u64;
        if n.is_multiple_of(CHECK_EVERY) {
            progress.check()?;
        }
        let mut moves = moves(n).peekable();
        let win = moves.peek().is_none() || moves.any(|(_, left)| !wins[left as usize]);
        wins.push(win);
        if wins.len() > k + 1 && k <= 64 {
            // Beyond heap k, a move cannot take the whole heap. The last k results decide the next one.
            let window =
                wins[wins.len() - k..].iter().fold(0_u64, |w, win| w << 1 | u64::from(*win));
            if let Some(before) = seen.insert(window, wins.len()) {
                repeat = Some((before, wins.len() - before));
                break;
            }
        }
        if n > LONGEST {
            return Err(NoRule::NoPeriod(code.clone()).into());
        }
    }
    let wins_at = |n: u64| match repeat {
        Some((start, period)) if n >= start as u64 => {
            wins[start + ((n - start as u64) % period as u64) as usize]
        }
        _ => wins[n as usize],
    };
    let mut found = WinningMoves::new(limit);
    for (take, left) in moves(heap).filter(|(_, left)| !wins_at(*left)) {
        found.push(heap, take, if left == 0 { &[] } else { std::slice::from_ref(&left) });
    }
    Ok(HeapAnswer {
        code: code.to_string(),
        misere: Some(true),
        heaps: heaps.to_vec(),
        values: None,
        value: None,
        outcome: Outcome::from(wins_at(heap)),
        moves: found.moves,
        more: found.more.then_some(true),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_machine::progress::Unobserved;
    use std::collections::HashMap;

    /// Decides from the rules alone whether the side to move wins.
    fn wins(code: &Code, heaps: &mut Vec<u64>, known: &mut HashMap<Vec<u64>, bool>) -> bool {
        heaps.sort_unstable();
        heaps.retain(|h| *h > 0);
        if let Some(win) = known.get(heaps) {
            return *win;
        }
        let (mut any, mut win) = (false, false);
        for i in 0..heaps.len() {
            for take in 1..=heaps[i] {
                let left = heaps[i] - take;
                let digit = code.digit(take);
                if if left == 0 { digit & 1 != 0 } else { digit & 2 != 0 } {
                    any = true;
                    let mut next = heaps.clone();
                    next[i] = left;
                    win |= !wins(code, &mut next, known);
                }
            }
        }
        known.insert(heaps.clone(), win || !any);
        win || !any
    }

    #[test]
    fn nim_agrees_with_the_rules() {
        let code: Code = "0.(3)".parse().unwrap();
        let mut known = HashMap::new();
        for a in 0..7 {
            for b in 0..7 {
                for c in 0..4 {
                    let heaps = [a, b, c];
                    let found = answer(&code, &heaps, 99, &Unobserved).unwrap();
                    let win = wins(&code, &mut heaps.to_vec(), &mut known);
                    assert_eq!(found.outcome == Outcome::Win, win, "{heaps:?}");
                    let mut expected = 0;
                    for heap in distinct(&heaps) {
                        for left in 0..heap {
                            let mut next = heaps.to_vec();
                            let at = heaps.iter().position(|h| *h == heap).unwrap();
                            next[at] = left;
                            expected += usize::from(!wins(&code, &mut next, &mut known));
                        }
                    }
                    assert_eq!(found.moves.len(), expected, "{heaps:?}");
                }
            }
        }
    }

    #[test]
    fn one_heap_agrees_with_the_rules() {
        for text in ["0.333", "0.3", "0.1", "0.0123", "0.2", "0.0", "0.3303", "0.132"] {
            let code: Code = text.parse().unwrap();
            let mut known = HashMap::new();
            for heap in 0..90 {
                let found = answer(&code, &[heap], 99, &Unobserved).unwrap();
                assert_eq!(
                    found.outcome == Outcome::Win,
                    wins(&code, &mut vec![heap], &mut known),
                    "{text} {heap}"
                );
                for mv in &found.moves {
                    assert!(!wins(&code, &mut mv.leave.clone(), &mut known));
                }
            }
        }
        // Sticks: whoever takes the last one loses, so 4k + 1 sticks are lost.
        let code: Code = "0.333".parse().unwrap();
        assert_eq!(answer(&code, &[u64::MAX], 9, &Unobserved).unwrap().outcome, Outcome::Win);
        assert_eq!(answer(&code, &[u64::MAX - 2], 9, &Unobserved).unwrap().outcome, Outcome::Loss);
    }

    #[test]
    fn everything_else_is_refused_with_the_reason() {
        for (text, heaps) in [("0.77", &[3][..]), ("4.(3)", &[3]), ("0.333", &[3, 4])] {
            let error =
                answer(&text.parse().unwrap(), heaps, 9, &Unobserved).unwrap_err().to_string();
            assert!(error.contains("do not add"), "{error}");
        }
        assert!(answer(&"0.(12)".parse().unwrap(), &[3], 9, &Unobserved).is_err());
    }
}
