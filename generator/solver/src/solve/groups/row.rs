//! The moves of all positions that have one set of the waiter, in games with lines that take.
//!
//! A move that takes nothing leads to the row of the waiter's set, and one that takes a piece to the row of the set without it. The
//! worth of a move depends on the mover's set after it, and on whether the piece that moved is in a line. So the cells that the waiter
//! leaves are numbered from 0, once for each row, and each set of the mover after a move gives its value to the sets before.

use crate::solve::entry::{Codes, Entry, Shared};
use crate::solve::groups::moves::final_code;
use crate::solve::groups::places::{LayerPlaces, Places};
use morpion_lookup::raw::rank::{binomial, cells, compress};
use morpion_lookup::raw::{CELLS, Layer, Position, Step};
use morpion_lookup::{Counts, Game};
use morpion_reach::arrangements::Arrangements;

/// The moves that are possible while the waiter has one set. Sets of the mover contain numbers of cells that the waiter leaves.
pub struct Row<'r> {
    places: &'r Places<'r>,
    layer: usize,
    /// The waiter's cells.
    waiter: u64,
    /// Number of cells that the waiter leaves.
    left: u32,
    /// The cells of eight numbers at a time, for each set of these.
    expanded: Vec<[u64; 256]>,
    ranks: Arrangements,
    /// The numbers of the cells to which a new piece may go.
    places_new: u64,
    /// By number: the numbers to which a piece there may move.
    targets: Vec<u64>,
    /// By number: the numbers from which a piece may move there.
    sources: Vec<u64>,
    /// The moves that lead over other pieces.
    jumps: Vec<Jump>,
    /// The lines that the mover may own, each with the numbers that extend it.
    lines: Vec<(u64, u64)>,
    /// The waiter's pieces that may be taken.
    victims: u64,
    /// True if two lines at once take two of them.
    may_take_two: bool,
    /// True if some position may allow a pass.
    may_pass: bool,
}

/// The move of a piece over pieces of its side. It is possible if the numbers of `mask` that the mover has are `before`, and leads to `after`.
struct Jump {
    mask: u64,
    before: u64,
    after: u64,
    to: u8,
}

impl Jump {
    /// The moves of a step to each of its targets, by numbers of cells.
    fn all(step: &Step, left: u64) -> impl Iterator<Item = Jump> {
        let number = move |set: u64| compress(set, left);
        let from = number(step.from.map_or(0, |from| 1 << from));
        cells(number(step.to)).map(move |to| Jump {
            mask: from | 1 << to,
            before: from,
            after: 1 << to,
            to,
        })
    }
}

impl<'r> Row<'r> {
    /// Returns true if the moves of a game have this form.
    pub fn fits(game: &Game) -> bool {
        game.graph().may_take()
    }

    /// The moves in layer number `layer` while the waiter has this word.
    pub fn new(places: &'r Places<'r>, layer: usize, waiter: u64) -> Row<'r> {
        let (game, waiter) = (places.game(), waiter & CELLS);
        let (graph, left) = (game.graph(), game.board() & !waiter);
        let lines = game.lines_with_prolongations().filter(|(line, _)| line & waiter == 0);
        let steps = graph.steps(layer);
        let is_new = |step: &&Step| step.from.is_none();
        let is_shift = |step: &&Step| step.from.is_some_and(|from| left >> from & 1 == 1);
        let (jumps, shifts): (Vec<&Step>, Vec<&Step>) =
            steps.iter().filter(is_shift).partition(|_| false);
        let (targets, sources) = links(&shifts, left);
        let victims = game.takeable(waiter);
        let is_two = graph.takes.is_some_and(|takes| takes.most() > 1);
        Row {
            places,
            layer,
            waiter,
            left: left.count_ones(),
            expanded: expanded(left),
            ranks: Arrangements::new((1 << left.count_ones()) - 1, graph.layers[layer].counts),
            places_new: steps
                .iter()
                .filter(is_new)
                .fold(0, |all, step| all | compress(step.to, left)),
            targets,
            sources,
            jumps: jumps.iter().flat_map(|step| Jump::all(step, left)).collect(),
            lines: lines.map(|(line, with)| (compress(line, left), compress(with, left))).collect(),
            victims,
            may_take_two: is_two && victims.count_ones() > 1,
            may_pass: steps.last().is_some_and(Step::is_pass)
                || game.is_cyclic(layer) && graph.passes_if_blocked(),
        }
    }

    /// The column of a set of the mover.
    #[inline(always)]
    pub fn column(&self, set: u64) -> usize {
        self.ranks.rank(set) as usize
    }

    /// The sets of `size` numbers, by column.
    pub fn sets(&self, size: u8) -> &'r [u64] {
        &self.places.numbered(size)[..binomial(self.left, size.into()) as usize]
    }

    /// The cells of a set of the mover.
    #[inline]
    pub fn expand(&self, set: u64) -> u64 {
        let bytes = self.expanded.iter().zip(set.to_le_bytes());
        bytes.fold(0, |cells, (expanded, byte)| cells | expanded[usize::from(byte)])
    }

    /// The word of the mover in a column of its layer.
    pub fn word(&self, turned: &LayerPlaces, column: usize) -> u64 {
        self.expand(self.sets(turned.other_size)[column]) | turned.above.waiter
    }

    /// Visits the mover's set before each move of a piece on the board that takes nothing.
    #[inline]
    pub fn each_parent(&self, set: u64, mut visit: impl FnMut(u64)) {
        // A piece that is in a line now has come with a take, if there was a piece to take.
        let [taking, _] = self.taking(set);
        self.each_before(set, set & !taking, |before, _| visit(before));
        if self.allows_pass(set) {
            visit(set);
        }
    }

    /// Visits the mover's set before each move of a piece on the board to one of the numbers `to`, with this number.
    #[inline]
    fn each_before(&self, set: u64, to: u64, mut visit: impl FnMut(u64, u8)) {
        for to in cells(to) {
            for from in cells(self.sources[usize::from(to)] & !set) {
                visit(set ^ (1 << to | 1 << from), to);
            }
        }
        for jump in &self.jumps {
            if set & jump.mask == jump.after && to >> jump.to & 1 == 1 {
                visit(set & !jump.mask | jump.before, jump.to);
            }
        }
    }

    /// Number of moves of pieces on the board from a set of the mover.
    fn moves(&self, set: u64) -> u16 {
        let of_piece = |from: u8| (self.targets[usize::from(from)] & !set).count_ones();
        let jumps = self.jumps.iter().filter(|jump| set & jump.mask == jump.before).count();
        cells(set).map(of_piece).sum::<u32>() as u16 + jumps as u16
    }

    /// The numbers to which a move takes, and those to which it takes two pieces: they are in a line that a set has made, or in two.
    #[inline]
    fn taking(&self, set: u64) -> [u64; 2] {
        if self.victims == 0 {
            return [0; 2];
        }
        let (mut taking, mut last) = ([0; 2], 0);
        for &(line, with) in &self.lines {
            if line & !set == 0 && with & set == 0 {
                // The same line may come again with other cells that extend it.
                if self.may_take_two && line != last {
                    taking[1] |= taking[0] & line;
                }
                taking[0] |= line;
                last = line;
            }
        }
        taking
    }

    fn allows_pass(&self, set: u64) -> bool {
        let position = || Position { mover: self.expand(set), waiter: self.waiter };
        self.may_pass && self.places.game().may_pass(self.layer, position())
    }

    /// For each column, how many moves stay in the group, and the preference of the best child outside. `solved` has the layers after
    /// the group.
    pub fn children<E: Entry>(&self, solved: &[Option<Codes<E>>]) -> (Vec<u16>, Vec<E>) {
        let game = self.places.game();
        let size = game.graph().layers[self.layer].counts.mover;
        let sets = self.sets(size);
        let mut children = (vec![0; sets.len()], vec![E::default(); sets.len()]);
        if game.is_cyclic(self.layer) {
            for (inside, &set) in children.0.iter_mut().zip(sets) {
                *inside = self.moves(set) + u16::from(self.allows_pass(set));
            }
        }
        if self.targets.iter().any(|&to| to != 0) || !self.jumps.is_empty() || self.may_pass {
            self.after_shifts(size, solved, &mut children);
        }
        if self.places_new != 0 {
            self.after_places(size, solved, &mut children.1);
        }
        children
    }

    /// Adds the children outside after moves of pieces on the board.
    fn after_shifts<E: Entry>(
        &self,
        size: u8,
        solved: &[Option<Codes<E>>],
        (inside, best): &mut (Vec<u16>, Vec<E>),
    ) {
        let children = Children::new(self, 0, solved);
        if self.victims == 0 && children.stays {
            return;
        }
        for (column, &set) in self.sets(size).iter().enumerate() {
            let taking = self.taking(set);
            if taking[0] == 0 && children.stays {
                continue;
            }
            let after_move = children.preferences(self, column, set, taking);
            // If the other children stay, only those after a take are outside.
            let to = if children.stays { taking[0] } else { set };
            self.each_before(set, to, |before, to| {
                let parent = self.column(before);
                best[parent] = best[parent].max(after_move[taken_at(taking, to)]);
                inside[parent] -= u16::from(children.stays);
            });
            if !children.stays && self.allows_pass(set) {
                best[column] = best[column].max(after_move[0]);
            }
        }
    }

    /// Adds the children after a new piece.
    fn after_places<E: Entry>(&self, size: u8, solved: &[Option<Codes<E>>], best: &mut [E]) {
        let children = Children::new(self, 1, solved);
        for (column, &set) in self.sets(size + 1).iter().enumerate() {
            let taking = self.taking(set);
            let after_move = children.preferences(self, column, set, taking);
            // The rank without a piece: those above it have one piece less below them.
            let (mut below, mut above, mut rest) = (column as u64, 0, set);
            for index in (0..=u32::from(size)).rev() {
                let to = 63 - rest.leading_zeros();
                rest &= !(1 << to);
                below -= binomial(to, index + 1);
                if self.places_new >> to & 1 == 1 {
                    let parent = &mut best[(below + above) as usize];
                    *parent = (*parent).max(after_move[taken_at(taking, to as u8)]);
                }
                above += binomial(to, index);
            }
        }
    }
}

/// The numbers to which a piece on each number may move, and those from which one may come there, given the steps that lead over nothing.
fn links(steps: &[&Step], left: u64) -> (Vec<u64>, Vec<u64>) {
    let none = vec![0; left.count_ones() as usize];
    let (mut targets, mut sources) = (none.clone(), none);
    for (cell, step) in steps.iter().filter_map(|step| step.from.zip(Some(step))) {
        let (from, to) = ((left & ((1 << cell) - 1)).count_ones(), compress(step.to, left));
        targets[from as usize] |= to;
        cells(to).for_each(|to| sources[usize::from(to)] |= 1 << from);
    }
    (targets, sources)
}

/// Number of pieces that a move to a number takes, given the results of [`Row::taking`].
#[inline(always)]
fn taken_at([one, two]: [u64; 2], to: u8) -> usize {
    ((one >> to & 1) + (two >> to & 1)) as usize
}

/// The cells of eight numbers at a time, for each set of these.
fn expanded(left: u64) -> Vec<[u64; 256]> {
    let of_number: Vec<u8> = cells(left).collect();
    let of_eight = |numbers: &[u8]| {
        let mut sets = [0; 256];
        for set in 1usize..1 << numbers.len() {
            let lowest = numbers[set.trailing_zeros() as usize];
            sets[set] = sets[set & (set - 1)] | 1 << lowest;
        }
        sets
    };
    of_number.chunks(8).map(of_eight).collect()
}

/// The children after moves that add one number of pieces, 0 or 1.
struct Children<'c, E: Entry> {
    /// True if the children stay in the group if nothing is taken.
    stays: bool,
    /// The children outside if nothing is taken; `None` also if every move takes.
    kept: Option<Child<'c, E>>,
    /// The children without each piece that may be taken, and without each two of them.
    taken: [Vec<Child<'c, E>>; 2],
}

/// The row of a child's mover.
struct Child<'c, E: Entry> {
    place: &'c LayerPlaces,
    /// The codes of the row; `None` if the game is over in the layer.
    codes: Option<&'c [E::Shared]>,
    mover: u64,
    symmetry: usize,
    /// The image of the mover's word.
    image: u64,
}

impl<'c, E: Entry> Children<'c, E> {
    fn new(row: &Row<'c>, new: u8, solved: &'c [Option<Codes<E>>]) -> Children<'c, E> {
        let (places, game) = (row.places, row.places.game());
        let of = &game.graph().layers[row.layer];
        let [quiet, one, two] = [0, 1, 2].map(|taken| layer_after(game, of, new, taken));
        // A layer to which no move leads is missing: after a take, if the mover has too few pieces for a line.
        let child = |layer: Option<usize>, waiter: u64| {
            let layer = layer?;
            let place = places.layer(layer);
            let mover = waiter | place.above.mover;
            if game.graph().layers[layer].ended {
                return Some(Child { place, codes: None, mover, symmetry: 0, image: mover });
            }
            let (row, symmetry, image) = places.folded(place, mover);
            let codes = Some(&solved[layer].as_ref()?[row * place.columns..][..place.columns]);
            Some(Child { place, codes, mover, symmetry, image })
        };
        let stays = new == 0 && game.is_cyclic(row.layer);
        let without = |victim: u8| child(one, row.waiter & !(1 << victim));
        let pairs = cells(row.victims).flat_map(|a| {
            let others = if row.may_take_two { row.victims >> a >> 1 << a << 1 } else { 0 };
            cells(others).map(move |b| 1 << a | 1 << b)
        });
        let without_pair = |pair: u64| child(two, row.waiter & !pair);
        Children {
            stays,
            kept: if stays { None } else { child(quiet, row.waiter) },
            taken: [
                cells(row.victims).filter_map(without).collect(),
                pairs.filter_map(without_pair).collect(),
            ],
        }
    }

    /// The preferences of the child if nothing is taken, and of the best child if a piece is, and if two are, after a move to `set`. The
    /// first is 0 if the child stays in the group, and each of the others if no move takes so many pieces.
    #[inline]
    fn preferences(&self, row: &Row, column: usize, set: u64, [one, two]: [u64; 2]) -> [E; 3] {
        let kept = self.kept.as_ref().map(|child| match child.codes {
            Some(codes) => codes[column].get().preference(),
            None => child.preference(row, row.expand(set)),
        });
        let cells = if one != 0 { row.expand(set) } else { 0 };
        let best = |is_possible: bool, taken: &[Child<'c, E>]| match is_possible {
            true => {
                let taken = taken.iter().map(|child| child.preference(row, cells));
                taken.max().expect("the game has the layer after a take")
            }
            false => E::default(),
        };
        let [single, pairs] = &self.taken;
        [kept.unwrap_or_default(), best(one & !two != 0, single), best(two != 0, pairs)]
    }
}

impl<E: Entry> Child<'_, E> {
    /// The preference of the child in which the side that has moved has these cells.
    #[inline]
    fn preference(&self, row: &Row, cells: u64) -> E {
        let waiter = cells | self.place.above.waiter;
        match self.codes {
            Some(codes) => {
                let waiter = row.places.image(self.symmetry, waiter);
                codes[self.place.column(Position { mover: self.image, waiter })].get().preference()
            }
            None => {
                let position = Position { mover: self.mover, waiter };
                final_code::<E>(row.places.game(), position).preference()
            }
        }
    }
}

/// The layer after a move that adds `new` pieces of the mover and takes `taken` pieces of the waiter; `None` if the game does not have it.
fn layer_after(game: &Game, layer: &Layer, new: u8, taken: u8) -> Option<usize> {
    let Layer { counts, hands, .. } = *layer;
    let mover = counts.waiter.checked_sub(taken)?;
    let counts = Counts { mover, waiter: counts.mover + new };
    let hands = Counts { mover: hands.waiter, waiter: hands.mover.saturating_sub(new) };
    let layers = &game.graph().layers;
    layers.iter().position(|layer| (layer.counts, layer.hands) == (counts, hands))
}
