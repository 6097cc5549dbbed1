//! Small games with rules that no standard game has, as the body of a rule file. Several crates test with them.

/// A ring on which wins are rare. A side can be blocked, which is a draw.
pub const BLOCKED: &str = "[board]\ncells = 6\n[lines]\nsets = [[0, 2, 4]]\n[pieces]\neach = 2\n\
    [moves]\nto = \"edges\"\nedges = [[0, 1], [1, 2], [2, 3], [3, 4], [0, 5], [1, 4]]\nstuck = \"draw\"";

/// Blocked sides that draw or win, boards without a grid, openings, tiny boards.
pub const ODD: &[&str] = &[
    BLOCKED,
    "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 4\n[moves]\nto = \"king\"\n\
     stuck = \"win\"\n[goal]\nmisere = true",
    "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\n\
     to = \"orthogonal\"\nstay = true\n[opening]\nforbidden = [0, 4]\nduring = \"each-first\"",
    "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3\n[opening]\n\
     forbidden = [4]\nduring = \"placing\"",
    "[board]\nrows = 2\ncolumns = 4\n[lines]\nlength = 2\n[pieces]\neach = 2\n[moves]\nto = \"any\"\n\
     [goal]\nmisere = true",
    "[board]\nrows = 2\ncolumns = 4\n[lines]\nlength = 4\n[pieces]\neach = 3\n[moves]\nto = \"drawn\"",
    "[board]\ncells = 2\n[lines]\nsets = [[0, 1]]\n[pieces]\neach = 1\n[moves]\nto = \"edges\"\n\
     edges = [[0, 1]]\nstuck = \"draw\"",
    "[board]\ncells = 1\n[lines]\nsets = [[0]]",
];
