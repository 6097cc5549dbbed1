//! The fields of the rules that version 2 of the format added. They follow all other fields of the header, so that these keep
//! their places. They are written only if one of them is set, so that the tables of all other games are unchanged.

use crate::error::TableError;
use crate::rules::{Movement, Point, Rules, Stuck};
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The fields in their order in the file.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Additions {
    prolongations: Vec<u64>,
    names: Vec<String>,
    layout: Vec<Point>,
}

impl Additions {
    /// Returns the added fields of the rules.
    pub(super) fn of(rules: &Rules) -> Additions {
        Additions {
            prolongations: rules.prolongations.clone(),
            names: rules.names.clone(),
            layout: rules.layout.clone(),
        }
    }

    /// Gives them back to the rules, which were read without.
    pub(super) fn give(self, rules: &mut Rules) {
        (rules.prolongations, rules.names, rules.layout) =
            (self.prolongations, self.names, self.layout);
    }
}

/// The first version of the format that can say these rules.
pub(super) fn version(rules: &Rules) -> u32 {
    let has_additions =
        !rules.prolongations.is_empty() || !rules.names.is_empty() || !rules.layout.is_empty();
    let has_choices = rules.board.holed().is_some()
        || matches!(rules.movement, Some(Movement { stuck: Stuck::Pass, .. }));
    if has_additions || has_choices { 2 } else { 1 }
}

/// Refuses rules that could have been said in an earlier version than that which was read.
pub(super) fn expect_version(rules: &Rules, read: u32) -> Result<(), TableError> {
    let expected = version(rules);
    if read == expected {
        return Ok(());
    }
    Err(TableError::header(format_args!("version {read} with rules of version {expected}")))
}
