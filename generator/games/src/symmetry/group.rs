//! The group of a game: all permutations of its cells that keep the rules.

use morpion_lookup::format::{Group, MAX_SYMMETRIES};
use morpion_lookup::rank::cells;
use morpion_lookup::{Board, Game, Permutation};
use std::collections::HashSet;

/// The group a table of `game` is folded by, its elements ascending: all symmetries of the rules, or, where these are
/// more than [`MAX_SYMMETRIES`], those of the grid that keep the rules; on a board that is no grid then the identity.
pub fn group(game: &Game) -> (Group, Vec<Permutation>) {
    if let Some(symmetries) = symmetries_of_rules(game) {
        return (Group::Rules, symmetries);
    }
    let kind = match game.rules().board {
        Board::Grid { .. } => Group::Board,
        Board::Plain { .. } => Group::Trivial,
    };
    (kind, symmetries_of_board(game))
}

/// The rotations and reflections of the grid that keep the rules, ascending; on a board that is no grid the identity.
pub fn symmetries_of_board(game: &Game) -> Vec<Permutation> {
    let identity = Permutation::identity(game.cells());
    let Board::Grid { rows, columns } = game.rules().board else {
        return vec![identity];
    };
    let mut found = Vec::new();
    for (transposed, flip_rows, flip_columns) in (0..8)
        .map(|bits| (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0))
        .filter(|key| rows == columns || !key.0)
    {
        let images: Vec<u8> = (0..game.cells())
            .map(|cell| {
                let (row, column) = (cell / columns, cell % columns);
                let (row, column) = if transposed { (column, row) } else { (row, column) };
                let row = if flip_rows { rows - 1 - row } else { row };
                let column = if flip_columns { columns - 1 - column } else { column };
                row * columns + column
            })
            .collect();
        found.extend(Permutation::new(&images).filter(|symmetry| keeps_rules(game, symmetry)));
    }
    found.sort();
    found.dedup();
    found
}

/// Whether `symmetry` maps lines onto lines, links onto links, and restricted cells onto restricted cells.
fn keeps_rules(game: &Game, symmetry: &Permutation) -> bool {
    let lines: HashSet<u64> = game.rules().lines.iter().copied().collect();
    let restricted = game.rules().opening.map_or(0, |opening| opening.forbidden);
    lines.iter().all(|&line| lines.contains(&symmetry.apply(line)))
        && symmetry.apply(restricted) == restricted
        && (0..game.cells()).all(|cell| {
            symmetry.apply(game.neighbours(cell)) == game.neighbours(symmetry.image(cell))
        })
}

/// All symmetries of the rules, ascending, or `None` where they are more than [`MAX_SYMMETRIES`].
fn symmetries_of_rules(game: &Game) -> Option<Vec<Permutation>> {
    let mut search = Search::new(game);
    search.extend().then(|| {
        search.found.sort();
        search.found
    })
}

/// Depth-first search over the images of cells 0, 1, 2, …, pruned by what every symmetry keeps: how two cells stand to
/// each other, and the lines among the cells that have images already.
struct Search {
    /// For each pair of cells (equal ones on the diagonal) a number that symmetries keep.
    relation: Vec<Vec<u32>>,
    lines: HashSet<u64>,
    /// The lines whose greatest cell is the index.
    ending_at: Vec<Vec<u64>>,
    images: Vec<u8>,
    used: u64,
    found: Vec<Permutation>,
}

impl Search {
    fn new(game: &Game) -> Search {
        let count = game.cells();
        let restricted = game.rules().opening.map_or(0, |opening| opening.forbidden);
        let lines = &game.rules().lines;
        let describe = |a: u8, b: u8| {
            let both = 1u64 << a | 1 << b;
            let mut sizes: Vec<u32> = lines
                .iter()
                .filter(|&&line| line & both == both)
                .map(|line| line.count_ones())
                .collect();
            sizes.sort_unstable();
            (sizes, game.neighbours(a) >> b & 1, restricted >> a & 1)
        };
        let mut kinds = Vec::new();
        let mut number = |kind| {
            kinds.iter().position(|known| *known == kind).unwrap_or_else(|| {
                kinds.push(kind);
                kinds.len() - 1
            }) as u32
        };
        let relation =
            (0..count).map(|a| (0..count).map(|b| number(describe(a, b))).collect()).collect();
        let mut ending_at = vec![Vec::new(); usize::from(count)];
        for &line in lines {
            ending_at[63 - line.leading_zeros() as usize].push(line);
        }
        Search {
            relation,
            lines: lines.iter().copied().collect(),
            ending_at,
            images: Vec::new(),
            used: 0,
            found: Vec::new(),
        }
    }

    /// Finds all symmetries that extend `images`; false once there are too many.
    fn extend(&mut self) -> bool {
        let cell = self.images.len();
        if cell == self.relation.len() {
            self.found.extend(Permutation::new(&self.images));
            return self.found.len() <= MAX_SYMMETRIES;
        }
        for image in 0..self.relation.len() as u8 {
            if self.used >> image & 1 == 1 || !self.fits(cell, image) {
                continue;
            }
            self.images.push(image);
            self.used |= 1 << image;
            let too_many = !self.lines_break(cell) && !self.extend();
            self.images.pop();
            self.used &= !(1 << image);
            if too_many {
                return false;
            }
        }
        true
    }

    fn fits(&self, cell: usize, image: u8) -> bool {
        let (own, its) = (&self.relation[cell], &self.relation[usize::from(image)]);
        own[cell] == its[usize::from(image)]
            && self
                .images
                .iter()
                .enumerate()
                .all(|(before, &to)| own[before] == its[usize::from(to)])
    }

    /// Whether a line that ends at `cell` is mapped onto something that is none.
    fn lines_break(&self, cell: usize) -> bool {
        let image = |line: u64| {
            cells(line).fold(0u64, |set, cell| set | 1 << self.images[usize::from(cell)])
        };
        self.ending_at[cell].iter().any(|&line| !self.lines.contains(&image(line)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse;

    fn order(body: &str) -> (Group, usize) {
        let (kind, symmetries) = group(&parse("t", &format!("name = \"t\"\n{body}")).unwrap());
        (kind, symmetries.len())
    }

    fn square(n: u32, rest: &str) -> String {
        format!("[board]\nrows = {n}\ncolumns = {n}\n[lines]\n{rest}")
    }

    #[test]
    fn orders_of_known_groups() {
        assert_eq!(order(&square(3, "length = 3")), (Group::Rules, 8));
        assert_eq!(order(&square(4, "length = 4")), (Group::Rules, 32));
        assert_eq!(order(&square(5, "length = 5")), (Group::Rules, 32));
        assert_eq!(order(&square(6, "length = 6")), (Group::Rules, 192));
        assert_eq!(order(&square(5, "length = 4")), (Group::Rules, 8));
        let moving = |to: &str| {
            format!("{}\n[pieces]\neach = 4\n[moves]\nto = \"{to}\"", square(4, "length = 4"))
        };
        assert_eq!(order(&moving("any")), (Group::Rules, 32));
        assert_eq!(order(&moving("king")), (Group::Rules, 8));
        let restricted = |cell: u32| {
            format!(
                "{}\n[opening]\nforbidden = [{cell}]\nduring = \"first\"",
                square(3, "length = 3")
            )
        };
        assert_eq!(
            (order(&restricted(4)).1, order(&restricted(0)).1, order(&restricted(1)).1),
            (8, 2, 2)
        );
    }

    #[test]
    fn a_huge_group_gives_way_to_the_grid_or_to_nothing() {
        let rows = "[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]";
        assert_eq!(
            order(&format!("[board]\nrows = 3\ncolumns = 4\n[lines]\nsets = {rows}")),
            (Group::Board, 4)
        );
        assert_eq!(
            order(&format!("[board]\ncells = 12\n[lines]\nsets = {rows}")),
            (Group::Trivial, 1)
        );
    }

    #[test]
    fn the_search_finds_what_trying_all_permutations_finds() {
        for lines in [
            "[[0, 1], [1, 2], [2, 3]]",
            "[[0, 1, 2], [2, 3, 4]]",
            "[[0, 1], [2, 3], [4, 5]]",
            "[[0]]",
        ] {
            let game =
                parse("t", &format!("name = \"t\"\n[board]\ncells = 6\n[lines]\nsets = {lines}"))
                    .unwrap();
            let mut all = Vec::new();
            permutations(&mut (0..6).collect(), 0, &mut |images| {
                all.extend(
                    Permutation::new(images).filter(|symmetry| keeps_rules(&game, symmetry)),
                );
            });
            all.sort();
            assert_eq!(group(&game), (Group::Rules, all), "{lines}");
        }
    }

    fn permutations(images: &mut Vec<u8>, from: usize, visit: &mut impl FnMut(&[u8])) {
        if from == images.len() {
            return visit(images);
        }
        for other in from..images.len() {
            images.swap(from, other);
            permutations(images, from + 1, visit);
            images.swap(from, other);
        }
    }
}
