//! The moves of all positions that have one set of the waiter, in games with lines that take.
//!
//! A move that takes nothing leads to the row of the waiter's set, in the column of the mover's new set. A move that takes leads to the
//! row of the waiter's set without a piece, and the code there depends only on the mover's new set and on its number of pieces before.
//! So the cells that the waiter leaves are numbered from 0, once for each row: a set of the mover among them has its rank as column.

use crate::solve::entry::{Codes, Entry, Shared};
use crate::solve::groups::moves::final_code;
use crate::solve::groups::places::Places;
use morpion_lookup::raw::rank::{binomial, cells, compress, expand};
use morpion_lookup::raw::{Arrangements, CELLS, Layer, Position, Step};
use morpion_lookup::{Counts, Game};

/// The moves that are possible while the waiter has one set. Sets of the mover contain numbers of cells that the waiter leaves.
pub struct Row<'g> {
    game: &'g Game,
    layer: usize,
    waiter: u64,
    /// The cells that the waiter leaves.
    left: u64,
    /// The numbers of these cells.
    numbers: Arrangements,
    steps: Vec<RowStep>,
    /// The lines that the mover may own, each with the cells that extend it.
    lines: Vec<(u64, u64)>,
    /// The waiter's pieces that may be taken.
    victims: u64,
    /// True if some position may allow a pass.
    may_pass: bool,
}

/// A step that is possible while the waiter has its set.
struct RowStep {
    /// The cell of the piece that moves; none if it is new.
    from: u64,
    to: u64,
    /// The cells that must have a piece of the mover.
    filled: u64,
}

impl<'g> Row<'g> {
    /// The moves in layer number `layer` while the waiter has this word.
    pub fn new(game: &'g Game, layer: usize, waiter: u64) -> Row<'g> {
        let (graph, set) = (game.graph(), waiter & CELLS);
        let left = game.board() & !set;
        let step = |step: &Step| {
            let from = step.from.map_or(0, |from| 1 << from);
            let is_possible = from & set == 0 && !step.is_pass();
            is_possible.then(|| RowStep {
                from: compress(from, left),
                to: compress(step.to, left),
                filled: compress(step.filled, left),
            })
        };
        let lines = game.rules().lines_with_prolongations().filter(|(line, _)| line & set == 0);
        let steps = graph.steps(layer);
        Row {
            game,
            layer,
            waiter,
            left,
            numbers: Arrangements::new((1 << left.count_ones()) - 1, graph.layers[layer].counts),
            steps: steps.iter().filter_map(step).collect(),
            lines: lines.map(|(line, with)| (compress(line, left), compress(with, left))).collect(),
            victims: game.takeable(set),
            may_pass: steps.last().is_some_and(Step::is_pass) || graph.passes_if_blocked(),
        }
    }

    /// The column of a set of the mover.
    #[inline(always)]
    pub fn column(&self, set: u64) -> usize {
        self.numbers.rank(set) as usize
    }

    /// The cells of a set of the mover.
    #[inline]
    pub fn expand(&self, set: u64) -> u64 {
        expand(set, self.left)
    }

    /// Visits the mover's set before each move that takes nothing and adds no piece.
    #[inline]
    pub fn each_parent(&self, set: u64, mut visit: impl FnMut(u64)) {
        // A piece that is in a line now has come with a take, if there was a piece to take.
        let taking = if self.victims == 0 { 0 } else { self.in_lines(set) };
        for step in &self.steps {
            if step.from & !set == 0 {
                continue;
            }
            for to in cells(step.to & set & !taking) {
                let before = set & !(1 << to) | step.from;
                if step.filled & !before == 0 {
                    visit(before);
                }
            }
        }
        if self.allows_pass(set) {
            visit(set);
        }
    }

    /// The cells of the lines that the owner of a set has made.
    fn in_lines(&self, set: u64) -> u64 {
        let is_made = |&&(line, with): &&(u64, u64)| line & !set == 0 && with & set == 0;
        self.lines.iter().filter(is_made).fold(0, |cells, (line, _)| cells | line)
    }

    fn allows_pass(&self, set: u64) -> bool {
        let position = || Position { mover: self.expand(set), waiter: self.waiter & CELLS };
        self.may_pass && self.game.may_pass(self.layer, position())
    }

    /// The targets of a step on which a set, from which the moving piece is lifted, makes a line that takes. `completing` are the cells
    /// that may complete a line.
    #[inline]
    fn made(&self, lifted: u64, targets: u64) -> u64 {
        let is_made = |to: &u8| self.in_lines(lifted | 1 << to) >> to & 1 == 1;
        cells(targets).filter(is_made).fold(0, |made, to| made | 1 << to)
    }

    /// The cells that may complete a line of a set, if there is a piece to take.
    #[inline]
    fn completing(&self, set: u64) -> u64 {
        if self.victims == 0 {
            return 0;
        }
        let missing = self.lines.iter().map(|&(line, _)| line & !set);
        missing.filter(|cells| cells.is_power_of_two()).fold(0, |all, cell| all | cell)
    }
}

/// The children of all positions of a row: how many stay in the group, and the best ones outside.
pub struct RowMoves<'r, E: Entry> {
    row: Row<'r>,
    places: &'r Places<'r>,
    /// By number of new pieces.
    next: [Next<'r, E>; 2],
}

/// The children after a move with as many new pieces.
struct Next<'r, E: Entry> {
    /// The layer of the children if nothing is taken, and their codes; `None` if they stay in the group.
    kept: Option<Outside<'r, E>>,
    /// The children without each piece that may be taken.
    taken: Vec<Taken<'r, E>>,
    /// The preferences of the best takes by column, 0 where they are not known yet.
    best: Vec<E>,
}

/// The row of a layer outside the group.
struct Outside<'r, E: Entry> {
    layer: usize,
    /// The codes of the row; `None` if the game is over in the layer.
    codes: Option<&'r [E::Shared]>,
}

/// The row of the children without one piece.
struct Taken<'r, E: Entry> {
    outside: Outside<'r, E>,
    /// The word of the side that has lost the piece.
    mover: u64,
    symmetry: usize,
    /// The image of the word.
    image: u64,
}

impl<'r, E: Entry> RowMoves<'r, E> {
    /// The moves in layer number `layer` from row number `row` of the waiter. `solved` has the layers after the group.
    pub fn new(
        places: &'r Places<'r>,
        solved: &'r [Option<Codes<E>>],
        layer: usize,
        waiter: u64,
    ) -> RowMoves<'r, E> {
        let row = Row::new(places.game(), layer, waiter);
        let next = [0, 1].map(|new| Next::new(places, solved, &row, new));
        RowMoves { row, places, next }
    }

    /// Number of moves of a set of the mover that stay in the group, and the preference of the best child outside.
    #[inline]
    pub fn children(&mut self, set: u64) -> (u32, E) {
        let RowMoves { row, places, next } = self;
        let (mut inside, mut best) = (0, E::default());
        let completing = row.completing(set);
        for step in &row.steps {
            if (step.from | step.filled) & !set != 0 {
                continue;
            }
            let (targets, lifted) = (step.to & !set, set & !step.from);
            let next = &mut next[usize::from(step.from == 0)];
            let made = match targets & completing {
                0 => 0,
                completing => row.made(lifted, completing),
            };
            for to in cells(made) {
                best = best.max(next.best_take(places, row, lifted | 1 << to));
            }
            match &next.kept {
                None => inside += (targets & !made).count_ones(),
                Some(kept) => {
                    for to in cells(targets & !made) {
                        best = best.max(kept.preference(places, row, lifted | 1 << to));
                    }
                }
            }
        }
        if row.allows_pass(set) {
            match &next[0].kept {
                None => inside += 1,
                Some(kept) => best = best.max(kept.preference(places, row, set)),
            }
        }
        (inside, best)
    }
}

impl<'r, E: Entry> Next<'r, E> {
    fn new(
        places: &'r Places<'r>,
        solved: &'r [Option<Codes<E>>],
        row: &Row,
        new: u8,
    ) -> Next<'r, E> {
        let game = places.game();
        let of = &game.graph().layers[row.layer];
        let stays = new == 0 && game.is_cyclic(row.layer);
        let is_used = |step: &RowStep| (step.from == 0) == (new == 1);
        if !(row.steps.iter().any(is_used) || row.may_pass && new == 0) {
            return Next { kept: None, taken: Vec::new(), best: Vec::new() };
        }
        let child = |taken: u8, waiter: u64| {
            let layer = layer_after(game, of, new, taken)?;
            let place = places.layer(layer);
            let mover = waiter & CELLS | place.above.mover;
            if game.graph().layers[layer].ended {
                let outside = Outside { layer, codes: None };
                return Some(Taken { outside, mover, symmetry: 0, image: mover });
            }
            let (row, symmetry, image) = places.folded(place, mover);
            let codes = solved[layer].as_ref().expect("layers after a group are kept");
            let codes = Some(&codes[row * place.columns..][..place.columns]);
            Some(Taken { outside: Outside { layer, codes }, mover, symmetry, image })
        };
        let set = row.waiter & CELLS;
        // The layer after a take is missing only if the mover has too few pieces for a line.
        let taken = cells(row.victims).filter_map(|victim| child(1, set & !(1 << victim)));
        let taken: Vec<Taken<E>> = taken.collect();
        let size = u32::from(of.counts.mover + new);
        let columns = binomial(row.left.count_ones(), size);
        let best = if taken.is_empty() { 0 } else { columns as usize };
        Next {
            kept: (!stays).then(|| child(0, set).expect("the game has the layer").outside),
            taken,
            best: vec![E::default(); best],
        }
    }

    /// The preference of the best child after a move to `set` that takes.
    #[inline]
    fn best_take(&mut self, places: &Places, row: &Row, set: u64) -> E {
        let column = row.column(set);
        if self.best[column] == E::default() {
            let word = row.expand(set);
            let all = self.taken.iter().map(|taken| taken.preference(places, word));
            self.best[column] = all.max().unwrap_or_default();
        }
        self.best[column]
    }
}

impl<E: Entry> Outside<'_, E> {
    /// The preference of the child in which the side that has moved has this set.
    #[inline]
    fn preference(&self, places: &Places, row: &Row, set: u64) -> E {
        match self.codes {
            Some(codes) => codes[row.column(set)].get().preference(),
            None => {
                let Position { mover, waiter } = places.layer(self.layer).above;
                let mover = mover | row.waiter & CELLS;
                let position = Position { mover, waiter: waiter | row.expand(set) };
                final_code::<E>(places.game(), position).preference()
            }
        }
    }
}

impl<E: Entry> Taken<'_, E> {
    /// The preference of the child in which the side that has moved has these cells.
    #[inline]
    fn preference(&self, places: &Places, cells: u64) -> E {
        let layer = places.layer(self.outside.layer);
        let waiter = cells | layer.above.waiter;
        match self.outside.codes {
            Some(codes) => {
                let waiter = places.image(self.symmetry, waiter);
                codes[layer.column(Position { mover: self.image, waiter })].get().preference()
            }
            None => {
                let position = Position { mover: self.mover, waiter };
                final_code::<E>(places.game(), position).preference()
            }
        }
    }
}

/// The layer after a move with as many new pieces that takes as many.
fn layer_after(game: &Game, layer: &Layer, new: u8, taken: u8) -> Option<usize> {
    let Layer { counts, hands, .. } = *layer;
    let counts = Counts { mover: counts.waiter - taken, waiter: counts.mover + new };
    let hands = Counts { mover: hands.waiter, waiter: hands.mover.saturating_sub(new) };
    let layers = &game.graph().layers;
    layers.iter().position(|layer| (layer.counts, layer.hands) == (counts, hands))
}
