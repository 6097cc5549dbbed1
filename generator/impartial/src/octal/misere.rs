//! Misère play of games with a simple rule: nim, and one heap of a game that never splits. For other sums, no rule is known.

use super::answer::{AnswerError, CHECK_EVERY, HeapAnswer, LONGEST, WinningMoves, distinct};
use super::period;
use morpion_grundy::{Closed, Code, Period};
use morpion_machine::progress::Progress;
use std::collections::BTreeSet;

/// Number of heaps that are computed before the first search for a period.
const FIRST: u64 = 1 << 10;

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

/// Answers nim. If some heap is larger than 1, the winner is the same as in normal play. If all heaps have at most one counter, the
/// winner is the other side.
fn nim(code: &Code, heaps: &[u64], limit: usize) -> HeapAnswer {
    let sum = |heaps: &[u64]| heaps.iter().fold(0, |sum, heap| sum ^ heap);
    let is_lost = |heaps: &[u64]| (sum(heaps) == 0) == heaps.iter().any(|heap| *heap > 1);
    let mut found = WinningMoves::new(limit);
    for heap in distinct(heaps) {
        let at = heaps.iter().position(|other| *other == heap).unwrap_or(0);
        // Moves that take fewer counters come first.
        let left = BTreeSet::from([0, 1, sum(heaps) ^ heap]).into_iter().rev();
        for left in left.filter(|left| *left < heap) {
            let mut after = heaps.to_vec();
            after[at] = left;
            if is_lost(&after) {
                found.push(heap, heap - left, &[left]);
            }
        }
    }
    found.answer(code, heaps, Some(heaps.to_vec()), !is_lost(heaps))
}

/// Answers a sum with at most one non-empty heap, in a game that never splits.
fn one_heap(
    code: &Code,
    heaps: &[u64],
    limit: usize,
    progress: &dyn Progress,
) -> Result<HeapAnswer, AnswerError> {
    let is_simple = heaps.iter().filter(|heap| **heap > 0).count() <= 1 && !code.splits();
    let digits = code.finite().filter(|_| is_simple);
    let digits = digits.ok_or_else(|| AnswerError::Misere(code.clone()))?;
    let heap = heaps.iter().sum();
    let (wins, period) = outcomes(code, digits, heap, progress)?;
    let wins = |heap| wins[period.map_or(heap, |period| period.first(heap)) as usize];
    let mut found = WinningMoves::new(limit);
    for (take, left) in moves(digits, heap).filter(|(_, left)| !wins(*left)) {
        found.push(heap, take, &[left]);
    }
    Ok(found.answer(code, heaps, None, wins(heap)))
}

/// Lists the moves of a heap as the counters taken and the heap left. The digits must not allow a split.
fn moves(digits: &[u8], heap: u64) -> impl Iterator<Item = (u64, u64)> {
    // Digit 0 is 0 or 4, so no move takes 0 counters and leaves one heap.
    (0..=heap).zip(digits).filter_map(move |(take, digit)| {
        let left = heap - take;
        let needed = if left == 0 { 1 } else { 2 };
        (digit & needed != 0).then_some((take, left))
    })
}

/// Computes for each heap whether the side to move wins: for heaps 0 to `last`, or until a period is proved. The theorem about the
/// periods of values also holds for these outcomes: if the code has k digits, the outcome of a heap depends only on the k heaps before
/// it.
fn outcomes(
    code: &Code,
    digits: &[u8],
    last: u64,
    progress: &dyn Progress,
) -> Result<(Vec<bool>, Option<Period>), AnswerError> {
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
            return Ok((wins, None));
        }
        if let Ok(period) = period::find(&wins, digits.len() - 1) {
            return Ok((wins, Some(period)));
        }
        if end > LONGEST {
            return Err(AnswerError::NoPeriod(code.clone()));
        }
    }
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
                    assert_eq!(found.outcome == "win", win, "{heaps:?}");
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
                    found.outcome == "win",
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
        assert_eq!(answer(&code, &[u64::MAX], 9, &Unobserved).unwrap().outcome, "win");
        assert_eq!(answer(&code, &[u64::MAX - 2], 9, &Unobserved).unwrap().outcome, "loss");
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
