//! The vectors that every language's reader passes, and the small tables that they need.
//!
//! Most are built by the generator from `conformance/rules`; the other encodings are made here from two shipped tables.

use crate::vectors::{self, folder};
use morpion_core::{
    ALIGNMENT, About, Counts, Encoding, Header, MAGIC, Sums, VERSION, preamble, serialise,
};
use morpion_lookup::{
    Bytes, Game, Position, Score, Source, Table,
    raw::{Census, LayerCensus},
};

fn open(name: &str) -> Table {
    let file = folder().join(format!("tables/{name}.morpion"));
    Table::builtin(name).unwrap_or_else(|_| Table::open(file).expect("a table opens"))
}

#[test]
fn all_vectors_are_answered() {
    vectors::check(&open);
}

/// `forms.tsv` has boards as people and other programs write them, with line breaks as in the language C.
#[test]
fn positions_are_read_in_every_form_and_written_in_one() {
    let forms = std::fs::read_to_string(folder().join("forms.tsv")).unwrap();
    let unescaped = |text: &str| {
        let marked = text.replace("\\\\", "\0").replace("\\n", "\n").replace("\\r", "\r");
        marked.replace("\\t", "\t").replace('\0', "\\")
    };
    for line in forms.lines().skip(1) {
        let [name, text, expected] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}: three fields")
        };
        let table = open(name);
        let found = match table.game().parse_position(&unescaped(text)) {
            Ok(position) => table.game().format_position(position),
            Err(error) => format!("error {}", error.kind().name()),
        };
        assert_eq!(found, expected, "{text}");
    }
}

/// `words.csv` has pairs of words, and the error of each.
#[test]
fn words_that_are_not_a_position_get_an_error_with_its_name() {
    let words = std::fs::read_to_string(folder().join("words.csv")).unwrap();
    for line in words.lines().skip(1) {
        let [name, mover, waiter, error] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("{line}: four fields")
        };
        let [mover, waiter] =
            [mover, waiter].map(|word| u64::from_str_radix(&word[2..], 16).unwrap());
        let found = open(name).game().check(Position { mover, waiter }).unwrap_err();
        assert_eq!(found.kind().name(), error, "{line}");
    }
}

/// `choices.csv` was written by the implementation in JavaScript. The readers in all languages check it.
#[test]
fn the_same_number_chooses_the_same_move_in_every_language() {
    let choices = std::fs::read_to_string(folder().join("choices.csv")).unwrap();
    for line in choices.lines().skip(1) {
        let [game, text, errors, random, expected] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("{line}: five fields")
        };
        let (table, [errors, random]) = (open(game), [errors, random].map(|n| n.parse().unwrap()));
        let moves = table.ranked_moves(table.game().parse_position(text).unwrap()).unwrap();
        let found = moves.choose(errors, random).map(|best| table.game().format_move(best.mv));
        assert_eq!(found.unwrap_or_default(), expected, "{line}");
    }
    assert!(choices.lines().count() > 100);
}

/// `census.csv` has a row for each layer, value, distance and kind of draw.
#[test]
fn the_census_of_each_table_has_the_counts_of_an_independent_solver() {
    let text = std::fs::read_to_string(folder().join("census.csv")).unwrap();
    let rows: Vec<&str> = text.lines().skip(1).collect();
    let mut found = Vec::new();
    for rows in rows.chunk_by(|a, b| a.split(',').next() == b.split(',').next()) {
        let name = rows[0].split(',').next().unwrap();
        let table = open(name);
        let census = table.raw().census().unwrap();
        for (layer, counts) in table.raw().header().layers.iter().zip(&census.layers) {
            let decided = [(1, &counts.wins), (-1, &counts.losses)];
            let decided = decided.into_iter().flat_map(|(value, numbers)| {
                let distances = (0..).map(|plies| if table.has_distances() { plies } else { -1 });
                numbers.iter().zip(distances).map(move |(&count, plies)| (value, plies, 0, count))
            });
            let draws = [(0, -1, 1, counts.draws_end), (0, -1, 2, counts.draws_cycle)];
            let Counts { mover, waiter } = layer.counts;
            found.extend(decided.chain(draws).filter(|row| row.3 > 0).map(
                |(value, plies, draw, count)| {
                    format!("{name},{mover},{waiter},{value},{plies},{draw},{count}")
                },
            ));
        }
    }
    assert_eq!(found, rows);
}

/// A table under another name and in another encoding, written as `tables/FORMAT.md` says.
fn encoded(table: &Table, name: &str, title: &str, encoding: Encoding) -> Vec<u8> {
    let old = table.raw().header();
    let (name, title) = (name.into(), title.into());
    let about = About { name, title, ..table.game().about().clone() };
    let game = table.game();
    let (lines, prolongations) = (game.lines().to_vec(), game.prolongations().to_vec());
    let game = Game::new(about, lines, prolongations, game.graph().clone()).unwrap();
    let rows = |size| old.rows(size);
    let header = Header::new(&game, encoding, old.group, old.symmetries.clone(), rows).unwrap();
    let mut bytes = preamble(MAGIC, VERSION, &header.to_bytes().unwrap());
    let pad = |bytes: &mut Vec<u8>, unit: u64| {
        bytes.resize(bytes.len().next_multiple_of(unit as usize), 0);
    };
    for map in &old.maps {
        let end = old.maps.iter().map(|map| map.offset).chain([old.layers.last().unwrap().offset]);
        let end = end.filter(|&offset| offset > map.offset).min().unwrap();
        bytes.extend(&table.source().in_memory().unwrap()[map.offset as usize..end as usize]);
    }
    for (index, layer) in old.layers.iter().enumerate().rev() {
        assert_eq!(bytes.len() as u64, header.layers[index].offset);
        let codes = (0..layer.entries()).map(|key| {
            let code = table.raw().code(index, key / layer.columns, key % layer.columns).unwrap();
            let score = old.encoding.decode(code);
            let score = score.map(|score| without_plies(score, encoding));
            score.map_or(encoding.no_position(), |score| encoding.encode(score).unwrap())
        });
        let codes: Vec<u16> = codes.collect();
        match encoding {
            Encoding::Plies8 => bytes.extend(codes.iter().map(|&code| code as u8)),
            Encoding::Plies16 => bytes.extend(codes.iter().flat_map(|code| code.to_le_bytes())),
            Encoding::Wdl | Encoding::WdlCycle => bytes.extend(codes.chunks(4).map(|codes| {
                let packed = codes.iter().zip(0..).map(|(code, place)| code << (2 * place));
                packed.fold(0, |byte, code| byte | code) as u8
            })),
        }
        pad(&mut bytes, ALIGNMENT);
    }
    let census = table.raw().census().unwrap();
    let census = match encoding {
        Encoding::Wdl | Encoding::WdlCycle => Census {
            layers: census.layers.into_iter().map(without_distances).collect(),
            ..Census::default()
        },
        _ => census,
    };
    let census = serialise(&census).unwrap();
    bytes.extend((census.len() as u64).to_le_bytes());
    bytes.extend(census);
    pad(&mut bytes, 8);
    let mut sums = Sums::default();
    sums.update(&bytes);
    bytes.extend(sums.finish());
    bytes
}

fn without_distances(layer: LayerCensus) -> LayerCensus {
    let all = |counts: Vec<u64>| vec![counts.iter().sum()];
    LayerCensus { wins: all(layer.wins), losses: all(layer.losses), ..layer }
}

/// The score in a table with this encoding.
fn without_plies(score: Score, encoding: Encoding) -> Score {
    match score {
        _ if encoding.has_distances() => score,
        Score::Win { .. } => Score::Win { plies: None },
        Score::Loss { .. } => Score::Loss { plies: None },
        draw @ Score::Draw { .. } => draw,
    }
}

#[test]
fn the_other_encodings_say_what_the_shipped_tables_say() {
    for (original, name, title, encoding) in [
        ("classic", "classic-wdl", "Classic, in a table without distances", Encoding::Wdl),
        ("classic", "classic-16", "Classic, in a table of two bytes an entry", Encoding::Plies16),
        (
            "swap",
            "swap-wdl",
            "Morpion with moves, in a table without distances",
            Encoding::WdlCycle,
        ),
    ] {
        let original = Table::builtin(original).unwrap();
        let bytes = encoded(&original, name, title, encoding);
        let path = folder().join(format!("tables/{name}.morpion"));
        if std::env::var_os("MORPION_WRITE").is_some() {
            std::fs::write(&path, &bytes).unwrap();
        }
        assert!(std::fs::read(&path).unwrap() == bytes, "{} is another table", path.display());
        let table = Table::from_source(Bytes::from(bytes)).unwrap();
        table.check_sums().unwrap();
        for layer in &original.raw().header().layers {
            let sets = |size: u8| morpion_core::rank::subsets(9, size.into());
            for (mover, waiter) in sets(layer.counts.mover)
                .flat_map(|mover| sets(layer.counts.waiter).map(move |set| (mover, set)))
            {
                let position = morpion_lookup::Position { mover, waiter };
                let expected = original.probe(position).ok();
                let expected = expected.map(|score| without_plies(score, encoding));
                assert_eq!(table.probe(position).ok(), expected);
            }
        }
    }
}

/// The lengths at which XXH3 goes another way, and their neighbours.
const LENGTHS: [usize; 26] = [
    0, 1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 32, 33, 100, 128, 129, 130, 200, 240, 241, 255, 256, 1023,
    1024, 1025, 5000,
];

/// The sum of bytes, fewer than have a second one.
fn sum(bytes: &[u8]) -> u64 {
    let mut sums = Sums::default();
    sums.update(bytes);
    // Without a byte the only sum is the sum of the sums, which is the sum of nothing.
    u64::from_le_bytes(*sums.finish().first_chunk().unwrap())
}

/// By length, XXH3 of 64 bits with seed 0 as the sanity checks of the xxHash project have it.
const SUMS_OF_XXHASH: [(usize, u64); 9] = [
    (0, 0x2D06_8005_38D3_94C2),
    (1, 0xC44B_DFF4_074E_ECDB),
    (6, 0x27B5_6A84_CD2D_7325),
    (12, 0xA713_DAF0_DFBB_77E7),
    (24, 0xA3FE_70BF_9D35_10EB),
    (48, 0x397D_A259_ECBA_1F11),
    (80, 0xBCDE_FBBB_2C47_C90A),
    (195, 0xCD94_217E_E362_EC3A),
    (403, 0xCDEB_804D_65C6_DEA4),
];

#[test]
fn a_checksum_is_that_of_xxhash() {
    // The input of the reference test: the highest byte of powers of a prime of 64 bits times the first prime of 32 bits.
    let next = |number: &u64| Some(number.wrapping_mul(11_400_714_785_074_694_797));
    let numbers = std::iter::successors(Some(2_654_435_761), next);
    let bytes: Vec<u8> = numbers.map(|number: u64| (number >> 56) as u8).take(403).collect();
    for (length, expected) in SUMS_OF_XXHASH {
        assert_eq!(sum(&bytes[..length]), expected, "{length} bytes");
    }
}

#[test]
fn the_checksums_that_readers_are_held_against_have_not_changed() {
    let mut text = String::from("length,xxh3\n");
    for length in LENGTHS {
        let bytes: Vec<u8> = (0..length).map(|i| (i * 7 + 3) as u8).collect();
        text.push_str(&format!("{length},{:016x}\n", sum(&bytes)));
    }
    let path = folder().join("sums.csv");
    if std::env::var_os("MORPION_WRITE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), text);
}
