//! Every text that a program writes is read back as the same thing, in all languages: positions with hands and ages, and moves.

use crate::interrupted::Dice;
use morpion_core::Game;
use morpion_games::rules::parse;
use morpion_machine::progress::Unobserved;
use morpion_solver::table;
use morpion_tests::{needs, repository, run};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Games with names, holes, pieces in hand, pieces that age, takes of one piece and of two, and pushes.
const GAMES: [&str; 9] = [
    "[board]\nrows = 3\ncolumns = 3\nnames = [\"nw\", \"n\", \"ne\", \"w\", \"m\", \"e\", \"sw\", \"s\", \"se\"]\n\
     [lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\noldest = \"before-lines\"",
    // Names that are the places of other cells.
    "[board]\nrows = 2\ncolumns = 3\nnames = [\"b1\", \"a1\", \"a2\", \"c1\", \"c2\", \"b2\"]\n\
     [lines]\nlength = 3\n[pieces]\neach = 2\n[moves]\noldest = \"first\"",
    "[board]\nlayout = \"a b c\\n x y z\"\n[lines]\nsets = [[0, 1, 2], [3, 4, 5]]\n[pieces]\neach = 3\n[moves]\noldest = \"after-lines\"",
    "[board]\ncells = 6\nnames = [\"a\", \"x\", \"xb\", \"bx2\", \"x2\", \"c\"]\n[lines]\nsets = [[0, 1], [2, 3], [1, 4]]\n\
     [pieces]\neach = 3\n[moves]\nto = \"any\"\n[mills]\ntakes = \"any\"\nleast = 1",
    "[board]\nrows = 3\ncolumns = 3\nblocked = [\"b2\"]\n[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\nto = \"king\"\n\
     [mills]\ntakes = \"two-any\"\nleast = 2\nmixed = true",
    "[board]\nrows = 2\ncolumns = 4\n[lines]\nlength = 2\n[pieces]\neach = 4\n[moves]\nto = \"orthogonal\"\nstuck = \"pass\"\n\
     [mills]\ntakes = \"two-outside-first\"",
    "[board]\nrows = 3\ncolumns = 3\nnames = [\"q\", \"w\", \"e\", \"a\", \"s\", \"d\", \"z\", \"x\", \"c\"]\n[lines]\nlength = 3\n\
     [moves]\nto = \"push\"",
    "[board]\nhex = 2\n[lines]\nlength = 2\nexact = true\n[pieces]\neach = 3\n[moves]\nto = \"king\"\nstay = true",
    "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\nto = \"drawn\"\n\
     [opening]\nstart = \"XXO/.X./OO. x\"",
];

/// Checks texts along random games, and lists them: position, move, position after it.
fn played(game: &Game, dice: &mut Dice) -> Vec<[String; 3]> {
    let mut lines = Vec::new();
    for _ in 0..40 {
        let mut position = game.start();
        for _ in 0..20 {
            let text = game.format_position(position);
            assert_eq!(game.parse_position(&text), Ok(position), "{text}");
            if game.end_at(position).is_some() {
                break;
            }
            let moves: Vec<_> = game.moves_at(position).collect();
            let texts: Vec<String> = moves.iter().map(|&mv| game.format_move(mv)).collect();
            assert_eq!(texts.iter().collect::<BTreeSet<_>>().len(), moves.len(), "{texts:?}");
            for (&mv, text) in moves.iter().zip(&texts) {
                assert_eq!(game.parse_move(text), Ok(mv), "{text}");
            }
            let chosen = dice.below(moves.len());
            position = game.after(position, moves[chosen]);
            lines.push([text, texts[chosen].clone(), game.format_position(position)]);
        }
    }
    lines
}

/// Writes the tables of all games, and `texts.tsv` with what was played in them.
fn write(folder: &Path) {
    let mut dice = Dice(62);
    let mut texts = String::new();
    for (number, body) in GAMES.iter().enumerate() {
        let name = format!("texts-{number}");
        let game = parse(&name, &format!("name = \"{name}\"\n{body}")).unwrap();
        let table = table::solve(&game, &Unobserved).unwrap();
        std::fs::write(folder.join(format!("{name}.morpion")), table).unwrap();
        for line in played(&game, &mut dice) {
            texts += &format!("{name}\t{}\n", line.join("\t"));
        }
    }
    assert!(texts.lines().count() > 1000, "{texts}");
    std::fs::write(folder.join("texts.tsv"), texts).unwrap();
}

#[test]
fn texts_are_read_back_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
}

#[test]
#[cfg_attr(not(has_node), ignore = "needs node")]
fn javascript_reads_and_writes_the_same_texts() {
    needs(&["node"]);
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let program = r#"
        import assert from "node:assert/strict";
        import { readFileSync } from "node:fs";
        const [library, folder] = process.argv.slice(-2), { Table } = await import(library), tables = new Map();
        for (const line of readFileSync(`${folder}/texts.tsv`, "utf8").trim().split("\n")) {
          const [name, text, move, after] = line.split("\t");
          if (!tables.has(name)) tables.set(name, new Table(readFileSync(`${folder}/${name}.morpion`)));
          const position = tables.get(name).position(text), moves = position.legalMoves.map((each) => each.move);
          assert.equal(`${position}`, text);
          assert.equal(new Set(moves).size, moves.length, text);
          assert.ok(moves.includes(move), `${text} ${move}`);
          assert.equal(`${position.after(move)}`, after);
        }"#;
    run(Command::new("node")
        .args(["--input-type=module", "--eval", program])
        .arg(repository().join("lookup/js/index.js"))
        .arg(folder.path()));
}
