//! Rule files that are as long as they may be are read in time linear in their length, right or wrong.

use morpion_games::rules::parse;
use std::time::{Duration, Instant};

const GRID: &str = "name = \"t\"\n[board]\nrows = 6\ncolumns = 6\n";
const MOVES: &str =
    "name = \"t\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\n";

/// A text that repeats an item: its name, what is before the items, an item by its number, and what is after them.
type Repeated = (&'static str, String, fn(u32) -> String, &'static str);

fn texts() -> Vec<Repeated> {
    let end = "]\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n";
    vec![
        ("aliases", "name = \"t\"\naliases = [".into(), |n| format!("\"a{n}\", "), end),
        ("names", "name = \"t\"\n[lines]\nsets = [[0, 1]]\n[board]\ncells = 36\nnames = [".into(), |n| format!("\"{n}\", "), "]\n"),
        ("layout", "name = \"t\"\n[lines]\nsets = [[0, 1]]\n[board]\nlayout = \"\"\"\n".into(), |_| "a b\n".into(), "\"\"\"\n"),
        ("directions", "name = \"t\"\n[lines]\nlength = 2\n[board]\nlayout = \"a b c\"\nsteps = [".into(), |n| format!("[{}, {}], ", n % 250, n / 250 + 1), "]\n"),
        ("blocked", format!("{GRID}blocked = ["), |n| format!("{}, ", n % 36), "]\n[lines]\nlength = 3\n"),
        ("rows of a hexagon", "name = \"t\"\n[lines]\nlength = 2\n[board]\nhex = [".into(), |n| format!("{}, ", n % 2 + 1), "]\n"),
        ("sets", format!("{GRID}[lines]\nsets = ["), set, "]\n"),
        ("equal sets", format!("{GRID}[lines]\nsets = ["), |_| "[1, 2, 3], ".into(), "]\n"),
        ("shapes", format!("{GRID}[lines]\nshapes = ["), |_| "\"X.X/XXX\", ".into(), "]\n"),
        ("edges", format!("{MOVES}to = \"edges\"\nedges = ["), |n| format!("[{}, {}], ", n % 8, n % 8 + 1), "]\n"),
        ("steps", format!("{MOVES}to = \"steps\"\nsteps = ["), |n| format!("[{}, {}], ", n % 250, n / 250 + 1), "]\n"),
        ("forbidden", format!("{MOVES}to = \"any\"\n[opening]\nforbidden = ["), |n| format!("{}, ", n % 9), "]\n"),
        ("unknown keys", format!("{GRID}[lines]\nlength = 3\n"), |n| format!("key{n} = 1\n"), ""),
        ("unknown tables", format!("{GRID}[lines]\nlength = 3\n"), |n| format!("[t{n}]\n"), ""),
        ("equal keys", format!("{GRID}[lines]\n"), |_| "length = 3\n".into(), ""),
        ("parts of a key", format!("{GRID}[lines]\n"), |_| "a.".into(), "a = 1\n"),
        ("errors of TOML", GRID.into(), |_| "rows = = 3\n".into(), ""),
        ("errors of TOML in a line", GRID.into(), |_| "= ".into(), "\n"),
        ("open arrays", format!("{GRID}[lines]\nlength = "), |_| "[".into(), "\n"),
    ]
}

/// One of the sets of four of 36 cells.
fn set(n: u32) -> String {
    let [a, b, c] = [n % 9, n / 9 % 9, n / 81 % 9];
    format!("[{a}, {}, {}, {}], ", 9 + b, 18 + c, 27 + n / 729 % 9)
}

/// The least time of several runs.
fn time(text: &str) -> Duration {
    let run = |_| {
        let start = Instant::now();
        let _ = std::hint::black_box(parse("t.toml", text));
        start.elapsed()
    };
    (0..5).map(run).min().unwrap()
}

/// Sixteen times the length takes 16 times as long; the square would be 256.
#[test]
fn long_rule_files_are_read_in_linear_time() {
    for (name, before, item, after) in texts() {
        let text = |bytes: usize| {
            let mut text = before.clone();
            let mut number = 0;
            while text.len() + after.len() + 24 < bytes {
                text += &item(number);
                number += 1;
            }
            text + after
        };
        let [short, long] = [1 << 16, 1 << 20].map(|bytes| time(&text(bytes)));
        let growth = long.as_secs_f64() / short.as_secs_f64();
        println!("{name}: {short:?}, {long:?}, {growth:.1}");
        assert!(growth < 64.0, "{name}: {short:?}, then {long:?}");
    }
}
