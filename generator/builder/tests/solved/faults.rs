//! Plants every kind of fault in a table, and checks that the proof finds it.
//!
//! A planted table has a census and checksums that fit its entries, so only the proof can find the fault.

use crate::proof::{BLOCKED, CLASSIC, NINE_HOLES, SWAP, game, games, proof, solved};
use morpion_core::{
    ALIGNMENT, Census, DrawKind, Encoding, MAGIC, Permutation, Position, Score, Side, Source,
    VERSION, preamble, rank::subsets,
};
use morpion_games::catalogue::Table;
use morpion_machine::progress::Unobserved;
use morpion_machine::sealed;
use morpion_solver::layout::lay_out;
use morpion_solver::sets::FoldedSets;
use morpion_solver::sink::{TableSink, finish};
use morpion_solver::solve::code::Code;
use morpion_solver::solve::{Shape, census};
use morpion_solver::table;
use morpion_verify::{Report, verify_sample};

/// Location of an entry: layer, row, column.
type EntryIndex = (usize, u64, u64);

/// All entries of a table with their positions.
fn entries(table: &Table) -> Vec<(EntryIndex, Position)> {
    let mut all = Vec::new();
    let sets = folded(table);
    for index in 0..table.raw().header().layers.len() {
        let shape = Shape::of(&sets.layout, index);
        for (row, column) in
            (0..shape.rows).flat_map(|row| (0..shape.columns).map(move |c| (row, c)))
        {
            let entry = (index, row as u64, column as u64);
            all.push((entry, shape.position(&sets, row, column)));
        }
    }
    all
}

fn code(table: &Table, index: EntryIndex) -> u16 {
    table.raw().code(index.0, index.1, index.2).unwrap()
}

fn text(table: &Table, position: Position) -> String {
    let side = table.game().turn(position).unwrap_or(Side::X);
    morpion_core::Situation { board: table.game().board_shape(), raw: position, side }.to_string()
}

fn folded(table: &Table) -> FoldedSets {
    let layout = lay_out(table.game(), Some(table.raw().header().encoding), &Unobserved).unwrap();
    FoldedSets::fold(&layout, &Unobserved).unwrap()
}

/// A table made of the bytes before the census, a census, and matching checksums.
pub fn closed(bytes: &[u8], census: &Census) -> Table {
    let mut writer = sealed::Writer::new(Vec::new());
    writer.write(bytes).unwrap();
    Table::from_source(finish(writer, census).unwrap().into()).unwrap()
}

/// The counts of a layer with distances.
fn count<E: Code>(sets: &FoldedSets, layer: usize, codes: &[E]) -> census::Counted {
    let mut counted = census::Counted::default();
    census::count_rows(sets, &Shape::of(&sets.layout, layer), 0, codes, &mut counted);
    counted
}

/// The table with other codes at these locations, a new census and new checksums.
fn plant(table: &Table, edits: &[(EntryIndex, u16)]) -> Table {
    let mut bytes =
        table.source().in_memory().unwrap()[..table.raw().header().census as usize].to_vec();
    for &((index, row, column), code) in edits {
        let layer = table.raw().header().layers[index];
        let key = row * layer.columns + column;
        match table.raw().header().encoding {
            Encoding::Wdl => {
                let byte = &mut bytes[(layer.offset + key / 4) as usize];
                let shift = key % 4 * 2;
                *byte = *byte & !(3 << shift) | (code as u8) << shift;
            }
            _ => bytes[(layer.offset + key) as usize] = code as u8,
        }
    }
    let sets = folded(table);
    let counted = table.raw().header().layers.iter().enumerate().rev().map(|(index, layer)| {
        let codes = &bytes[layer.offset as usize..(layer.offset + layer.bytes) as usize];
        match table.raw().header().encoding {
            Encoding::Wdl => census::of_values(&sets, index, codes),
            _ => count(&sets, index, codes),
        }
    });
    let counted = census::assemble(counted.collect());
    let planted = closed(&bytes, &counted);
    planted.check_sums().unwrap();
    assert_eq!(planted.raw().census().unwrap(), counted);
    planted
}

/// Plants codes. Checks that the proof reports a wrong entry at one of these positions, and no fault outside the
/// entries.
fn finds(table: &Table, edits: &[(EntryIndex, u16)], at: &[Position]) -> Report {
    let planted = plant(table, edits);
    let report = proof(&planted);
    assert!(report.first.iter().all(|fault| fault.is_position), "{report:?}");
    let texts: Vec<String> = at.iter().map(|&position| text(table, position)).collect();
    assert!(
        report.first.iter().any(|fault| texts.contains(&fault.at)) || report.faults > 10,
        "{texts:?} {report:?}"
    );
    report
}

#[test]
fn any_other_code_in_any_entry_is_found_at_its_place() {
    for body in [CLASSIC, SWAP, NINE_HOLES, BLOCKED] {
        let table = solved(body);
        let all = entries(&table);
        let step = (all.len() / 60).max(1);
        for (number, &(index, position)) in all.iter().step_by(step).enumerate() {
            let right = code(&table, index);
            let wrong = [0, 1, 2, 5, 127, 128, 129, 255, right.wrapping_add(1) & 255][number % 9];
            if wrong == right {
                continue;
            }
            let report = proof(&plant(&table, &[(index, wrong)]));
            let at = text(&table, position);
            assert!(
                report.first.iter().any(|fault| fault.at == at) || report.faults > 10,
                "{at} {right} {wrong} {report:?}"
            );
        }
    }
}

fn find(table: &Table, wanted: impl Fn(Option<Score>, Position) -> bool) -> (EntryIndex, Position) {
    let decode = |index| table.raw().header().encoding.decode(code(table, index));
    let mut all = entries(table).into_iter();
    all.find(|&(index, position)| wanted(decode(index), position)).expect("there is one")
}

#[test]
fn a_wrong_value_is_found() {
    let table = solved(CLASSIC);
    let (index, position) = find(&table, |score, _| score == Some(Score::Win { plies: Some(3) }));
    let report = finds(
        &table,
        &[(index, Encoding::Plies8.encode(Score::Draw { kind: DrawKind::End }).unwrap())],
        &[position],
    );
    let fault = report.first.iter().find(|fault| fault.at == text(&table, position)).unwrap();
    assert_eq!((fault.found.as_str(), fault.expected.as_str()), ("draw that ends", "win in 3"));
}

#[test]
fn a_distance_off_by_one_is_found() {
    for body in [CLASSIC, SWAP] {
        let table = solved(body);
        for (plies, wrong) in [(1, 2), (3, 2), (5, 6)] {
            let (index, position) =
                find(&table, |score, _| score == Some(Score::Win { plies: Some(plies) }));
            finds(&table, &[(index, wrong + 1)], &[position]);
        }
        let (index, position) =
            find(&table, |score, _| score == Some(Score::Loss { plies: Some(2) }));
        finds(&table, &[(index, 131)], &[position]);
    }
}

/// All draws of the game become wins and losses in turn, so that the values alone look right: every win has a lost
/// child, and every loss has only won children. They support each other in cycles, and only the distances show the
/// fault.
#[test]
fn a_false_win_supported_by_a_cycle_is_found() {
    let table = solved(NINE_HOLES);
    let colour = |position: Position| {
        const BLACK: u64 = 0b101_010_101;
        ((position.mover | position.waiter) & BLACK).count_ones() % 2
    };
    let is_draw = |index| code(&table, index) == 0;
    let scores = [Score::Win { plies: Some(99) }, Score::Loss { plies: Some(100) }];
    let [win, loss] = scores.map(|score| Encoding::Plies8.encode(score).unwrap());
    let edits: Vec<(EntryIndex, u16)> = entries(&table)
        .into_iter()
        .filter(|&(index, _)| is_draw(index))
        .map(|(index, position)| (index, if colour(position) == 0 { win } else { loss }))
        .collect();
    assert!(edits.len() > 50, "the game has draws to falsify");
    let planted = plant(&table, &edits);
    for (index, position) in entries(&planted) {
        if !is_draw(index) {
            continue;
        }
        let values: Vec<_> = table
            .game()
            .moves_at(position)
            .map(|mv| planted.probe(planted.game().apply(position, mv)).unwrap().value())
            .collect();
        use morpion_core::Value::{Loss, Win};
        match planted.probe(position).unwrap().value() {
            Win => assert!(values.contains(&Loss)),
            _ => assert!(values.iter().all(|&value| value == Win)),
        }
    }
    let report = proof(&planted);
    // A win in 99 has a child that is lost in 100. The losses are a ply longer than their children, as they should be.
    assert!(report.faults > 10, "{report:?}");
    for fault in &report.first {
        assert_eq!((fault.found.as_str(), fault.expected.as_str()), ("win in 99", "win in 101"));
    }
}

#[test]
fn a_swapped_kind_of_draw_is_found() {
    let table = solved(BLOCKED);
    for kind in [DrawKind::End, DrawKind::Cycle] {
        let other = if kind == DrawKind::End { DrawKind::Cycle } else { DrawKind::End };
        let (index, position) = find(&table, |score, position| {
            score == Some(Score::Draw { kind }) && table.game().end_at(position).is_none()
        });
        let code = Encoding::Plies8.encode(Score::Draw { kind: other }).unwrap();
        finds(&table, &[(index, code)], &[position]);
    }
}

/// Every drawing child of every changed entry is marked as ending too, so that no entry contradicts its children.
#[test]
fn a_whole_cycle_of_draws_marked_as_ending_is_found() {
    let ends = Encoding::Plies8.encode(Score::Draw { kind: DrawKind::End }).unwrap();
    for body in [NINE_HOLES, BLOCKED] {
        let table = solved(body);
        let edits: Vec<(EntryIndex, u16)> = entries(&table)
            .into_iter()
            .filter(|&(index, _)| code(&table, index) == 0)
            .map(|(index, _)| (index, ends))
            .collect();
        assert!(!edits.is_empty());
        let report = proof(&plant(&table, &edits));
        let movement = table.raw().header().layers.len() - 1;
        let in_cycles = edits.iter().filter(|edit| edit.0.0 == movement).count() as u64;
        assert_eq!(report.faults, in_cycles);
        for fault in &report.first {
            assert_eq!(
                (fault.found.as_str(), fault.expected.as_str()),
                ("draw that ends", "draw by cycle")
            );
        }
    }
}

#[test]
fn an_unequal_twin_under_a_stabiliser_is_found() {
    let table = solved(SWAP);
    let group = &table.raw().header().symmetries;
    let mut planted = 0;
    for (index, position) in entries(&table) {
        // The symmetric entry that a lookup does not read.
        let lookup = group.iter().any(|symmetry| {
            symmetry.apply(position.mover) == position.mover
                && symmetry.apply(position.waiter) < position.waiter
        });
        if lookup && code(&table, index) != 255 && planted < 20 {
            planted += 1;
            finds(&table, &[(index, if code(&table, index) == 0 { 3 } else { 0 })], &[position]);
        }
    }
    assert_eq!(planted, 20);
}

#[test]
fn missing_and_surplus_positions_are_found() {
    let table = solved(CLASSIC);
    let (index, position) = find(&table, |score, _| score == Some(Score::Loss { plies: Some(2) }));
    finds(&table, &[(index, 255)], &[position]);
    let (index, position) = find(&table, |score, _| score.is_none());
    finds(&table, &[(index, 1)], &[position]);
}

#[test]
fn a_wrong_end_of_the_game_is_found() {
    let table = solved(CLASSIC);
    let (line, position) = find(&table, |_, position| {
        table.game().check(position).is_ok() && table.game().has_line(position.waiter)
    });
    finds(&table, &[(line, 127)], &[position]);
    let (full, position) = find(&table, |score, position| {
        score.is_some()
            && position.waiter.count_ones() == 5
            && !table.game().has_line(position.waiter)
    });
    finds(&table, &[(full, 128)], &[position]);
}

/// Plants pairs of faults that keep every sum that does not depend on the class. Codes are exchanged inside a row or
/// between rows of equal orbits, or one distance becomes a ply longer and another one a ply shorter.
#[test]
fn pairs_of_faults_that_cancel_in_a_naive_sum_are_found() {
    for body in [CLASSIC, SWAP, NINE_HOLES, BLOCKED] {
        let table = solved(body);
        let sets = folded(&table);
        let all = entries(&table);
        let orbit = |(layer, row, _): EntryIndex| {
            let mover = table.raw().header().layers[layer].counts.mover;
            sets.orbits(mover).lengths[row as usize]
        };
        let is_shorter = |code: u16| (2..100).contains(&code) || (129..200).contains(&code);
        let (mut in_row, mut between_rows, mut balanced) = (0, 0, 0);
        for (number, &(a, position)) in all.iter().enumerate() {
            for &(b, other) in all[number + 1..].iter().step_by(7).take(40) {
                let [x, y] = [a, b].map(|index| code(&table, index));
                if a.0 != b.0 || orbit(a) != orbit(b) || x == y {
                    continue;
                }
                let count = if a.1 == b.1 { &mut in_row } else { &mut between_rows };
                if *count < 20 {
                    *count += 1;
                    finds(&table, &[(a, y), (b, x)], &[position, other]);
                }
                if is_shorter(x) && is_shorter(y) && balanced < 20 {
                    balanced += 1;
                    finds(&table, &[(a, x + 1), (b, y - 1)], &[position, other]);
                }
            }
        }
        assert!(in_row >= 5 && between_rows >= 5, "{body}: {in_row} {between_rows} {balanced}");
    }
}

/// Rewrites a table after changing bytes before the census.
fn altered(table: &Table, alter: impl Fn(&mut Vec<u8>)) -> Table {
    let mut bytes =
        table.source().in_memory().unwrap()[..table.raw().header().census as usize].to_vec();
    alter(&mut bytes);
    let table = closed(&bytes, &table.raw().census().unwrap());
    table.check_sums().unwrap();
    table
}

#[test]
fn wrong_maps_symmetries_counts_and_sums_are_found() {
    let table = solved(CLASSIC);
    let part = |table: &Table, part: &str| {
        let report = proof(table);
        assert!(report.first.iter().any(|fault| fault.at == part), "{part} {report:?}");
    };

    let map = table.raw().header().maps[2];
    for (at, flip) in [(0, 1), (3, 1), (5, 1 << 3), (20, 1 << 4)] {
        let offset = (map.offset + 4 * at) as usize;
        part(&altered(&table, |bytes| bytes[offset] ^= flip), "maps");
    }

    // Exchanging cells 0 and 1 keeps no line. It replaces the first symmetry after the identity.
    let mut header = table.raw().header().clone();
    header.symmetries[1] = Permutation::new(&[0, 2, 1, 3, 4, 5, 6, 7, 8]).unwrap();
    header.symmetries.sort();
    let start = preamble(MAGIC, VERSION, &header.to_bytes().unwrap());
    assert_eq!(start.len() % ALIGNMENT as usize, 0);
    part(&altered(&table, |bytes| bytes[..start.len()].copy_from_slice(&start)), "symmetries");

    let mut counts = table.raw().census().unwrap();
    counts.layers[3].draws_end += 1;
    let counted = closed(
        &table.source().in_memory().unwrap()[..table.raw().header().census as usize],
        &counts,
    );
    part(&counted, "census of layer (1, 2)");

    let mut bytes = table.source().in_memory().unwrap().to_vec();
    let at = table.raw().header().layers[4].offset as usize + 17;
    bytes[at] ^= 1;
    part(&Table::from_source(bytes.into()).unwrap(), "checksums");
}

/// Lookups read the same entry by either symmetry, but the format allows only one table of a game.
#[test]
fn a_map_that_names_a_later_symmetry_is_found() {
    let table = solved(CLASSIC);
    let header = table.raw().header();
    let mut planted = 0;
    for map in &header.maps {
        for (rank, set) in subsets(9, map.size.into()).enumerate() {
            let offset = map.offset as usize + 4 * rank;
            let entry = table.source().in_memory().unwrap()[offset];
            let [first, all] = [usize::from(entry % 8), header.symmetries.len()];
            let image = header.symmetries[first].apply(set);
            let is_other = |&other: &usize| header.symmetries[other].apply(set) == image;
            let Some(other) = (first + 1..all).find(is_other) else { continue };
            let report =
                proof(&altered(&table, |bytes| bytes[offset] = entry - first as u8 + other as u8));
            assert_eq!((report.faults, report.first[0].at.as_str()), (1, "maps"), "{report:?}");
            assert_eq!(report.first[0].expected, "the first symmetry that leads there");
            planted += 1;
        }
    }
    assert!(planted > 100, "{planted}");
}

#[test]
fn bits_after_the_last_entry_of_two_bits_are_found() {
    let solved = table::solve_as(&game(CLASSIC), Encoding::Wdl, &Unobserved);
    let table = Table::from_source(solved.unwrap().into()).unwrap();
    let mut planted = 0;
    for layer in &table.raw().header().layers {
        let last = (layer.offset + layer.bytes - 1) as usize;
        for bit in (layer.entries() * 2 % 8..8).filter(|_| layer.entries() % 4 > 0) {
            let report = proof(&altered(&table, |bytes| bytes[last] |= 1 << bit));
            let at = format!("layer ({}, {})", layer.counts.mover, layer.counts.waiter);
            assert_eq!((report.faults, &report.first[0].at), (1, &at), "{report:?}");
            planted += 1;
        }
    }
    assert!(planted > 5, "{planted}");
}

#[test]
fn a_sample_finds_a_frequent_fault_and_is_reproducible() {
    let table = solved(SWAP);
    let edits: Vec<(EntryIndex, u16)> =
        entries(&table).into_iter().map(|(index, _)| (index, 77)).collect();
    let planted = plant(&table, &edits);
    let sample = |seed| verify_sample(&planted, 100, seed, &Unobserved).unwrap();
    assert!(sample(1).faults > 50);
    assert_eq!(sample(1), sample(1));
    assert_ne!(sample(1).first, sample(2).first);
    assert_eq!(sample(1).first.len(), 10);
}

/// Tables of values without distances. A win has a lost child, a loss has only won children, and a draw has a drawing
/// child and no lost child.
#[test]
fn values_of_two_bits_are_proved_and_every_wrong_one_is_found() {
    for body in games().filter(|body| !body.contains("[moves]")) {
        let bytes = table::solve_as(&game(body), Encoding::Wdl, &Unobserved).unwrap();
        let table = Table::from_source(bytes.into()).unwrap();
        let report = proof(&table);
        assert!(report.is_right(), "{body} {report:?}");
        let all = entries(&table);
        let step = (all.len() / 60).max(1);
        for (number, &(index, position)) in all.iter().step_by(step).enumerate() {
            let wrong = (code(&table, index) + 1 + number as u16 % 3) % 4;
            let report = proof(&plant(&table, &[(index, wrong)]));
            let at = text(&table, position);
            assert!(report.first.iter().any(|fault| fault.at == at), "{at} {wrong} {report:?}");
        }
    }
}

#[test]
fn distances_of_two_bytes_are_proved_too() {
    // The same codes, written wider: distances below 125 have the same meaning in both widths.
    let table = solved(SWAP);
    let wide = |score: Option<Score>| score.map_or(u16::MAX, |score| u16::of(score).unwrap());
    let layout = lay_out(table.game(), Some(Encoding::Plies16), &Unobserved).unwrap();
    let sets = FoldedSets::fold(&layout, &Unobserved).unwrap();
    let layers: Vec<Vec<u16>> = table
        .raw()
        .header()
        .layers
        .iter()
        .rev()
        .map(|layer| {
            let codes = &table.source().in_memory().unwrap()
                [layer.offset as usize..(layer.offset + layer.bytes) as usize];
            codes.iter().map(|&code| wide(Encoding::Plies8.decode(u16::from(code)))).collect()
        })
        .collect();
    let write = |layers: &[Vec<u16>]| {
        let mut writer = TableSink::begin(Vec::new(), &layout, &sets).unwrap().writer;
        let mut counted = Vec::new();
        for (codes, layer) in layers.iter().zip((0..layers.len()).rev()) {
            counted.push(count(&sets, layer, &codes[..]));
            writer.write(&u16::bytes(codes)).unwrap();
            writer.pad(ALIGNMENT).unwrap();
        }
        Table::from_source(finish(writer, &census::assemble(counted)).unwrap().into()).unwrap()
    };
    let right = proof(&write(&layers));
    assert!(right.is_right(), "{right:?}");
    let mut wrong = layers.clone();
    let at = wrong[0].iter().position(|&code| code == 4).unwrap();
    wrong[0][at] = 5;
    assert!(!proof(&write(&wrong)).is_right());
}
