//! Misère play of games with a simple rule: nim, and one heap of a game that never splits. For other sums, no rule is known.

use super::answer::{AnswerError, CHECK_EVERY, HeapAnswer, WinningMoves, distinct};
use super::period::{self, Found};
use morpion_grundy::{Closed, Code, Period};
use morpion_machine::progress::Progress;

/// Number of heaps that are computed before the first search for a period.
const FIRST: u64 = 1 << 10;

/// The largest heap that is computed in the search for a period of wins and losses.
const LONGEST: u64 = 1 << 24;

/// Answers a sum of heaps in misère play: the player who makes the last move loses.
///
/// # Errors
/// If no rule is known for the game or the sum, or `progress` requests a stop. `progress` is called about a thousand
/// times a second.
pub fn answer(
    code: &Code,
    heaps: &[u64],
    limit: usize,
    progress: &dyn Progress,
) -> Result<HeapAnswer, AnswerError> {
    let answer = if code.closed() == Some(Closed::Nim) {
        nim(code, heaps, limit)
    } else {
        one_heap(code, heaps, limit, progress)?
    };
    Ok(HeapAnswer { misere: Some(true), ..answer })
}

/// Answers nim. If some heap is larger than 1, the winner is the same as in normal play. If all heaps are 1, an odd number of
/// heaps is lost.
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
    found.answer(code, heaps, Some(heaps.to_vec()), win)
}

/// Answers a sum with at most one non-empty heap, in a game that never splits.
fn one_heap(
    code: &Code,
    heaps: &[u64],
    limit: usize,
    progress: &dyn Progress,
) -> Result<HeapAnswer, AnswerError> {
    let not_empty: Vec<u64> = heaps.iter().copied().filter(|heap| *heap > 0).collect();
    let (digits, heap) = match (code.finite(), not_empty.as_slice()) {
        (Some(digits), []) if !code.splits() => (digits, 0),
        (Some(digits), [heap]) if !code.splits() => (digits, *heap),
        _ => return Err(AnswerError::Misere(code.clone())),
    };
    let Some(outcomes) = Outcomes::compute(digits, heap, progress)? else {
        return Err(AnswerError::NoPeriod { code: code.clone(), last: LONGEST });
    };
    let mut found = WinningMoves::new(limit);
    for (take, left) in moves(digits, heap).filter(|(_, left)| !outcomes.wins(*left)) {
        found.push(heap, take, if left == 0 { &[] } else { std::slice::from_ref(&left) });
    }
    Ok(found.answer(code, heaps, None, outcomes.wins(heap)))
}

/// Lists the moves of a heap as the counters taken and the heap left. The digits must not allow a split.
fn moves(digits: &[u8], heap: u64) -> impl Iterator<Item = (u64, u64)> {
    digits.iter().enumerate().skip(1).filter_map(move |(take, digit)| {
        let left = heap.checked_sub(take as u64)?;
        let legal = if left == 0 { digit & 1 != 0 } else { digit & 2 != 0 };
        legal.then_some((take as u64, left))
    })
}

/// Wins and losses of single heaps.
struct Outcomes {
    /// `true` for each heap, from heap 0, that the side to move wins.
    wins: Vec<bool>,
    /// The period of the outcomes; `None` if it was not needed.
    period: Option<Period>,
}

impl Outcomes {
    /// Computes the outcomes of heaps up to `last`, or until a period is proved. Returns `None` if no period is proved up to heap
    /// [`LONGEST`]. The theorem about the periods of values also holds for these outcomes: if the code has k digits, the outcome
    /// of a heap depends only on the k heaps before it.
    fn compute(
        digits: &[u8],
        last: u64,
        progress: &dyn Progress,
    ) -> Result<Option<Self>, AnswerError> {
        // A side without a move has won.
        let mut wins = vec![true];
        loop {
            let first = wins.len() as u64;
            let end = last.min(2 * first + FIRST);
            for n in first..=end {
                if n.is_multiple_of(CHECK_EVERY) {
                    progress.check()?;
                }
                let mut moves = moves(digits, n).peekable();
                wins.push(moves.peek().is_none() || moves.any(|(_, left)| !wins[left as usize]));
            }
            if end == last {
                return Ok(Some(Self { wins, period: None }));
            }
            if let Found::Certified(period) = period::find(&wins, digits.len() - 1) {
                return Ok(Some(Self { wins, period: Some(period) }));
            }
            if end > LONGEST {
                return Ok(None);
            }
        }
    }

    /// Returns true if the side to move wins this heap.
    fn wins(&self, heap: u64) -> bool {
        let known = match self.period {
            Some(Period { length, start }) if heap >= start => start + (heap - start) % length,
            _ => heap,
        };
        self.wins[known as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;
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
