//! The codes of entries order moves as their scores do.

use morpion_core::Score;
use morpion_solver::solve::code::Code;

/// Checks that a greater preference is a better move, and that the parent's code is the score before the child's.
fn holds<E: Code>() {
    let mut before: Option<(E, Score)> = None;
    let mut codes: Vec<E> = (0..E::ENCODING.no_position()).map(E::new).collect();
    codes.sort_by_key(|code| code.preference());
    for code in codes {
        let own = E::ENCODING.decode(code.code()).unwrap();
        assert_eq!(code.plies(), own.plies());
        let score = own.before();
        assert_eq!(code.preference().parent(), E::of(score), "{code:?}");
        if let Some((last, worse)) = before {
            assert!(code.preference() > last.preference());
            assert!(score.preference() >= worse.preference(), "{code:?}");
        }
        before = Some((code, score));
    }
    assert_eq!(E::none().preference().code(), 0);
    assert_eq!(E::none().plies(), None);
}

#[test]
fn preferences_order_children_and_name_parents() {
    holds::<u8>();
    holds::<u16>();
}
