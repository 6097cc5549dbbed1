//! Validation of rules, each part of which is right by itself: checks that nothing contradicts the other parts, the board and the lines.

use super::board::Cells;
use super::data::{Mills, Rules, To};
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
    let no_line = lines.is_empty() && (rules.movement.is_none() || rules.mills.is_some());
    let remedy = "write at least one line; only moves that block a side end a game without lines";
    faults.when(no_line, "lines.sets", format_args!("no line at all; {remedy}"))?;
    let is_grid = matches!(cells.board, Board::Grid { .. });
    let message = "\"push\"; write a grid without holes, and no `[pieces]`";
    faults.when(rules.pushes() && (rules.pieces.is_some() || !is_grid), "moves.to", message)?;
    let steps = rules.movement.as_ref().map_or(0, |movement| {
        let is_mixed = rules.mills.is_some_and(|mills| mills.mixed);
        movement.steps.len() + usize::from(movement.stay) + usize::from(is_mixed)
    });
    let remedy = "write at most 1,024 moves with what each needs: a smaller board, or fewer links";
    faults.when(steps > 1024, "moves.to", format_args!("{steps} moves; {remedy}"))?;
    let is_aged = rules.oldest.is_some();
    // A line may be made with one piece more.
    let most = MAX_AGED - u8::from(rules.oldest == Some(Oldest::AfterLines));
    let are_few = rules.pieces.is_some_and(|each| each <= most) && rules.movement.is_some();
    let remedy = "write `[moves]`, and at most 8 pieces of each side (`after-lines`: 7)";
    faults.when(is_aged && !are_few, "moves.oldest", format_args!("pieces that age; {remedy}"))?;
    let may_take = !is_aged && !rules.pushes() && rules.movement.is_some() && rules.start.is_none();
    let remedy = "write `[pieces]` and `[moves]` along links or to any cell, and no `start`";
    let message = format_args!("lines that take; {remedy}");
    faults.when(rules.mills.is_some() && !may_take, "mills", message)
}

/// Checks that nothing contradicts pushes, which begin on the empty board, or pieces that age, which are placed on any empty cell. In such
/// games no piece is lifted.
fn check_placed(rules: &Rules, faults: &Faults) -> Option<()> {
    let (pushes, ages) = (rules.pushes(), rules.oldest.is_some());
    let Some(movement) = rules.movement.as_ref().filter(|_| pushes || ages) else {
        return Some(());
    };
    let with = if pushes { "pushes" } else { "`oldest`" };
    let has_opening = rules.opening.is_some() || rules.start.is_some();
    let message = "`[opening]` beside pushes; write `[moves]` without it";
    faults.when(pushes && has_opening, "opening", message)?;
    let remedy = "write one of them: pieces that age are placed, on any empty cell";
    let message = format_args!("`oldest` beside another `to`; {remedy}");
    faults.when(ages && movement.to != To::Any, "moves.oldest", message)?;
    let message = format_args!("`stay` with {with}; write no `stay`: no piece is lifted");
    faults.when(movement.stay, "moves.stay", message)?;
    let remedy = "write \"loss\", \"draw\" or \"win\": a blocked side stays blocked";
    let message = format_args!("\"pass\" with {with}; {remedy}");
    faults.when(movement.stuck == Stuck::Pass, "moves.stuck", message)?;
    let remedy = "write one of them: a start does not say which pieces are old";
    let message = format_args!("`start` and `oldest`; {remedy}");
    faults.when(rules.start.is_some(), "opening.start", message)
}

/// Checks that nothing contradicts lines that take, and that the numbers of `[mills]` can be reached.
fn check_mills(rules: &Rules, cells: &Cells, faults: &Faults) -> Option<()> {
    let Some((mills, each)) = rules.mills.zip(rules.pieces) else { return Some(()) };
    let Mills { least, fly, full, .. } = mills;
    let remedy = "write one of them: a line takes a piece and ends nothing";
    let message = format_args!("`misere` beside `[mills]`; {remedy}");
    faults.when(rules.misere, "goal.misere", message)?;
    if let Some(name) = cells.name_with_x() {
        let remedy =
            "write beside `[mills]` no name that is another name and an x: the x of `b2xc3` takes";
        return faults.of("board.names", format!("{name:?}; {remedy}"));
    }
    let remedy = "write 1 to the number of pieces of each side";
    let message = format_args!("{least} of {each} pieces; {remedy}");
    faults.when(least == 0 || least > each, "mills.least", message)?;
    let remedy = "write 0, or `least` to the number of pieces of each side";
    let message = format_args!("{fly} of {each} pieces; {remedy}");
    faults.when(fly != 0 && !(least..=each).contains(&fly), "mills.fly", message)?;
    let movement = rules.movement.as_ref();
    let goes_anywhere = movement.is_some_and(|movement| movement.to == To::Any);
    let remedy = "write one of them: with `to = \"any\"` every piece flies";
    let message = format_args!("`fly` and `to = \"any\"`; {remedy}");
    faults.when(fly != 0 && goes_anywhere, "mills.fly", message)?;
    let message = "\"pass\"; write \"draw\", \"loss\" or \"win\"";
    faults.when(full == Some(Stuck::Pass), "mills.full", message)?;
    let may_pass = movement.is_some_and(|moves| moves.stay || moves.stuck == Stuck::Pass);
    let remedy = "write one of them: a side that passes goes on with a full board";
    let message = format_args!("`full` and a pass; {remedy}");
    faults.when(full.is_some() && may_pass, "mills.full", message)?;
    let can_fill = 2 * u32::from(each) >= cells.board.cells();
    let found = format_args!("{each} pieces of each side, fewer than fill the board");
    let remedy = "write `full` only if the pieces can fill the board";
    faults.when(full.is_some() && !can_fill, "mills.full", format_args!("{found}; {remedy}"))
}

/// Checks that a start has all pieces and no line.
fn check_start(rules: &Rules, lines: &Lines, faults: &Faults) -> Option<()> {
    let Some((start, pieces)) = rules.start.zip(rules.pieces) else { return Some(()) };
    let [x, o] = [start.x, start.o].map(u64::count_ones);
    let remedy = "write all pieces of both sides on the board";
    let message = format_args!("{x} X and {o} O; {remedy}");
    faults.when([x, o] != [pieces.into(); 2], "opening.start", message)?;
    let is_made = |&(line, prolongation): &(u64, u64)| {
        [start.x, start.o].iter().any(|set| set & line == line && set & prolongation == 0)
    };
    let message = "a line already made; write a position in which nobody has a line";
    faults.when(lines.iter().any(is_made), "opening.start", message)
}

/// Checks that each side always has a cell to place on if a blocked side passes: a side passes only once all pieces are placed.
fn check_placing(rules: &Rules, cells: &Cells, faults: &Faults) -> Option<()> {
    let passes = rules.movement.as_ref().is_some_and(|movement| movement.stuck == Stuck::Pass);
    let opening = rules.opening.filter(|_| passes);
    let Some((opening, pieces)) = opening.zip(rules.pieces) else { return Some(()) };
    let restricted = opening.during.plies().min(2 * u32::from(pieces));
    let allowed = cells.board.cells().saturating_sub(opening.forbidden.count_ones());
    let found = format_args!("\"pass\" with {allowed} cells for {restricted} placements");
    let remedy =
        "write as many cells that are not forbidden, for a side cannot pass while it places";
    faults.when(allowed < restricted, "moves.stuck", format_args!("{found}; {remedy}"))
}
