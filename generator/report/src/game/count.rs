//! Counts the positions that play can reach, by value and by pieces. A parameter selects the symmetries under which positions are equal.

use super::least::Least;
use crate::distribution::Bin;
use crate::error::ReportError;
use morpion_core::{Counts, Game, Permutation, names};
use morpion_games::catalogue::Table;
use morpion_games::reach::TooLarge;
use morpion_games::reach::reached::Reached;
use morpion_games::reach::walk::{Sides, Walk};
use morpion_games::symmetry::group::{group, symmetries_of_board};
use morpion_machine::progress::{Progress, Stopped};
use serde::Serialize;
use std::str::FromStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Symmetries under which positions count as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// None: every position counts.
    None,
    /// The rotations and reflections of the grid that keep the rules.
    Board,
    /// The group by which tables are folded. These are all symmetries of the rules, or, if there are too many to list,
    /// the symmetries of [`Symmetry::Board`].
    Rules,
}

names!(Symmetry { None = "none", Board = "board", Rules = "rules" });

impl Symmetry {
    /// Lists the permutations by which positions are folded while they are followed, ascending. [`Symmetry::None`] folds by the rules too:
    /// each class is multiplied out when it is counted. The permutations are computed from the rules, not read from a table.
    ///
    /// # Errors
    /// If `progress` requests a stop.
    pub(crate) fn folding(
        self,
        game: &Game,
        progress: &dyn Progress,
    ) -> Result<Vec<Permutation>, Stopped> {
        match self {
            Symmetry::Board => Ok(symmetries_of_board(game)),
            Symmetry::None | Symmetry::Rules => Ok(group(game, progress)?.1),
        }
    }
}

impl FromStr for Symmetry {
    type Err = String;

    fn from_str(name: &str) -> Result<Symmetry, String> {
        let found = Symmetry::ALL.into_iter().find(|symmetry| symmetry.name() == name);
        found.ok_or_else(|| format!("symmetry {name:?}: use none, board or rules"))
    }
}

/// Counts of a game's reachable positions. The keys of the JSON form are part of the interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Count {
    /// The game's name.
    pub game: String,
    /// `none`, `board` or `rules`.
    pub symmetry: &'static str,
    /// Number of positions. A position has a side to move and a side waiting; exchanging X and O gives the same position.
    pub positions: u64,
    /// Positions reached by placing pieces, by number of pieces; `None` for a preset start, and if pieces are taken or pushed.
    pub plies: Option<Vec<u64>>,
    /// Positions in which the game is over.
    pub terminal: u64,
    /// Positions that the mover wins.
    pub win: u64,
    /// Positions that the mover loses.
    pub loss: u64,
    /// Drawn positions.
    pub draw: u64,
    /// Greatest distance of a win; `None` without wins or without distances.
    pub longest_win: Option<u16>,
    /// Greatest distance of a loss; `None` without losses or without distances.
    pub longest_loss: Option<u16>,
    /// Positions by layer, value and distance.
    pub distribution: Vec<Bin>,
}

/// Follows play from the start and counts the reached positions.
///
/// Memory: a [`Walk`] and, with symmetry, one more bit per arrangement of a layer.
///
/// # Errors
/// If the table is damaged, the positions do not fit in memory, or `progress` requests a stop.
pub fn count(
    table: &Table,
    symmetry: Symmetry,
    progress: &dyn Progress,
) -> Result<Count, ReportError> {
    let game = table.game();
    let graph = game.graph();
    let permutations = symmetry.folding(game, progress)?;
    let mut walk = Walk::new(game, game.start().raw, Sides::Together, &permutations)?;
    let mut tally = Tally {
        table,
        symmetry,
        least: Least::new(game.cells(), permutations),
        terminal: AtomicU64::new(0),
        distribution: Vec::new(),
    };
    let mut plies = Vec::new();
    while !walk.is_over() {
        for by_placing in walk.present() {
            let representatives = tally.representatives(by_placing)?;
            plies.push(representatives.as_ref().unwrap_or(by_placing).len());
        }
        walk.follow(|| Ok::<(), ReportError>(progress.check()?))?;
        for reached in walk.leave() {
            tally.add(&reached)?;
        }
    }
    let begins_empty = game.start().raw.cells().counts() == Counts::default();
    let is_placed = begins_empty && graph.lines_end();
    let placed = graph.layers.iter().filter(|layer| !layer.ended).count();
    plies.truncate(placed);
    Ok(tally.finish(is_placed.then_some(plies)))
}

/// The sums over the layers counted so far.
struct Tally<'t> {
    table: &'t Table,
    symmetry: Symmetry,
    least: Least,
    terminal: AtomicU64,
    distribution: Vec<Bin>,
}

impl Tally<'_> {
    /// Lists one position of each class; `None` if every position is a class of its own.
    fn representatives(&self, reached: &Reached) -> Result<Option<Reached>, TooLarge> {
        if self.symmetry == Symmetry::None {
            return Ok(None);
        }
        let representatives = reached.unfolded()?;
        reached.for_each(|position, _| {
            representatives.insert(self.least.of(position));
        });
        Ok(Some(representatives))
    }

    fn add(&mut self, reached: &Reached) -> Result<(), ReportError> {
        let encoding = self.table.raw().header().encoding;
        // Positions are counted by code, which determines value and distance.
        let codes: Vec<AtomicU64> =
            std::iter::repeat_with(AtomicU64::default).take(1 << encoding.bits()).collect();
        let fault = OnceLock::new();
        let representatives = self.representatives(reached)?;
        representatives.as_ref().unwrap_or(reached).for_each(|position, positions| {
            match self.table.probe(position) {
                Ok(score) => {
                    let code = encoding.encode(score).unwrap_or_default();
                    codes[usize::from(code)].fetch_add(positions, Ordering::Relaxed);
                }
                Err(error) => _ = fault.set(error),
            }
            if self.table.game().end_at(position).is_some() {
                self.terminal.fetch_add(positions, Ordering::Relaxed);
            }
        });
        if let Some(error) = fault.into_inner() {
            return Err(error.into());
        }
        for (code, count) in codes.into_iter().map(AtomicU64::into_inner).enumerate() {
            let score = encoding.decode(code as u16).filter(|_| count > 0);
            let layer = reached.arranged().layer();
            self.distribution
                .extend(score.map(|_| Bin::new(self.table.game(), layer, score, count)));
        }
        Ok(())
    }

    fn finish(self, plies: Option<Vec<u64>>) -> Count {
        let of = |value: &'static str| self.distribution.iter().filter(move |s| s.value == value);
        let sum = |value| of(value).map(|bin| bin.count).sum();
        let longest = |value| of(value).filter_map(|bin| bin.plies).max();
        let (win, loss, draw) = (sum("win"), sum("loss"), sum("draw"));
        let (longest_win, longest_loss) = (longest("win"), longest("loss"));
        Count {
            game: self.table.game().name().to_owned(),
            symmetry: self.symmetry.name(),
            positions: win + draw + loss,
            plies,
            terminal: self.terminal.into_inner(),
            win,
            loss,
            draw,
            longest_win,
            longest_loss,
            distribution: self.distribution,
        }
    }
}
