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
    let remedy = "at least one line; only moves that block a side end a game without lines";
    faults.when(no_line, "lines.sets", "no line at all", remedy)?;
    let may_push = matches!(cells.board, Board::Grid { .. }) && rules.pieces.is_none();
    let remedy = "a grid without holes, and no `[pieces]`";
    faults.when(rules.pushes() && !may_push, "moves.to", "\"push\"", remedy)?;
    let steps = rules.movement.as_ref().map_or(0, |movement| {
        let is_mixed = rules.mills.is_some_and(|mills| mills.mixed);
        movement.steps.len() + usize::from(movement.stay) + usize::from(is_mixed)
    });
    let remedy = "at most 1,024 moves with what each needs: a smaller board, or fewer links";
    faults.when(steps > 1024, "moves.to", format_args!("{steps} moves"), remedy)?;
    let is_aged = rules.oldest.is_some();
    // A line may be made with one piece more.
    let most = MAX_AGED - u8::from(rules.oldest == Some(Oldest::AfterLines));
    let are_few = rules.pieces.is_some_and(|each| each <= most) && rules.movement.is_some();
    let remedy = "`[moves]`, and at most 8 pieces of each side (`after-lines`: 7)";
    faults.when(is_aged && !are_few, "moves.oldest", "pieces that age", remedy)?;
    let may_take = !is_aged && !rules.pushes() && rules.movement.is_some() && rules.start.is_none();
    let remedy = "`[pieces]` and `[moves]` along links or to any cell, and no `start`";
    faults.when(rules.mills.is_some() && !may_take, "mills", "lines that take", remedy)
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
    let found = "`[opening]` beside pushes";
    faults.when(pushes && has_opening, "opening", found, "`[moves]` without it")?;
    let remedy = "one of them: pieces that age are placed, on any empty cell";
    let goes_elsewhere = ages && movement.to != To::Any;
    faults.when(goes_elsewhere, "moves.oldest", "`oldest` beside another `to`", remedy)?;
    let found = format_args!("`stay` with {with}");
    faults.when(movement.stay, "moves.stay", found, "no `stay`: no piece is lifted")?;
    let remedy = "\"loss\", \"draw\" or \"win\": a blocked side stays blocked";
    let found = format_args!("\"pass\" with {with}");
    faults.when(movement.stuck == Stuck::Pass, "moves.stuck", found, remedy)?;
    let remedy = "one of them: a start does not say which pieces are old";
    faults.when(rules.start.is_some(), "opening.start", "`start` and `oldest`", remedy)
}

/// Checks that nothing contradicts lines that take, and that the numbers of `[mills]` can be reached.
fn check_mills(rules: &Rules, cells: &Cells, faults: &Faults) -> Option<()> {
    let Some((mills, each)) = rules.mills.zip(rules.pieces) else { return Some(()) };
    let Mills { least, fly, full, .. } = mills;
    let remedy = "one of them: a line takes a piece and ends nothing";
    faults.when(rules.misere, "goal.misere", "`misere` beside `[mills]`", remedy)?;
    if let Some(name) = cells.name_with_x() {
        let remedy =
            "beside `[mills]` no name that is another name and an x: the x of `b2xc3` takes";
        return faults.of("board.names", format!("{name:?}; write {remedy}"));
    }
    let remedy = "1 to the number of pieces of each side";
    let found = format_args!("{least} of {each} pieces");
    faults.when(least == 0 || least > each, "mills.least", found, remedy)?;
    let remedy = "0, or `least` to the number of pieces of each side";
    let found = format_args!("{fly} of {each} pieces");
    faults.when(fly != 0 && !(least..=each).contains(&fly), "mills.fly", found, remedy)?;
    let movement = rules.movement.as_ref();
    let goes_anywhere = movement.is_some_and(|movement| movement.to == To::Any);
    let remedy = "one of them: with `to = \"any\"` every piece flies";
    let found = "`fly` and `to = \"any\"`";
    faults.when(fly != 0 && goes_anywhere, "mills.fly", found, remedy)?;
    let remedy = "\"draw\", \"loss\" or \"win\"";
    faults.when(full == Some(Stuck::Pass), "mills.full", "\"pass\"", remedy)?;
    let may_pass = movement.is_some_and(|moves| moves.stay || moves.stuck == Stuck::Pass);
    let remedy = "one of them: a side that passes goes on with a full board";
    faults.when(full.is_some() && may_pass, "mills.full", "`full` and a pass", remedy)?;
    let can_fill = 2 * u32::from(each) >= cells.board.cells();
    let found = format_args!("{each} pieces of each side, fewer than fill the board");
    let remedy = "`full` only if the pieces can fill the board";
    faults.when(full.is_some() && !can_fill, "mills.full", found, remedy)
}

/// Checks that a start has all pieces and no line.
fn check_start(rules: &Rules, lines: &Lines, faults: &Faults) -> Option<()> {
    let Some((start, pieces)) = rules.start.zip(rules.pieces) else { return Some(()) };
    let [x, o] = [start.x, start.o].map(u64::count_ones);
    let remedy = "all pieces of both sides on the board";
    let found = format_args!("{x} X and {o} O");
    faults.when([x, o] != [pieces.into(); 2], "opening.start", found, remedy)?;
    let is_made = |&(line, prolongation): &(u64, u64)| {
        [start.x, start.o].iter().any(|set| set & line == line && set & prolongation == 0)
    };
    let remedy = "a position in which nobody has a line";
    faults.when(lines.iter().any(is_made), "opening.start", "a line already made", remedy)
}

/// Checks that each side always has a cell to place on if a blocked side passes: a side passes only once all pieces are placed.
fn check_placing(rules: &Rules, cells: &Cells, faults: &Faults) -> Option<()> {
    let passes = rules.movement.as_ref().is_some_and(|movement| movement.stuck == Stuck::Pass);
    let opening = rules.opening.filter(|_| passes);
    let Some((opening, pieces)) = opening.zip(rules.pieces) else { return Some(()) };
    let restricted = opening.during.plies().min(2 * u32::from(pieces));
    let allowed = cells.board.cells().saturating_sub(opening.forbidden.count_ones());
    let found = format_args!("\"pass\" with {allowed} cells for {restricted} placements");
    let remedy = "as many cells that are not forbidden, for a side cannot pass while it places";
    faults.when(allowed < restricted, "moves.stuck", found, remedy)
}
