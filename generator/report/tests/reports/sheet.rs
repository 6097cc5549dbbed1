//! Sheets to print: the length of boards, the number of pieces, and answers to questions.

use super::table;
use morpion_core::Encoding;
use morpion_games::catalogue::standard_game;
use morpion_report::sheet::{Task, board, tasks};

/// The numbers of an attribute, in the order of the elements.
fn numbers(drawn: &str, attribute: &str) -> Vec<f64> {
    let attribute = format!(" {attribute}=\"");
    let values = drawn.split(&attribute).skip(1);
    values.filter_map(|rest| rest.split('"').next()?.trim_end_matches("mm").parse().ok()).collect()
}

#[test]
fn a_board_is_170_mm_long_from_edge_to_edge_and_has_its_pieces() {
    // The ends of a linked board are the edges of its outer cells.
    for (name, place, ends, pieces) in [
        ("classic", "x", [0.0, 40.0], [5, 4]),
        ("beginner5", "x", [0.0, 40.0], [5, 5]),
        ("tapatan", "cx", [-3.0, 3.0], [3, 3]),
        ("nine-mens-morris", "cx", [-3.0, 3.0], [9, 9]),
        ("quixo3", "x", [0.0, 40.0], [9, 9]),
        ("disappearing", "x", [0.0, 40.0], [3, 3]),
    ] {
        let sheet = board(&standard_game(name).unwrap());
        let (drawn, rest) = sheet.split_once("</svg>").unwrap();
        let cells = drawn.split("<text").next().unwrap();
        let least = numbers(cells, place).into_iter().fold(f64::MAX, f64::min) + ends[0];
        let most = numbers(cells, place).into_iter().fold(0.0, f64::max) + ends[1];
        let millimetres = drawn.split("viewBox=\"0 0 ").nth(1).unwrap();
        let across: f64 = millimetres.split(' ').next().unwrap().parse().unwrap();
        let length = (most - least) * numbers(drawn, "width")[0] / across;
        assert!((length - 170.0).abs() < 0.3, "{name}: {length}");
        assert!(numbers(drawn, "width")[0] < 180.0, "{name} fits on A4");
        let cut: Vec<&str> =
            rest.split("<svg").skip(1).take_while(|cut| cut.contains("dasharray")).collect();
        // O is drawn by arcs.
        let rings = cut.iter().filter(|cut| cut.contains('A')).count();
        assert_eq!([cut.len() - rings, rings], pieces, "{name}");
        assert_eq!(sheet.contains("<text y="), name == "disappearing", "numbers of ages");
    }
}

#[test]
fn a_sheet_of_a_game_answers_three_questions() {
    for (name, answers) in [
        (
            "classic",
            [
                "Nobody: it is a draw.",
                "No: nobody wins, whoever begins.",
                "All first moves keep the draw.",
            ],
        ),
        (
            "tapatan",
            [
                "X wins in 5 moves.",
                "Yes: whoever begins wins.",
                "b2 wins. a1, c1, a3, c3 keep the draw. All others lose.",
            ],
        ),
        ("quixo3", ["X wins in 4 moves.", "Yes: whoever begins wins.", "All first moves win."]),
        (
            "misere",
            [
                "Nobody: it is a draw.",
                "No: nobody wins, whoever begins.",
                "b2 keeps the draw. All others lose.",
            ],
        ),
    ] {
        let table = table(name, Encoding::Plies8);
        let sheet = tasks(&[], Some(&table)).unwrap();
        let (front, back) = sheet.split_once("<h1>Answers</h1>").unwrap();
        for answer in answers {
            assert!(back.contains(&format!("<b>{answer}</b>")), "{name}: {back}");
            assert!(!front.contains(answer), "{name}");
        }
    }
}

#[test]
fn a_task_says_the_moves_that_pupils_count_and_its_answer_is_on_the_back() {
    let table = table("classic", Encoding::Plies8);
    let game = table.game();
    let position = game.parse_position("XX./OO./... x").unwrap();
    let solution = vec![game.parse_move("c1").unwrap()];
    let task = |plies| Task {
        game,
        position,
        plies,
        solution: solution.clone(),
        source: "puzzle 1".into(),
    };
    let sheet = tasks(&[task(Some(1)), task(Some(3)), task(None)], None).unwrap();
    let (front, back) = sheet.split_once("<h1>Answers</h1>").unwrap();
    for (number, words) in [(1, "win in 1 move."), (2, "win in 2 moves."), (3, "keep the draw.")] {
        assert!(front.contains(&format!("<b>{number}. X to move: {words}</b>")), "{front}");
    }
    assert_eq!((front.matches("X c1").count(), back.matches("X c1").count()), (0, 3));
    assert_eq!(front.matches("p class=\"rules\"").count(), 1, "rules once for each game");
}
