//! Runs of cells in one direction on a grid, and links between neighbours.
//!
//! In: rows and columns. Out: cells, numbered row by row. On 3×3 there are 16 runs: 3 rows, 3 columns, 5 diagonals in each
//! direction; whole ones are 8. King moves have 20 links, orthogonal ones 12, drawn ones 16.

/// The cells of every row, column and diagonal; `full`: of whole rows, whole columns and, on a square, the two main
/// diagonals only.
pub fn runs(rows: u8, columns: u8, full: bool) -> Vec<Vec<u8>> {
    let (rows, columns) = (i32::from(rows), i32::from(columns));
    let inside = |row: i32, column: i32| (0..rows).contains(&row) && (0..columns).contains(&column);
    let mut runs = Vec::new();
    for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for row in 0..rows {
            for column in 0..columns {
                if inside(row - down, column - right) {
                    continue;
                }
                let steps =
                    (0..).take_while(|step| inside(row + step * down, column + step * right));
                let run: Vec<u8> = steps
                    .map(|step| ((row + step * down) * columns + column + step * right) as u8)
                    .collect();
                let diagonal = down != 0 && right != 0;
                if !full || !diagonal || (rows == columns && run.len() as i32 == rows) {
                    runs.push(run);
                }
            }
        }
    }
    runs
}

/// The links between neighbouring cells for which `keep(down, right, even)` holds; `even` is whether row plus column of
/// the cell is. Each link once, from the upper or left cell.
pub fn links(rows: u8, columns: u8, keep: fn(i32, i32, bool) -> bool) -> Vec<(u8, u8)> {
    let (rows, columns) = (i32::from(rows), i32::from(columns));
    let mut links = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            for (down, right) in [(0, 1), (1, -1), (1, 0), (1, 1)] {
                let (below, beside) = (row + down, column + right);
                let inside = below < rows && (0..columns).contains(&beside);
                if inside && keep(down, right, (row + column) % 2 == 0) {
                    links.push(((row * columns + column) as u8, (below * columns + beside) as u8));
                }
            }
        }
    }
    links
}
