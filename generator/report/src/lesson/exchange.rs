//! Exchanges of single moves that make a closed set smaller.

use super::graph::Node;
use super::growing::Growing;
use std::collections::HashSet;
use xxhash_rust::xxh3::xxh3_64;

/// Maximum number of visited positions: about two seconds.
const STEPS: u64 = 200_000_000;

/// Number of rounds without a smaller set after which the exchanges end.
const ROUNDS: u32 = 100;

/// Number of choices that are changed at random before a round.
const CHANGED: u64 = 4;

/// Makes a closed set smaller. A round changes some choices at random, and then exchanges one choice after another until the set
/// stops shrinking. The random numbers are the same in every run, and so are the lessons.
pub(super) fn exchange(nodes: &[Node], set: Vec<u32>) -> Vec<u32> {
    let members: HashSet<u32> = set.iter().copied().collect();
    let option = |node: &Node| {
        let chosen = node.next.iter().find(|next| members.contains(next));
        chosen.or(node.next.first()).copied().unwrap_or(0)
    };
    let choices = nodes.iter().map(option).collect();
    let mut plan = Plan { choices, search: Growing::new(nodes), round: 0 };
    let (mut best, mut idle) = (plan.improved(set), 0);
    while idle < ROUNDS && plan.search.steps < STEPS {
        let before = plan.choices.clone();
        plan.change(&best);
        let set = plan.set(usize::MAX).unwrap_or_default();
        let set = plan.improved(set);
        idle = if set.len() < best.len() { 0 } else { idle + 1 };
        match set.len() <= best.len() {
            true => best = set,
            false => plan.choices = before,
        }
    }
    best
}

/// A plan: for each node, the option that the owner chooses there.
struct Plan<'g> {
    choices: Vec<u32>,
    search: Growing<'g>,
    /// Number of sets made so far, the seed of random numbers.
    round: u32,
}

impl Plan<'_> {
    /// Exchanges the option of one choice after another, and keeps each exchange that does not make the set larger. An exchange that
    /// keeps the size may permit another exchange that reduces it.
    fn improved(&mut self, mut set: Vec<u32>) -> Vec<u32> {
        loop {
            let before = set.len();
            for node in set.clone() {
                let Node { is_own: true, next, .. } = &self.search.nodes[node as usize] else {
                    continue;
                };
                for &option in next {
                    let old = std::mem::replace(&mut self.choices[node as usize], option);
                    match self.set(set.len()).filter(|_| option != old) {
                        Some(smaller) => set = smaller,
                        None => self.choices[node as usize] = old,
                    }
                    if self.search.steps >= STEPS {
                        return set;
                    }
                }
            }
            if set.len() == before {
                return set;
            }
        }
    }

    /// Changes some choices of a set at random.
    fn change(&mut self, set: &[u32]) {
        let is_choice = |node: &u32| {
            let Node { is_own, next, .. } = &self.search.nodes[*node as usize];
            *is_own && next.len() > 1
        };
        let choices: Vec<u32> = set.iter().copied().filter(is_choice).collect();
        for index in 0..CHANGED {
            let number = xxh3_64(&[u64::from(self.round), index].map(u64::to_le_bytes).concat());
            let Some(&node) = choices.get(number as usize % choices.len().max(1)) else { return };
            let next = &self.search.nodes[node as usize].next;
            self.choices[node as usize] = next[(number >> 32) as usize % next.len()];
        }
    }

    /// The closed set of the plan; `None` if it has more than `most` members. A choice that has an option in
    /// the set gets no second option.
    fn set(&mut self, most: usize) -> Option<Vec<u32>> {
        self.round += 1;
        let (search, end) = (&mut self.search, most.saturating_add(1));
        search.undo(0, 0);
        search.add_until(0, end);
        search.answer(end, |_, node| self.choices[node as usize]);
        (search.trail.len() < end).then(|| search.trail.clone())
    }
}
