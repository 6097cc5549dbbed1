//! The movement layer: it leads back into itself, so it is solved by retrograde analysis, distance by distance.
//!
//! In: the layer with its finished positions. Every step finds, in the waiter's rows, the undecided positions with a lost
//! child (wins) and those whose children are all won (losses) at the distances decided so far (`find`), and writes them to
//! the table at the next distance (`write`). What no step decides is a draw by cycle; among these the draws that
//! end are peeled off by the same steps, "won" then including the draws already found to end.

mod find;
mod write;

use crate::error::SolveError;
use crate::sets::FoldedSets;
use crate::solve::Shape;
use crate::solve::entry::Entry;
use crate::solve::finished::finished;
use crate::solve::operator::sliced::{LOADED_TILE, Moves, blocked_lanes, link_lanes};
use crate::solve::operator::{LayerRules, Operator};
use crate::solve::planes::{BLOCK_ROWS, Bits};
use crate::solve::shared::Shared;
use crate::solve::transposition::Transposition;
use morpion_games::progress::Progress;
use morpion_lookup::{Counts, Score};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// A movement layer while it is being solved.
///
/// `codes` is the layer as it will stand in the table; 0 is undecided until nothing more can be decided, and a draw by
/// cycle then. All positions at a distance are found before one of them is written, so that the order of work changes
/// nothing.
pub struct MovementLayer<'f, E> {
    sets: &'f FoldedSets,
    counts: Counts,
    shape: Shape,
    transposition: Transposition<'f>,
    /// Of each row of the waiter: the images of its representative.
    images: Vec<u64>,
    /// The index arithmetic of the sliced operator; nothing for the plain one.
    moves: Option<Moves>,
    codes: Vec<E>,
    blocks: Vec<Block>,
    distance: u16,
    stage: Stage,
}

/// What is being looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Wins and losses, by distance.
    Values,
    /// Among the draws those that end.
    Ends,
    /// Nothing: the layer is solved.
    Done,
}

/// The planes of [`BLOCK_ROWS`] of the waiter's rows: for each column, one bit a row.
struct Block {
    /// Positions that are decided, and lanes beyond the last row.
    decided: Vec<Bits>,
    /// Children that are lost, as of the last time their tile was loaded.
    lost_children: Vec<Bits>,
    /// Children that are not won, likewise.
    unwon_children: Vec<Bits>,
    /// Positions whose mover is blocked and passes; empty where the rules have no such pass.
    blocked: Vec<Bits>,
    /// What the last step found to be won.
    wins: Vec<Bits>,
    /// What the last step found to be lost.
    losses: Vec<Bits>,
    /// Of the rows of the table with the same numbers, the tiles of [`LOADED_TILE`] rows by as many columns whose entries
    /// have changed since they were loaded.
    stale_tiles: Vec<AtomicBool>,
}

/// Tiles beside each other in a row of `columns` columns.
fn tiles(columns: usize) -> usize {
    columns.div_ceil(LOADED_TILE)
}

const _: () = assert!(BLOCK_ROWS.is_multiple_of(LOADED_TILE));

impl Block {
    /// The block from row `first` on, with the rows whose waiter has a line decided and nothing else.
    fn new(first: usize, has_line: &[bool], columns: usize) -> Block {
        let mut decided = Bits::NONE;
        (0..BLOCK_ROWS)
            .filter(|lane| *has_line.get(first + lane).unwrap_or(&true))
            .for_each(|lane| decided.set(lane));
        let planes = || vec![Bits::NONE; columns];
        let stale = || AtomicBool::new(true);
        Block {
            decided: vec![decided; columns],
            lost_children: planes(),
            unwon_children: planes(),
            blocked: Vec::new(),
            wins: planes(),
            losses: planes(),
            stale_tiles: std::iter::repeat_with(stale)
                .take(BLOCK_ROWS / LOADED_TILE * tiles(columns))
                .collect(),
        }
    }

    /// Notes that the entry in row `lane` of the block and in this column has changed; rows have `tiles` tiles.
    #[inline(always)]
    fn make_stale(&self, lane: usize, column: usize, tiles: usize) {
        self.stale_tiles[lane / LOADED_TILE * tiles + column / LOADED_TILE]
            .store(true, Ordering::Relaxed);
    }

    /// Makes all tiles stale.
    fn make_all_stale(&self) {
        self.stale_tiles.iter().for_each(|stale| stale.store(true, Ordering::Relaxed));
    }
}

impl<'f, E: Shared> MovementLayer<'f, E> {
    /// The layer with its finished positions decided and nothing else.
    pub fn new(sets: &'f FoldedSets, counts: Counts, operator: Operator) -> MovementLayer<'f, E> {
        MovementLayer::resume(sets, counts, operator, finished(sets, counts), 0)
    }

    /// The layer as it was at an earlier time: all wins and losses up to `distance`, the greatest in `codes`, decided, and
    /// perhaps some draws that end. If these were under way already, the first step decides nothing and leads on to them.
    pub fn resume(
        sets: &'f FoldedSets,
        counts: Counts,
        operator: Operator,
        codes: Vec<E>,
        distance: u16,
    ) -> MovementLayer<'f, E> {
        let shape = Shape::of(sets, counts);
        let has_line = sets.has_line(counts.waiter);
        let rules = LayerRules { game: sets.game(), counts };
        let mut blocks: Vec<Block> = (0..shape.source_rows)
            .step_by(BLOCK_ROWS)
            .map(|first| Block::new(first, has_line, shape.source_columns))
            .collect();
        let transposition = Transposition::new(sets, counts);
        let moves = match operator {
            Operator::Row => None,
            Operator::Sliced => Some(Moves::new(&rules)),
        };
        if moves.is_some() && rules.blocked_pass() {
            let waiters = sets.orbits(counts.waiter).representatives.par_chunks(BLOCK_ROWS);
            blocks.par_iter_mut().zip(waiters).for_each(|(block, waiters)| {
                block.blocked = blocked_lanes(&rules, &link_lanes(&rules, waiters));
            });
        }
        MovementLayer {
            sets,
            counts,
            shape,
            images: (0..shape.source_rows)
                .flat_map(|row| transposition.waiter_images(row))
                .collect(),
            transposition,
            moves,
            codes,
            blocks,
            distance,
            stage: Stage::Values,
        }
    }

    /// Decides the next distance, or the next draws that end. Returns how many entries were decided: 0 exactly if none was,
    /// else perhaps too many, as an entry that two threads write at once counts twice.
    ///
    /// # Errors
    /// Where the distance does not fit the entries, or the observer asks for a stop; the codes are then as they were
    /// before, and the layer can be resumed from them.
    pub fn step(&mut self, progress: &dyn Progress) -> Result<u64, SolveError> {
        let next = self.distance.saturating_add(1);
        let won = match self.stage {
            Stage::Values => E::draw_end(),
            Stage::Ends => E::new(E::draw_end().code() + 1),
            Stage::Done => return Ok(0),
        };
        self.find(won, progress)?;
        let codes = match self.stage {
            Stage::Values => {
                [Score::Win { plies: Some(next) }, Score::Loss { plies: Some(next) }].map(E::of)
            }
            _ => [Some(E::draw_end()); 2],
        };
        let decided = self.write(codes)?;
        progress.advance(decided);
        self.distance = next;
        if decided == 0 {
            self.stage = match self.stage {
                Stage::Values if self.codes.par_iter().any(|&code| code == E::draw_end()) => {
                    // What counts as won changes, and with it every plane.
                    self.blocks.iter().for_each(Block::make_all_stale);
                    Stage::Ends
                }
                _ => Stage::Done,
            };
        }
        Ok(decided)
    }

    /// What is being looked for now.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The greatest distance that is decided, or beyond it the number of steps.
    pub fn distance(&self) -> u16 {
        self.distance
    }

    /// The layer's codes.
    pub fn codes(&self) -> &[E] {
        &self.codes
    }

    /// The layer's codes, once it is solved.
    pub fn into_codes(self) -> Vec<E> {
        self.codes
    }
}

/// Bytes of memory that solving a movement layer of this shape takes under a group of `order` elements; `passes`: where a
/// blocked side passes.
pub(crate) fn memory<E: Entry>(shape: &Shape, order: usize, passes: bool) -> u64 {
    let (rows, columns) = (shape.source_rows as u64, shape.source_columns as u64);
    let planes = (5 + u64::from(passes)) * rows.next_multiple_of(BLOCK_ROWS as u64) * columns / 8;
    let images = rows * order as u64 * 8;
    let codes = shape.entries() as u64 * E::BYTES as u64;
    codes + planes + Moves::memory(shape) + images + Transposition::memory(shape.rows as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;
    use crate::solve::{census, legal};
    use morpion_games::catalogue::standard_game;
    use morpion_games::progress::Unobserved;
    use morpion_games::rules::parse;
    use morpion_lookup::raw::Encoding;
    use morpion_lookup::{DrawKind, Game, Position};
    use std::collections::HashMap;

    fn folded(game: &Game) -> FoldedSets {
        FoldedSets::fold(&Layout::new(game, None, &Unobserved).unwrap(), &Unobserved).unwrap()
    }

    fn solved<'f, E: Shared>(sets: &'f FoldedSets, operator: Operator) -> MovementLayer<'f, E> {
        let last = *sets.game().layers().last().unwrap();
        to_the_end(MovementLayer::new(sets, last, operator))
    }

    fn to_the_end<E: Shared>(mut layer: MovementLayer<'_, E>) -> MovementLayer<'_, E> {
        while layer.stage() != Stage::Done {
            layer.step(&Unobserved).unwrap();
        }
        layer
    }

    /// Achi, but a blocked side draws, so that there are draws that end beside those by cycle.
    const BLOCKED_DRAWS: &str = "name = \"blocked\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n\
        [pieces]\neach = 4\n[moves]\nto = \"drawn\"\nstuck = \"draw\"";

    /// The scores of a movement layer by their definition, on all arrangements, without rows, operators and symmetries.
    fn by_definition(game: &Game) -> HashMap<Position, Score> {
        let each = u32::from(game.rules().pieces.unwrap());
        let sets = || (0..=game.board()).filter(move |set| set.count_ones() == each);
        let pairs = sets().flat_map(|mover| sets().map(move |waiter| Position { mover, waiter }));
        let positions: Vec<Position> = pairs
            .filter(|position| {
                position.mover & position.waiter == 0 && !game.has_line(position.mover)
            })
            .collect();
        let mut scores = HashMap::new();
        for &position in &positions {
            if let Some(over) = game.over(position) {
                scores.insert(position, game.final_score(over));
            }
        }
        let is_won = |score: &Score| matches!(score, Score::Win { .. });
        let ends = Score::Draw { kind: DrawKind::End };
        let mut decide = |what: &dyn Fn(&[Option<Score>]) -> Option<Score>| {
            let undecided = positions.iter().filter(|position| !scores.contains_key(*position));
            let found: Vec<_> = undecided
                .filter_map(|&position| {
                    let moves = game.legal_moves(position);
                    let children: Vec<_> =
                        moves.map(|mv| scores.get(&position.after(mv)).copied()).collect();
                    what(&children).map(|score| (position, score))
                })
                .collect();
            let count = found.len();
            scores.extend(found);
            count
        };
        for plies in (1..).map(Some) {
            let decided = decide(&|children| {
                if children.iter().flatten().any(|child| matches!(child, Score::Loss { .. })) {
                    Some(Score::Win { plies })
                } else {
                    let all_won = children.iter().all(|child| child.as_ref().is_some_and(is_won));
                    all_won.then_some(Score::Loss { plies })
                }
            });
            if decided == 0 {
                break;
            }
        }
        let is_settled = |child: &Option<Score>| child.is_some_and(|s| is_won(&s) || s == ends);
        while decide(&|children| children.iter().all(is_settled).then_some(ends)) > 0 {}
        decide(&|_| Some(Score::Draw { kind: DrawKind::Cycle }));
        scores
    }

    #[test]
    fn a_step_decides_exactly_the_positions_at_its_distance() {
        let square = "[board]\nrows = 2\ncolumns = 3\n[lines]\nsets = [[0, 1, 2], [3, 4, 5]]\n[pieces]\neach = 3";
        let ring = "[board]\ncells = 6\n[lines]\nsets = [[0, 2], [1, 3]]\n[pieces]\neach = 2\n[moves]\nto = \"edges\"\n\
            edges = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [0, 5]]";
        let games = [
            format!("{ring}\nstuck = \"draw\""),
            format!("{ring}\nstay = true\n[goal]\nmisere = true"),
            format!("{}\n[moves]\nto = \"king\"\nstuck = \"draw\"", square.replace("each = 3", "each = 2")),
            format!("{square}\n[moves]\nto = \"any\""),
            "[board]\ncells = 7\n[lines]\nsets = [[0, 1], [2, 3, 4], [5, 6]]\n[pieces]\neach = 2\n[moves]\nto = \"any\"".into(),
            BLOCKED_DRAWS.split_once('\n').unwrap().1.into(),
        ];
        let (mut decided_late, mut ended) = (0, 0);
        for (body, operator) in
            games.iter().flat_map(|body| [Operator::Row, Operator::Sliced].map(|o| (body, o)))
        {
            let game = parse("t.toml", &format!("name = \"t\"\n{body}")).unwrap();
            let (sets, scores) = (folded(&game), by_definition(&game));
            let counts = *game.layers().last().unwrap();
            let mut layer = MovementLayer::<u8>::new(&sets, counts, operator);
            while layer.stage() != Stage::Done {
                layer.step(&Unobserved).unwrap();
                if layer.stage() == Stage::Ends && layer.distance() > 0 {
                    continue;
                }
                let is_done = layer.stage() == Stage::Done;
                let movers = &sets.orbits(counts.mover).representatives;
                for (row, &mover) in layer.codes().chunks(layer.shape.columns).zip(movers) {
                    for (waiter, &code) in layer.shape.waiters(mover).zip(row) {
                        let position = Position { mover, waiter };
                        let Some(&score) = scores.get(&position) else {
                            assert_eq!(code, u8::none(), "{position:?} {body}");
                            continue;
                        };
                        let is_decided = is_done
                            || score.plies().is_some_and(|plies| plies <= layer.distance())
                            || game.over(position).is_some();
                        let expected = if is_decided { u8::of(score).unwrap() } else { 0 };
                        assert_eq!(code, expected, "{position:?} at {} {body}", layer.distance());
                        decided_late += usize::from(score.plies() > Some(2));
                        ended +=
                            usize::from(code == u8::draw_end() && game.over(position).is_none());
                    }
                }
            }
        }
        assert!(decided_late > 100 && ended > 0, "{decided_late} {ended}");
    }

    #[test]
    fn each_step_decides_what_the_plain_operator_decides() {
        let names = ["swap", "swap-pass", "tapatan", "achi", "picaria", "beginner4"];
        let mut games: Vec<_> = names.iter().filter_map(|name| standard_game(name)).collect();
        games.push(parse("blocked.toml", BLOCKED_DRAWS).unwrap());
        assert_eq!(games.len(), names.len() + 1);
        let mut peeled = false;
        for game in games {
            let sets = folded(&game);
            let last = *game.layers().last().unwrap();
            let mut layers = [Operator::Row, Operator::Sliced]
                .map(|operator| MovementLayer::<u8>::new(&sets, last, operator));
            while layers[0].stage() != Stage::Done {
                let decided = layers.each_mut().map(|layer| layer.step(&Unobserved).unwrap());
                // An entry that two threads write at once counts twice.
                assert_eq!(
                    decided[0] == 0,
                    decided[1] == 0,
                    "{game:?} at {}",
                    layers[0].distance()
                );
                assert!(layers[0].codes() == layers[1].codes(), "{game:?}");
                assert_eq!(layers[0].stage(), layers[1].stage());
                peeled |= layers[0].stage() == Stage::Ends;
            }
        }
        assert!(peeled, "no game had draws that end to peel");
    }

    #[test]
    fn a_layer_resumed_at_any_distance_ends_as_if_it_had_not_stopped() {
        let blocked = parse("blocked.toml", BLOCKED_DRAWS).unwrap();
        for game in [standard_game("tapatan").unwrap(), standard_game("achi").unwrap(), blocked] {
            let sets = folded(&game);
            let last = *sets.game().layers().last().unwrap();
            let whole = solved::<u8>(&sets, Operator::Sliced);
            let mut layer = MovementLayer::<u8>::new(&sets, last, Operator::Sliced);
            while layer.stage() != Stage::Done {
                layer.step(&Unobserved).unwrap();
                let codes = layer.codes().to_vec();
                let (census, _) = census::of_distances(&sets, last, &codes);
                let distance = legal::depth(&sets, last, &codes, &census).expect("legal codes");
                let resumed = MovementLayer::resume(&sets, last, Operator::Sliced, codes, distance);
                let resumed = to_the_end(resumed);
                assert!(resumed.codes() == whole.codes(), "resumed at {}", layer.distance());
            }
        }
    }

    #[test]
    fn codes_that_no_step_leaves_are_not_resumed() {
        let sets = folded(&standard_game("tapatan").unwrap());
        let last = *sets.game().layers().last().unwrap();
        let mut layer = MovementLayer::<u8>::new(&sets, last, Operator::Sliced);
        for _ in 0..4 {
            layer.step(&Unobserved).unwrap();
        }
        let depth = |codes: &[u8]| {
            let (census, _) = census::of_distances(&sets, last, codes);
            legal::depth(&sets, last, codes, &census)
        };
        let code = |score| u8::of(score).unwrap();
        let [win, loss] = [Score::Win { plies: Some(0) }, Score::Loss { plies: Some(0) }].map(code);
        let far = code(Score::Win { plies: Some(9) });
        let finished = finished::<u8>(&sets, last);
        assert_eq!(depth(layer.codes()), Some(4));
        for (kind, changes) in [
            (0, vec![win, loss, far, u8::none()]),
            (loss, vec![0, win, far, u8::none()]),
            (u8::none(), vec![0, win, loss, far]),
        ] {
            let at = finished.iter().rposition(|&code| code == kind).unwrap();
            for change in changes {
                let mut codes = layer.codes().to_vec();
                codes[at] = change;
                assert_eq!(depth(&codes), None, "{change} in the place of {kind}");
            }
        }
        assert_eq!(depth(&layer.codes()[1..]), None);
    }

    #[test]
    fn wide_entries_say_the_same_as_narrow_ones() {
        let sets = folded(&standard_game("tapatan").unwrap());
        let narrow = solved::<u8>(&sets, Operator::Sliced);
        let wide = solved::<u16>(&sets, Operator::Sliced);
        for (narrow, wide) in narrow.codes().iter().zip(wide.codes()) {
            assert_eq!(
                Encoding::Plies8.decode(narrow.code()),
                Encoding::Plies16.decode(wide.code())
            );
        }
    }

    #[test]
    fn a_changed_entry_makes_its_own_tile_stale_and_no_other() {
        let columns = 3 * LOADED_TILE - 1;
        let block = Block::new(0, &[false; BLOCK_ROWS], columns);
        block.stale_tiles.iter().for_each(|stale| stale.store(false, Ordering::Relaxed));
        block.make_stale(2 * LOADED_TILE + 5, LOADED_TILE, tiles(columns));
        let stale = block.stale_tiles.iter().map(|stale| stale.load(Ordering::Relaxed));
        assert_eq!(
            stale.enumerate().filter(|(_, stale)| *stale).map(|(at, _)| at).collect::<Vec<_>>(),
            [2 * 3 + 1]
        );
    }
}
