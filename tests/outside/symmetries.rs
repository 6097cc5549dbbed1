//! The search for symmetries, as users meet it: it runs before every build and plan, however similar the cells are.

use morpion_builder::{Options, build};
use morpion_games::rules;
use morpion_machine::progress::Progress;
use morpion_tests::morpion;

/// A rule file with 36 cells, numbered out of order, links along which pieces move, and one line of all cells.
fn sliding(name: &str, links: &[(usize, usize)]) -> String {
    // 5 and 37 have no common factor, so these are the numbers 1 to 36, each once.
    let number = |cell: usize| 5 * (cell + 1) % 37 - 1;
    let edges: Vec<[usize; 2]> = links.iter().map(|&(a, b)| [number(a), number(b)]).collect();
    let all: Vec<usize> = (0..36).collect();
    format!(
        "name = \"{name}\"\n[board]\ncells = 36\n[lines]\nsets = [{all:?}]\n[pieces]\neach = 2\n\
         [moves]\nto = \"edges\"\nedges = {edges:?}\n"
    )
}

fn ring(cells: usize) -> Vec<(usize, usize)> {
    (0..cells).map(|cell| (cell, (cell + 1) % cells)).collect()
}

/// A search that does not distinguish cells by their neighbourhood would not end.
#[test]
fn boards_whose_cells_all_look_alike_are_planned() {
    let wheel: Vec<_> = ring(35).into_iter().chain((0..35).map(|rim| (rim, 35))).collect();
    let step =
        |cell: usize, down: usize, right: usize| (cell / 6 + down) % 6 * 6 + (cell % 6 + right) % 6;
    let torus = (0..36).flat_map(|cell| [(cell, step(cell, 1, 0)), (cell, step(cell, 0, 1))]);
    let folder = tempfile::tempdir().unwrap();
    for (name, links, order) in
        [("ring", ring(36), 72), ("wheel", wheel, 70), ("torus", torus.collect(), 288)]
    {
        let file = folder.path().join(format!("{name}.toml"));
        std::fs::write(&file, sliding(name, &links)).unwrap();
        let output = morpion(["plan", "--json"]).arg(&file).output().unwrap();
        let plan: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(plan["symmetries"], order, "{name}");
    }
}

#[test]
fn a_build_that_is_stopped_while_symmetries_are_searched_for_leaves_nothing() {
    struct Stop;
    impl Progress for Stop {
        fn stop(&self) -> bool {
            true
        }
    }
    let game = rules::parse("ring", &sliding("ring", &ring(36))).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let error = build(&game, folder.path(), &Options::default(), &Stop).unwrap_err();
    assert!(error.is_stop(), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "something was left");
}
