//! Valid rules that are odd: lines that nobody can make, and pieces that are never placed.

use super::data::{During, Rules, To};
use morpion_core::{Game, Oldest};

/// The number of steps of a search for positions without a line. Beyond it, positions count as reached.
const STEPS: u32 = 10_000;

/// Returns the oddities of a game, each with its key in a rule file and a message.
pub(super) fn oddities(game: &Game, rules: &Rules) -> Vec<(&'static str, String)> {
    // Without `..`: a new rule may make a line or a piece useless.
    let Rules { pieces: _, movement: _, opening, start: _, misere: _, oldest: _, mills: _ } = rules;
    let closed = opening.filter(|opening| opening.during == During::Placing);
    let open = game.board() & !closed.map_or(0, |opening| opening.forbidden);
    [lines(game, rules, open), pieces(game, rules, open)].into_iter().flatten().collect()
}

/// Lines that no side can make with the pieces that it has and the cells that its pieces can reach.
fn lines(game: &Game, rules: &Rules, open: u64) -> Option<(&'static str, String)> {
    let (x, o) = rules.start.map_or((open, open), |start| (start.x, start.o));
    let most = match rules.pieces {
        // A line counts even with the piece that is lifted next.
        Some(each) => u32::from(each) + u32::from(rules.oldest == Some(Oldest::AfterLines)),
        None if rules.movement.is_some() => open.count_ones(),
        None => open.count_ones().div_ceil(2),
    };
    let sides = [x, o].map(|cells| reached(game, rules, cells));
    let is_made =
        |line: u64| line.count_ones() <= most && sides.iter().any(|cells| line & !cells == 0);
    let odd: Vec<u64> = game.lines().iter().copied().filter(|&line| !is_made(line)).collect();
    let first = odd.first()?;
    let reason = match first.count_ones() {
        length if length > most => format!("has {length} cells and a side {most} pieces"),
        _ => "has cells that no side can reach together".into(),
    };
    let found = match game.lines().len() {
        all if all == odd.len() => "no line can be made, so that nobody wins by one".into(),
        all => format!("{} of {all} lines cannot be made", odd.len()),
    };
    let cells = game.format_cells(*first);
    let message = format!("{found}: {cells} {reason}; write lines that pieces can make");
    Some(("lines", message))
}

/// The cells that pieces on `cells` can reach.
fn reached(game: &Game, rules: &Rules, mut cells: u64) -> u64 {
    match &rules.movement {
        None => cells,
        Some(movement) if matches!(movement.to, To::Any | To::Push) => game.board(),
        Some(movement) => {
            // A path has at most as many steps as there are cells.
            for step in (0..game.cells()).flat_map(|_| &movement.steps) {
                let is_from = step.from.is_some_and(|from| cells >> from & 1 == 1);
                cells |= if is_from { step.to } else { 0 };
            }
            cells
        }
    }
}

/// Pieces that are never placed, since a line or the lack of a cell ends every game before.
fn pieces(game: &Game, rules: &Rules, open: u64) -> Option<(&'static str, String)> {
    if rules.mills.is_some() || rules.pieces.is_none() && rules.movement.is_some() {
        return None;
    }
    let last = rules.pieces.map_or(game.cells().into(), |each| 2 * u32::from(each));
    let lines = game.lines_with_prolongations().filter(|line| line.1 == 0);
    let lines: Vec<u64> = lines.map(|(line, _)| line).collect();
    // A piece is placed if a position without a line exists before the placement.
    let mut steps = STEPS;
    let is_placed = |ply: &u32| {
        let before = [ply / 2, (ply - 1) / 2];
        *ply <= open.count_ones() && fits(&lines, open, [0, 0], before, &mut steps)
    };
    let most = (1..=last).rev().find(is_placed).unwrap_or(0);
    let message = format!(
        "no game has more than {most} of {last} pieces on the board: a line or the lack of a cell ends it; write fewer pieces, or lines of more cells"
    );
    let key = if rules.pieces.is_some() { "pieces.each" } else { "lines" };
    (most < last && rules.start.is_none()).then_some((key, message))
}

/// Returns true if `left` further pieces of each side fit on the cells `open` such that no side has a line. Returns true also if `steps` are
/// used up.
fn fits(lines: &[u64], open: u64, own: [u64; 2], left: [u32; 2], steps: &mut u32) -> bool {
    if left == [0, 0] || *steps == 0 {
        return true;
    }
    *steps -= 1;
    if open.count_ones() < left[0] + left[1] {
        return false;
    }
    let cell = open & open.wrapping_neg();
    let mut is_free = |side: usize| {
        let (mut own, mut left) = (own, left);
        own[side] |= cell;
        let has_line = lines.iter().any(|line| line & cell != 0 && line & !own[side] == 0);
        let is_possible = left[side] > 0 && !has_line;
        left[side] = left[side].saturating_sub(1);
        is_possible && fits(lines, open & !cell, own, left, steps)
    };
    let first = usize::from(left[1] > left[0]);
    is_free(first) || is_free(1 - first) || fits(lines, open & !cell, own, left, steps)
}
