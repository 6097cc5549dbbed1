//! Validation of rules, and their canonical form.
//!
//! Names the first thing that is wrong by its key in a rule file.

use super::data::{Movement, Rules, RulesError, Travel};
use morpion_core::{
    Board, Game, MAX_AGED, MAX_CELLS, MAX_COLUMNS, Oldest, Point, Stuck, cell_name,
};

/// Checks what a rule file can say and no game can be. What no rule file can say, such as a line off the board, is refused when the
/// [`Game`] is made.
///
/// # Errors
/// The first thing that is wrong, by the name it has in a rule file.
pub(super) fn check(rules: &Rules) -> Result<(), RulesError> {
    if !Game::is_name(&rules.name) {
        return fault("name", quoted(&rules.name), "1 to 64 letters, digits, `-` or `_`");
    }
    if rules.title.len() > 1024 || rules.title.chars().any(char::is_control) {
        return fault("title", quoted(&rules.title), "one line of at most 1,024 bytes");
    }
    let columns = rules.board.grid().map_or(0, |(_, columns)| columns);
    if columns > MAX_COLUMNS && rules.names.is_empty() {
        return fault("board.columns", format!("{columns}"), "at most 26 columns");
    }
    check_moves(rules)?;
    if rules.lines.len() > 4096 {
        return fault("lines", format!("{} lines", rules.lines.len()), "at most 4,096 lines");
    }
    check_names(rules)?;
    check_placed(rules)?;
    check_mills(rules)?;
    check_opening(rules)
}

/// Checks the numbers of cells and pieces, and which tables of the file go together.
fn check_moves(rules: &Rules) -> Result<(), RulesError> {
    let cells = rules.board.cells();
    if cells == 0 || cells > u32::from(MAX_CELLS) {
        return fault("board", format!("{cells} cells"), "1 to 36 cells");
    }
    if let Some(pieces) = rules.pieces.filter(|&each| each == 0 || 2 * u32::from(each) > cells) {
        let expected = "at least 1, and twice that no more than the cells";
        return fault("pieces.each", format!("{pieces}"), expected);
    }
    if rules.movement.is_some() && rules.pieces.is_none() && !rules.pushes() {
        let expected = "`[pieces]` with `each` beside `[moves]`";
        return fault("moves", "moves without pieces".into(), expected);
    }
    if rules.lines.is_empty() && (rules.movement.is_none() || rules.mills.is_some()) {
        let expected = "at least one line; only moves that block a side end a game without lines";
        return fault("lines.sets", "no line at all".into(), expected);
    }
    if rules.pushes() && (rules.pieces.is_some() || !matches!(rules.board, Board::Grid { .. })) {
        let expected = "a grid without holes, and no `[pieces]`";
        return fault("moves.to", "\"push\"".into(), expected);
    }
    if let Some(Movement { to: Travel::Steps(moves), stay, .. }) = &rules.movement {
        let is_mixed = rules.mills.is_some_and(|mills| mills.mixed);
        let steps = moves.steps.len() + usize::from(*stay) + usize::from(is_mixed);
        if steps > 1024 {
            let expected =
                "at most 1,024 moves with what each needs: a smaller board, or fewer links";
            return fault("moves.to", format!("{steps} moves"), expected);
        }
    }
    let is_aged = rules.oldest.is_some();
    // A line may be made with one piece more.
    let most = MAX_AGED - u8::from(rules.oldest == Some(Oldest::AfterLines));
    if is_aged && rules.pieces.is_none_or(|each| each > most || rules.movement.is_none()) {
        let expected = "`[moves]`, and at most 8 pieces of each side (`after-lines`: 7)";
        return fault("moves.oldest", "pieces that age".into(), expected);
    }
    if rules.mills.is_some()
        && (is_aged || rules.pushes() || rules.movement.is_none() || rules.start.is_some())
    {
        let expected = "`[pieces]` and `[moves]` along links or to any cell, and no `start`";
        return fault("mills", "lines that take".into(), expected);
    }
    Ok(())
}

/// Checks that nothing contradicts pushes, which begin on the empty board, or pieces that age, which are placed on any empty cell. No
/// piece is lifted.
fn check_placed(rules: &Rules) -> Result<(), RulesError> {
    let (pushes, ages) = (rules.pushes(), rules.oldest.is_some());
    let Some(movement) = rules.movement.as_ref().filter(|_| pushes || ages) else {
        return Ok(());
    };
    let with = if pushes { "pushes" } else { "`oldest`" };
    if pushes && (rules.opening.is_some() || rules.start.is_some()) {
        return fault("opening", "`[opening]` beside pushes".into(), "`[moves]` without it");
    }
    if ages && movement.to != Travel::Any {
        let expected = "one of them: pieces that age are placed, on any empty cell";
        return fault("moves.oldest", "`oldest` beside another `to`".into(), expected);
    }
    if movement.stay {
        let expected = "no `stay`: no piece is lifted";
        return fault("moves.stay", format!("`stay` with {with}"), expected);
    }
    if movement.stuck == Stuck::Pass {
        let expected = "\"loss\", \"draw\" or \"win\": a blocked side stays blocked";
        return fault("moves.stuck", format!("\"pass\" with {with}"), expected);
    }
    if rules.start.is_some() {
        let expected = "one of them: a start does not say which pieces are old";
        return fault("opening.start", "`start` and `oldest`".into(), expected);
    }
    Ok(())
}

/// Checks that nothing contradicts lines that take, and that the numbers of `[mills]` can be reached.
fn check_mills(rules: &Rules) -> Result<(), RulesError> {
    let Some((mills, each)) = rules.mills.zip(rules.pieces) else { return Ok(()) };
    if rules.misere {
        let expected = "one of them: a line takes a piece and ends nothing";
        return fault("goal.misere", "`misere` beside `[mills]`".into(), expected);
    }
    // `axb` would be a cell, and also a and the piece on b that it takes.
    let is_start = |name: &String| {
        let rest = |other: &String| {
            name.strip_prefix(other.as_str()).is_some_and(|rest| rest.starts_with('x'))
        };
        rules.names.iter().any(rest)
    };
    if let Some(name) = rules.names.iter().find(|name| is_start(name)) {
        let expected =
            "beside `[mills]` no name that is another name and an x: the x of `b2xc3` takes";
        return fault("board.names", quoted(name), expected);
    }
    if mills.least == 0 || mills.least > each {
        let found = format!("{} of {each} pieces", mills.least);
        return fault("mills.least", found, "1 to the number of pieces of each side");
    }
    if mills.fly != 0 {
        let found = format!("{} of {each} pieces", mills.fly);
        if !(mills.least..=each).contains(&mills.fly) {
            return fault("mills.fly", found, "0, or `least` to the number of pieces of each side");
        }
        if rules.movement.as_ref().is_some_and(|movement| movement.to == Travel::Any) {
            let expected = "one of them: with `to = \"any\"` every piece flies";
            return fault("mills.fly", "`fly` and `to = \"any\"`".into(), expected);
        }
    }
    if mills.full == Some(Stuck::Pass) {
        return fault("mills.full", "\"pass\"".into(), "\"draw\", \"loss\" or \"win\"");
    }
    let may_pass = |movement: &Movement| movement.stay || movement.stuck == Stuck::Pass;
    if mills.full.is_some() && rules.movement.as_ref().is_some_and(may_pass) {
        let expected = "one of them: a side that passes goes on with a full board";
        return fault("mills.full", "`full` and a pass".into(), expected);
    }
    if mills.full.is_some() && 2 * u32::from(each) < rules.board.cells() {
        let found = format!("{each} pieces of each side, fewer than fill the board");
        return fault("mills.full", found, "`full` only if the pieces can fill the board");
    }
    Ok(())
}

/// Checks the names of the cells: none, or one for each, no two the same.
fn check_names(rules: &Rules) -> Result<(), RulesError> {
    // Their number first: a file may have more names than anybody can compare.
    let (names, cells) = (rules.names.len(), rules.board.cells() as usize);
    if names != 0 && names != cells {
        let found = format!("{names} names of {cells} cells");
        return fault("board.names", found, "a name for each cell");
    }
    if let Some(name) = rules.names.iter().find(|name| !is_cell_name(name)) {
        let expected = "1 to 6 lower-case letters or digits, and not \"pass\"";
        return fault("board.names", quoted(name), expected);
    }
    let twice = |index: &usize| rules.names[..*index].contains(&rules.names[*index]);
    if let Some(index) = (0..rules.names.len()).find(twice) {
        let found = format!("{:?} twice", rules.names[index]);
        return fault("board.names", found, "each name once");
    }
    Ok(())
}

/// Checks the start, and a pass if nothing can be placed.
fn check_opening(rules: &Rules) -> Result<(), RulesError> {
    if let Some((start, pieces)) = rules.start.zip(rules.pieces) {
        if [start.x, start.o].iter().any(|set| set.count_ones() != u32::from(pieces)) {
            let found = format!("{} X and {} O", start.x.count_ones(), start.o.count_ones());
            return fault("opening.start", found, "all pieces of both sides on the board");
        }
        let made = |(line, prolongation): (u64, u64)| {
            [start.x, start.o].iter().any(|set| set & line == line && set & prolongation == 0)
        };
        if rules.lines_with_prolongations().any(made) {
            return fault(
                "opening.start",
                "a line already made".into(),
                "a position in which nobody has a line",
            );
        }
    }
    if rules.movement.as_ref().is_some_and(|movement| movement.stuck == Stuck::Pass) {
        check_placing(rules)?;
    }
    Ok(())
}

/// Checks that each side always has a cell to place on: a side passes only once all pieces are placed.
fn check_placing(rules: &Rules) -> Result<(), RulesError> {
    let Some((opening, pieces)) = rules.opening.zip(rules.pieces) else { return Ok(()) };
    let restricted = opening.during.plies().min(2 * u32::from(pieces));
    let allowed = rules.board.cells().saturating_sub(opening.forbidden.count_ones());
    if allowed < restricted {
        return fault(
            "moves.stuck",
            format!("\"pass\" with {allowed} cells for {restricted} placements"),
            "as many cells that are not forbidden, for a side cannot pass while it places",
        );
    }
    Ok(())
}

/// Brings valid rules into canonical form: lines ascending, without duplicates and without lines that are made whenever
/// another is; a restriction of no cell removed; names removed that the board gives as well, if it has a letter for each column;
/// the drawing moved to its top left corner.
/// Compares every line with every smaller one.
pub(super) fn normalise(rules: &mut Rules) {
    normalise_lines(rules);
    if rules.opening.is_some_and(|opening| opening.forbidden == 0) {
        rules.opening = None;
    }
    let has_letters = rules.board.grid().is_none_or(|(_, columns)| columns <= MAX_COLUMNS);
    let mut names = (0..).zip(&rules.names);
    if has_letters && names.all(|(cell, name)| cell_name(rules.board, cell) == *name) {
        rules.names.clear();
    }
    let left = rules.layout.iter().map(|point| point.x).min().unwrap_or(0);
    let top = rules.layout.iter().map(|point| point.y).min().unwrap_or(0);
    for point in &mut rules.layout {
        *point = Point { x: point.x - left, y: point.y - top };
    }
}

fn normalise_lines(rules: &mut Rules) {
    let prolongations = std::mem::take(&mut rules.prolongations);
    let prolongations = prolongations.into_iter().chain(std::iter::repeat(0));
    let mut lines: Vec<(u64, u64)> = rules.lines.drain(..).zip(prolongations).collect();
    lines.sort_unstable();
    lines.dedup();
    let mut kept: Vec<(u64, u64)> = Vec::with_capacity(lines.len());
    let longest = lines.iter().map(|line| line.0.count_ones()).max().unwrap_or(0);
    for length in 0..=longest {
        let smaller = kept.len();
        for &(line, prolongation) in lines.iter().filter(|line| line.0.count_ones() == length) {
            // Only a smaller line can lie within this one, or the same with fewer cells that extend it.
            let same = kept[smaller..].iter().rev().take_while(|kept| kept.0 == line);
            let is_within =
                |kept: &(u64, u64)| kept.0 & line == kept.0 && kept.1 & prolongation == kept.1;
            if !kept[..smaller].iter().chain(same).any(is_within) {
                kept.push((line, prolongation));
            }
        }
    }
    kept.sort_unstable();
    if kept.iter().any(|kept| kept.1 != 0) {
        rules.prolongations = kept.iter().map(|kept| kept.1).collect();
    }
    rules.lines = kept.into_iter().map(|kept| kept.0).collect();
}

/// Returns whether a text may name a cell: 1 to 6 lower-case letters or digits, but not `pass`.
fn is_cell_name(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    (1..=6).contains(&text.len()) && text.chars().all(allowed) && text != "pass"
}

fn fault<T>(key: &'static str, found: String, expected: &'static str) -> Result<T, RulesError> {
    Err(RulesError { key, found, expected })
}

fn quoted(text: &str) -> String {
    let short: String = text.chars().take(64).collect();
    format!("{short:?}")
}
