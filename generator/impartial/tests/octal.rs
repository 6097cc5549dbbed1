//! Octal games: the fast methods compared with the definition, known pitfalls, and the known and shipped periods.

use morpion_grundy::Period;
use morpion_impartial::octal::{Moves, Solution, Task, definition, solve};
use morpion_machine::progress::Unobserved;
use morpion_machine::threads;

fn moves(code: &str) -> Moves {
    Moves::new(&code.parse().unwrap()).unwrap()
}

fn solved(code: &str, task: Task) -> Solution {
    solve(&moves(code), task, &Unobserved).unwrap()
}

/// The values of heaps 0 to `last`.
fn values(code: &str, last: usize) -> Vec<u32> {
    solved(code, Task::all(last)).values
}

/// Checks that `values`, from heap 0, prove a period.
fn proves(values: &[u32], period: Period, last_digit: usize) -> bool {
    let (start, length) = (period.start as usize, period.length as usize);
    let repeats = |n: usize| values[n] == values[n + length];
    period.certificate(last_digit as u64).is_some_and(|last| last < values.len() as u64)
        && (start..2 * start + length + last_digit).all(repeats)
}

/// Fewer heaps if the tests are built without optimisation.
fn scaled(heaps: usize) -> usize {
    if cfg!(debug_assertions) { heaps / 5 } else { heaps }
}

/// Forty codes of all kinds: dense, sparse, with position masks, with and without d0 = 4, periodic and open.
const FORTY: [&str; 40] = [
    "0.007",
    "0.07",
    "0.77",
    "0.137",
    "0.6",
    "0.16",
    "0.106",
    "0.127",
    "0.104",
    "0.205",
    "0.161",
    "0.36",
    "0.37",
    "0.04",
    "0.56",
    "0.376",
    "0.354",
    "0.45",
    "0.156",
    "0.165",
    "0.055",
    "0.044",
    "0.17",
    "0.777",
    "0.776",
    "0.724",
    "0.005",
    "0.0123",
    "0.333",
    "0.15",
    "4.3",
    "4.344",
    "4.7",
    "4.0",
    "4.114",
    "4.047",
    "4.604",
    "4.216",
    "0.0407",
    "0.00000007",
];

/// Compares the fast methods with the definition, whose work is quadratic.
fn agree(last: usize) {
    std::thread::scope(|scope| {
        for half in FORTY.chunks(20) {
            scope.spawn(move || {
                for code in half {
                    let expected = definition::values(&moves(code), last);
                    assert_eq!(values(code, last), expected, "{code}");
                    let exhaustive = Task { exhaustive: true, ..Task::all(last) };
                    assert_eq!(solved(code, exhaustive).values, expected, "{code} vector");
                }
            });
        }
    });
}

#[test]
fn the_fast_methods_agree_with_the_definition() {
    agree(scaled(6000));
}

#[test]
#[ignore = "long: 20,000 heaps of forty games, about 15 seconds; .ci/run runs it"]
fn the_fast_methods_agree_with_the_definition_on_large_heaps() {
    agree(20_000);
}

#[test]
fn near_twins_part_at_heap_519() {
    let (a, b) = (values("0.161", 600), values("0.36", 600));
    assert_eq!(a[..=518], b[..=518]);
    assert_ne!(a[519], b[519]);
}

#[test]
fn shifted_codes_have_shifted_values() {
    let last = scaled(30_000);
    for (a, b, shift) in [("0.6", "0.37", 1), ("0.04", "0.007", 1), ("0.07", "0.137", 1)] {
        let (a, b) = (values(a, last), values(b, last));
        // 0.37(n) = 0.6(n + 1) and 0.137(n) = 0.07(n + 1), but 0.04(n) = 0.007(n − 1).
        let (early, late) = if a[shift..100] == b[..100 - shift] { (&b, &a) } else { (&a, &b) };
        assert_eq!(early[..last], late[1..=last]);
    }
}

mod traps {
    use super::*;

    #[test]
    fn the_list_of_rare_heaps_is_filled_and_never_frozen() {
        // 0.007 has rare heaps throughout, also beyond heap 10,000.
        let last = scaled(16_000);
        let solution = solved("0.007", Task::all(last));
        assert_eq!(solution.values, definition::values(&moves("0.007"), last));
        let mask = solution.mask(&moves("0.007"));
        let is_rare = |n: usize| mask.is_rare(n as u64, solution.values[n].into());
        assert_eq!((1..=last).filter(|n| is_rare(*n)).count() as u64, mask.rare);
        assert!((last * 3 / 4..=last).any(is_rare));
    }

    #[test]
    fn heaps_are_not_values() {
        // In 0.6 rare heaps and their values are far apart.
        let last = scaled(12_000);
        assert_eq!(values("0.6", last), definition::values(&moves("0.6"), last));
    }

    #[test]
    fn witnesses_are_searched_at_every_digit_that_splits() {
        for code in ["0.77", "0.777", "4.47", "0.644", "0.4404"] {
            let last = scaled(6000);
            let expected = definition::values(&moves(code), last);
            assert_eq!(values(code, last), expected, "{code}");
        }
    }

    #[test]
    fn kayles_is_not_quadratic() {
        // Searching only one split digit at a time would try half of all splits for a value that only the other digit
        // has.
        let work = |last| solved("0.77", Task::all(last)).work;
        let (short, long) = (work(1 << 15), work(1 << 18));
        assert!(long < 12 * short, "8 times the heaps, {} times the work", long / short);
    }

    #[test]
    fn heap_0_is_left_out_of_the_period() {
        let found = |code| {
            solve(&moves(code), Task::until_period(5000), &Unobserved).unwrap().period.unwrap()
        };
        assert_eq!((found("0.137").length, found("0.137").start), (34, 52));
        assert_eq!((found("0.07").length, found("0.07").start), (34, 53));
        assert_eq!((found("0.2").length, found("0.2").start), (2, 1));
    }

    #[test]
    fn the_start_of_a_period_is_the_least() {
        for code in ["0.77", "0.07", "0.17", "0.055", "0.045", "0.156", "4.344", "0.0123"] {
            let solution = solve(&moves(code), Task::until_period(20_000), &Unobserved).unwrap();
            let (period, g) = (solution.period.unwrap(), solution.values);
            let (e, length) = (period.start as usize, period.length as usize);
            assert!(proves(&g, period, moves(code).last), "{code}");
            assert!(e == 1 || g[e - 1] != g[e - 1 + length], "{code}");
            for p in 1..length {
                let end = g.len() - p;
                assert!((e..end).any(|n| g[n] != g[n + p]), "{code}: period {p}");
            }
        }
    }

    #[test]
    fn position_masks_only_where_all_splitting_digits_have_one_parity() {
        assert_eq!(moves("0.77").parity(), None);
        assert_eq!(moves("0.127").parity(), Some(1));
        assert_eq!(moves("0.205").parity(), Some(1));
        assert_eq!(moves("4.04").parity(), Some(0));
        assert_eq!(moves("4.4").parity(), None);
        for code in ["0.127", "0.104", "0.205"] {
            let solution = solved(code, Task::all(3000));
            assert!(solution.mask(&moves(code)).position.is_some(), "{code}");
        }
    }
}

const SWEEP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tables/octal-sweep.csv");

/// The line of a code in the sweep.
fn swept(code: &str) -> String {
    let moves = moves(code);
    let solution = solve(&moves, Task::until_period(1 << 16), &Unobserved).unwrap();
    let period = solution.period.map_or(",,".to_owned(), |period| {
        assert!(proves(&solution.values, period, moves.last), "{code}");
        let certified = period.certificate(moves.last as u64).unwrap();
        format!("{},{},{certified}", period.length, period.start)
    });
    format!("{code},{},{period},{}", solution.heaps(), solution.greatest())
}

#[test]
fn the_shipped_sweep_agrees_with_the_solver() {
    let text = std::fs::read_to_string(SWEEP).unwrap();
    let rows: Vec<&str> = text.lines().skip(1).collect();
    assert_eq!(rows.len(), 1024);
    let certified: Vec<&&str> = rows.iter().filter(|row| !row.contains(",,,")).collect();
    assert!(certified.len() >= 695);
    for row in certified.iter().step_by(7) {
        assert_eq!(swept(row.split(',').next().unwrap()), **row);
    }
}

#[test]
#[ignore = "long: every code with three digits to 65,536 heaps, about half an hour on one core"]
fn the_shipped_sweep_is_what_the_solver_finds() {
    let codes = [0, 4].map(|d0| (0..512).map(move |d| format!("{d0}.{d:03o}")));
    let codes: Vec<String> = codes.into_iter().flatten().collect();
    let rows = threads::map(codes.len(), &|number| swept(&codes[number]));
    let made = format!("code,heaps,period,preperiod,certified_to,greatest\n{}\n", rows.join("\n"));
    if std::env::var_os("MORPION_WRITE").is_some() {
        return std::fs::write(SWEEP, &made).unwrap();
    }
    assert_eq!(std::fs::read_to_string(SWEEP).unwrap(), made, "make it anew with MORPION_WRITE=1");
}
