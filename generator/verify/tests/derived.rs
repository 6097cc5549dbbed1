//! Tables whose game or layout is not that of their rule text. Readers open them, and the proof refuses them.

use morpion_core::{
    About, Board, Encoding, Game, Header, LayerGraph, MAGIC, MapSection, Side, Source, Takes,
    VERSION, body_begins, preamble, serialise,
};
use morpion_games::catalogue::Table;
use morpion_machine::progress::Unobserved;
use morpion_machine::sealed::Writer;
use morpion_verify::{Hex, Key, Part, sum, verify, verify_part, verify_sample};
use std::time::{Duration, Instant};

/// The key of all proofs.
const KEY: Key = Hex([7; 32]);

/// The parts of a header.
struct Parts {
    about: About,
    lines: Vec<u64>,
    graph: LayerGraph,
    header: Header,
    /// The bytes between the header and the census.
    body: Vec<u8>,
}

fn standard(name: &str) -> Table {
    Table::builtin(name).unwrap()
}

fn conformance(name: &str) -> Table {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../lookup/conformance/tables");
    Table::open(format!("{folder}/{name}.morpion")).unwrap()
}

/// The table with changed parts.
fn changed(table: &Table, change: impl FnOnce(&mut Parts)) -> Table {
    let header = table.raw().header().clone();
    let start = |header: &Header| body_begins(header.to_bytes().unwrap().len());
    let (before, census) = (start(&header), header.census);
    let body = &table.source().in_memory().unwrap()[before as usize..census as usize];
    let game = table.game();
    let (about, lines, graph) = (game.about().clone(), game.lines().to_vec(), game.graph().clone());
    let mut parts = Parts { about, lines, graph, header, body: body.to_vec() };
    change(&mut parts);
    let Parts { about, lines, graph, header, body } = parts;
    let extensions = game.prolongations().to_vec();
    let game = Game::new(about, lines, extensions, graph).unwrap();
    let header = Header::from_bytes(&Header { game, ..header }.to_bytes().unwrap()).unwrap();
    let size = (header.census - start(&header)) as usize;
    // Another number of rows has another layout, and then the proof ends before it reads entries.
    let body = if body.len() == size { body } else { vec![0; size] };
    let census = serialise(&table.raw().census().unwrap()).unwrap();
    let mut writer = Writer::new(Vec::new());
    writer.write(&preamble(MAGIC, VERSION, &header.to_bytes().unwrap())).unwrap();
    writer.write(&body).unwrap();
    writer.write(&(census.len() as u64).to_le_bytes()).unwrap();
    writer.write(&census).unwrap();
    let table = Table::from_source(writer.finish().unwrap().into()).unwrap();
    table.check_sums().unwrap();
    table
}

/// A lie: the table with it, and the part of the table that the proof reports.
type Lie = (Table, &'static str);

fn lies_about_the_game() -> Vec<Lie> {
    let lie = |table: Table, part, change: fn(&mut Parts)| (changed(&table, change), part);
    let swap = || standard("swap");
    vec![
        lie(standard("tapatan"), "list of moves", |parts| {
            // A link to one more cell.
            let step = &mut parts.graph.phases[1][0];
            step.to = 0o777 & !1;
        }),
        lie(swap(), "list of moves", |parts| _ = parts.graph.phases[1].pop()),
        lie(swap(), "list of lines", |parts| parts.lines[0] = 0o013),
        lie(swap(), "list of lines", |parts| parts.lines.reverse()),
        lie(conformance("mill"), "end of the game", |parts| {
            parts.graph.takes = Some(Takes::Any);
        }),
        lie(standard("misere"), "end of the game", |parts| {
            parts.graph.line = morpion_core::Value::Loss;
        }),
        lie(swap(), "list of layers", |parts| parts.graph.layers[6].turn = Some(Side::X)),
        lie(standard("shisima"), "start", |parts| parts.about.start.side = Side::O),
        lie(standard("classic"), "board", |parts| parts.about.board = Board::Plain { cells: 9 }),
        lie(conformance("wheel"), "list of names", |parts| parts.about.names.swap(0, 1)),
        lie(conformance("wheel"), "drawing", |parts| parts.about.layout.swap(0, 1)),
    ]
}

fn lies_about_the_text() -> Vec<Lie> {
    let lie = |part, change: fn(&mut String)| {
        (changed(&standard("swap"), |parts| change(&mut parts.about.rules)), part)
    };
    vec![
        lie("rules", String::clear),
        lie("rules", |text| text.push_str("[moves")),
        lie("canonical form of the rules", |text| text.push_str("# A comment.\n")),
        lie("list of layers", |text| *text = text.replace("each = 3", "each = 2")),
    ]
}

fn lies_about_the_layout() -> Vec<Lie> {
    let lie = |table: Table, part, change: fn(&mut Parts)| (changed(&table, change), part);
    let rows = |parts: &mut Parts, rows| {
        parts.header.maps[2] = MapSection { rows, ..parts.header.maps[2] }
    };
    let mut lies = vec![
        lie(conformance("classic-wdl"), "kind of draws", |parts| {
            parts.header.encoding = Encoding::WdlCycle;
        }),
        lie(conformance("swap-wdl"), "kind of draws", |parts| {
            parts.header.encoding = Encoding::Wdl;
        }),
    ];
    for count in [0, 37, 1000] {
        lies.push((changed(&standard("swap"), |parts| rows(parts, count)), "layout"));
    }
    lies
}

#[test]
fn the_proof_refuses_every_lie_that_readers_believe() {
    let lies = [lies_about_the_game(), lies_about_the_text(), lies_about_the_layout()];
    for (table, part) in lies.into_iter().flatten() {
        let name = table.game().name();
        let sample = verify_sample(&table, 10, 1, &Unobserved);
        for report in [verify(&table, KEY, &Unobserved), sample] {
            let report = report.unwrap();
            let parts: Vec<&str> = report.first.iter().map(|fault| fault.at.as_str()).collect();
            assert_eq!((parts, report.faults, report.checked), (vec![part], 1, 0), "{name}");
        }
    }
}

#[test]
fn a_part_of_a_proof_of_a_lie_has_the_fault_and_is_not_added_up() {
    for (table, part) in lies_about_the_layout() {
        if !table.has_distances() {
            continue;
        }
        let proof = verify_part(&table, Part { number: 1, of: 1 }, KEY, &Unobserved).unwrap();
        assert_eq!((proof.faults, proof.first[0].at.as_str()), (1, part));
        assert!(proof.layers.is_empty());
        assert_eq!(sum(vec![proof]).unwrap_err().to_string(), "the header of the table is invalid");
    }
}

#[test]
fn unchanged_tables_follow_from_their_rules() {
    for table in [standard("swap"), standard("quixo3"), conformance("wheel"), conformance("mill")] {
        let report = verify(&changed(&table, |_| {}), KEY, &Unobserved).unwrap();
        assert!(report.is_right(), "{report:?}");
    }
}

/// Four times the length takes four times as long to read, and a square sixteen times. The least times of several runs are compared,
/// because the machine does other work.
#[test]
fn long_rules_are_read_in_linear_time() {
    let rota = standard("rota");
    let tables = [1 << 18, 1 << 20].map(|bytes| {
        changed(&rota, |parts| {
            let rules = &mut parts.about.rules;
            let again = "[0, 1], ".repeat((bytes - 2 * rules.len()) / 8);
            *rules = rules.replace("edges = [", &format!("edges = [{again}"));
        })
    });
    let time = |table: &Table| {
        let start = Instant::now();
        assert!(verify(table, KEY, &Unobserved).unwrap().is_right());
        start.elapsed()
    };
    let mut least = [Duration::MAX; 2];
    let is_linear = (0..10).any(|_| {
        least = [0, 1].map(|at| least[at].min(time(&tables[at])));
        least[1] < 8 * least[0]
    });
    assert!(is_linear, "{least:?}");
}
