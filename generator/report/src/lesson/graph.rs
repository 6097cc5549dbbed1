//! The positions from which a lesson is chosen, one for each class of symmetric positions.

use crate::game::least::Least;
use morpion_core::{Move, Position, ProbeError};
use morpion_games::catalogue::Table;
use std::collections::HashMap;
use std::ops::Range;

/// Maximum number of classes in a graph, so that a search takes seconds and people can read the lesson. A larger graph is cut to
/// its first plies.
const LIMIT: usize = 10_000;

/// A class of symmetric positions.
pub(super) struct Node {
    /// A position of the class.
    pub position: Position,
    /// True if the owner of the lesson is to move.
    pub is_own: bool,
    /// The classes after a perfect move of the owner, or after any move of the other side. Empty if the game is over, or if its
    /// continuation is not in the graph.
    pub next: Vec<u32>,
}

/// The positions that can follow a root if the owner plays only perfect moves. The root is node 0.
pub(super) struct Graph {
    pub nodes: Vec<Node>,
    /// Number of plies that are followed, of which the last is a move of the owner; `None` if all plies are followed.
    pub plies: Option<usize>,
    index: HashMap<(Position, bool), u32>,
    least: Least,
}

impl Graph {
    /// Follows play from a root that is not lost for the owner, ply by ply.
    pub fn new(table: &Table, root: Position, is_own: bool) -> Result<Graph, ProbeError> {
        let least = Least::new(table.game().cells(), table.raw().header().symmetries.clone());
        let mut graph = Graph { nodes: Vec::new(), plies: None, index: HashMap::new(), least };
        graph.enter(root, is_own);
        // `plies` is the number of plies before `level`. `end` is the last level, with its plies, at which a lesson can end.
        let (mut level, mut plies, mut end) = (0..1, 0, (0..0, 0));
        while !level.is_empty() {
            let ends = plies > 0 && !graph.nodes[level.start].is_own;
            if ends && (end.1 == 0 || level.end <= LIMIT) {
                end = (level.clone(), plies);
            }
            if graph.nodes.len() > LIMIT && end.1 > 0 {
                graph.cut(end);
                break;
            }
            for node in level.clone() {
                let Node { position, is_own, .. } = graph.nodes[node];
                for mv in moves(table, position, is_own)? {
                    let next = graph.enter(table.game().apply(position, mv), !is_own);
                    if !graph.nodes[node].next.contains(&next) {
                        graph.nodes[node].next.push(next);
                    }
                }
            }
            (level, plies) = (level.end..graph.nodes.len(), plies + 1);
        }
        Ok(graph)
    }

    /// Removes all nodes after a level.
    fn cut(&mut self, (level, plies): (Range<usize>, usize)) {
        self.nodes.truncate(level.end);
        self.nodes[level.clone()].iter_mut().for_each(|node| node.next.clear());
        self.index.retain(|_, node| (*node as usize) < level.end);
        self.plies = Some(plies);
    }

    /// The node of a position that is in the graph.
    pub fn node(&self, position: Position, is_own: bool) -> u32 {
        self.index[&(self.least.of(position), is_own)]
    }

    fn enter(&mut self, position: Position, is_own: bool) -> u32 {
        let position = self.least.of(position);
        *self.index.entry((position, is_own)).or_insert_with(|| {
            self.nodes.push(Node { position, is_own, next: Vec::new() });
            (self.nodes.len() - 1) as u32
        })
    }
}

/// The moves that a lesson considers: the perfect moves of its owner, and all moves of the other side. Empty if the game is over.
///
/// Each perfect move of a won position brings the end nearer, so a lesson cannot wander in a circle instead of winning. Each
/// perfect move of a drawn position keeps the draw, even if play continues forever.
pub(super) fn moves(
    table: &Table,
    position: Position,
    is_own: bool,
) -> Result<Vec<Move>, ProbeError> {
    let ranked = table.ranked_moves(position)?;
    let moves = if is_own { ranked.best() } else { &ranked[..] };
    let mut moves: Vec<Move> = moves.iter().map(|ranked| ranked.mv).collect();
    moves.sort_unstable();
    Ok(moves)
}
