//! The smallest set of positions that contains an answer of the owner to every move of the other side.
//!
//! The search branches on the positions in which the owner has a choice. It leaves a branch when its set
//! would have at least as many positions as the smallest set so far.

use super::exchange::exchange;
use super::graph::Node;
use super::growing::Growing;
use std::cmp::Reverse;
use std::collections::HashSet;

/// Maximum number of positions of a graph that is searched. In a larger graph, the set of the first descent is only improved by
/// exchanges.
const SEARCHED: usize = 3_000;

/// Maximum number of steps of a search, each of which visits a position: about a second.
const STEPS: u64 = 100_000_000;

/// Maximum number of positions that are counted to compare two moves in the first descent.
const COMPARED: usize = 200;

/// Searches for a closed set with as few members as possible. Also returns a lower bound of the size of every closed set.
pub(super) fn closed_set(nodes: &[Node]) -> (HashSet<u32>, usize) {
    let mut search = Growing::new(nodes);
    search.add(0);
    let mut at_least = search.trail.len();
    search.answer(usize::MAX, Growing::cheapest);
    let mut best = exchange(nodes, search.trail.clone());
    search.undo(0, 0);
    search.add(0);
    if nodes.len() <= SEARCHED {
        let more = search.bound().map_or(0, |bound| bound.more);
        at_least = search.trail.len() + more;
        search.branch(&mut best);
        if search.steps < STEPS {
            at_least = best.len();
        }
    }
    (best.into_iter().collect(), at_least)
}

/// The cost of completing a set, and the choice to try next.
struct Bound {
    /// A lower bound of the number of positions that every completion adds.
    more: usize,
    /// The options of the choice whose cheapest option adds most. The cheapest option comes first.
    options: Vec<u32>,
}

impl Growing<'_> {
    /// Lists the positions that an option would add, up to `most` of them.
    fn added_by(&mut self, option: u32, most: usize) -> Vec<u32> {
        let (trail, open) = (self.trail.len(), self.open.len());
        self.add_until(option, trail.saturating_add(most));
        let added = self.trail[trail..].to_vec();
        self.undo(trail, open);
        added
    }

    /// The option of a choice that adds fewest positions.
    fn cheapest(&mut self, node: u32) -> u32 {
        let options = self.nodes[node as usize].next.iter().copied();
        options.min_by_key(|&option| self.added_by(option, COMPARED).len()).unwrap_or_default()
    }

    /// Adds the positions that every option of a choice adds, and bounds the number of positions that are still needed after
    /// them. `None` if the set is closed.
    fn bound(&mut self) -> Option<Bound> {
        let mut at = 0;
        while at < self.open.len() {
            let node = self.open[at];
            let common = if self.is_unanswered(node) { self.common(node) } else { Vec::new() };
            at = if common.is_empty() { at + 1 } else { 0 };
            common.into_iter().for_each(|node| self.add(node));
        }
        self.disjoint()
    }

    /// Lists the positions that every option of a choice adds.
    fn common(&mut self, node: u32) -> Vec<u32> {
        let mut options = self.nodes[node as usize].next.iter();
        let mut common =
            options.next().map_or(Vec::new(), |&first| self.added_by(first, usize::MAX));
        for &option in options {
            if common.is_empty() {
                break;
            }
            let added: HashSet<u32> = self.added_by(option, usize::MAX).into_iter().collect();
            common.retain(|node| added.contains(node));
        }
        common
    }

    /// Sums the numbers of positions that cheapest options add, over choices whose options add no common position.
    fn disjoint(&mut self) -> Option<Bound> {
        let unanswered: Vec<u32> =
            self.open.iter().copied().filter(|&node| self.is_unanswered(node)).collect();
        let (mut more, mut used) = (0, vec![false; self.nodes.len()]);
        // The positions that each option of a choice adds, the cheapest option first.
        let mut choices: Vec<Vec<Vec<u32>>> = Vec::new();
        for node in unanswered {
            let options = &self.nodes[node as usize].next;
            let mut added: Vec<Vec<u32>> =
                options.iter().map(|&option| self.added_by(option, usize::MAX)).collect();
            added.sort_by_key(Vec::len);
            choices.push(added);
        }
        choices.sort_by_key(|added| Reverse(added[0].len()));
        for added in &choices {
            self.steps += 1;
            if added.iter().flatten().all(|&node| !used[node as usize]) {
                more += added[0].len();
                added.iter().flatten().for_each(|&node| used[node as usize] = true);
            }
        }
        // If an option also adds another option, the other option alone is at least as good.
        let added = choices.first()?;
        let first = |at: usize| added[at][0];
        let is_needed = |at: &usize| {
            (0..added.len()).all(|other| {
                other == *at
                    || !added[*at].contains(&first(other))
                    || (other > *at && added[other].contains(&first(*at)))
            })
        };
        let options = (0..added.len()).filter(is_needed).map(first).collect();
        Some(Bound { more, options })
    }

    /// Tries all options of a choice, and after each option the options of the next choices. `best` is the smallest closed set so far.
    fn branch(&mut self, best: &mut Vec<u32>) {
        let (trail, open) = (self.trail.len(), self.open.len());
        match self.bound() {
            _ if self.steps >= STEPS => {}
            None if self.trail.len() < best.len() => best.clone_from(&self.trail),
            Some(Bound { more, options }) if self.trail.len() + more < best.len() => {
                for option in options {
                    let (trail, open) = (self.trail.len(), self.open.len());
                    self.add(option);
                    self.branch(best);
                    self.undo(trail, open);
                }
            }
            _ => {}
        }
        self.undo(trail, open);
    }
}
