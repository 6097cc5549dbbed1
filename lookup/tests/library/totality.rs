//! Invalid input yields a typed error, never a panic: exhaustive tests of small inputs, and a test for everything that
//! fuzzing found.

use crate::faults::Sound;
use morpion_core::{Counts, Permutation, SUM_UNIT, Sums, check_sums};
use morpion_lookup::{Bytes, ErrorKind, Move, Position, ProbeError, Source, Table};

#[test]
fn every_pair_of_sets_is_a_position_or_names_what_is_wrong() {
    for name in Table::builtin_names() {
        let table = Table::builtin(name).unwrap();
        let game = table.game();
        for bits in 0..1u64 << 20 {
            // Ten bits a set, of which one or more are off the board.
            let position = Position { mover: bits & 0x3FF, waiter: bits >> 10 };
            let Position { mover, waiter } = position;
            let (own, others) = (mover.count_ones() as u8, waiter.count_ones() as u8);
            let counts = Counts { mover: own, waiter: others };
            // Pieces that age have an order, which sets do not say.
            let has_words = !game.has_ages() || bits == 0;
            let has_layer = game.graph().layers.iter().any(|layer| layer.counts == counts);
            let expected = if (mover | waiter) & !game.board() != 0 {
                Some(ErrorKind::OffTheBoard)
            } else if mover & waiter != 0 {
                Some(ErrorKind::Overlap)
            } else if !has_layer || !has_words {
                Some(ErrorKind::Counts)
            } else if game.graph().own_lines {
                None
            } else if game.has_line(mover) && game.has_line(waiter) {
                Some(ErrorKind::BothLines)
            } else if game.has_line(mover) {
                Some(ErrorKind::MoverLine)
            } else {
                None
            };
            let found = match table.probe(position) {
                Ok(_) => None,
                Err(ProbeError::Position(fault)) => Some(fault.kind()),
                Err(other) => panic!("{name} {position:?}: {other}"),
            };
            assert_eq!(found, expected, "{name} {position:?}");
        }
    }
}

#[test]
fn bits_far_off_the_board_and_moves_that_are_none_do_no_harm() {
    let table = Table::builtin("swap-pass").unwrap();
    let game = table.game();
    for set in [u64::MAX, 1 << 63, 1 << 36, 1 << 35, 1 << 9, 0x1FF] {
        for position in [
            Position { mover: set, waiter: 0 },
            Position { mover: 0, waiter: set },
            Position { mover: set, waiter: set },
        ] {
            assert!(table.probe(position).is_err());
            assert!(table.ranked_moves(position).is_err());
            assert!(table.best_move(position).is_err());
            assert!(game.check(position).is_err());
            let _ = (game.moves_at(position).count(), game.end_at(position));
            let mut answers = Vec::new();
            table.probe_many(&[position; 3], &mut answers).unwrap();
            assert_eq!(answers, [Err(table.probe(position).unwrap_err().kind()); 3]);
        }
    }
    let kinds = ["swap-pass", "disappearing", "disappearing-line-first", "quixo3"];
    let kinds = kinds.map(|name| Table::builtin(name).unwrap());
    let position = Position { mover: 1, waiter: 2 };
    for cell in [9, 36, 63, 64, 255] {
        for game in kinds.iter().map(Table::game) {
            for mv in [
                Move::Place { to: cell },
                Move::Shift { from: cell, to: cell },
                Move::Take { from: None, to: cell, take: cell, also: Some(cell) },
                Move::Take { from: Some(cell), to: cell, take: cell, also: None },
                Move::Push { from: cell, to: cell },
            ] {
                let _ = (game.apply(position, mv), game.format_move(mv));
                let _ = game.takes(position, Some(cell), cell);
            }
        }
        let _ = (game.neighbours(cell), Permutation::identity(cell).image(cell));
        let _ = game.format_cell(cell);
    }
    assert!(
        table.raw().map_entry(255, 0).is_none() && table.raw().map_entry(3, u64::MAX).is_none()
    );
    assert!(
        table.raw().code(usize::MAX, 0, 0).is_err()
            && table.raw().code(0, u64::MAX, u64::MAX).is_err()
    );
}

#[test]
fn every_truncation_of_a_table_is_an_error_that_claims_no_wrong_length() {
    let bytes = Table::builtin("shisima").unwrap().source().in_memory().unwrap().to_vec();
    let whole = bytes.len() as u64;
    for length in 0..bytes.len() {
        let error = Table::from_source(Bytes::from(bytes[..length].to_vec()))
            .expect_err("a part is no table");
        let expected = if length < 8 { ErrorKind::Magic } else { ErrorKind::Length };
        assert_eq!(error.kind(), expected, "{length} bytes: {error}");
        if error.kind() == ErrorKind::Length {
            let text = error.to_string();
            let claim: u64 = text.rsplit(' ').next().unwrap().parse().unwrap();
            let claims = match text.starts_with("cut short") {
                true => length as u64..whole,
                false => whole..whole + 1,
            };
            assert!(claims.contains(&claim), "{length} bytes: {text}");
        }
    }
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(Table::from_source(Bytes::from(longer)).unwrap_err().kind(), ErrorKind::Length);
}

#[test]
fn every_damaged_byte_is_found_by_opening_or_by_the_sums() {
    let sound = Table::builtin("shisima").unwrap();
    let mut bytes = sound.source().in_memory().unwrap().to_vec();
    let start = sound.game().start().raw;
    for at in 0..bytes.len() {
        for flip in [1, 0x80, 0xFF] {
            bytes[at] ^= flip;
            if let Ok(table) = Table::from_source(Bytes::from(bytes.clone())) {
                assert!(table.check_sums().is_err(), "byte {at}");
                // What is damaged may answer wrongly, but it answers.
                let _ = (table.probe(start).is_ok(), table.raw().census().is_ok());
                let _ = (table.best_move(start).is_ok(), table.ranked_moves(start).is_ok());
            }
            bytes[at] ^= flip;
        }
    }
}

/// Asks everything of a table whose header may say anything: it answers or names an error.
fn ask_all(table: &Table, seed: u64) {
    let game = table.game();
    let start = game.start();
    let _ = game.parse_position(&start.to_string()).is_ok();
    let mixed = |i: u64| (seed + i).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 16;
    let mut positions = vec![start.raw];
    for i in 0..40 {
        let (mover, waiter) = (mixed(2 * i) & mixed(7 * i + 1), mixed(2 * i + 1) & mixed(5 * i));
        positions.push(Position { mover, waiter });
        let (mover, waiter) = (mover & game.board(), waiter & game.board());
        positions.push(Position { mover, waiter: waiter & !mover });
    }
    let mut at = start.raw;
    for ply in 0..20 {
        let Some(mv) = game.moves_at(at).nth(mixed(ply) as usize % 3) else { break };
        at = game.apply(at, mv);
        positions.push(at);
    }
    for &position in &positions {
        let _ = (game.end_at(position), game.takes(position, Some(1), 2), game.layer_of(position));
        for mv in game.moves_at(position) {
            let text = game.format_move(mv);
            if let Ok(read) = game.parse_move(&text) {
                assert_eq!(game.format_move(read), text);
            }
            let _ = game.apply(position, mv);
        }
        let _ = (table.probe(position).is_ok(), table.orbit(position).is_ok());
        let _ = (table.best_move(position).is_ok(), table.ranked_moves(position).is_ok());
    }
    let mut answers = Vec::new();
    table.probe_many(&positions, &mut answers).unwrap();
    for (&position, answer) in positions.iter().zip(answers) {
        assert_eq!(answer, table.probe(position).map_err(|error| error.kind()), "{position:?}");
    }
    let _ = (table.line(start, 300).is_ok(), table.raw().census().is_ok());
    let _ = (game.links(), game.graph().has_cycles());
}

#[test]
fn a_table_whose_header_lies_answers_without_a_panic() {
    let sounds = [
        Sound::wheel(),
        Sound::shisima(),
        Sound::swap(),
        Sound::mill(),
        Sound::quixo3(),
        Sound::disappearing(),
    ];
    let (mut opened, mut refused) = (0, 0);
    for seed in 0..20_000u64 {
        let mixed = |i: u64| splitmix(seed * 8 + i) as usize;
        let sound = sounds[seed as usize % sounds.len()].clone();
        let bytes = sound.with_bytes(|header| {
            for i in 0..1 + mixed(0) as u64 % 3 {
                let at = mixed(2 * i + 1) % header.len();
                header[at] = [0, 1, 2, 9, 36, 63, 64, 255, mixed(2 * i + 2) as u8][mixed(i) % 9];
            }
        });
        match Table::from_source(Bytes::from(bytes)) {
            Ok(table) => {
                ask_all(&table, seed);
                opened += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(opened > 3000 && refused > 5000, "{opened} {refused}");
}

/// Numbers that look random, the same in every run.
fn splitmix(number: u64) -> u64 {
    let mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

#[test]
fn texts_of_all_kinds_are_read_or_refused() {
    let table = Table::builtin("classic").unwrap();
    let game = table.game();
    for text in [
        "",
        " ",
        "x",
        "o",
        "é",
        "X../.O./..é o",
        "/////////",
        "[[[",
        "(((((",
        "XXXXXXXXXXXXXXXXXXXXXXXXX",
        "........................................................................................ x",
        "\u{0}",
        "x x x x x x x x x x",
        "-",
        "a1-",
        "-a1",
        "a1-a1-a1",
        "é1",
        "a999999999999",
        "a٣",
        "pass-pass",
    ] {
        assert!(game.parse_position(text).is_err(), "{text:?}");
        let _ = game.parse_move(text).map(|mv| game.format_move(mv));
    }
    let long = "X".repeat(100_000);
    assert!(game.parse_position(&long).is_err() && game.parse_move(&long).is_err());
}

#[test]
fn sums_find_any_flipped_byte() {
    const UNIT: usize = SUM_UNIT as usize;
    let body: Vec<u8> = (0..UNIT + 5000).map(|i| (i * 7) as u8).collect();
    let mut sums = Sums::default();
    body.chunks(777).for_each(|chunk| sums.update(chunk));
    let mut file = body.clone();
    file.extend(sums.finish());
    check_sums(&file, body.len() as u64, []).unwrap();
    for at in [0, 5000, UNIT, body.len() - 1, body.len(), file.len() - 1] {
        file[at] ^= 1;
        assert!(check_sums(&file, body.len() as u64, []).is_err(), "byte {at}");
        file[at] ^= 1;
    }
    assert!(check_sums(&&file[..file.len() - 1], body.len() as u64, []).is_err());
}
