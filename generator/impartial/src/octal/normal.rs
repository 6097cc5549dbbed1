//! Answers about sums of heaps in normal play. A move wins if it makes the xor of all values 0.

use super::answer::{AnswerError, CHECK_EVERY, HeapAnswer, WinningMoves, distinct};
use morpion_grundy::{Closed, GrundyTable};
use morpion_machine::progress::Progress;

/// Answers the sum of `heaps` with at most `limit` winning moves. The moves are sorted by heap in the given order, then by the
/// counters taken, then by the smaller heap left. Equal moves are listed once.
///
/// # Errors
/// If the table has no value for a heap, or `progress` requests a stop. `progress` is called about a thousand times a
/// second.
pub fn answer(
    table: &GrundyTable,
    heaps: &[u64],
    limit: usize,
    progress: &dyn Progress,
) -> Result<HeapAnswer, AnswerError> {
    let (code, _) = table.octal()?;
    let values = heaps.iter().map(|heap| table.heap(*heap)).collect::<Result<Vec<_>, _>>()?;
    let value = values.iter().fold(0, |sum, v| sum ^ v);
    let mut found = WinningMoves::new(limit);
    if value != 0 {
        for heap in distinct(heaps) {
            let wanted = value ^ table.heap(heap)?;
            if let Some(closed) = code.closed() {
                closed_moves(closed, heap, wanted, &mut found);
            }
            // A game with a closed form has no finite code, so the loop does nothing.
            for (take, digit) in (0..=heap).zip(code.finite().unwrap_or_default()) {
                let left = heap - take;
                let unsplit = if left == 0 { 1 } else { 2 };
                if digit & unsplit != 0 && table.heap(left)? == wanted {
                    found.push(heap, take, &[left]);
                }
                if digit & 4 != 0 {
                    splits(table, heap, take, wanted, &mut found, progress)?;
                }
            }
        }
    }
    Ok(found.answer(code, heaps, Some(values), value != 0))
}

/// Finds all splits after `take` counters. In the periodic part of the sequence, values depend only on the remainder of a heap.
/// So a heap of any size costs at most one period after the preperiod.
fn splits(
    table: &GrundyTable,
    heap: u64,
    take: u64,
    wanted: u64,
    found: &mut WinningMoves,
    progress: &dyn Progress,
) -> Result<(), AnswerError> {
    let left = heap - take;
    let half = left / 2;
    // Smaller parts `a` up to `one_by_one` are tried one by one. Beyond that, `a` and the greater part `left - a` are both in the
    // periodic part, so winning parts repeat with the period.
    let (one_by_one, period) = match table.octal()?.1.period {
        Some(p) if half >= p.start + p.length => (p.start + p.length - 1, Some(p)),
        _ => (half, None),
    };
    let mut repeating = Vec::new();
    for a in 1..=one_by_one {
        if a % CHECK_EVERY == 1 {
            progress.check()?;
        }
        if table.heap(a)? ^ table.heap(left - a)? == wanted {
            found.push(heap, take, &[a, left - a]);
            if period.is_some_and(|p| a >= p.start) {
                repeating.push(a);
            }
        }
        if found.more {
            return Ok(());
        }
    }
    // Each round adds one period to the winning parts.
    let Some(period) = period.filter(|_| !repeating.is_empty()) else { return Ok(()) };
    while !found.more {
        for a in &mut repeating {
            match a.checked_add(period.length).filter(|a| *a <= half) {
                Some(next) => *a = next,
                None => return Ok(()),
            }
            found.push(heap, take, &[*a, left - *a]);
        }
    }
    Ok(())
}

/// Finds all moves on `heap` whose option has the value `wanted`, in a game with a closed form.
fn closed_moves(closed: Closed, heap: u64, wanted: u64, found: &mut WinningMoves) {
    if closed == Closed::Lasker {
        lasker_splits(heap, wanted, found);
    }
    // Both closed forms are their own inverse: heap `closed.value(wanted)` has the value `wanted`.
    if let Some(left) = closed.value(wanted).filter(|left| *left < heap) {
        found.push(heap, heap - left, &[left]);
    }
}

/// Finds the splits of a heap of Lasker's nim, sorted by the smaller part.
///
/// A part is 4m + s with s from 1 to 4, and its value is 4m plus the value of s. Let M be the value of the smaller part divided
/// by 4 and rounded down: m, or m + 1 if s is 3. Let K be the same number for the greater part. For each pair of s, M + K follows
/// from the heap, and M ^ K is `wanted` / 4. Since M + K = 2 (M & K) + (M ^ K), M consists of the bits of M & K and of some bits
/// of M ^ K.
fn lasker_splits(heap: u64, wanted: u64, found: &mut WinningMoves) {
    let low = |s| Closed::Lasker.value(s).unwrap_or_default();
    let xor = wanted / 4;
    let mut smaller = Vec::new();
    for (s, t) in (1..=4).flat_map(|s| (1..=4).map(move |t| (s, t))) {
        let Some(rest) = heap.checked_sub(s + t) else { continue };
        let sum = rest / 4 + low(s) / 4 + low(t) / 4;
        let Some(twice) = sum.checked_sub(xor) else { continue };
        let is_possible = rest % 4 == 0 && (low(s) ^ low(t)) % 4 == wanted % 4;
        let both = twice / 2;
        if !is_possible || twice % 2 == 1 || both & xor != 0 {
            continue;
        }
        // All subsets of the bits of M ^ K, ascending, until the part is more than half of the heap or the list is long enough.
        let (mut bits, mut count) = (0, 0);
        loop {
            let m = (both | bits).checked_sub(low(s) / 4);
            match m.and_then(|m| m.checked_mul(4)?.checked_add(s)) {
                Some(part) if part > heap / 2 => break,
                Some(part) => {
                    smaller.push(part);
                    count += 1;
                }
                None => {}
            }
            bits = u64::wrapping_sub(bits, xor) & xor;
            if bits == 0 || count > found.limit {
                break;
            }
        }
    }
    smaller.sort_unstable();
    smaller.dedup();
    smaller.into_iter().for_each(|a| found.push(heap, 0, &[a, heap - a]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::octal::answer::HeapMove;
    use crate::octal::{Task, table};
    use morpion_grundy::Code;
    use morpion_machine::progress::Unobserved;

    fn solved(code: &str) -> GrundyTable {
        let task = Task::until_period(3000);
        let (header, values) = table::solved(&code.parse().unwrap(), task, &Unobserved).unwrap();
        table::in_memory(&header, &values).unwrap()
    }

    /// Lists every move of a heap from the rules alone.
    fn all_moves(code: &Code, heap: u64) -> Vec<HeapMove> {
        let mut all = Vec::new();
        for take in 0..=heap {
            let (digit, left) = (code.digit(take), heap - take);
            if digit & 1 != 0 && left == 0 {
                all.push(HeapMove { heap, take, leave: vec![] });
            }
            if digit & 2 != 0 && left > 0 {
                all.push(HeapMove { heap, take, leave: vec![left] });
            }
            if digit & 4 != 0 {
                all.extend((1..=left / 2).map(|a| HeapMove {
                    heap,
                    take,
                    leave: vec![a, left - a],
                }));
            }
        }
        all
    }

    fn check(table: &GrundyTable, heaps: &[u64]) {
        let code = table.octal().unwrap().0.clone();
        let found = answer(table, heaps, usize::MAX, &Unobserved).unwrap();
        let total = found.value.unwrap();
        let value = |parts: &[u64]| parts.iter().fold(0, |x, h| x ^ table.heap(*h).unwrap());
        let mut expected = Vec::new();
        for heap in distinct(heaps) {
            let rest = total ^ value(&[heap]);
            expected
                .extend(all_moves(&code, heap).into_iter().filter(|m| rest ^ value(&m.leave) == 0));
        }
        assert_eq!(found.moves, expected, "{code} {heaps:?}");
        assert_eq!(found.outcome == "win", !expected.is_empty());
    }

    #[test]
    fn exactly_the_winning_moves_are_listed() {
        for code in ["0.77", "0.007", "4.3", "0.16", "0.333", "0.6", "4.47", "0.0", "0.127"] {
            let table = solved(code);
            for a in 0..40 {
                for b in [0, 1, 7, a, 33] {
                    check(&table, &[a, b, 12]);
                }
            }
        }
        // Heaps far into the periodic part, whose values depend only on the remainder.
        for code in ["0.77", "0.07", "4.3"] {
            let table = solved(code);
            for heap in 400..460 {
                check(&table, &[heap, 5]);
            }
        }
    }

    #[test]
    fn closed_forms_list_every_winning_move() {
        for code in ["0.(3)", "4.(3)"] {
            let table = solved(code);
            for a in 0..40 {
                for b in 0..12 {
                    check(&table, &[a, b, 6]);
                }
            }
        }
    }

    #[test]
    fn a_huge_heap_answers_at_once() {
        let table = solved("0.77");
        let found = answer(&table, &[u64::MAX, 3], 10, &Unobserved).unwrap();
        assert_eq!(found.moves.len(), 10);
        assert_eq!(found.more, Some(true));
        let table = solved("4.(3)");
        let found = answer(&table, &[u64::MAX - 1, 3 << 60], 10, &Unobserved).unwrap();
        assert_eq!(found.outcome, "win");
    }
}
