//! Answers about sums of heaps in normal play. A move wins if it makes the xor of all values 0.

use super::answer::{AnswerError, CHECK_EVERY, HeapAnswer, WinningMoves, distinct};
use morpion_grundy::{Closed, Code, GrundyError, GrundyTable};
use morpion_machine::progress::Progress;

/// Answers the sum of `heaps` with at most `limit` winning moves. They are sorted by heap in the given order, then by
/// the counters taken, then by the smaller heap left. Equal moves are listed once.
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
            let room = match code.closed() {
                Some(closed) => closed_moves(closed, heap, wanted, &mut found),
                None => moves(table, code, heap, wanted, &mut found, progress)?,
            };
            if !room {
                break;
            }
        }
    }
    Ok(found.answer(code, heaps, Some(values), value != 0))
}

/// Finds all moves on `heap` whose option has the value `wanted`. Returns `false` if the list is full.
fn moves(
    table: &GrundyTable,
    code: &Code,
    heap: u64,
    wanted: u64,
    found: &mut WinningMoves,
    progress: &dyn Progress,
) -> Result<bool, AnswerError> {
    let digits = code.finite().unwrap_or_default();
    for (take, digit) in digits.iter().enumerate() {
        let take = take as u64;
        let Some(left) = heap.checked_sub(take) else { break };
        if digit & 1 != 0 && left == 0 && wanted == 0 && !found.push(heap, take, &[]) {
            return Ok(false);
        }
        if digit & 2 != 0
            && left > 0
            && table.heap(left)? == wanted
            && !found.push(heap, take, &[left])
        {
            return Ok(false);
        }
        if digit & 4 != 0 && !splits(table, heap, take, wanted, found, progress)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Finds all splits after `take` counters. In the periodic part of the sequence, values depend only on the remainder of
/// a heap. So a heap of any size costs at most one period.
fn splits(
    table: &GrundyTable,
    heap: u64,
    take: u64,
    wanted: u64,
    found: &mut WinningMoves,
    progress: &dyn Progress,
) -> Result<bool, AnswerError> {
    let left = heap - take;
    let half = left / 2;
    let wins = |a: u64| Ok::<bool, GrundyError>(table.heap(a)? ^ table.heap(left - a)? == wanted);
    // Smaller parts up to `one_by_one` are tried one by one. From the second period on, the values of both parts
    // repeat, because a ≤ left − a.
    let (one_by_one, period) = match table.octal()?.1.period {
        Some(p) if half >= p.start + p.length => (p.start + p.length - 1, Some(p)),
        _ => (half, None),
    };
    let mut repeating = Vec::new();
    for a in 1..=one_by_one {
        if a % CHECK_EVERY == 1 {
            progress.check()?;
        }
        if wins(a)? {
            if !found.push(heap, take, &[a, left - a]) {
                return Ok(false);
            }
            if period.is_some_and(|p| a >= p.start) {
                repeating.push(a);
            }
        }
    }
    // Each round moves the winning parts on by one period.
    let Some(period) = period.filter(|_| !repeating.is_empty()) else { return Ok(true) };
    loop {
        for a in &mut repeating {
            match a.checked_add(period.length).filter(|a| *a <= half) {
                Some(next) => *a = next,
                None => return Ok(true),
            }
            if !found.push(heap, take, &[*a, left - *a]) {
                return Ok(false);
            }
        }
    }
}

/// Finds all moves on `heap` whose option has the value `wanted`, in a game with a closed form. Returns `false` if the
/// list is full.
fn closed_moves(closed: Closed, heap: u64, wanted: u64, found: &mut WinningMoves) -> bool {
    if closed == Closed::Lasker && !lasker_splits(heap, wanted, found) {
        return false;
    }
    // Both closed forms are their own inverse: heap `closed.value(wanted)` has the value `wanted`.
    match closed.value(wanted) {
        Some(0) if heap > 0 => found.push(heap, heap, &[]),
        Some(left) if left < heap => found.push(heap, heap - left, &[left]),
        _ => true,
    }
}

/// Finds the splits of a heap of Lasker's nim, sorted by the smaller part. Returns `false` if the list is full.
///
/// Let A and B be the values of the parts. Then A ^ B = `wanted`, A + B = 2 (A & B) + `wanted`, and A + B differs from
/// the heap by at most 2. So each possible sum gives A & B. A consists of these bits and of some bits of `wanted`.
fn lasker_splits(heap: u64, wanted: u64, found: &mut WinningMoves) -> bool {
    let value = |n: u64| Closed::Lasker.value(n);
    let mut smaller = Vec::new();
    for sum in heap.saturating_sub(2)..=heap.saturating_add(2) {
        let Some(twice) = sum.checked_sub(wanted).filter(|d| d % 2 == 0) else { continue };
        let both = twice / 2;
        if both & wanted != 0 {
            continue;
        }
        // The difference of heap and value depends only on the two lowest bits. If A and B with these low bits are not
        // parts of this heap, higher bits do not help.
        for low in (0..4).filter(|low| low & !wanted == 0) {
            let (mut high, mut count) = (0, 0);
            loop {
                let (a, b) = (value(both | high | low), value(both | (wanted ^ high ^ low)));
                match a.zip(b) {
                    Some((a, b)) if a.checked_add(b) != Some(heap) && a >= 1 && b >= 1 => break,
                    Some((a, b)) if a >= 1 && a <= b => {
                        smaller.push(a);
                        count += 1;
                    }
                    _ => {}
                }
                // The next subset of the higher bits of `wanted`, ascending.
                let bits = wanted & !3;
                high = u64::wrapping_sub(high, bits) & bits;
                if high == 0 || count > found.limit.saturating_add(4) || high > wanted / 2 + 8 {
                    break;
                }
            }
        }
    }
    smaller.sort_unstable();
    smaller.dedup();
    smaller.into_iter().all(|a| found.push(heap, 0, &[a, heap - a]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;
    use crate::octal::answer::HeapMove;
    use crate::octal::{Moves, Task, Values, solve, table};
    use morpion_machine::progress::Unobserved;

    fn solved(code: &str) -> GrundyTable {
        let code: Code = code.parse().unwrap();
        let solution =
            solve(&Moves::new(&code).unwrap(), Task::until_period(3000), &Unobserved).unwrap();
        table::in_memory(&table::header(&code, &solution), &solution.values).unwrap()
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
        assert_eq!(found.outcome == Outcome::Win, !expected.is_empty());
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
            let code: Code = code.parse().unwrap();
            let header = table::closed_header(&code).unwrap();
            let none = Values::none();
            let table = table::in_memory(&header, &none).unwrap();
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
        let code: Code = "4.(3)".parse().unwrap();
        let none = Values::none();
        let table = table::in_memory(&table::closed_header(&code).unwrap(), &none).unwrap();
        let found = answer(&table, &[u64::MAX - 1, 3 << 60], 10, &Unobserved).unwrap();
        assert_eq!(found.outcome, Outcome::Win);
    }
}
