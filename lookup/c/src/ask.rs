//! Questions to a table: values of positions, moves, lines of play, symmetric forms.

use crate::codes::*;
use crate::data::*;
use crate::open::MorpionTable;
use crate::pointers::{answer, given, items, put, put_all, room_for};
use morpion_lookup::{LineEnd, Position, RankedMove, Source};
use std::mem::MaybeUninit;

/// Value and distance of a position. MORPION_ERROR_OFF_THE_BOARD, _OVERLAP, _COUNTS, _MOVER_LINE or _BOTH_LINES if the game has no
/// such position.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub extern "C" fn morpion_probe(
    table: Option<&MorpionTable>,
    position: Option<&MorpionPosition>,
    out: Option<&mut MaybeUninit<MorpionScore>>,
) -> i32 {
    answer(|| put(out, c_score(given(table)?.0.probe(given(position)?)?)))
}

/// Values and distances of `count` positions, faster than single questions. `codes[i]` becomes 0 or the error of position i, for
/// which `out[i]` is unchanged. `codes` may be NULL. Returns 0, or the first error, whose message has the number of its position.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_probe_many(
    table: Option<&MorpionTable>,
    positions: *const MorpionPosition,
    count: usize,
    out: *mut MorpionScore,
    codes: *mut i32,
) -> i32 {
    answer(|| {
        if count == 0 {
            return Ok(());
        }
        let table = &given(table)?.0;
        let has_codes = if codes.is_null() { 0 } else { count };
        // SAFETY: the caller guarantees `count` items in each array.
        let (positions, out, codes) = unsafe {
            (items(positions, count)?, room_for(out, count)?, room_for(codes, has_codes)?)
        };
        let mut first = Ok(());
        let length = if table.source().in_memory().is_some() { 256 } else { 1 << 16 };
        let (mut unit, mut answers) = (Vec::new(), Vec::new());
        for (start, positions) in (0..).step_by(length).zip(positions.chunks(length)) {
            unit.clear();
            unit.extend(positions.iter().map(Position::from));
            // The result is ignored: an error of the source is also the answer for every position that could not be read.
            let _ = table.probe_many(&unit, &mut answers);
            for ((at, &position), answer) in (start..).zip(&unit).zip(&answers) {
                let code = answer.as_ref().map_or_else(|kind| *kind as i32, |_| MORPION_OK);
                if let Ok(score) = answer {
                    out[at].write(c_score(*score));
                }
                codes.get_mut(at).into_iter().for_each(|slot| _ = slot.write(code));
                if first.is_ok() && code != MORPION_OK {
                    let error = table.probe(position).err();
                    let text = error.map_or(String::new(), |error| error.to_string());
                    first = Err(Fault { code, text: format!("position {at}: {text}") });
                }
            }
        }
        first
    })
}

/// All moves with their values, the best first; none if the game is over. `*count` becomes the number of moves. `*perfect` becomes
/// the number of perfect moves, which come first: they have the best value, with the shortest win or the longest loss. `perfect`
/// may be NULL. At most `room` moves are written to `out`. MORPION_MAX_MOVES is enough unless lines take pieces: if `*count` is
/// greater than `room` then, call the function again with more room.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_moves(
    table: Option<&MorpionTable>,
    position: Option<&MorpionPosition>,
    out: *mut MorpionMove,
    room: usize,
    count: Option<&mut MaybeUninit<usize>>,
    perfect: Option<&mut MaybeUninit<usize>>,
) -> i32 {
    answer(|| {
        let moves = given(table)?.0.ranked_moves(given(position)?)?;
        // SAFETY: the caller guarantees that the array has this room.
        put_all(moves.iter().map(c_move), unsafe { room_for(out, room)? });
        perfect.into_iter().for_each(|perfect| _ = perfect.write(moves.best().len()));
        put(count, moves.len())
    })
}

/// A perfect move, the first of morpion_moves. `*found` becomes 1, or 0 if the game is over.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub extern "C" fn morpion_best_move(
    table: Option<&MorpionTable>,
    position: Option<&MorpionPosition>,
    out: Option<&mut MaybeUninit<MorpionMove>>,
    found: Option<&mut MaybeUninit<i32>>,
) -> i32 {
    answer(|| put_found(given(table)?.0.best_move(given(position)?)?, out, found))
}

/// A move of a fallible player: with probability `errors`, from 0 to 1, an imperfect move, if there is any, else a perfect one.
/// Both are chosen uniformly. `random` is a random number from 0 to below 1, for example from drand48. `*found` as in
/// morpion_best_move.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub extern "C" fn morpion_choose(
    table: Option<&MorpionTable>,
    position: Option<&MorpionPosition>,
    errors: f64,
    random: f64,
    out: Option<&mut MaybeUninit<MorpionMove>>,
    found: Option<&mut MaybeUninit<i32>>,
) -> i32 {
    answer(|| {
        let moves = given(table)?.0.ranked_moves(given(position)?)?;
        put_found(moves.choose(errors, random).copied(), out, found)
    })
}

/// The end of the game, if it is over: MORPION_NOT_OVER, or a reason that begins with MORPION_OVER_.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub extern "C" fn morpion_over(
    table: Option<&MorpionTable>,
    position: Option<&MorpionPosition>,
    out: Option<&mut MaybeUninit<i32>>,
) -> i32 {
    answer(|| {
        let over = given(table)?.0.game().over(given(position)?)?;
        // The constants MORPION_OVER_... have the order of the variants of `Over`, which is fixed by the file format.
        put(out, over.map_or(MORPION_NOT_OVER, |over| MORPION_OVER_LINE + over as i32))
    })
}

/// The moves of a line of perfect play, to the end of the game or to a repetition. Each side makes the first of its perfect moves.
/// `*count` becomes the number of moves. `*cycle` becomes 0 if the game is over after them, else the number of moves since the
/// position that is repeated. At most `room` moves are written to `out`. For a win or a loss, their number is its distance.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_line(
    table: Option<&MorpionTable>,
    position: Option<&MorpionPosition>,
    out: *mut MorpionMove,
    room: usize,
    count: Option<&mut MaybeUninit<usize>>,
    cycle: Option<&mut MaybeUninit<usize>>,
) -> i32 {
    answer(|| {
        let (table, position) = (&given(table)?.0, given(position)?);
        let line = table.line(on_board(table.game(), position)?, usize::MAX)?;
        let length = match line.end {
            Some(LineEnd::Cycle(before)) => line.moves.len() - before,
            Some(LineEnd::Over(_)) | None => 0,
        };
        put(cycle, length)?;
        // SAFETY: the caller guarantees that the array has this room.
        put_all(line.moves.iter().map(c_move), unsafe { room_for(out, room)? });
        put(count, line.moves.len())
    })
}

/// The symmetric forms of a position, each once, including the position, with the same side to move. Symmetric positions share
/// the first form. `*count` becomes the number of forms. At most `room` forms are written to `out`; MORPION_MAX_SYMMETRIES is
/// always enough.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_orbit(
    table: Option<&MorpionTable>,
    position: Option<&MorpionPosition>,
    out: *mut MorpionPosition,
    room: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> i32 {
    answer(|| {
        let position = given(position)?;
        let orbit = given(table)?.0.orbit(position)?;
        let form = |&Position { mover, waiter }| MorpionPosition { mover, waiter, ..*position };
        // SAFETY: the caller guarantees that the array has this room.
        put_all(orbit.iter().map(form), unsafe { room_for(out, room)? });
        put(count, orbit.len())
    })
}

/// Writes the move `best` to `out` and 1 to `found`, or only 0 to `found` if there is no move.
fn put_found(
    best: Option<RankedMove>,
    out: Option<&mut MaybeUninit<MorpionMove>>,
    found: Option<&mut MaybeUninit<i32>>,
) -> Result<(), Fault> {
    if let Some(best) = &best {
        put(out, c_move(best))?;
    }
    put(found, best.is_some().into())
}
