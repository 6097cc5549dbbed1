//! Judgement of a policy: its errors compared with perfect play.
//!
//! A policy is a function from positions to moves. A judgement counts its errors and their size.

use crate::errors::of_probe;
use crate::listed::read_positions;
use crate::position::{Position, read_move};
use crate::reach::Positions;
use crate::source::ask;
use crate::table::Table;
use morpion_lookup::{self as lookup, Shortfall, Side};
use pyo3::prelude::*;
use std::collections::BTreeMap;

/// Number and size of the errors of a policy; from Table.judge(policy).
///
/// >>> table = morpion.Table.builtin("classic")
/// >>> table.judge(lambda position: table.best(position)[0])
/// Judgement(4520 positions, 0 errors, 0 slow)
#[pyclass(frozen, module = "morpion", get_all)]
pub(crate) struct Judgement {
    /// Number of judged positions, all with a move to make.
    pub(crate) positions: u64,
    /// Number of moves that gave value away: a win for a draw or a loss, or a draw for a loss.
    pub(crate) errors: u64,
    /// The total value given away: 1 from a win to a draw and from a draw to a loss, 2 from a win to a loss.
    pub(crate) lost: u64,
    /// Number of moves that kept a win or a loss, but won later or lost sooner than necessary.
    pub(crate) slow: u64,
    /// The total of these half-moves.
    pub(crate) plies: u64,
    /// Number of moves that turned a value into another: {("win", "draw"): 3, …}.
    pub(crate) kinds: BTreeMap<(&'static str, &'static str), u64>,
    /// The worst faults, up to ten, the greatest first. If the same value is given away, a nearer win that is missed or a nearer loss is greater.
    pub(crate) worst: Vec<Py<Fault>>,
}

#[pymethods]
impl Judgement {
    /// The share of positions in which value was given away.
    #[getter]
    pub(crate) fn rate(&self) -> f64 {
        self.errors as f64 / self.positions.max(1) as f64
    }

    fn __repr__(&self) -> String {
        let Judgement { positions, errors, slow, .. } = self;
        format!("Judgement({positions} positions, {errors} errors, {slow} slow)")
    }
}

/// A move that was not perfect.
///
/// >>> table = morpion.Table.builtin("classic")
/// >>> table.judge(lambda position: position.legal_moves[0]).worst[0]
/// Fault('XO./XO./... x', move='c1', best=['a3'], lost=2, plies=0)
#[pyclass(frozen, module = "morpion", get_all)]
pub(crate) struct Fault {
    /// The position before the move.
    pub(crate) position: Py<Position>,
    /// The text of the move.
    pub(crate) r#move: String,
    /// Every perfect move.
    pub(crate) best: Vec<String>,
    /// The value given away: 0, 1 or 2.
    pub(crate) lost: u8,
    /// The half-moves given away, if no value was given away.
    pub(crate) plies: u16,
}

#[pymethods]
impl Fault {
    fn __repr__(&self) -> String {
        let Fault { position, r#move, best, lost, plies } = self;
        let (position, best) = (position.get().text(), best.join("', '"));
        format!(
            "Fault('{position}', move='{}', best=['{best}'], lost={lost}, plies={plies})",
            r#move
        )
    }
}

/// Number of faults that a judgement lists.
const WORST: usize = 10;

/// The positions to judge.
enum Asked {
    All(Box<Positions>),
    Listed(std::vec::IntoIter<(lookup::raw::Position, Side)>),
}

impl Asked {
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<(lookup::raw::Position, Side)>> {
        match self {
            Asked::All(positions) => positions.advance(py),
            Asked::Listed(positions) => Ok(positions.next()),
        }
    }
}

#[pymethods]
impl Table {
    /// Compares the moves of a policy with perfect play, in every position that play can reach and in which the game is not over. A
    /// policy is any function from a Position to a legal move, as text or as a Move. Raises PositionError of the kind "move" if it
    /// returns something else.
    ///
    /// For a large game, pass a sample as `positions`, any iterable.
    ///
    /// >>> first = morpion.Table.builtin("classic").judge(lambda position: position.legal_moves[0])
    /// >>> first.errors, first.lost, first.kinds
    /// (1869, 2886, {('draw', 'loss'): 514, ('win', 'draw'): 338, ('win', 'loss'): 1017})
    #[pyo3(signature = (policy, positions = None))]
    fn judge(
        &self,
        policy: &Bound<'_, PyAny>,
        positions: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Judgement> {
        let py = policy.py();
        let table = self.get(py)?;
        let mut asked = match positions {
            Some(listed) => Asked::Listed(read_positions(self.rules().get(), listed)?.into_iter()),
            None => Asked::All(Box::new(Positions::new(self.rules().bind(py))?)),
        };
        let mut judgement = Judgement {
            positions: 0,
            errors: 0,
            lost: 0,
            slow: 0,
            plies: 0,
            kinds: BTreeMap::new(),
            worst: Vec::new(),
        };
        let mut worst: Vec<(Shortfall, Py<Fault>)> = Vec::new();
        while let Some((position, side)) = asked.next(py)? {
            let ranked = ask(py, &table, |table| table.ranked_moves(position))?;
            let ranked = ranked.map_err(|error| of_probe(py, error))?;
            let Some(best) = ranked.first() else { continue };
            let object = Py::new(py, Position::new(self.rules(), py, position, side))?;
            let answer = policy.call1((object.clone_ref(py),))?;
            let mv = read_move(table.game(), position, &answer).inspect_err(|error| {
                // The error names the position, one of many.
                let _ = error.value(py).call_method1("add_note", (object.get().text(),));
            })?;
            let found = ranked.iter().find(|ranked| ranked.mv == mv).unwrap_or(best);
            judgement.positions += 1;
            let shortfall = Shortfall::of(found.score, best.score);
            if shortfall == Shortfall::default() {
                continue;
            }
            let (lost, plies) = (shortfall.steps(), shortfall.plies());
            if lost > 0 {
                let kind = (best.score.value().name(), found.score.value().name());
                *judgement.kinds.entry(kind).or_default() += 1;
                judgement.errors += 1;
                judgement.lost += u64::from(lost);
            } else {
                judgement.slow += 1;
                judgement.plies += u64::from(plies);
            }
            let place = worst.partition_point(|(before, _)| *before >= shortfall);
            if place < WORST {
                let text = |mv| table.game().format_move(mv);
                let best = ranked.best().iter().map(|best| text(best.mv)).collect();
                let fault = Fault { position: object, r#move: text(mv), best, lost, plies };
                worst.insert(place, (shortfall, Py::new(py, fault)?));
                worst.truncate(WORST);
            }
        }
        judgement.worst = worst.into_iter().map(|(_, fault)| fault).collect();
        Ok(judgement)
    }
}
