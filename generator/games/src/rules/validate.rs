//! Validation of rules, each part of which is right by itself: checks that nothing contradicts the other parts, the board and the lines.

use super::board::Cells;
use super::data::{Movement, Rules, To};
use super::fault::Faults;
use super::lines::Lines;
use morpion_core::{Board, MAX_AGED, Oldest, Stuck};

/// Rejects rules that a rule file can express but that make no game. Adds the first fault.
pub(super) fn check(rules: &Rules, cells: &Cells, lines: &Lines, faults: &Faults) -> Option<()> {
    check_moves(rules, cells, lines, faults)?;
    check_placed(rules, faults)?;
    check_mills(rules, cells, faults)?;
    check_start(rules, lines, faults)?;
    check_placing(rules, cells, faults)
}

/// Checks which tables of the file go together.
fn check_moves(rules: &Rules, cells: &Cells, lines: &Lines, faults: &Faults) -> Option<()> {
    if lines.is_empty() && (rules.movement.is_none() || rules.mills.is_some()) {
        let remedy =
            "write at least one line; only moves that block a side end a game without lines";
        return faults.of("lines.sets", format!("no line at all; {remedy}"));
    }
    if rules.pushes() && (rules.pieces.is_some() || !matches!(cells.board, Board::Grid { .. })) {
        return faults.of("moves.to", "\"push\"; write a grid without holes, and no `[pieces]`");
    }
    if let Some(Movement { steps, stay, .. }) = &rules.movement {
        let is_mixed = rules.mills.is_some_and(|mills| mills.mixed);
        let steps = steps.len() + usize::from(*stay) + usize::from(is_mixed);
        if steps > 1024 {
            let remedy =
                "write at most 1,024 moves with what each needs: a smaller board, or fewer links";
            return faults.of("moves.to", format!("{steps} moves; {remedy}"));
        }
    }
    let is_aged = rules.oldest.is_some();
    // A line may be made with one piece more.
    let most = MAX_AGED - u8::from(rules.oldest == Some(Oldest::AfterLines));
    if is_aged && rules.pieces.is_none_or(|each| each > most || rules.movement.is_none()) {
        let remedy = "write `[moves]`, and at most 8 pieces of each side (`after-lines`: 7)";
        return faults.of("moves.oldest", format!("pieces that age; {remedy}"));
    }
    if rules.mills.is_some()
        && (is_aged || rules.pushes() || rules.movement.is_none() || rules.start.is_some())
    {
        let remedy = "write `[pieces]` and `[moves]` along links or to any cell, and no `start`";
        return faults.of("mills", format!("lines that take; {remedy}"));
    }
    Some(())
}

/// Checks that nothing contradicts pushes, which begin on the empty board, or pieces that age, which are placed on any empty cell. In such
/// games no piece is lifted.
fn check_placed(rules: &Rules, faults: &Faults) -> Option<()> {
    let (pushes, ages) = (rules.pushes(), rules.oldest.is_some());
    let Some(movement) = rules.movement.as_ref().filter(|_| pushes || ages) else {
        return Some(());
    };
    let with = if pushes { "pushes" } else { "`oldest`" };
    if pushes && (rules.opening.is_some() || rules.start.is_some()) {
        return faults.of("opening", "`[opening]` beside pushes; write `[moves]` without it");
    }
    if ages && movement.to != To::Any {
        let remedy = "write one of them: pieces that age are placed, on any empty cell";
        return faults.of("moves.oldest", format!("`oldest` beside another `to`; {remedy}"));
    }
    if movement.stay {
        let message = format!("`stay` with {with}; write no `stay`: no piece is lifted");
        return faults.of("moves.stay", message);
    }
    if movement.stuck == Stuck::Pass {
        let remedy = "write \"loss\", \"draw\" or \"win\": a blocked side stays blocked";
        return faults.of("moves.stuck", format!("\"pass\" with {with}; {remedy}"));
    }
    if rules.start.is_some() {
        let remedy = "write one of them: a start does not say which pieces are old";
        return faults.of("opening.start", format!("`start` and `oldest`; {remedy}"));
    }
    Some(())
}

/// Checks that nothing contradicts lines that take, and that the numbers of `[mills]` can be reached.
fn check_mills(rules: &Rules, cells: &Cells, faults: &Faults) -> Option<()> {
    let Some((mills, each)) = rules.mills.zip(rules.pieces) else { return Some(()) };
    if rules.misere {
        let remedy = "write one of them: a line takes a piece and ends nothing";
        return faults.of("goal.misere", format!("`misere` beside `[mills]`; {remedy}"));
    }
    if let Some(name) = cells.name_with_x() {
        let remedy =
            "write beside `[mills]` no name that is another name and an x: the x of `b2xc3` takes";
        return faults.of("board.names", format!("{name:?}; {remedy}"));
    }
    if mills.least == 0 || mills.least > each {
        let found = format!("{} of {each} pieces", mills.least);
        let remedy = "write 1 to the number of pieces of each side";
        return faults.of("mills.least", format!("{found}; {remedy}"));
    }
    if mills.fly != 0 && !(mills.least..=each).contains(&mills.fly) {
        let found = format!("{} of {each} pieces", mills.fly);
        let remedy = "write 0, or `least` to the number of pieces of each side";
        return faults.of("mills.fly", format!("{found}; {remedy}"));
    }
    let movement = rules.movement.as_ref();
    if mills.fly != 0 && movement.is_some_and(|movement| movement.to == To::Any) {
        let remedy = "write one of them: with `to = \"any\"` every piece flies";
        return faults.of("mills.fly", format!("`fly` and `to = \"any\"`; {remedy}"));
    }
    if mills.full == Some(Stuck::Pass) {
        return faults.of("mills.full", "\"pass\"; write \"draw\", \"loss\" or \"win\"");
    }
    let may_pass = |movement: &Movement| movement.stay || movement.stuck == Stuck::Pass;
    if mills.full.is_some() && movement.is_some_and(may_pass) {
        let remedy = "write one of them: a side that passes goes on with a full board";
        return faults.of("mills.full", format!("`full` and a pass; {remedy}"));
    }
    if mills.full.is_some() && 2 * u32::from(each) < cells.board.cells() {
        let found = format!("{each} pieces of each side, fewer than fill the board");
        let remedy = "write `full` only if the pieces can fill the board";
        return faults.of("mills.full", format!("{found}; {remedy}"));
    }
    Some(())
}

/// Checks that a start has all pieces and no line.
fn check_start(rules: &Rules, lines: &Lines, faults: &Faults) -> Option<()> {
    let Some((start, pieces)) = rules.start.zip(rules.pieces) else { return Some(()) };
    if [start.x, start.o].iter().any(|set| set.count_ones() != u32::from(pieces)) {
        let found = format!("{} X and {} O", start.x.count_ones(), start.o.count_ones());
        let remedy = "write all pieces of both sides on the board";
        return faults.of("opening.start", format!("{found}; {remedy}"));
    }
    let is_made = |&(line, prolongation): &(u64, u64)| {
        [start.x, start.o].iter().any(|set| set & line == line && set & prolongation == 0)
    };
    if lines.iter().any(is_made) {
        let remedy = "write a position in which nobody has a line";
        return faults.of("opening.start", format!("a line already made; {remedy}"));
    }
    Some(())
}

/// Checks that each side always has a cell to place on if a blocked side passes: a side passes only once all pieces are placed.
fn check_placing(rules: &Rules, cells: &Cells, faults: &Faults) -> Option<()> {
    let passes = rules.movement.as_ref().is_some_and(|movement| movement.stuck == Stuck::Pass);
    let opening = rules.opening.filter(|_| passes);
    let Some((opening, pieces)) = opening.zip(rules.pieces) else { return Some(()) };
    let restricted = opening.during.plies().min(2 * u32::from(pieces));
    let allowed = cells.board.cells().saturating_sub(opening.forbidden.count_ones());
    if allowed < restricted {
        let found = format!("\"pass\" with {allowed} cells for {restricted} placements");
        let remedy =
            "write as many cells that are not forbidden, for a side cannot pass while it places";
        return faults.of("moves.stuck", format!("{found}; {remedy}"));
    }
    Some(())
}
