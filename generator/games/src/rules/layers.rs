//! The layers of a game, compiled from its rules.
//!
//! Turns valid rules into a [`LayerGraph`], which says by steps how the game is played. On 3×3 with three pieces each that then slide,
//! it has seven layers. In the first six, a piece is placed and the next layer follows. In the last one, pieces slide, and the
//! positions after a move are in the same layer.

use super::data::{Mills, Movement, Rules, Travel};
use morpion_core::{Counts, Layer, LayerGraph, Oldest, Over, Side, Step, Stuck, Value};
use std::collections::BTreeMap;

/// The layers of valid rules in canonical form.
pub(super) fn graph_of(rules: &Rules) -> LayerGraph {
    let mills = rules.mills;
    let mut graph = LayerGraph {
        phases: Vec::new(),
        layers: Vec::new(),
        line: if rules.misere { Value::Win } else { Value::Loss },
        blocked: Stuck::Draw,
        blocked_reason: Over::Full,
        full: mills.and_then(|mills| mills.full),
        takes: mills.map(|mills| mills.takes),
        own_lines: rules.pushes(),
    };
    if let Some(movement) = &rules.movement {
        (graph.blocked, graph.blocked_reason) = (movement.stuck, Over::Stuck);
    }
    let mut builder = Builder { rules, board: (1 << rules.board.cells()) - 1, graph };
    builder.add_layers();
    builder.graph
}

/// A graph to which layers are added.
struct Builder<'r> {
    rules: &'r Rules,
    board: u64,
    graph: LayerGraph,
}

impl Builder<'_> {
    /// Adds the layers to which moves may lead, or, if pieces are pushed, those with all numbers of pieces. Layers that lead to each
    /// other are neighbours, and the layers after a move come later.
    fn add_layers(&mut self) {
        let (rules, board) = (self.rules, self.board);
        let all = all_pieces(rules);
        let hands = Counts { mover: all.div_ceil(2), waiter: all / 2 };
        let mut found = Vec::from([Stage { counts: Counts::default(), hands }]);
        if rules.start.is_some() {
            found = Vec::from([Stage { counts: hands, hands: Counts::default() }]);
        } else if rules.pushes() {
            let all = |total: u8| (0..=total).map(move |mover| (mover, total - mover));
            let all = (0..=board.count_ones() as u8).flat_map(all);
            found = all
                .map(|(mover, waiter)| Stage { counts: Counts { mover, waiter }, hands })
                .collect();
        }
        let mut stages: BTreeMap<_, Stage> = BTreeMap::new();
        while let Some(stage) = found.pop() {
            if stages.insert(stage.place(rules), stage).is_none() {
                found.extend(stage.after(rules, board));
            }
        }
        for stage in stages.values() {
            let ended = stage.has_ended(rules);
            let phase = self.phase(if ended { Vec::new() } else { stage.steps(rules, board) });
            let turn = [Side::X, Side::O][usize::from(stage.placed(rules) % 2)];
            let turn = (!ended && !stage.may_move(rules)).then_some(turn);
            // The pieces on the board determine the others, unless lines take.
            let hands = if rules.mills.is_some() { stage.hands } else { Counts::default() };
            let counts = stage.counts;
            self.graph.layers.push(Layer { counts, hands, phase, next: None, turn, ended });
        }
    }

    /// The index of a phase with these steps.
    fn phase(&mut self, steps: Vec<Step>) -> u8 {
        let index = self.graph.phases.iter().position(|phase| *phase == steps);
        index.unwrap_or_else(|| {
            self.graph.phases.push(steps);
            self.graph.phases.len() - 1
        }) as u8
    }
}

/// The numbers of pieces on the board and in hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Stage {
    counts: Counts,
    hands: Counts,
}

impl Stage {
    /// The order of play: fewer pieces in hand; then fewer on the board if lines take, and more otherwise; then a side to
    /// move with more pieces than the other.
    fn place(&self, rules: &Rules) -> impl Ord + Copy + use<> {
        let Stage { counts, hands } = *self;
        let total = counts.mover + counts.waiter;
        let turned = (other_way(counts), other_way(hands));
        let pair = turned.min((counts, hands));
        (self.placed(rules), if rules.mills.is_some() { !total } else { total }, pair, turned)
    }

    /// Number of pieces that are not in hand anymore.
    fn placed(&self, rules: &Rules) -> u8 {
        all_pieces(rules) - self.hands.mover - self.hands.waiter
    }

    /// Returns true if no move follows: a side with too few pieces, or a line that was made with a piece more than a side has.
    fn has_ended(&self, rules: &Rules) -> bool {
        let is_few = |mills: &Mills| self.hands.mover == 0 && self.counts.mover < mills.least;
        let is_more = |each: u8| self.counts.waiter > each;
        rules.mills.as_ref().is_some_and(is_few) || rules.pieces.is_some_and(is_more)
    }

    /// Returns true if a piece on the board may move, or pieces are pushed.
    fn may_move(&self, rules: &Rules) -> bool {
        let is_mixed = rules.mills.is_some_and(|mills| mills.mixed);
        rules.movement.is_some() && (is_mixed || self.hands.mover == 0)
    }

    /// The stages after a move.
    fn after(&self, rules: &Rules, board: u64) -> Vec<Stage> {
        let mut after = Vec::new();
        if self.has_ended(rules) {
            return after;
        }
        let (counts, hands) = (other_way(self.counts), other_way(self.hands));
        let shortest = rules.lines.iter().map(|line| line.count_ones()).min().unwrap_or(0);
        let mut add = |counts: Counts, hands| {
            after.push(Stage { counts, hands });
            // Two lines have a cell more than one.
            let lines = (u32::from(counts.waiter) + 1).saturating_sub(shortest);
            let most = rules.mills.map_or(0, |mills| mills.takes.most());
            for taken in 1..=most.min(counts.mover).min(lines as u8) {
                let counts = Counts { mover: counts.mover - taken, ..counts };
                after.push(Stage { counts, hands });
            }
        };
        let is_full = u32::from(counts.mover + counts.waiter) >= board.count_ones();
        let placed = Counts { waiter: counts.waiter + 1, ..counts };
        if self.may_move(rules) && counts.waiter > 0 {
            add(counts, hands);
        }
        if hands.waiter > 0 && !is_full {
            add(placed, Counts { waiter: hands.waiter - 1, ..hands });
        }
        // A line may be made with the piece that is placed before the oldest one goes.
        let is_last = rules.oldest == Some(Oldest::AfterLines) && hands == Counts::default();
        if (rules.pushes() || is_last) && !is_full {
            add(placed, hands);
        }
        after
    }

    fn steps(&self, rules: &Rules, board: u64) -> Vec<Step> {
        let Stage { counts, hands } = *self;
        let mills = rules.mills.as_ref();
        let mut steps = Vec::new();
        if hands.mover > 0 {
            steps = placement(rules, board, self.placed(rules));
        }
        // Without a piece on the board none is lifted, also for a pass.
        let may_move = self.may_move(rules) && (mills.is_none() || counts.mover > 0);
        if let Some(movement) = rules.movement.as_ref().filter(|_| may_move) {
            let flies = mills.is_some_and(|mills| hands.mover == 0 && counts.mover <= mills.fly);
            let to = if flies { &Travel::Any } else { &movement.to };
            steps.extend(movement_steps(rules, movement, to, board));
        }
        steps
    }
}

/// Number of pieces that both sides place; 0 if pieces are pushed in.
fn all_pieces(rules: &Rules) -> u8 {
    let cells = if rules.pushes() { 0 } else { rules.board.cells() as u8 };
    rules.pieces.map_or(cells, |each| 2 * each)
}

/// The numbers as the other side sees them.
fn other_way(Counts { mover, waiter }: Counts) -> Counts {
    Counts { mover: waiter, waiter: mover }
}

/// The placement of a piece after so many others.
fn placement(rules: &Rules, board: u64, ply: u8) -> Vec<Step> {
    let opening = rules.opening.filter(|opening| u32::from(ply) < opening.during.plies());
    let allowed = Step::place(board & !opening.map_or(0, |opening| opening.forbidden));
    Vec::from_iter((allowed.to != 0).then_some(allowed))
}

/// The moves of pieces that go where `to` says.
fn movement_steps(rules: &Rules, movement: &Movement, to: &Travel, board: u64) -> Vec<Step> {
    if let Some(oldest) = rules.oldest {
        return Vec::from([Step::replace(board, oldest)]);
    }
    let cells = 0..board.count_ones() as u8;
    let mut steps: Vec<Step> = cells.map(|cell| Step::shift(cell, board & !(1 << cell))).collect();
    match to {
        Travel::Any => {}
        Travel::Steps(moves) => steps.clone_from(&moves.steps),
        Travel::Push => steps = pushes(rules),
    }
    steps.retain(|step| step.to != 0);
    if movement.stay {
        steps.push(Step::PASS);
    }
    steps
}

/// The pushes of a grid: from each cell of the border to the other ends of its row and of its column.
fn pushes(rules: &Rules) -> Vec<Step> {
    let Some((rows, columns)) = rules.board.grid() else { return Vec::new() };
    let cell = |row: u8, column: u8| row * columns + column;
    let mut steps = Vec::new();
    let mut push = |from: u8, to: u8, stride: u8| {
        let path = (from.min(to)..=from.max(to)).step_by(stride.into());
        let path = path.fold(0, |path, cell| path | 1 << cell);
        steps.push(Step::push(from, to, path));
    };
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let is_end = |place: u8, length: u8| place == 0 || place + 1 == length;
        if !is_end(row, rows) && !is_end(column, columns) {
            continue;
        }
        let from = cell(row, column);
        let ends = [cell(0, column), cell(row, 0), cell(row, columns - 1), cell(rows - 1, column)];
        for to in ends.into_iter().filter(|&to| to != from) {
            push(from, to, if to % columns == column { columns } else { 1 });
        }
    }
    steps
}
