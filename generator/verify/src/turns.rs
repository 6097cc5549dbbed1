//! The positions after each turn, and the scores of finished positions.
//!
//! A [`Turns`] interprets the steps of a game's layers by code of its own: moves, pieces that are taken or pushed, pieces that age, lines,
//! and the end of the game. Only the description of the game is shared with the solver and the readers: the steps, the layers and the
//! lines. The cells of pieces that age are kept as a list, which is converted to the number of the order in rows, columns and words.

use morpion_core::{
    AGED, Condition, Counts, DrawKind, Effect, Game, Layer, LayerGraph, Oldest, Permutation, SHIFT,
    Score, Step, Stuck, Takes, Value, rank::cells,
};
use morpion_games::reach::groups::divided;
use std::ops::Range;

/// The most pieces of a side if pieces age: eight, and a ninth that stays because it completes a line with the oldest piece.
const MOST: usize = 9;

/// The pieces of one side on the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pieces {
    pub set: u64,
    /// If pieces age, their cells, the oldest first; otherwise unspecified.
    ages: [u8; MOST],
}

impl Pieces {
    /// Pieces that do not age.
    #[inline(always)]
    pub fn of(set: u64) -> Pieces {
        Pieces { set, ages: [0; MOST] }
    }

    /// The pieces on a set of cells in the order with this lexicographic number.
    #[inline]
    pub fn in_order(set: u64, number: u64) -> Pieces {
        let (mut pieces, mut left) = (Pieces::of(set), set);
        let rest = (0..set.count_ones()).rev();
        for (age, later) in pieces.ages.iter_mut().zip(rest) {
            let smaller = number / orders(later) % (u64::from(later) + 1);
            *age = cells(left).nth(smaller as usize).unwrap_or_default();
            left &= !(1 << *age);
        }
        pieces
    }

    /// The cells of pieces that age, the oldest first.
    #[inline(always)]
    fn ages(&self) -> &[u8] {
        &self.ages[..self.set.count_ones() as usize]
    }

    #[inline(always)]
    fn add_newest(&mut self, cell: u8) {
        self.ages[self.set.count_ones() as usize] = cell;
        self.set |= 1 << cell;
    }

    #[inline(always)]
    fn remove_oldest(&mut self) {
        self.set &= !(1 << self.ages[0]);
        self.ages.rotate_left(1);
    }

    /// The lexicographic number of the order of the pieces after each piece is moved to the image of its cell.
    #[inline]
    pub fn order(&self, image: impl Fn(u8) -> u8) -> u64 {
        let mut images = [0; MOST];
        images.iter_mut().zip(self.ages()).for_each(|(to, &cell)| *to = image(cell));
        let images = &images[..self.ages().len()];
        let mut number = 0;
        for (at, cell) in images.iter().enumerate() {
            let later = &images[at + 1..];
            number *= later.len() as u64 + 1;
            number += later.iter().map(|other| u64::from(other < cell)).sum::<u64>();
        }
        number
    }
}

/// Number of orders of `pieces` pieces that age.
pub(crate) fn orders(pieces: u32) -> u64 {
    (1..=u64::from(pieces)).fold(1, u64::saturating_mul)
}

/// The pieces of both sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sides {
    pub mover: Pieces,
    pub waiter: Pieces,
}

impl Sides {
    /// Pieces that do not age.
    #[inline(always)]
    pub fn of(mover: u64, waiter: u64) -> Sides {
        Sides { mover: Pieces::of(mover), waiter: Pieces::of(waiter) }
    }
}

/// A push, which permutes the cells: the taken piece goes to the other end of the path, and the other pieces of the path move by one cell.
#[derive(Clone, Copy)]
pub(crate) struct Push {
    /// The cell where the piece is taken.
    pub from: u8,
    /// The cell to which the piece of each cell goes.
    pub images: Permutation,
}

impl Push {
    /// The push of a step on a board of `count` cells; `None` if the step is not a push.
    pub fn of(step: &Step, count: u8) -> Option<Push> {
        let Step { from, to: _, condition: _, effect } = *step;
        let (Some(from), Effect::Push { path }) = (from, effect) else { return None };
        let mut path: Vec<u8> = cells(path).collect();
        if path.first() != Some(&from) {
            path.reverse();
        }
        let mut images: Vec<u8> = (0..count).collect();
        let before = [*path.last()?].into_iter().chain(path.iter().copied());
        path.iter().zip(before).for_each(|(&cell, image)| images[usize::from(cell)] = image);
        Some(Push { from, images: Permutation::new(&images)? })
    }
}

/// The layers after a turn, by the number of new pieces and by the number of taken pieces.
type After = [[Option<usize>; 3]; 2];

/// The moves and the ends of a game.
pub(crate) struct Turns {
    board: u64,
    pub(super) graph: LayerGraph,
    /// The pushes, by phase and step; `None` for other steps.
    pushes: Vec<Vec<Option<Push>>>,
    pub(super) after: Vec<After>,
    /// The lines, each with the cells that extend it.
    pub(super) lines: Vec<(u64, u64)>,
    /// The lines through each cell.
    through: Vec<Vec<(u64, u64)>>,
    /// True if pieces age.
    pub(super) has_ages: bool,
}

impl Turns {
    pub fn new(game: &Game) -> Turns {
        let graph = game.graph().clone();
        let lines: Vec<(u64, u64)> = game.lines_with_prolongations().collect();
        let of_cell =
            |cell: u8| lines.iter().filter(|line| line.0 >> cell & 1 == 1).copied().collect();
        let push = |step| Push::of(step, game.cells());
        Turns {
            board: game.board(),
            pushes: graph.phases.iter().map(|steps| steps.iter().map(push).collect()).collect(),
            after: graph.layers.iter().map(|layer| after(&graph, layer)).collect(),
            through: (0..game.cells()).map(of_cell).collect(),
            graph,
            lines,
            has_ages: game.has_ages(),
        }
    }

    /// The pushes in a layer; `None` if the layer has a step that is not a push.
    pub fn pushes(&self, layer: usize) -> Option<Vec<Push>> {
        self.pushes[usize::from(self.graph.layers[layer].phase)].iter().copied().collect()
    }

    /// The layers to which a turn may lead from a layer.
    pub fn layers_after(&self, layer: usize) -> Vec<usize> {
        self.after[layer].iter().flatten().flatten().copied().collect()
    }

    /// The layer groups inside which play can continue forever.
    pub fn cycles(&self) -> Vec<Range<usize>> {
        let groups = divided(self.after.len(), |layer| self.layers_after(layer).into_iter().min());
        let stays = |group: &Range<usize>| {
            let mut after = group.clone().flat_map(|layer| self.layers_after(layer));
            after.any(|layer| group.contains(&layer))
        };
        groups.into_iter().filter(stays).collect()
    }

    /// The word of a side with these pieces on the board and `in_hand` pieces in hand.
    pub fn word(&self, pieces: &Pieces, in_hand: u8) -> u64 {
        let order = || AGED | pieces.order(|cell| cell) << SHIFT;
        let above = if self.has_ages { order() } else { u64::from(in_hand) << SHIFT };
        if self.has_ages && pieces.set == 0 { 0 } else { pieces.set | above }
    }

    /// Returns true if a side with the pieces `set` has made a line.
    #[inline]
    pub fn has_line(&self, set: u64) -> bool {
        self.lines.iter().any(|&(line, with)| line & !set == 0 && with & set == 0)
    }

    /// Returns true if the arrangement is not a position: the mover owns a line, but in this game a line ends the game for the side that
    /// makes it.
    #[inline]
    pub fn is_none(&self, mover: &Pieces) -> bool {
        self.graph.lines_end() && self.has_line(mover.set)
    }

    /// The score of a position that is over by a line or because its layer has ended; otherwise `None`. Moves are not tested.
    #[inline]
    pub fn finished(&self, layer: usize, Sides { mover, waiter }: &Sides) -> Option<Score> {
        let line = self.graph.line;
        if self.graph.own_lines && self.has_line(mover.set) {
            return Some(score(match line {
                Value::Win => Value::Loss,
                Value::Draw => Value::Draw,
                Value::Loss => Value::Win,
            }));
        }
        if !self.graph.may_take() && self.has_line(waiter.set) {
            return Some(score(line));
        }
        self.graph.layers[layer].ended.then_some(score(Value::Loss))
    }

    /// The score of a position without moves.
    pub fn blocked(&self, Sides { mover, waiter }: &Sides) -> Score {
        let is_full = mover.set | waiter.set == self.board;
        let value = match self.graph.full.filter(|_| is_full).unwrap_or(self.graph.blocked) {
            Stuck::Win => Value::Win,
            Stuck::Loss => Value::Loss,
            Stuck::Draw | Stuck::Pass => Value::Draw,
        };
        score(value)
    }

    /// Visits the position after each turn with its layer, until the visitor fails. The layer is `None` if the graph does not have it.
    #[inline]
    pub fn each<E>(
        &self,
        layer: usize,
        sides: &Sides,
        visit: &mut impl FnMut(Option<usize>, Sides) -> Result<(), E>,
    ) -> Result<(), E> {
        let Sides { mover, waiter } = sides;
        let (after, phase) = (&self.after[layer], usize::from(self.graph.layers[layer].phase));
        let (mut may_pass, mut is_blocked) = (false, true);
        for (step, push) in self.graph.phases[phase].iter().zip(&self.pushes[phase]) {
            match step.effect {
                Effect::Pass => may_pass = true,
                Effect::Push { path: _ } => {
                    if let Some(push) = push.filter(|push| waiter.set >> push.from & 1 == 0) {
                        is_blocked = false;
                        let is_new = mover.set >> push.from & 1 == 0;
                        let own = push.images.apply(mover.set) | step.to;
                        let sides = Sides::of(push.images.apply(waiter.set), own);
                        visit(after[usize::from(is_new)][0], sides)?;
                    }
                }
                Effect::Move | Effect::Replace { .. } => {
                    for to in cells(targets(step, sides)) {
                        is_blocked = false;
                        let (own, is_new) = self.moved(step, mover, to);
                        self.take(&after[usize::from(is_new)], &own, waiter, to, visit)?;
                    }
                }
            }
        }
        if may_pass || is_blocked && self.graph.blocked == Stuck::Pass {
            visit(after[0][0], Sides { mover: *waiter, waiter: *mover })?;
        }
        Ok(())
    }

    /// The mover's pieces after a piece has gone to the cell `to`, and true if there is one piece more than before.
    #[inline]
    fn moved(&self, step: &Step, mover: &Pieces, to: u8) -> (Pieces, bool) {
        if !self.has_ages {
            let from = step.from.map_or(0, |from| 1 << from);
            return (Pieces::of(mover.set & !from | 1 << to), from == 0);
        }
        let mut own = *mover;
        let stays = match step.effect {
            Effect::Replace { oldest: Oldest::AfterLines } => self.has_line(mover.set | 1 << to),
            Effect::Replace { oldest: Oldest::First | Oldest::BeforeLines } => false,
            Effect::Move | Effect::Push { .. } | Effect::Pass => true,
        };
        if !stays {
            own.remove_oldest();
        }
        own.add_newest(to);
        (own, stays)
    }

    /// Visits the positions after a piece has gone to the cell `to`, after which the mover has the pieces `own`: one position for each
    /// piece or pair of pieces that may be taken, or one position if nothing is taken.
    #[inline]
    fn take<E>(
        &self,
        after: &[Option<usize>; 3],
        own: &Pieces,
        waiter: &Pieces,
        to: u8,
        visit: &mut impl FnMut(Option<usize>, Sides) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut visit =
            |taken: usize, left| visit(after[taken], Sides { mover: left, waiter: *own });
        let (victims, most) = match self.graph.takes {
            Some(takes) if self.made_at(own.set, to).next().is_some() => {
                (self.victims(takes, waiter.set), takes.most())
            }
            _ => (0, 0),
        };
        if victims == 0 {
            return visit(0, *waiter);
        }
        let is_two = most > 1 && !victims.is_power_of_two() && self.makes_two(own.set, to);
        for victim in cells(victims) {
            let left = waiter.set & !(1 << victim);
            if !is_two {
                visit(1, Pieces::of(left))?;
                continue;
            }
            for second in cells(victims).take_while(|&second| second < victim) {
                visit(2, Pieces::of(left & !(1 << second)))?;
            }
        }
        Ok(())
    }

    /// Returns true if a side with the pieces `set` has made two different lines through a cell.
    fn makes_two(&self, set: u64, cell: u8) -> bool {
        let mut lines = self.made_at(set, cell);
        let first = lines.next();
        lines.any(|line| Some(line) != first)
    }

    /// The lines through a cell that a side with the pieces `set` has made.
    #[inline]
    fn made_at(&self, set: u64, cell: u8) -> impl Iterator<Item = u64> {
        let is_made = move |&&(line, with): &&(u64, u64)| line & !set == 0 && with & set == 0;
        self.through[usize::from(cell)].iter().filter(is_made).map(|line| line.0)
    }

    /// The pieces of a set that may be taken.
    pub fn victims(&self, takes: Takes, set: u64) -> u64 {
        let outside = cells(set).filter(|&cell| self.made_at(set, cell).next().is_none());
        let outside = outside.fold(0, |outside, cell| outside | 1 << cell);
        match takes {
            Takes::Any | Takes::TwoAny => set,
            Takes::Outside | Takes::TwoOutside => outside,
            Takes::OutsideFirst | Takes::TwoOutsideFirst => {
                [set, outside][usize::from(outside != 0)]
            }
        }
    }
}

/// The layers after a turn of a layer; `None` where no step leads.
fn after(graph: &LayerGraph, layer: &Layer) -> After {
    let Layer { counts, hands, phase, .. } = *layer;
    let steps = &graph.phases[usize::from(phase)];
    // Tests if a step can have `new` new pieces. A step that replaces the oldest piece can have one too, because a line may end the game
    // before the oldest piece leaves.
    let leads = |new| {
        move |step: &Step| match step.effect {
            Effect::Move => new == i32::from(step.from.is_none()),
            Effect::Pass => new == 0,
            Effect::Push { .. } | Effect::Replace { .. } => true,
        }
    };
    let may_pass = graph.blocked == Stuck::Pass;
    let kinds = [steps.iter().any(leads(0)) || may_pass, steps.iter().any(leads(1))];
    let find = |new: u8, taken: u8| {
        let is_possible = kinds[usize::from(new)] && taken <= graph.takes.map_or(0, Takes::most);
        let mover = counts.waiter.checked_sub(taken).filter(|_| is_possible)?;
        let counts = Counts { mover, waiter: counts.mover + new };
        let hands = Counts { mover: hands.waiter, waiter: hands.mover.saturating_sub(new) };
        graph.layers.iter().position(|layer| (layer.counts, layer.hands) == (counts, hands))
    };
    [0, 1].map(|new| [0, 1, 2].map(|taken| find(new, taken)))
}

/// The cells to which a step may bring a piece that is not pushed in.
#[inline]
fn targets(step: &Step, Sides { mover, waiter }: &Sides) -> u64 {
    let Step { from, to, condition: Condition { clear, own, other, taken }, effect } = *step;
    let has_piece = from.is_none_or(|from| mover.set >> from & 1 == 1);
    let mut occupied = mover.set | waiter.set;
    if clear & occupied != 0 || taken & !occupied != 0 {
        return 0;
    }
    if own & !mover.set != 0 || other & !waiter.set != 0 {
        return 0;
    }
    if effect == (Effect::Replace { oldest: Oldest::First }) && mover.set != 0 {
        occupied &= !(1 << mover.ages[0]);
    }
    if has_piece { to & !occupied } else { 0 }
}

/// The score of a finished game. The proof does not take it from the core.
fn score(value: Value) -> Score {
    match value {
        Value::Win => Score::Win { plies: Some(0) },
        Value::Draw => Score::Draw { kind: DrawKind::End },
        Value::Loss => Score::Loss { plies: Some(0) },
    }
}
