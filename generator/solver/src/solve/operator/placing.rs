//! The choice of an operator for a placement layer.

use super::general::General;
use super::layer_rules::LayerRules;
use super::supersets::Supersets;
use morpion_lookup::raw::Form;

/// The operator of a placement layer.
pub(crate) enum Placing {
    /// Each piece may be placed on any empty cell of a set.
    Pieces(Supersets),
    /// Any steps.
    General(General),
}

impl Placing {
    /// The fastest operator for the steps of the layer.
    pub fn new(rules: &LayerRules) -> Placing {
        match rules.form() {
            Form::Place(_) => {
                Placing::Pieces(Supersets::new(rules.cells_left(), rules.counts.mover.into()))
            }
            Form::Free | Form::Linked(_) | Form::General => Placing::General(General::new(rules)),
        }
    }
}
