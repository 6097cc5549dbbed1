//! The answers that readers in all languages are compared with: `lookup/conformance/vectors.csv` and `census.csv`, by the definition of
//! these tests. `.ci/vectors NAME...` writes the answers for a game, and its tables.

use crate::rules::Spec;
use morpion_builder::packer::{Packer, Packing};
use morpion_core::{Encoding, Game, Move, Position, Score, Side, Situation};
use morpion_lookup::Table;
use morpion_machine::progress::Unobserved;
use morpion_machine::splitmix::splitmix;
use morpion_solver::table;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{read_to_string, write};
use std::io::Write;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../lookup/conformance"))
}

/// A game with the scores of its positions and of those that follow.
struct Solved {
    name: String,
    spec: Spec,
    game: Game,
    scores: HashMap<(u64, u64), Score>,
    has_distances: bool,
}

impl Solved {
    fn new(name: &str) -> Solved {
        let path = format!("{name}.toml");
        let own = read_to_string(folder().join("rules").join(&path));
        let text =
            own.or_else(|_| read_to_string(folder().join("../../tables").join(&path))).unwrap();
        let spec = Spec::read(&text);
        let game = spec.game();
        let mut scores = spec.solve(spec.positions());
        let has_distances = !name.ends_with("-wdl");
        if !has_distances {
            scores.values_mut().for_each(|score| *score = without_distance(*score));
        }
        Solved { name: name.to_owned(), spec, game, scores, has_distances }
    }

    /// Value, distance, kind of draw, reason of the end, and perfect moves.
    fn answer(&self, position: Position) -> String {
        let Position { mover, waiter } = position;
        let score = self.scores[&(mover, waiter)];
        let over = self.spec.finished(mover, waiter).map(|(over, _)| over);
        let children = if over.is_some() { Vec::new() } else { self.spec.children(mover, waiter) };
        let worth = |child: &(u64, u64)| match self.scores[child] {
            Score::Loss { plies } => (2, -i32::from(plies.unwrap_or(0))),
            Score::Draw { .. } => (1, 0),
            Score::Win { plies } => (0, i32::from(plies.unwrap_or(0))),
        };
        let most = children.iter().map(|(_, child)| worth(child)).max();
        let best = children.iter().filter(|(_, child)| Some(worth(child)) == most);
        let mut best: Vec<_> = best.map(|(mv, _)| *mv).collect();
        best.sort_by_key(|mv| place(*mv));
        let best: Vec<String> = best.into_iter().map(|mv| self.game.format_move(mv)).collect();
        let plies = score.plies().map_or(String::new(), |plies| plies.to_string());
        let draw = score.draw().map_or("", |kind| kind.name());
        let over = over.map_or("", |over| over.name());
        format!("{},{plies},{draw},{over},{},", score.value().name(), best.join(" "))
    }

    /// The rows of the game in `vectors.csv`: the first position, the deepest ones, some that follow in layers without entries, and random ones.
    fn vectors(&self) -> Vec<String> {
        let kept: BTreeSet<(u64, u64)> = self.spec.positions().into_iter().collect();
        let kept: Vec<(u64, u64)> = kept.into_iter().collect();
        let mut deep = kept.clone();
        deep.sort_by_key(|position| self.scores[position].plies());
        let is_kept = |position: &&(u64, u64)| kept.binary_search(position).is_ok();
        let mut ended: Vec<(u64, u64)> =
            self.scores.keys().filter(|position| !is_kept(position)).copied().collect();
        ended.sort_unstable();
        let mut number = 0;
        let mut some = |of: &[(u64, u64)], count: usize| -> Vec<(u64, u64)> {
            let mut one = || {
                number += 1;
                of[splitmix(self.name.len() as u64, number) as usize % of.len()]
            };
            (0..count.min(of.len())).map(|_| one()).collect()
        };
        let deepest = &deep[deep.len().saturating_sub(5)..];
        let chosen = [&kept[..1], &some(&kept, 40), deepest, &some(&ended, 5)].concat();
        let chosen: BTreeSet<(u64, u64)> = chosen.into_iter().collect();
        let row = |(mover, waiter)| {
            let raw = Position { mover, waiter };
            let side = self.game.turn(raw).unwrap_or([Side::X, Side::O][(mover % 2) as usize]);
            let text =
                self.game.format_position(Situation { board: self.game.board_shape(), raw, side });
            let text = if text.contains(',') { format!("\"{text}\"") } else { text };
            format!("{},{text},{}", self.name, self.answer(raw))
        };
        chosen.into_iter().map(row).collect()
    }

    /// The rows of the game in `census.csv`: layer, value, distance (-1 for none), kind of draw (1 for a draw that ends, 2 for one by cycle)
    /// and count.
    fn census(&self) -> Vec<String> {
        let mut counts = BTreeMap::new();
        for (mover, waiter) in self.spec.positions() {
            let raw = Position { mover, waiter };
            let (value, plies, draw) = match self.scores[&(mover, waiter)] {
                Score::Win { plies } => (1, plies, 0),
                Score::Loss { plies } => (-1, plies, 0),
                Score::Draw { kind } => (0, None, kind as u8 + 1),
            };
            let plies = plies.filter(|_| self.has_distances).map_or(-1, i32::from);
            let order = [1, -1, 0].iter().position(|&other| other == value);
            let (own, other) = (raw.counts().mover, raw.counts().waiter);
            let key = (self.game.layer_of(raw), order, plies, draw, own, other, value);
            *counts.entry(key).or_insert(0u64) += 1;
        }
        let name = &self.name;
        let row = |((_, _, plies, draw, own, other, value), count)| {
            format!("{name},{own},{other},{value},{plies},{draw},{count}")
        };
        counts.into_iter().map(row).collect()
    }

    /// Writes the packed table with at least three frames, and the table of a game that the libraries do not contain.
    fn write_tables(&self) {
        let encoding = match self.name.ends_with("-16") {
            true => Encoding::Plies16,
            false => Encoding::Plies8,
        };
        let bytes = table::solve_as(&self.game, encoding, &Unobserved).unwrap();
        let table = Table::from_source(bytes.clone()).unwrap();
        let frame = (bytes.len() as u32 / 4).next_multiple_of(64);
        let packing = Packing { level: None, frame: Some(frame) };
        let mut packer = Packer::new(Vec::new(), table.raw().header(), packing);
        packer.write_all(&bytes).unwrap();
        let packed = packer.finish().unwrap();
        if folder().join(format!("rules/{}.toml", self.name)).exists() {
            write(folder().join(format!("tables/{}.morpion", self.name)), bytes).unwrap();
        }
        write(folder().join(format!("packed/{}.morpion.zst", self.name)), packed).unwrap();
    }
}

fn without_distance(score: Score) -> Score {
    match score {
        Score::Win { .. } => Score::Win { plies: None },
        Score::Loss { .. } => Score::Loss { plies: None },
        draw @ Score::Draw { .. } => draw,
    }
}

/// The place of a move in a list: by the cells that it leaves and goes to, then by the pieces that it takes; the pass comes last.
fn place(mv: Move) -> impl Ord {
    match mv {
        Move::Place { to } => (false, None, to, None),
        Move::Shift { from, to } | Move::Push { from, to } => (false, Some(from), to, None),
        Move::Take { from, to, take, also } => (false, from, to, Some((take, also))),
        Move::Pass => (true, None, 0, None),
    }
}

/// The game of a row, its first field.
fn game_of(row: &str) -> &str {
    row.split(',').next().unwrap()
}

/// The rows of a file after its first line, by the game of consecutive rows.
fn rows(file: &str) -> (String, Vec<Vec<String>>) {
    let text = read_to_string(folder().join(file)).unwrap();
    let mut lines = text.lines().map(String::from);
    let first = lines.next().unwrap();
    let rows: Vec<String> = lines.collect();
    (first, rows.chunk_by(|a, b| game_of(a) == game_of(b)).map(<[String]>::to_vec).collect())
}

/// Replaces the rows of a game, or adds them after the games before.
fn replace(file: &str, name: &str, new: Vec<String>) {
    let (first, mut chunks) = rows(file);
    let mut games = BTreeSet::new();
    match chunks.iter().position(|chunk| game_of(&chunk[0]) == name) {
        Some(at) => chunks[at] = new,
        None => {
            // After the rows of all games there are others: other ways to write a position, and texts that are not positions.
            let end = chunks.iter().position(|chunk| !games.insert(game_of(&chunk[0])));
            chunks.insert(end.unwrap_or(chunks.len()), new);
        }
    }
    let rows = chunks.concat().join("\n");
    write(folder().join(file), format!("{first}\n{rows}\n")).unwrap();
}

#[test]
fn the_vectors_of_all_languages_are_as_defined() {
    for name in std::env::var("MORPION_VECTORS").unwrap_or_default().split_whitespace() {
        let solved = Solved::new(name);
        replace("vectors.csv", name, solved.vectors());
        replace("census.csv", name, solved.census());
        solved.write_tables();
    }
    let (_, vectors) = rows("vectors.csv");
    let (_, census) = rows("census.csv");
    let names: BTreeSet<&str> = vectors.iter().map(|chunk| game_of(&chunk[0])).collect();
    assert_eq!(names, census.iter().map(|chunk| game_of(&chunk[0])).collect());
    names.into_par_iter().for_each(|name| {
        let solved = Solved::new(name);
        let of_game = |chunks: &[Vec<String>]| -> Vec<String> {
            chunks.iter().filter(|chunk| game_of(&chunk[0]) == name).flatten().cloned().collect()
        };
        assert_eq!(solved.census(), of_game(&census));
        for row in of_game(&vectors).iter().filter(|row| row.ends_with(',')) {
            // Six fields follow the text of a position, which may have commas.
            let asked = row.rsplitn(7, ',').last().unwrap();
            let text = asked[name.len() + 1..].trim_matches('"');
            let position = solved.game.parse_position(text).unwrap();
            assert_eq!(row[asked.len() + 1..], solved.answer(position.raw), "{row}");
        }
    });
}
