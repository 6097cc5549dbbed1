//! Validation of rules.
//!
//! Checks rules, whether they come from a rule file or from a table's header, and names the first thing that is wrong by its
//! key in a rule file.

use crate::error::RulesError;
use crate::rules::{Rules, Stuck, Travel};
use alloc::string::String;

impl Rules {
    /// Checks that the rules are valid.
    ///
    /// # Errors
    /// The first thing that is wrong, by the name it has in a rule file.
    pub(crate) fn check(&self) -> Result<(), RulesError> {
        if !Rules::is_name(&self.name) {
            return fault("name", quoted(&self.name), "1 to 64 letters, digits, `-` or `_`");
        }
        if self.title.len() > 1024 || self.title.chars().any(char::is_control) {
            return fault("title", quoted(&self.title), "one line of at most 1,024 bytes");
        }
        self.board.check(!self.names.is_empty())?;
        let cells = self.board.cells();
        let full = (1u64 << cells) - 1;
        if self.lines.is_empty() {
            return fault("lines", "no line at all".into(), "at least one line on the board");
        }
        if self.lines.iter().any(|&line| line == 0 || line & !full != 0) {
            return fault(
                "lines",
                "an empty line or one off the board".into(),
                "lines of cells of the board",
            );
        }
        if self.lines.len() > 4096 {
            return fault(
                "lines",
                alloc::format!("{} lines", self.lines.len()),
                "at most 4,096 lines",
            );
        }
        self.check_prolongations(full)?;
        self.check_cells(cells as usize)?;
        if let Some(pieces) = self.pieces
            && (pieces == 0 || 2 * u32::from(pieces) > cells)
        {
            return fault(
                "pieces.each",
                number(pieces),
                "at least 1, and twice that no more than the cells",
            );
        }
        if let Some(movement) = &self.movement {
            if self.pieces.is_none() {
                return fault(
                    "moves",
                    "moves without pieces".into(),
                    "`[pieces]` with `each` beside `[moves]`",
                );
            }
            if let Travel::Links(links) = &movement.to
                && links.iter().any(|&(a, b)| a == b || u32::from(a.max(b)) >= cells)
            {
                return fault(
                    "moves.edges",
                    "a link off the board or to its own cell".into(),
                    "pairs of two cells",
                );
            }
        }
        self.check_opening(full)?;
        Ok(())
    }

    /// Checks what extends the lines: nothing, or for each line cells of the board outside it.
    fn check_prolongations(&self, full: u64) -> Result<(), RulesError> {
        let expected = "for each line cells of the board outside it";
        if !self.prolongations.is_empty() && self.prolongations.len() != self.lines.len() {
            let (found, lines) = (self.prolongations.len(), self.lines.len());
            return fault("lines.exact", alloc::format!("{found} for {lines} lines"), expected);
        }
        if self
            .lines_with_prolongations()
            .any(|(line, prolongation)| prolongation & !full != 0 || prolongation & line != 0)
        {
            return fault("lines.exact", "cells of the line or off the board".into(), expected);
        }
        Ok(())
    }

    /// Names and places of the cells: none, or one for each, no two the same.
    fn check_cells(&self, cells: usize) -> Result<(), RulesError> {
        // Their number first: a header may claim more names than anybody can compare.
        let (names, places) = (self.names.len(), self.layout.len());
        if names != 0 && names != cells {
            let found = alloc::format!("{names} names of {cells} cells");
            return fault("board.names", found, "a name for each cell");
        }
        if let Some(name) = self.names.iter().find(|name| !Rules::is_cell_name(name)) {
            let expected = "1 to 6 lower-case letters or digits, and not \"pass\"";
            return fault("board.names", quoted(name), expected);
        }
        let twice = |index: &usize| self.names[..*index].contains(&self.names[*index]);
        if let Some(index) = (0..self.names.len()).find(twice) {
            let found = alloc::format!("{:?} twice", self.names[index]);
            return fault("board.names", found, "each name once");
        }
        let mut sorted = self.layout.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if places != 0 && (places != cells || sorted.len() != cells) {
            let found = alloc::format!("{} places of {cells} cells", sorted.len());
            return fault("board.layout", found, "a place for each cell, no two the same");
        }
        Ok(())
    }

    /// The opening, the start, and a pass where nothing can be placed.
    fn check_opening(&self, full: u64) -> Result<(), RulesError> {
        if let Some(opening) = self.opening {
            if opening.forbidden & !full != 0 {
                return fault(
                    "opening.forbidden",
                    "a cell off the board".into(),
                    "cells of the board",
                );
            }
            if self.start.is_some() {
                return fault(
                    "opening",
                    "`forbidden` and `start`".into(),
                    "one of them: nothing is placed after `start`",
                );
            }
        }
        if let Some(start) = self.start {
            let Some(pieces) = self.pieces.filter(|_| self.movement.is_some()) else {
                return fault(
                    "opening.start",
                    "a start".into(),
                    "`[pieces]` and `[moves]` beside it",
                );
            };
            let each = [start.x, start.o]
                .iter()
                .all(|set| set.count_ones() == u32::from(pieces) && set & !full == 0);
            if !each || start.x & start.o != 0 {
                let found =
                    alloc::format!("{} X and {} O", start.x.count_ones(), start.o.count_ones());
                return fault("opening.start", found, "all pieces of both sides on the board");
            }
            let made = |(line, prolongation): (u64, u64)| {
                [start.x, start.o].iter().any(|set| set & line == line && set & prolongation == 0)
            };
            if self.lines_with_prolongations().any(made) {
                return fault(
                    "opening.start",
                    "a line already made".into(),
                    "a position in which nobody has a line",
                );
            }
        }
        if self.movement.as_ref().is_some_and(|movement| movement.stuck == Stuck::Pass) {
            self.check_placing(full)?;
        }
        Ok(())
    }

    /// Checks that each side always has a cell to place on: a side passes only once all pieces are placed.
    fn check_placing(&self, full: u64) -> Result<(), RulesError> {
        let Some((opening, pieces)) = self.opening.zip(self.pieces) else { return Ok(()) };
        let restricted = opening.during.plies().min(2 * u32::from(pieces));
        let allowed = (full & !opening.forbidden).count_ones();
        if allowed < restricted {
            return fault(
                "moves.stuck",
                alloc::format!("\"pass\" with {allowed} cells for {restricted} placements"),
                "as many cells that are not forbidden, for a side cannot pass while it places",
            );
        }
        Ok(())
    }
}

fn fault<T>(key: &'static str, found: String, expected: &'static str) -> Result<T, RulesError> {
    Err(RulesError { key, found, expected })
}

fn quoted(text: &str) -> String {
    let short: String = text.chars().take(64).collect();
    alloc::format!("{short:?}")
}

fn number(value: u8) -> String {
    alloc::format!("{value}")
}
