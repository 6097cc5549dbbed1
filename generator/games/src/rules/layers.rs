//! The game of valid rules: lines in canonical form, the layers with their moves, and the start.
//!
//! Turns the rules into a [`LayerGraph`], whose steps say how the game is played. If each side places three pieces on 3×3 and then slides
//! them, the game has seven layers. In the first six, a piece is placed and the next layer follows. In the last layer, pieces slide, and
//! the positions after a move are in the same layer.

use super::data::{Mills, Movement, Rules, To};
use super::fault::Faults;
use super::lines::{Lines, normalised};
use morpion_core::{
    About, Board, Counts, Game, Layer, LayerGraph, Oldest, Over, SHIFT, Side, Start, Step, Stuck,
    Value,
};
use std::collections::BTreeMap;

/// Compiles checked rules to a game. Replaces the start in `about`.
pub(super) fn compiled(
    rules: &Rules,
    mut about: About,
    lines: &Lines,
    faults: &Faults,
) -> Option<Game> {
    let (lines, mut prolongations): (Vec<u64>, Vec<u64>) = normalised(lines).into_iter().unzip();
    if prolongations.iter().all(|&cells| cells == 0) {
        prolongations.clear();
    }
    let graph = graph_of(rules, about.board, &lines);
    let hand = graph.layers.first().map_or(0, |layer| u64::from(layer.hands.mover));
    let empty = Start { x: hand << SHIFT, o: hand << SHIFT, side: Side::X };
    about.start = rules.start.unwrap_or(empty);
    let fault = |error| faults.of("moves", format!("{error}; write fewer moves or layers"));
    Game::new(about, lines, prolongations, graph).map_or_else(fault, Some)
}

/// The layers of valid rules on a board with these lines.
fn graph_of(rules: &Rules, shape: Board, lines: &[u64]) -> LayerGraph {
    let mills = rules.mills;
    let graph = LayerGraph {
        phases: Vec::new(),
        layers: Vec::new(),
        line: if rules.misere { Value::Win } else { Value::Loss },
        blocked: rules.movement.as_ref().map_or(Stuck::Draw, |movement| movement.stuck),
        blocked_reason: if rules.movement.is_some() { Over::Stuck } else { Over::Full },
        full: mills.and_then(|mills| mills.full),
        takes: mills.map(|mills| mills.takes),
        own_lines: rules.pushes(),
    };
    let cells = if rules.pushes() { 0 } else { shape.cells() as u8 };
    let mut builder = Builder {
        rules,
        shape,
        board: (1 << shape.cells()) - 1,
        all: rules.pieces.map_or(cells, |each| 2 * each),
        shortest: lines.iter().map(|line| line.count_ones()).min().unwrap_or(0),
        graph,
    };
    builder.add_layers();
    builder.graph
}

/// A graph to which layers are added.
struct Builder<'r> {
    rules: &'r Rules,
    shape: Board,
    /// The set of all cells.
    board: u64,
    /// Number of pieces that both sides place; 0 if pieces are pushed in.
    all: u8,
    /// Number of cells of the shortest line.
    shortest: u32,
    graph: LayerGraph,
}

/// The numbers of pieces on the board and in hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Stage {
    counts: Counts,
    hands: Counts,
}

impl Builder<'_> {
    /// Adds the layers to which moves may lead. If pieces are pushed, adds the layers with all numbers of pieces. Layers that lead to each
    /// other are neighbours, and the layers after a move come later.
    fn add_layers(&mut self) {
        let rules = self.rules;
        let hands = Counts { mover: self.all.div_ceil(2), waiter: self.all / 2 };
        let mut found = Vec::from([Stage { counts: Counts::default(), hands }]);
        if rules.start.is_some() {
            found = Vec::from([Stage { counts: hands, hands: Counts::default() }]);
        } else if rules.pushes() {
            let all = |total: u8| (0..=total).map(move |mover| (mover, total - mover));
            let stage = |(mover, waiter)| Stage { counts: Counts { mover, waiter }, hands };
            found = (0..=self.board.count_ones() as u8).flat_map(all).map(stage).collect();
        }
        let mut stages: BTreeMap<_, Stage> = BTreeMap::new();
        while let Some(stage) = found.pop() {
            if stages.insert(self.place(stage), stage).is_none() {
                found.extend(self.after(stage));
            }
        }
        for &stage in stages.values() {
            let ended = self.has_ended(stage);
            let phase = self.phase(if ended { Vec::new() } else { self.steps(stage) });
            let turn = [Side::X, Side::O][usize::from(self.placed(stage) % 2)];
            let turn = (!ended && !self.may_move(stage)).then_some(turn);
            // The pieces on the board determine the pieces in hand, unless lines take.
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

    /// The key that orders stages as in play: by fewer pieces in hand, then by fewer pieces on the board if lines take, or by more pieces
    /// otherwise. Of two stages that differ only in the side to move, the stage whose side to move has more pieces comes first.
    fn place(&self, stage: Stage) -> impl Ord + Copy + use<> {
        let Stage { counts, hands } = stage;
        let total = counts.mover + counts.waiter;
        let total = if self.rules.mills.is_some() { !total } else { total };
        let turned = (other_way(counts), other_way(hands));
        (self.placed(stage), total, turned.min((counts, hands)), turned)
    }

    /// Number of pieces that are not in hand anymore.
    fn placed(&self, Stage { hands, .. }: Stage) -> u8 {
        self.all - hands.mover - hands.waiter
    }

    /// Returns true if no move follows: a side has too few pieces, or has made a line with one piece more than it may keep.
    fn has_ended(&self, Stage { counts, hands }: Stage) -> bool {
        let is_few = |mills: Mills| hands.mover == 0 && counts.mover < mills.least;
        self.rules.mills.is_some_and(is_few)
            || self.rules.pieces.is_some_and(|each| counts.waiter > each)
    }

    /// Returns true if a piece on the board may move, or pieces are pushed.
    fn may_move(&self, Stage { hands, .. }: Stage) -> bool {
        let is_mixed = self.rules.mills.is_some_and(|mills| mills.mixed);
        self.rules.movement.is_some() && (is_mixed || hands.mover == 0)
    }

    /// The stages after a move.
    fn after(&self, stage: Stage) -> Vec<Stage> {
        let (rules, mut after) = (self.rules, Vec::new());
        if self.has_ended(stage) {
            return after;
        }
        let (counts, hands) = (other_way(stage.counts), other_way(stage.hands));
        let mut add = |counts: Counts, hands| {
            after.push(Stage { counts, hands });
            // Two lines together have at least one cell more than a line.
            let lines = (u32::from(counts.waiter) + 1).saturating_sub(self.shortest);
            let most = rules.mills.map_or(0, |mills| mills.takes.most());
            for taken in 1..=most.min(counts.mover).min(lines as u8) {
                let counts = Counts { mover: counts.mover - taken, ..counts };
                after.push(Stage { counts, hands });
            }
        };
        let is_full = u32::from(counts.mover + counts.waiter) >= self.board.count_ones();
        let placed = Counts { waiter: counts.waiter + 1, ..counts };
        if self.may_move(stage) && counts.waiter > 0 {
            add(counts, hands);
        }
        if hands.waiter > 0 && !is_full {
            add(placed, Counts { waiter: hands.waiter - 1, ..hands });
        }
        // A line may be made with the new piece before the oldest piece is lifted.
        let is_last = rules.oldest == Some(Oldest::AfterLines) && hands == Counts::default();
        if (rules.pushes() || is_last) && !is_full {
            add(placed, hands);
        }
        after
    }

    fn steps(&self, stage: Stage) -> Vec<Step> {
        let (Stage { counts, hands }, mills) = (stage, self.rules.mills);
        let mut steps = Vec::new();
        if hands.mover > 0 {
            let ply = u32::from(self.placed(stage));
            let opening = self.rules.opening.filter(|opening| ply < opening.during.plies());
            let allowed = self.board & !opening.map_or(0, |opening| opening.forbidden);
            steps.extend((allowed != 0).then(|| Step::place(allowed)));
        }
        // Without a piece on the board, no piece can be lifted, not even for a pass.
        let may_move = self.may_move(stage) && (mills.is_none() || counts.mover > 0);
        if let Some(movement) = self.rules.movement.as_ref().filter(|_| may_move) {
            let flies = mills.is_some_and(|mills| hands.mover == 0 && counts.mover <= mills.fly);
            steps.extend(self.movement_steps(movement, flies));
        }
        steps
    }

    /// The moves of pieces. A piece that `flies` goes to any empty cell.
    fn movement_steps(&self, movement: &Movement, flies: bool) -> Vec<Step> {
        let board = self.board;
        if let Some(oldest) = self.rules.oldest {
            return Vec::from([Step::replace(board, oldest)]);
        }
        let mut steps = match movement.to {
            To::Push => pushes(self.shape),
            to if flies || to == To::Any => {
                let cells = 0..board.count_ones() as u8;
                cells.map(|cell| Step::shift(cell, board & !(1 << cell))).collect()
            }
            _ => movement.steps.clone(),
        };
        steps.retain(|step| step.to != 0);
        if movement.stay {
            steps.push(Step::PASS);
        }
        steps
    }
}

/// The numbers as the other side sees them.
fn other_way(Counts { mover, waiter }: Counts) -> Counts {
    Counts { mover: waiter, waiter: mover }
}

/// The pushes of a grid: from each cell of the border to the other ends of its row and of its column.
fn pushes(board: Board) -> Vec<Step> {
    let Some((rows, columns)) = board.grid() else { return Vec::new() };
    let mut steps = Vec::new();
    for from in 0..rows * columns {
        let (row, column) = (from / columns, from % columns);
        let is_end = |place: u8, length: u8| place == 0 || place + 1 == length;
        if !is_end(row, rows) && !is_end(column, columns) {
            continue;
        }
        let (left, bottom) = (from - column, (rows - 1) * columns + column);
        for to in [column, left, left + columns - 1, bottom].into_iter().filter(|&to| to != from) {
            let stride = if to % columns == column { columns } else { 1 };
            let path = (from.min(to)..=from.max(to)).step_by(stride.into());
            let path = path.fold(0, |path, cell| path | 1 << cell);
            steps.push(Step::push(from, to, path));
        }
    }
    steps
}
