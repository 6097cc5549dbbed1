//! Codes whose extra moves never change a mex.
//!
//! A new move does not change a heap's mex if its option has another value than the heap. If that holds for every heap,
//! the code with the new move has the same values. The check takes one comparison for each heap and extra move.

use super::moves::Moves;
use super::values::Values;

/// Checks that `more` has all moves of `fewer`, that its extra moves do not split, and that they do not change any of
/// the `values` of `fewer`.
pub(super) fn change_no_value(values: &Values, fewer: &Moves, more: &Moves) -> bool {
    let has_all = |fewer: &[usize], more: &[usize]| fewer.iter().all(|t| more.contains(t));
    if fewer.split != more.split
        || !has_all(&fewer.whole, &more.whole)
        || !has_all(&fewer.shrink, &more.shrink)
    {
        return false;
    }
    let heaps = 1..values.len();
    let mut whole = more.whole.iter().filter(|t| !fewer.whole.contains(t));
    let mut shrink = more.shrink.iter().filter(|t| !fewer.shrink.contains(t));
    whole.all(|t| !heaps.contains(t) || values.get(*t) != 0)
        && shrink.all(|t| heaps.clone().skip(*t).all(|n| values.get(n) != values.get(n - t)))
}

#[cfg(test)]
mod tests {
    use super::super::definition;
    use super::*;

    #[test]
    fn codes_recognised_as_equal_have_equal_values() {
        let codes = || (0..64).map(|d| format!("0.{d:02o}"));
        let moves = |code: &str| Moves::new(&code.parse().unwrap()).unwrap();
        let values = |code: &str| definition::values(&moves(code), 200);
        let mut same = 0;
        for a in codes() {
            let known = Values::Four(values(&a));
            for b in codes() {
                if change_no_value(&known, &moves(&a), &moves(&b)) {
                    assert_eq!(values(&a), values(&b), "{a} {b}");
                    same += usize::from(a != b);
                }
            }
        }
        assert!(same > 0);
        // 0.5 allows taking a heap of one, which changes its value.
        assert!(!change_no_value(&Values::Four(values("0.4")), &moves("0.4"), &moves("0.5")));
    }
}
