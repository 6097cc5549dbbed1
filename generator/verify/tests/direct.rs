//! Tables of games in which turns change the pieces of both sides, filled by repeated passes over all positions, without the solver.

use morpion_core::{
    ALIGNMENT, Census, Deepest, DrawKind, Encoding, Game, Header, LayerCensus, MAGIC, Oldest, Over,
    Position, SHIFT, Score, Source, VERSION, orders, preamble,
    rank::{expand, subsets},
    serialise,
};
use morpion_games::catalogue::Table;
use morpion_games::rules::parse;
use morpion_games::symmetry::group::group;
use morpion_games::symmetry::orbits::Orbits;
use morpion_machine::progress::Unobserved;
use morpion_machine::sealed::Writer;
use morpion_machine::splitmix::splitmix;
use morpion_verify::{
    Hex, Key, Method, Part, Report, Unfinished, verify, verify_part, verify_sample,
};
use std::collections::{BTreeMap, HashMap};

/// The key of all proofs.
const KEY: Key = Hex([7; 32]);

/// A game on so many rows of three cells, with these tables of a rule file.
fn game(rows: u8, tables: &str) -> Game {
    named(&format!("[board]\nrows = {rows}\ncolumns = 3\n[lines]\nlength = 3\n{tables}"))
}

fn named(text: &str) -> Game {
    parse("tiny.toml", &format!("name = \"tiny\"\n{text}")).unwrap()
}

fn ageing(each: u8, oldest: Oldest) -> Game {
    game(3, &format!("[pieces]\neach = {each}\n[moves]\noldest = \"{}\"", oldest.name()))
}

fn mills(rows: u8, each: u8, keys: &str) -> Game {
    let moves = "[moves]\nto = \"orthogonal\"";
    game(rows, &format!("[pieces]\neach = {each}\n{moves}\n[mills]\n{keys}"))
}

fn pushes() -> Game {
    game(3, "[moves]\nto = \"push\"")
}

/// Pushes on 2×4 with three lines of different shapes, and one symmetry.
fn pushes_with_odd_lines() -> Game {
    named(
        "[board]\nrows = 2\ncolumns = 4\n[lines]\nsets = [[0, 1, 5], [2, 3, 6], [4, 5, 6, 7]]\n\
         [moves]\nto = \"push\"\nstuck = \"draw\"\n[goal]\nmisere = true",
    )
}

fn games() -> Vec<(&'static str, Game)> {
    vec![
        ("ageing, first", ageing(2, Oldest::First)),
        ("ageing, before lines", ageing(3, Oldest::BeforeLines)),
        ("ageing, after lines", ageing(3, Oldest::AfterLines)),
        ("mills", mills(3, 4, "")),
        ("mills that fly", mills(3, 4, "fly = 3")),
        ("mills on a board that fills", mills(2, 3, "full = \"draw\"")),
        ("mixed mills", mills(3, 3, "mixed = true")),
        ("pushes", pushes()),
        ("pushes with odd lines", pushes_with_odd_lines()),
    ]
}

/// All positions of the layers with entries, also those in which the mover owns a line.
fn positions(game: &Game) -> Vec<(usize, Position)> {
    let (mut all, cells) = (Vec::new(), u32::from(game.cells()));
    for (index, layer) in game.graph().layers.iter().enumerate().filter(|(_, layer)| !layer.ended) {
        let words = |set: u64, size: u8, hand: u8| -> Vec<u64> {
            match (game.has_ages(), set) {
                (true, 0) => vec![0],
                (true, _) => {
                    (0..orders(size)).map(|order| set | 1 << 52 | order << SHIFT).collect()
                }
                _ => vec![set | u64::from(hand) << SHIFT],
            }
        };
        for mover in subsets(cells, layer.counts.mover.into()) {
            for waiter in subsets(cells - mover.count_ones(), layer.counts.waiter.into()) {
                let waiter = expand(waiter, game.board() & !mover);
                for mover in words(mover, layer.counts.mover, layer.hands.mover) {
                    let waiters = words(waiter, layer.counts.waiter, layer.hands.waiter);
                    all.extend(
                        waiters.into_iter().map(|waiter| (index, Position { mover, waiter })),
                    );
                }
            }
        }
    }
    all
}

/// The scores of all positions, by the definition.
fn scores(game: &Game) -> HashMap<Position, Score> {
    let mut known = HashMap::new();
    let mut open: Vec<(Position, Vec<Position>)> = Vec::new();
    for (_, position) in positions(game) {
        if game.check(position).is_err() {
            continue;
        }
        if let Some(over) = game.end_at(position) {
            known.insert(position, game.final_score(over));
            continue;
        }
        let after = |mv| game.apply(position, mv);
        let children: Vec<Position> = game.moves_at(position).map(after).collect();
        for child in &children {
            if let Some(over @ (Over::Few | Over::Line)) = game.end_at(*child) {
                known.insert(*child, game.final_score(over));
            }
        }
        open.push((position, children));
    }
    for distance in 1.. {
        let decided = |children: &[Position]| {
            let of = |child: &Position| known.get(child).copied();
            let wins = children
                .iter()
                .any(|child| of(child) == Some(Score::Loss { plies: Some(distance - 1) }));
            let lost = |child| matches!(of(child), Some(Score::Win { plies: Some(_) }));
            if wins {
                Some(Score::Win { plies: Some(distance) })
            } else {
                children.iter().all(lost).then_some(Score::Loss { plies: Some(distance) })
            }
        };
        let found: Vec<(Position, Score)> = open
            .iter()
            .filter_map(|(position, children)| Some((*position, decided(children)?)))
            .collect();
        let is_last = found.is_empty() && distance > 30;
        known.extend(found);
        open.retain(|(position, _)| !known.contains_key(position));
        if is_last {
            break;
        }
    }
    loop {
        let ends = |child: &Position| known.contains_key(child);
        let found: Vec<Position> = open
            .iter()
            .filter(|(_, children)| children.iter().all(ends))
            .map(|(position, _)| *position)
            .collect();
        if found.is_empty() {
            break;
        }
        let end = Score::Draw { kind: DrawKind::End };
        known.extend(found.into_iter().map(|position| (position, end)));
        open.retain(|(position, _)| !known.contains_key(position));
    }
    let cycle = Score::Draw { kind: DrawKind::Cycle };
    known.extend(open.into_iter().map(|(position, _)| (position, cycle)));
    known
}

/// The table with these codes.
fn table(game: &Game, code: impl Fn(Position) -> u16) -> Table {
    let (kind, symmetries) = group(game, &Unobserved).unwrap();
    let cells = u32::from(game.cells());
    let orbits: Vec<Orbits> = (0..=cells)
        .map(|size| Orbits::new(cells, size, &symmetries, &Unobserved).unwrap())
        .collect();
    let rows = |size: u8| orbits[usize::from(size)].representatives.len() as u64;
    let header = Header::new(game, Encoding::Plies8, kind, symmetries, rows).unwrap();
    let mut maps = Writer::new(Vec::new());
    maps.write(&preamble(MAGIC, VERSION, &header.to_bytes().unwrap())).unwrap();
    for map in &header.maps {
        let map = &orbits[usize::from(map.size)].map;
        maps.write(&map.iter().flat_map(|entry| entry.to_le_bytes()).collect::<Vec<_>>()).unwrap();
        maps.pad(ALIGNMENT).unwrap();
    }
    let mut bytes = maps.out().clone();
    bytes.resize(header.census as usize, 255);
    // A census of its own length is needed to open the table, which then says where the entries are.
    let none =
        Census { layers: vec![LayerCensus::default(); header.layers.len()], ..Census::default() };
    let empty = closed(&bytes, &none);
    let (mut counted, mut entries) = (none.clone(), Vec::new());
    for (index, position) in positions(game) {
        let (layer, row, column) = empty.raw().place(position).unwrap();
        assert_eq!(layer, index, "{position:?}");
        let section = header.layers[layer];
        let at = (section.offset + row * section.columns + column) as usize;
        let code = code(position);
        assert!(
            bytes[at] == 255 || bytes[at] == code as u8,
            "{position:?}: two codes for one entry"
        );
        bytes[at] = code as u8;
        count(&mut counted.layers[index], code);
        let cells = position.cells().mover;
        if orbits[cells.count_ones() as usize].representatives.contains(&cells) {
            entries.push(((layer, row, column), position));
        }
    }
    for section in &header.layers {
        let end = (section.offset + section.bytes) as usize;
        let padded = end.next_multiple_of(ALIGNMENT as usize);
        bytes[end..padded].fill(0);
    }
    let code =
        |(_, position): &((usize, u64, u64), Position)| Encoding::Plies8.decode(code(*position));
    entries.sort_unstable_by_key(|(place, _)| *place);
    for entry in &entries {
        let (deepest, plies) = match code(entry) {
            Some(Score::Win { plies: Some(plies) }) => (&mut counted.longest_win, plies),
            Some(Score::Loss { plies: Some(plies) }) => (&mut counted.longest_loss, plies),
            _ => continue,
        };
        if deepest.is_none_or(|known| known.plies < plies) {
            *deepest = Some(Deepest { plies, position: entry.1 });
        }
    }
    closed(&bytes, &counted)
}

/// A table made of the bytes before the census, a census, and checksums.
fn closed(bytes: &[u8], census: &Census) -> Table {
    let mut writer = Writer::new(Vec::new());
    writer.write(bytes).unwrap();
    let census = serialise(census).unwrap();
    writer.write(&(census.len() as u64).to_le_bytes()).unwrap();
    writer.write(&census).unwrap();
    Table::from_source(writer.finish().unwrap().into()).unwrap()
}

fn count(census: &mut LayerCensus, code: u16) {
    let mut add = |list: fn(&mut LayerCensus) -> &mut Vec<u64>, plies: Option<u16>| {
        let (list, at) = (list(census), usize::from(plies.unwrap()));
        list.resize(list.len().max(at + 1), 0);
        list[at] += 1;
    };
    match Encoding::Plies8.decode(code) {
        Some(Score::Win { plies }) => add(|census| &mut census.wins, plies),
        Some(Score::Loss { plies }) => add(|census| &mut census.losses, plies),
        Some(Score::Draw { kind: DrawKind::End }) => census.draws_end += 1,
        Some(Score::Draw { kind: DrawKind::Cycle }) => census.draws_cycle += 1,
        None => census.none += 1,
    }
}

/// The code of each position of a game.
fn codes(scores: &HashMap<Position, Score>) -> impl Fn(Position) -> u16 {
    let no_position = Encoding::Plies8.no_position();
    move |position| match scores.get(&position) {
        Some(&score) => Encoding::Plies8.encode(score).unwrap(),
        None => no_position,
    }
}

fn proof(table: &Table) -> Report {
    verify(table, KEY, &Unobserved).unwrap()
}

#[test]
fn right_tables_are_proved_exactly() {
    for (name, game) in games() {
        let table = table(&game, codes(&scores(&game)));
        let report = proof(&table);
        assert!(report.is_right(), "{name}: {report:?}");
        assert_eq!((report.checked, report.method), (report.entries, Method::Direct), "{name}");
        assert!(report.certainty.is_none());
        let sample = verify_sample(&table, 500, 7, &Unobserved).unwrap();
        assert!(sample.is_right() && sample.checked == 500, "{name}: {sample:?}");
    }
}

#[test]
fn any_other_code_is_found_at_its_place() {
    for (name, game) in games() {
        let scores = scores(&game);
        let right = codes(&scores);
        let all = positions(&game);
        for (number, &(_, position)) in all.iter().step_by(all.len() / 16).enumerate() {
            let symmetries = group(&game, &Unobserved).unwrap().1;
            let images: Vec<Position> = symmetries
                .iter()
                .map(|symmetry| Position {
                    mover: symmetry.apply(position.mover),
                    waiter: symmetry.apply(position.waiter),
                })
                .collect();
            let wrong = [0, 1, 2, 5, 127, 128, 129, 255, right(position) ^ 1][number % 9];
            if wrong == right(position) {
                continue;
            }
            let planted =
                table(
                    &game,
                    |position| {
                        if images.contains(&position) { wrong } else { right(position) }
                    },
                );
            let report = proof(&planted);
            let texts: Vec<String> = images
                .iter()
                .map(|&raw| {
                    let side = game.turn(raw).unwrap_or(morpion_core::Side::X);
                    morpion_core::Situation { board: game.board_shape(), raw, side }.to_string()
                })
                .collect();
            let is_found = report.first.iter().any(|fault| texts.contains(&fault.at));
            assert!(is_found || report.faults > 10, "{name} {texts:?} {wrong} {report:?}");
        }
    }
}

/// If all draws by cycle are marked as ending, every entry agrees with its children, and only the trace finds them.
#[test]
fn cycles_that_are_marked_as_ending_are_found() {
    let mut found = 0;
    for (name, game) in games() {
        let scores = scores(&game);
        let right = codes(&scores);
        if !scores.values().any(|score| score.draw() == Some(DrawKind::Cycle)) {
            continue;
        }
        let planted =
            table(&game, |position| if right(position) == 0 { 127 } else { right(position) });
        let report = proof(&planted);
        assert!(!report.is_right(), "{name}");
        assert!(
            report.first.iter().all(|fault| fault.expected == "draw by cycle"),
            "{name} {report:?}"
        );
        found += 1;
    }
    assert!(found >= 3, "{found} games with cycles");
}

/// The positions of the entries, by place. Their movers are representatives, which are the least sets of their orbits.
fn entries(game: &Game, table: &Table) -> BTreeMap<(usize, u64, u64), Position> {
    let mut entries = BTreeMap::<_, Position>::new();
    for (_, position) in positions(game) {
        let known = entries.entry(table.raw().place(position).unwrap()).or_insert(position);
        if position.cells().mover < known.cells().mover {
            *known = position;
        }
    }
    entries
}

/// The code that the entries of the children of a position require, by the definition; `None` if its score does not fit an entry.
fn required(game: &Game, table: &Table, position: Position) -> Option<u16> {
    let encoding = Encoding::Plies8;
    if game.check(position).is_err() {
        return Some(encoding.no_position());
    }
    let score = game.end_at(position).map(|over| game.final_score(over)).unwrap_or_else(|| {
        let score = |mv| {
            let child = game.apply(position, mv);
            match table.raw().place(child) {
                Ok((layer, row, column)) => {
                    encoding.decode(table.raw().code(layer, row, column).unwrap())
                }
                Err(_) => game.end_at(child).map(|over| game.final_score(over)),
            }
        };
        // An invalid child is worse than all others.
        let scores: Vec<Score> = game.moves_at(position).filter_map(score).collect();
        let losses = scores.iter().filter(|score| matches!(score, Score::Loss { .. }));
        let losses = losses.filter_map(|score| score.plies());
        let draws = scores.iter().filter_map(|score| score.draw());
        if let Some(least) = losses.min() {
            return Score::Win { plies: Some(least + 1) };
        }
        match draws.max_by_key(|kind| *kind == DrawKind::Cycle) {
            Some(kind) => Score::Draw { kind },
            None => Score::Loss {
                plies: Some(scores.iter().filter_map(|score| score.plies()).max().unwrap_or(0) + 1),
            },
        }
    });
    encoding.encode(score)
}

/// Changes one code after the other. The entries of rows whose set has symmetries are images of others, which stay as they are.
#[test]
fn one_changed_code_is_reported_at_its_entry_and_at_its_parents() {
    for (name, game) in games() {
        let right = table(&game, codes(&scores(&game)));
        let symmetries = group(&game, &Unobserved).unwrap().1;
        let entries = entries(&game, &right);
        let (mut kept, mut parents) = ([0; 2], 0);
        for number in 0..48 {
            let chosen = splitmix(7, number) as usize % entries.len();
            let (&(layer, row, column), position) = entries.iter().nth(chosen).unwrap();
            let wrong = [1, 2, 5, 90, 129, 180, 254, 255][number as usize % 8];
            let code = right.raw().code(layer, row, column).unwrap();
            // The trace of draws that end would report further entries.
            if code == 127 || code == wrong {
                continue;
            }
            let header = right.raw().header();
            let section = header.layers[layer];
            let mut bytes = right.source().in_memory().unwrap().to_vec();
            bytes.truncate(header.census as usize);
            bytes[(section.offset + row * section.columns + column) as usize] = wrong as u8;
            let planted = closed(&bytes, &right.raw().census().unwrap());
            let faults: Vec<Position> = (entries.iter())
                .filter(|((layer, row, column), position)| {
                    let code = planted.raw().code(*layer, *row, *column).unwrap();
                    Some(code) != required(&game, &planted, **position)
                })
                .map(|(_, position)| *position)
                .collect();
            let text = |&raw: &Position| {
                let side = game.turn(raw).unwrap_or(morpion_core::Side::X);
                morpion_core::Situation { board: game.board_shape(), raw, side }.to_string()
            };
            let report = proof(&planted);
            let (found, others): (Vec<_>, Vec<_>) =
                report.first.iter().partition(|fault| fault.is_position);
            let found: Vec<String> = found.iter().map(|fault| fault.at.clone()).collect();
            let expected: Vec<String> = faults.iter().map(text).take(10).collect();
            assert_eq!(found, expected, "{name}: {wrong} at {position:?}");
            assert_eq!(report.faults as usize - others.len(), faults.len(), "{name}");
            assert!(faults.contains(position), "{name}: {wrong} at {position:?}");
            let cells = position.cells().mover;
            let keeping = symmetries.iter().filter(|symmetry| symmetry.apply(cells) == cells);
            kept[usize::from(keeping.count() > 1)] += 1;
            parents += faults.len() - 1;
        }
        assert!(kept[0] > 0 && kept[1] > 0 && parents > 8, "{name}: {kept:?}, {parents} parents");
    }
}

#[test]
fn parts_are_refused() {
    let game = pushes();
    let table = table(&game, |_| 0);
    let part = verify_part(&table, Part { number: 1, of: 2 }, KEY, &Unobserved);
    assert!(matches!(part, Err(Unfinished::Undivided)));
}
