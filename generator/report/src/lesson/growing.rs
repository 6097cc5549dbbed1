//! A set of positions that grows until it is closed.
//!
//! A set is *closed* if it contains the root, one next position of each member in which the owner moves, and all next positions
//! of the other members.

use super::graph::Node;

/// A set that is being closed.
pub(super) struct Growing<'g> {
    pub nodes: &'g [Node],
    pub members: Vec<bool>,
    /// The members in the order in which they were added.
    pub trail: Vec<u32>,
    /// Members in which the owner has a choice, in the order in which they were added.
    pub open: Vec<u32>,
    /// Number of positions that were added.
    pub steps: u64,
}

impl<'g> Growing<'g> {
    /// The empty set.
    pub fn new(nodes: &'g [Node]) -> Growing<'g> {
        let (members, steps) = (vec![false; nodes.len()], 0);
        let [trail, open] = [const { Vec::new() }; 2];
        Growing { nodes, members, trail, open, steps }
    }

    /// Adds a position, and all positions that follow from it without a choice.
    pub fn add(&mut self, node: u32) {
        self.add_until(node, usize::MAX);
    }

    /// Adds positions like [`Growing::add`], but stops when the set has `end` members.
    pub fn add_until(&mut self, node: u32, end: usize) {
        let mut todo = vec![node];
        while let Some(node) = todo.pop() {
            if self.trail.len() >= end {
                return;
            }
            if std::mem::replace(&mut self.members[node as usize], true) {
                continue;
            }
            self.trail.push(node);
            self.steps += 1;
            let Node { is_own, next, .. } = &self.nodes[node as usize];
            match *is_own && next.len() > 1 {
                true => self.open.push(node),
                false => todo.extend(next),
            }
        }
    }

    /// Removes all members except the first `trail`. Of the members that remain, `open` have a choice.
    pub fn undo(&mut self, trail: usize, open: usize) {
        self.trail[trail..].iter().for_each(|&node| self.members[node as usize] = false);
        self.trail.truncate(trail);
        self.open.truncate(open);
    }

    /// Returns true if none of the positions after this node is in the set.
    pub fn is_unanswered(&self, node: u32) -> bool {
        self.nodes[node as usize].next.iter().all(|&next| !self.members[next as usize])
    }

    /// Adds an `option` for each choice without an option in the set, one after another, until the set is closed or has `end`
    /// members.
    pub fn answer(&mut self, end: usize, option: impl Fn(&mut Self, u32) -> u32) {
        let mut at = 0;
        while at < self.open.len() && self.trail.len() < end {
            let node = self.open[at];
            if self.is_unanswered(node) {
                let option = option(self, node);
                self.add_until(option, end);
            }
            at += 1;
        }
    }
}
