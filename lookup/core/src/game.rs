//! A game: its lines, its layers with their moves, and the positions that it has.
//!
//! Finds the layer of a position and its lines, or the reason why the game does not have the position. The name, the board and the start
//! are in [`About`].

use crate::about::{About, Start, is_name_of_game};
use crate::board::Board;
use crate::error::{ErrorKind, PositionError, TableError};
use crate::layers::{Layer, LayerGraph, LayerIndex, Over, Stuck};
use crate::order::{MAX_AGED, is_in_order};
use crate::position::{AGED, Counts, MAX_CELLS, Position, Side};
use crate::rank::cells;
use crate::steps::{Effect, Moves, Step, Travel};
use crate::words::Words;
use alloc::vec::Vec;

/// A game: its name, its board, its lines, its layers with their moves, and its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    lines: Vec<u64>,
    /// For each line, the cells that extend it; an empty list if no line has such cells.
    prolongations: Vec<u64>,
    full: u64,
    graph: LayerGraph,
    pub(crate) index: LayerIndex,
    /// The moves of each phase of the graph.
    moves: Vec<Moves>,
    /// True if words are sets of cells, moves change the mover's set alone, and no phase has both placements and movement.
    is_plain: bool,
    /// True if pieces age.
    has_ages: bool,
    about: About,
    fingerprint: u64,
}

/// The most lines, phases, and steps of a phase.
const LIMITS: (usize, usize, usize) = (4096, 256, 1024);

/// The moves of a layer that does not exist.
static NO_MOVES: Moves = Moves::NONE;

impl Game {
    /// The game with these lines and layers. `prolongations` has, for each line, the cells that extend it, or is empty if no line has such
    /// cells.
    ///
    /// # Errors
    /// If the moves cannot be interpreted: cells off the board, phases that do not exist, layers or steps that occur twice.
    /// If the parts contradict each other. Whether they follow from the text of the rules is not checked.
    pub fn new(
        about: About,
        lines: Vec<u64>,
        prolongations: Vec<u64>,
        mut graph: LayerGraph,
    ) -> Result<Game, TableError> {
        let cells = about.board.cells().min(255) as u8;
        let full = (1 << cells.min(MAX_CELLS)) - 1;
        let moves: Vec<Moves> = graph.phases.iter().map(|steps| Moves::new(steps, full)).collect();
        let has_ages = moves.iter().any(|moves| moves.oldest.is_some());
        let is_of_sets = |moves: &Moves| {
            moves.travel != Travel::Pushes && (moves.placements == 0 || moves.only_places())
        };
        let is_plain = graph.lines_end()
            && moves.iter().all(is_of_sets)
            && graph.layers.iter().all(|layer| layer.hands == Counts::default() && !layer.ended);
        let index = graph.index(has_ages);
        let next: Vec<Option<u16>> =
            graph.layers.iter().map(|layer| next(&graph, &moves, &index, layer)).collect();
        graph.layers.iter_mut().zip(next).for_each(|(layer, next)| layer.next = next);
        let fingerprint = about.fingerprint();
        let game = Game {
            lines,
            prolongations,
            full,
            index,
            graph,
            moves,
            is_plain,
            has_ages,
            about,
            fingerprint,
        };
        match game.contradiction(cells).or_else(|| game.about.contradiction()).or_else(|| {
            let Start { x, o, side } = game.about.start;
            let layer = game.check(Position::of_sides(x, o, side));
            let turn = layer.map(|layer| game.graph.layers.get(layer)?.turn);
            let is_start = turn.is_ok_and(|turn| turn.is_none_or(|turn| turn == side));
            (!is_start).then_some("an impossible start")
        }) {
            Some(message) => Err(TableError::header(message)),
            None => Ok(game),
        }
    }

    /// The first fault with which the moves could not be interpreted.
    fn contradiction(&self, cells: u8) -> Option<&'static str> {
        let Game { lines, prolongations, full, graph, has_ages, .. } = self;
        let (layers, phases) = (&graph.layers, &graph.phases);
        let is_off = |set: &u64| set & !full != 0;
        let is_line = |line: &u64| *line != 0 && !is_off(line);
        let most = if *has_ages { MAX_AGED } else { cells };
        let fits = |layer: &Layer| {
            let Counts { mover, waiter } = layer.counts;
            (u16::from(mover) + u16::from(waiter) <= cells.into()) && mover.max(waiter) <= most
        };
        let exists = |layer: &Layer| usize::from(layer.phase) < phases.len();
        // The age of a piece that moves, and the pieces that a push takes, are not defined.
        let is_odd = |&Step { from, to: _, condition: _, effect }: &Step| {
            *has_ages && from.is_some()
                || graph.may_take() && matches!(effect, Effect::Push { path: _ })
        };
        let is_wrong = |steps: &Vec<Step>| {
            steps.len() > LIMITS.2 || !steps.iter().all(|step| step.is_possible(*full))
        };
        let is_ordered =
            |steps: &Vec<Step>| steps.is_sorted_by(|a, b| a.place_in_phase() < b.place_in_phase());
        let are_alike = |steps: &Vec<Step>| {
            let mut kinds = steps.iter().filter_map(|step| match step.effect {
                Effect::Push { path: _ } => Some(Effect::Push { path: 0 }),
                effect @ (Effect::Move | Effect::Replace { oldest: _ }) => Some(effect),
                Effect::Pass => None,
            });
            let first = kinds.next();
            kinds.all(|kind| Some(kind) == first)
        };
        let checks = [
            (!(1..=MAX_CELLS).contains(&cells), "a board without cells or with more than 36"),
            (lines.len() > LIMITS.0 || !lines.iter().all(is_line), "lines that are none"),
            (![0, lines.len()].contains(&prolongations.len()), "cells that extend other lines"),
            (
                !prolongations.is_empty() && prolongations.iter().all(|&with| with == 0),
                "a list of cells that extend no line",
            ),
            (prolongations.iter().any(is_off), "cells that extend a line off the board"),
            (
                phases.len() > LIMITS.1 || phases.iter().any(is_wrong),
                "a move that is impossible on the board, or too many",
            ),
            (!phases.iter().all(is_ordered), "moves out of order"),
            (!phases.iter().all(are_alike), "moves of different effects in a phase"),
            (phases.iter().flatten().any(is_odd), "moving pieces that age, or pushes that take"),
            (*has_ages && self.has_hands(), "pieces that age, and others in hand"),
            (
                layers.is_empty() || !layers.iter().all(exists),
                "no layer, or a phase that does not exist",
            ),
            (!layers.iter().all(fits), "a layer with too many pieces"),
            (!graph.has_each_once(), "two layers with the same pieces"),
            (!matches!(graph.blocked_reason, Over::Full | Over::Stuck), "a reason that is none"),
            (graph.full == Some(Stuck::Pass), "a pass on a full board"),
        ];
        checks.into_iter().find_map(|(is_so, message)| is_so.then_some(message))
    }

    /// The names, the title, the drawing and the start.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The name of the game and of its table.
    #[inline]
    pub fn name(&self) -> &str {
        &self.about.name
    }

    /// The title, one line of text.
    pub fn title(&self) -> &str {
        &self.about.title
    }

    /// The shape of the board.
    pub fn board_shape(&self) -> Board {
        self.about.board
    }

    /// Returns whether a text may name a game: 1 to 64 letters, digits, `-` or `_`.
    #[doc(hidden)]
    pub fn is_name(text: &str) -> bool {
        is_name_of_game(text)
    }

    /// The fingerprint of the rules: xxh3-64 of their text in canonical form, without name and title.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Number of cells, 1 to [`MAX_CELLS`](crate::MAX_CELLS).
    pub fn cells(&self) -> u8 {
        self.full.count_ones() as u8
    }

    /// All cells.
    pub fn board(&self) -> u64 {
        self.full
    }

    /// The moves of layer number `index`; no moves if there is no such layer.
    #[inline]
    pub fn moves(&self, index: usize) -> &Moves {
        let phase = self.graph.layers.get(index).map(|layer| usize::from(layer.phase));
        phase.and_then(|phase| self.moves.get(phase)).unwrap_or(&NO_MOVES)
    }

    /// The lines, as sets of cells.
    pub fn lines(&self) -> &[u64] {
        &self.lines
    }

    /// For each line, the cells that extend it; an empty slice if no line has such cells.
    pub fn prolongations(&self) -> &[u64] {
        &self.prolongations
    }

    /// The lines, each with the cells that extend it.
    pub fn lines_with_prolongations(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let prolongations = self.prolongations.iter().copied().chain(core::iter::repeat(0));
        self.lines.iter().copied().zip(prolongations)
    }

    /// The layers with their moves.
    pub fn graph(&self) -> &LayerGraph {
        &self.graph
    }

    /// The index of the layer of a position; `None` if the game does not have the layer.
    #[inline]
    pub fn layer_of(&self, position: Position) -> Option<usize> {
        if self.is_plain {
            return self.index.get(position.counts());
        }
        self.index.find(position.counts(), position.hands())
    }

    /// The side to move in a position, if its pieces determine the side; `None` if either side may be to move, or if the game does not have
    /// the position's layer.
    pub fn turn(&self, position: impl Into<Position>) -> Option<Side> {
        self.layer_at(position.into())?.turn
    }

    /// The layer of a position; `None` if the game does not have it.
    #[inline]
    pub(crate) fn layer_at(&self, position: Position) -> Option<&Layer> {
        self.graph.layers.get(self.layer_of(position)?)
    }

    /// Returns true if all positions after the moves of a position lie in one row. This is so if no piece is in hand, ages, is taken or is
    /// pushed, and no phase has both placements and movement.
    pub fn has_children_in_one_row(&self) -> bool {
        self.is_plain
    }

    /// Returns true if pieces are pushed in from the border.
    pub fn pushes(&self) -> bool {
        self.moves.iter().any(|moves| moves.travel == Travel::Pushes)
    }

    /// Returns true if the sides begin with pieces in hand, so that words contain the number of pieces in hand.
    pub fn has_hands(&self) -> bool {
        self.graph.layers.iter().any(|layer| layer.hands != Counts::default())
    }

    /// Returns true if pieces age, so that words contain the order of the pieces.
    pub fn has_ages(&self) -> bool {
        self.has_ages
    }

    /// The form of the words in layer number `index`; [`Words::SETS`] if there is no such layer.
    pub fn words(&self, index: usize) -> Words {
        let words = |layer: &Layer| Words::new(layer.counts, layer.hands, self.has_ages);
        self.graph.layers.get(index).map_or(Words::SETS, words)
    }

    /// The cells to which a piece on `cell` may move in some phase without passing or jumping over other cells. Empty in a game without
    /// movement, and for a cell off the board.
    pub fn neighbours(&self, cell: u8) -> u64 {
        self.moves.iter().fold(0, |cells, moves| cells | moves.links(cell))
    }

    /// The pairs of linked cells, ascending, each with the lower cell first; `None` if pieces do not move along links. Pieces that jump
    /// count as moving along links.
    pub fn links(&self) -> Option<Vec<(u8, u8)>> {
        let along_links = |moves: &&Moves| match moves.travel {
            Travel::Links | Travel::Conditions => true,
            Travel::Never | Travel::Anywhere | Travel::Pushes => false,
        };
        let moves = self.moves.iter().find(along_links)?;
        let pairs = |from| cells(moves.links(from)).map(move |to| (from.min(to), from.max(to)));
        let mut links: Vec<(u8, u8)> = (0..self.cells()).flat_map(pairs).collect();
        links.sort_unstable();
        links.dedup();
        Some(links)
    }

    /// Returns whether a side's word contains a whole line and none of the cells that extend this line. Takes time for every line.
    #[inline]
    pub fn has_line(&self, set: u64) -> bool {
        self.have_lines(set, set).0
    }

    /// Returns [`Game::has_line`] of two sets. If no cell extends a line, the loop visits all lines, without branches.
    #[inline]
    pub(crate) fn have_lines(&self, a: u64, b: u64) -> (bool, bool) {
        if self.prolongations.is_empty() {
            return self.lines.iter().fold((false, false), |(of_a, of_b), &line| {
                (of_a | (line & a == line), of_b | (line & b == line))
            });
        }
        let has_line = |set| self.made_lines(set).next().is_some();
        (has_line(a), has_line(b))
    }

    /// The lines that a side with the pieces `set` has made.
    pub fn made_lines(&self, set: u64) -> impl Iterator<Item = u64> + '_ {
        let is_made = move |&(line, with): &(u64, u64)| line & set == line && with & set == 0;
        self.lines_with_prolongations().filter(is_made).map(|(line, _)| line)
    }

    /// Checks that the game has the position, and returns the number of its layer. A table of the game contains it unless this layer has
    /// [ended](crate::Layer::ended).
    ///
    /// # Errors
    /// The first fault: cells off the board, overlap, piece counts, or a line of the side to move.
    #[inline]
    pub fn check(&self, position: impl Into<Position>) -> Result<usize, PositionError> {
        let position = position.into();
        let layer = self.layer_of_arrangement(position)?;
        if self.graph.lines_end() && self.has_line(position.mover) {
            let both = self.has_line(position.waiter);
            let kind = if both { ErrorKind::BothLines } else { ErrorKind::MoverLine };
            return Err(PositionError::of_position(kind, [0; 2]));
        }
        Ok(layer)
    }

    /// The number of the layer of an arrangement, whether or not the mover owns a line.
    ///
    /// # Errors
    /// Errors of [`Game::check`], except errors about lines.
    #[inline]
    pub(crate) fn layer_of_arrangement(&self, position: Position) -> Result<usize, PositionError> {
        if !self.is_plain {
            return self.layer_of_words(position);
        }
        let Position { mover, waiter } = position;
        let is_on_board = (mover | waiter) & !self.full == 0 && mover & waiter == 0;
        let layer = self.index.get(position.counts()).filter(|_| is_on_board);
        layer.ok_or_else(|| self.misplaced(position))
    }

    /// Returns [`Game::layer_of_arrangement`] in a game that is not `is_plain`.
    #[cold]
    fn layer_of_words(&self, position: Position) -> Result<usize, PositionError> {
        let Position { mover, waiter } = position.cells();
        let is_on_board = (mover | waiter) & !self.full == 0 && mover & waiter == 0;
        // The number of pieces in hand needs no check: `layer_of` finds no layer for a wrong number.
        let is_word = |word: u64| if self.has_ages { is_in_order(word) } else { word & AGED == 0 };
        let has_words = is_word(position.mover) && is_word(position.waiter);
        let is_reached = |&index: &usize| {
            let may_be_over = self.graph.may_take() || self.has_line(position.waiter);
            self.graph.layers.get(index).is_some_and(|layer| !layer.ended || may_be_over)
        };
        let layer = self.layer_of(position).filter(|_| is_on_board && has_words);
        layer.filter(is_reached).ok_or_else(|| self.misplaced(position))
    }

    #[cold]
    fn misplaced(&self, position: Position) -> PositionError {
        let has_words = self.has_ages || self.has_hands();
        let Position { mover, waiter } = if has_words { position.cells() } else { position };
        let (kind, numbers) = if (mover | waiter) & !self.full != 0 {
            (ErrorKind::OffTheBoard, [self.cells(), 0])
        } else if mover & waiter != 0 {
            (ErrorKind::Overlap, [(mover & waiter).trailing_zeros() as u8, 0])
        } else {
            let Counts { mover, waiter } = position.counts();
            (ErrorKind::Counts, [mover, waiter])
        };
        PositionError::of_position(kind, numbers)
    }

    /// Returns true if passing is a legal move of the mover in layer number `layer`.
    #[inline]
    pub fn may_pass(&self, layer: usize, position: Position) -> bool {
        let moves = self.moves(layer);
        moves.may_pass || self.graph.passes_if_blocked() && !moves.any(position)
    }
}

/// The layer after a move that neither takes a piece nor pushes in a new one. If a phase has both placements and movement, it is the layer
/// after the movement of a piece.
fn next(graph: &LayerGraph, moves: &[Moves], index: &LayerIndex, layer: &Layer) -> Option<u16> {
    let Layer { counts, hands, phase, next: _, turn: _, ended } = *layer;
    let moves = moves.get(usize::from(phase)).filter(|_| !ended)?;
    let has_places = moves.placements != 0 && moves.oldest.is_none();
    let new = match moves.travel {
        Travel::Pushes => counts.mover == 0,
        Travel::Never => has_places,
        Travel::Anywhere | Travel::Links | Travel::Conditions => has_places && counts.mover == 0,
    };
    let has_moves = moves.origins != 0 || moves.placements != 0 || moves.may_pass;
    if !has_moves && !graph.passes_if_blocked() {
        return None;
    }
    let placed = u8::from(new);
    let counts = Counts { mover: counts.waiter, waiter: counts.mover.checked_add(placed)? };
    let hands = Counts { mover: hands.waiter, waiter: hands.mover.saturating_sub(placed) };
    index.find(counts, hands).map(|layer| layer as u16)
}
