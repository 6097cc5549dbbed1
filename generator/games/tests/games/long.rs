//! Rule files of the greatest length, right or wrong, are read in time linear in their length.

use morpion_games::rules::parse;
use std::time::{Duration, Instant};

const GRID: &str = "name = \"t\"\n[board]\nrows = 6\ncolumns = 6\n";
const MOVES: &str = "name = \"t\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\n";

/// A text that repeats an item: its name, the text before the items, an item by its number, and the text after the items.
type Repeated = (&'static str, String, fn(u32) -> String, &'static str);

fn texts() -> Vec<Repeated> {
    let end = "]\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n";
    vec![
        ("aliases", "name = \"t\"\naliases = [".into(), |n| format!("\"a{n}\", "), end),
        (
            "names",
            "name = \"t\"\n[lines]\nsets = [[0, 1]]\n[board]\ncells = 36\nnames = [".into(),
            |n| format!("\"{n}\", "),
            "]\n",
        ),
        (
            "layout",
            "name = \"t\"\n[lines]\nsets = [[0, 1]]\n[board]\nlayout = \"\"\"\n".into(),
            |_| "a b\n".into(),
            "\"\"\"\n",
        ),
        (
            "directions",
            "name = \"t\"\n[lines]\nlength = 2\n[board]\nlayout = \"a b c\"\nsteps = [".into(),
            |n| format!("[{}, {}], ", n % 250, n / 250 + 1),
            "]\n",
        ),
        (
            "blocked",
            format!("{GRID}blocked = ["),
            |n| format!("{}, ", n % 36),
            "]\n[lines]\nlength = 3\n",
        ),
        (
            "rows of a hexagon",
            "name = \"t\"\n[lines]\nlength = 2\n[board]\nhex = [".into(),
            |n| format!("{}, ", n % 2 + 1),
            "]\n",
        ),
        ("sets", format!("{GRID}[lines]\nsets = ["), set, "]\n"),
        ("equal sets", format!("{GRID}[lines]\nsets = ["), |_| "[1, 2, 3], ".into(), "]\n"),
        ("shapes", format!("{GRID}[lines]\nshapes = ["), |_| "\"X.X/XXX\", ".into(), "]\n"),
        (
            "edges",
            format!("{MOVES}to = \"edges\"\nedges = ["),
            |n| format!("[{}, {}], ", n % 8, n % 8 + 1),
            "]\n",
        ),
        (
            "steps",
            format!("{MOVES}to = \"steps\"\nsteps = ["),
            |n| format!("[{}, {}], ", n % 250, n / 250 + 1),
            "]\n",
        ),
        (
            "forbidden",
            format!("{MOVES}to = \"any\"\n[opening]\nforbidden = ["),
            |n| format!("{}, ", n % 9),
            "]\n",
        ),
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

fn time(text: &str) -> Duration {
    let start = Instant::now();
    let _ = std::hint::black_box(parse("t.toml", text));
    start.elapsed()
}

/// Four times the length takes four times as long, and a square sixteen times. The least times of several runs are compared, because the
/// machine does other work. Times below the first text's do not grow evenly, since caches hold the short text.
#[test]
fn long_rule_files_are_read_in_linear_time() {
    let mut first = None;
    for (name, before, item, after) in texts() {
        let text = |bytes: usize| {
            let room = bytes - after.len() - 24;
            let mut text = before.clone();
            for item in (0..).map(item) {
                if text.len() >= room {
                    break;
                }
                text += &item;
            }
            text + after
        };
        let texts = [1 << 18, 1 << 20].map(text);
        let mut least = [Duration::MAX; 2];
        let is_linear = (0..10).any(|_| {
            least = [0, 1].map(|at| least[at].min(time(&texts[at])));
            least[1] < 8 * least[0].max(first.unwrap_or_default())
        });
        first.get_or_insert(least[0]);
        assert!(is_linear, "{name}: {least:?}");
    }
}
