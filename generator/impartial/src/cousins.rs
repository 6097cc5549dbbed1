//! Codes with more moves and the same values.
//!
//! Where no move that a second code has beyond the first gives a heap the value that the heap has already, the mex of no heap changes: both codes
//! have the same values. That takes one look at each heap, however many splits there are.

use super::moves::Moves;
use super::solver::Values;

/// Whether `more` has all moves of `fewer`, none more that splits a heap, and the same values as far as `values`, those of `fewer`, go.
#[must_use]
pub fn same_values(values: &Values, fewer: &Moves, more: &Moves) -> bool {
    let has_all = |fewer: &[usize], more: &[usize]| fewer.iter().all(|t| more.contains(t));
    if fewer.two != more.two || !has_all(&fewer.all, &more.all) || !has_all(&fewer.one, &more.one) {
        return false;
    }
    let heaps = 1..values.len();
    let mut all = more.all.iter().filter(|t| !fewer.all.contains(t));
    let mut one = more.one.iter().filter(|t| !fewer.one.contains(t));
    all.all(|t| !heaps.contains(t) || values.get(*t) != 0)
        && one.all(|t| heaps.clone().skip(*t).all(|n| values.get(n) != values.get(n - t)))
}

#[cfg(test)]
mod tests {
    use super::super::plain;
    use super::*;

    #[test]
    fn the_codes_of_one_digit_are_compared_rightly() {
        let codes = || (0..64).map(|d| format!("0.{d:02o}"));
        let moves = |code: &str| Moves::new(&code.parse().unwrap()).unwrap();
        let values = |code: &str| plain::values(&moves(code), 200);
        let mut same = 0;
        for a in codes() {
            let known = Values::Four(values(&a));
            for b in codes() {
                if same_values(&known, &moves(&a), &moves(&b)) {
                    assert_eq!(values(&a), values(&b), "{a} {b}");
                    same += usize::from(a != b);
                }
            }
        }
        assert!(same > 0);
        // 0.5 takes a heap of one whole, which changes its value.
        assert!(!same_values(&Values::Four(values("0.4")), &moves("0.4"), &moves("0.5")));
    }
}
