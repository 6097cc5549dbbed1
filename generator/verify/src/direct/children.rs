//! The best child of each position with one waiter, in games whose lines take pieces.
//!
//! A turn that takes nothing keeps the waiter's cells, and the waiter moves next. If these cells are a representative, the children of all
//! positions with this waiter are one row, in the order of the mover's sets after the turn. If a piece is taken, the children are in the
//! row of the remaining cells, with one such row for each piece that can be taken.

use super::buffers::{Buffers, Lined};
use super::folded::{Folded, Waiter};
use super::shifts::Shifts;
use crate::halves::{Halves, Ranks, Run};
use crate::proof::Proof;
use crate::turns::{Pieces, Sides};
use morpion_core::{Condition, Counts, Damage, Effect, ProbeError, Step, Takes, rank::cells};

/// The turns of a layer, either all with a new piece or all without one.
pub(super) struct Children<'a> {
    folded: &'a Folded<'a>,
    takes: Takes,
    /// The positions after a turn that takes nothing.
    keeping: After,
    /// The positions after a turn that takes a piece; `None` if there is no such turn.
    taking: Option<After>,
    /// The moves.
    steps: Vec<Step>,
    /// The mover's sets after a turn, as sets of numbers of the cells that the waiter leaves.
    sets: Halves,
    shifts: Shifts,
    /// Ranks of the mover's sets after a turn, among the cells that the waiter leaves after one of its pieces is taken.
    wider: Ranks,
}

/// The positions after a turn.
#[derive(Clone, Copy)]
enum After {
    /// The layer of the positions.
    Layer(usize),
    /// The game is over: the preference of all positions.
    Over(u16),
}

impl<'a> Children<'a> {
    /// The turns of a layer, those with a new piece apart from the others. `None` if lines do not take, if two lines take two pieces, if
    /// some turn pushes, passes or has a condition, or if pieces age.
    pub fn of_layer(folded: &'a Folded) -> Option<Vec<Children<'a>>> {
        let (Proof { keys, .. }, layer) = (folded.proof, folded.layer);
        let graph = &keys.turns.graph;
        let has_other = |step: &Step| match step.effect {
            Effect::Move => step.condition != Condition::EMPTY,
            Effect::Push { .. } | Effect::Replace { .. } | Effect::Pass => true,
        };
        let other = graph.own_lines || graph.passes_if_blocked();
        if other || graph.steps(layer).iter().any(has_other) {
            return None;
        }
        let takes = graph.takes.filter(|takes| takes.most() == 1)?;
        let Counts { mover, waiter } = graph.layers[layer].counts;
        let left = u32::from(keys.table.game().cells() - waiter);
        let mut all = Vec::new();
        for is_new in [false, true] {
            let steps = graph.steps(layer).iter().filter(|step| step.from.is_none() == is_new);
            let steps: Vec<Step> = steps.copied().collect();
            if steps.is_empty() {
                continue;
            }
            let [keeping, taking, _] = keys.turns.after[layer][usize::from(is_new)];
            let taking = match taking {
                Some(layer) => Some(After::of(folded.proof, layer)?),
                None => None,
            };
            let after = u32::from(mover) + u32::from(is_new);
            all.push(Children {
                folded,
                takes,
                keeping: After::of(folded.proof, keeping?)?,
                taking,
                steps,
                sets: Halves::new(left, after),
                shifts: Shifts::new(&folded.sets, Ranks::new(left, after)),
                wider: Ranks::new(left + 1, after),
            });
        }
        Some(all)
    }

    /// Raises the entry in `best` of each set of the mover to the greatest preference among the children of this set.
    pub fn raise(&self, waiter: &Waiter, buffers: &mut Buffers) -> Result<(), ProbeError> {
        self.read_keeping(waiter, &mut buffers.values)?;
        self.find_lined(waiter, buffers);
        self.read_taking(waiter, buffers)?;
        let Buffers { best, values, lined, .. } = buffers;
        let before = &self.folded.sets;
        let number = |cell: u8| (waiter.left & ((1 << cell) - 1)).count_ones();
        for to in 0..waiter.left.count_ones() {
            let cell = waiter.cells[to as usize];
            for set in lined.iter() {
                let takes = set.cells >> to & 1 == 1;
                values[set.rank] = if takes { set.taking } else { set.keeping };
            }
            for step in self.steps.iter().filter(|step| step.to >> cell & 1 == 1) {
                if step.from.is_none_or(|from| waiter.left >> from & 1 == 1) {
                    self.shifts.raise(before, step.from.map(number), to, values, best);
                }
            }
        }
        Ok(())
    }

    /// Reads the preferences of the children if nothing is taken into `values`, by the rank of the mover's set after the turn.
    fn read_keeping(&self, waiter: &Waiter, values: &mut Vec<u16>) -> Result<(), ProbeError> {
        match self.keeping {
            After::Layer(layer) => {
                values.clear();
                let Folded { codes, proof, .. } = self.folded;
                codes.row(layer, waiter.row, values)?;
                values.iter_mut().for_each(|code| *code = proof.scale.preference(*code));
            }
            After::Over(preference) => {
                values.clear();
                values.resize(self.sets.len(), preference);
            }
        }
        Ok(())
    }

    /// Lists the mover's sets with lines; none if no piece of the waiter can be taken.
    fn find_lined(&self, waiter: &Waiter, Buffers { values, lined, .. }: &mut Buffers) {
        lined.clear();
        let turns = &self.folded.proof.keys.turns;
        if turns.victims(self.takes, waiter.set) == 0 {
            return;
        }
        waiter.each_lined(turns, &self.sets, |run, at, cells| {
            let Run { rank, start, .. } = self.sets.runs[run];
            let (rank, lower) = (rank + at, start + at);
            let keeping = values[rank];
            lined.push(Lined { rank, run, lower, cells, keeping, taking: 0 });
        });
    }

    /// Finds the best preference of each set with lines if a piece is taken.
    fn read_taking(&self, waiter: &Waiter, buffers: &mut Buffers) -> Result<(), ProbeError> {
        let Buffers { lined, lower, upper, .. } = buffers;
        let layer = match self.taking {
            _ if lined.is_empty() => return Ok(()),
            None => return Err(ProbeError::Damaged(Damage::Layer)),
            Some(After::Layer(layer)) => layer,
            Some(After::Over(preference)) => {
                lined.iter_mut().for_each(|set| set.taking = preference);
                return Ok(());
            }
        };
        let (Proof { keys, scale, .. }, codes) = (self.folded.proof, self.folded.codes);
        for victim in cells(keys.turns.victims(self.takes, waiter.set)) {
            let rest = waiter.set & !(1 << victim);
            let row = keys.row_of(&Pieces::of(rest)).ok_or(Damage::Map)?;
            let image = |number: u32| 1u64 << row.number(waiter.cells[number as usize]);
            self.sets.fill(lower, 0, |set, number, _| set | image(number));
            let of_run = |upper: u64| cells(upper).fold(0, |set, cell| set | image(cell.into()));
            upper.clear();
            upper.extend(self.sets.runs.iter().map(|run| of_run(run.upper)));
            for set in lined.iter_mut() {
                let column = self.wider.of(upper[set.run] | lower[set.lower]) as u64;
                let code = codes.code((layer, row.row, column))?;
                set.taking = set.taking.max(scale.preference(code));
            }
        }
        Ok(())
    }
}

impl After {
    /// The positions after a turn to `layer`; `None` if the layer has ended and its score has no code.
    fn of(Proof { keys, scale, .. }: &Proof, layer: usize) -> Option<After> {
        if !keys.turns.graph.layers[layer].ended {
            return Some(After::Layer(layer));
        }
        // Lines take pieces and do not end the game, so the score depends on the layer alone.
        let score = keys.turns.finished(layer, &Sides::of(0, 0))?;
        Some(After::Over(scale.preference(scale.of(score)?)))
    }
}
