//! The entry of a game in a registry of solved games.

use anyhow::Result;
use morpion_games::catalogue::{Table, standard_rules};
use morpion_games::reach::walk::arrangements;
use morpion_lookup::Bytes;
use morpion_machine::pieces::copy;
use morpion_machine::progress::{Progress, Unobserved};
use morpion_report::answer::Answer;
use morpion_report::census::{DeepestText, Totals};
use morpion_report::count::{self, Count, Symmetry};
use morpion_report::phrases;
use morpion_report::worth::Worth;
use serde::Serialize;

/// Maximum number of arrangements of a game whose reachable positions are counted.
pub(crate) const COUNTED: u128 = 200_000_000;

/// The method by which all tables are made.
pub const METHOD: &str =
    "retrograde analysis of all arrangements up to symmetry (a strong solution)";

/// The proof of a table; its command is `morpion verify`.
pub const PROOF: &str = "every entry follows from its children, in one pass by sums under a random key; a wrong table passes with a \
     probability below 1e-32";

/// The proof of a table of a game in which a turn may change the pieces of both sides.
pub const DIRECT_PROOF: &str = "every entry is compared with each of its children";

/// A solved game. The keys of its JSON form are part of the interface.
#[derive(Clone, Debug, Serialize)]
pub struct Solved {
    /// The game's name.
    pub game: String,
    /// Its title.
    pub title: String,
    /// The rules in sentences.
    pub rules: String,
    /// The rule file, which is exact; `null` if the game is not a standard game.
    pub rule_file: Option<&'static str>,
    /// The worth of the start for the side that begins.
    #[serde(flatten)]
    pub worth: Worth,
    /// Every perfect first move.
    pub first_moves: Vec<String>,
    /// Number of positions that play can reach; `null` above 200 million arrangements.
    pub positions: Option<u64>,
    /// Number of arrangements: positions whether or not play can reach them.
    pub arrangements: u128,
    /// The longest win of all arrangements; `null` if there is none or the table has no distances.
    pub longest_win: Option<DeepestText>,
    /// The longest loss.
    pub longest_loss: Option<DeepestText>,
    /// The method by which the game was solved.
    pub method: &'static str,
    /// The proof of the table.
    pub proof: &'static str,
    /// The command that repeats the proof.
    pub verify: String,
    /// Entries of the table.
    pub entries: u64,
    /// Bytes of the unpacked table.
    pub bytes: u64,
    /// Fingerprint of the rules.
    pub fingerprint: String,
    /// The BLAKE3 of the unpacked table.
    pub blake3: String,
    /// The reachable positions by value, if they were counted.
    #[serde(skip)]
    pub count: Option<Count>,
    /// The census of all layers.
    #[serde(skip)]
    pub totals: Totals,
}

impl Solved {
    /// Reads a table, and counts the positions that play can reach.
    ///
    /// # Errors
    /// If the table is damaged, or the observer requests a stop.
    pub fn of(table: &Table, progress: &dyn Progress) -> Result<Solved> {
        let game = table.game();
        let header = table.raw().header();
        let start = game.start();
        let Answer { worth, best: first_moves, .. } = Answer::new(table, start, false)?;
        let totals = Totals::of(table)?;
        let arrangements = arrangements(game);
        let count = (arrangements <= COUNTED)
            .then(|| count::count(table, Symmetry::None, progress))
            .transpose()?;
        Ok(Solved {
            game: game.name().into(),
            title: game.title().into(),
            rules: phrases::rules(game),
            rule_file: standard_rules(table),
            worth,
            first_moves,
            positions: count.as_ref().map(|count| count.positions),
            arrangements,
            longest_win: totals.longest_win.clone(),
            longest_loss: totals.longest_loss.clone(),
            method: METHOD,
            proof: if game.has_children_in_one_row() { PROOF } else { DIRECT_PROOF },
            verify: format!("morpion verify {}", game.name()),
            entries: header.entries(),
            bytes: table.size(),
            fingerprint: format!("{:016x}", game.fingerprint()),
            blake3: blake3(table.source())?,
            count,
            totals,
        })
    }
}

/// The BLAKE3 of the unpacked table, in hexadecimal, as `morpion verify` and `b3sum` print it.
///
/// # Errors
/// If the table cannot be read.
pub fn blake3(table: &Bytes) -> Result<String> {
    let mut hash = blake3::Hasher::new();
    copy::<anyhow::Error>(table, &mut hash, &Unobserved)?;
    Ok(hash.finalize().to_string())
}
