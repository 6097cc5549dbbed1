//! Texts of positions and moves of the built-in games, and of boards with holes and names.

use crate::unfolded::placing;
use morpion_lookup::{Board, ErrorKind, Move, Side, Table};

#[test]
fn positions_and_moves_are_read_as_they_were_written() {
    for name in Table::builtin_names() {
        let game = Table::builtin(name).unwrap().game().clone();
        let start = game.start();
        assert_eq!(game.parse_position(&start.to_string()), Ok(start));
        for mv in game.legal_moves(start) {
            let after = game.after(start, mv);
            assert_eq!(game.parse_position(&after.to_string()), Ok(after), "{name} {mv:?}");
            assert_eq!(game.parse_move(&game.format_move(mv)), Ok(mv));
        }
    }
}

#[test]
fn piece_counts_tell_the_side_to_move_until_all_are_placed() {
    for (game, text, side) in [
        ("classic", ".../.../...", Some(Side::X)),
        ("classic", "X../.../...", Some(Side::O)),
        ("classic", "XOX/XOO/OXX", Some(Side::O)),
        ("swap", "XX./OO./...", Some(Side::X)),
        ("swap", "XX./OO./X..", Some(Side::O)),
        ("swap", "XX./OO./XO. x", None),
        ("swap", "XX./OO./XO. o", None),
        ("shisima", "XXX/.../OOO o", None),
    ] {
        let table = Table::builtin(game).unwrap();
        let position = table.game().parse_position(text).unwrap();
        assert_eq!(table.game().turn(position), side, "{game} {text}");
        assert!(side.is_none_or(|side| side == position.side), "{game} {text}");
    }
}

#[test]
fn a_position_is_made_of_cells_if_the_game_has_it() {
    let game = Table::builtin("swap").unwrap().game().clone();
    let kind = |x, o, side: Option<Side>| game.position_of(x, o, side).map_err(|e| e.kind());
    let text = |x, o, side| kind(x, o, side).map(|position| position.to_string());
    assert_eq!(text(0b1, 0, None), Ok("X../.../... o".into()));
    assert_eq!(text(0b1, 0, Some(Side::O)), Ok("X../.../... o".into()));
    assert_eq!(text(0b10_0011, 0b1_1100, Some(Side::O)), Ok("XXO/OOX/... o".into()));
    assert_eq!(kind(0b1, 0, Some(Side::X)), Err(ErrorKind::Side));
    assert_eq!(kind(0b10_0011, 0b1_1100, None), Err(ErrorKind::SideMissing));
    assert_eq!(kind(0b111, 0, None), Err(ErrorKind::Counts));
    assert_eq!(kind(0b1, 0b1, None), Err(ErrorKind::Overlap));
    assert_eq!(kind(1 << 9, 0, None), Err(ErrorKind::OffTheBoard));
    assert_eq!(kind(0b111, 0b1_1000 | 1 << 8, Some(Side::X)), Err(ErrorKind::MoverLine));
}

#[test]
fn only_legal_moves_are_played() {
    let game = Table::builtin("classic").unwrap().game().clone();
    let start = game.start();
    for mv in game.legal_moves(start) {
        assert_eq!(game.play(start, mv), Ok(game.after(start, mv)));
    }
    let over = game.parse_position("XXX/OO./... o").unwrap();
    let taken = game.after(start, Move::Place { to: 4 });
    for (position, mv, text) in [
        (taken, Move::Place { to: 4 }, "\"b2\" is not a legal move here"),
        (start, Move::Shift { from: 0, to: 1 }, "\"a1-b1\" is not a legal move here"),
        (start, Move::Pass, "\"pass\" is not a legal move here"),
        (over, Move::Place { to: 8 }, "\"c3\" is not a legal move here"),
    ] {
        let error = game.play(position, mv).unwrap_err();
        assert_eq!((error.kind(), error.to_string()), (ErrorKind::Move, text.into()));
    }
}

#[test]
fn a_board_with_a_hole_is_read_with_it_and_without() {
    let board = Board::of_squares(3, 3, 0b111_101_111);
    let game = placing("hole", board, &[], vec![0b111], 4);
    let position = game.parse_position("X../O#./... x").unwrap();
    for text in ["X../O./...", "X..O....", "x..o#....", "[[1,0,0],[2,0],[0,0,0]]", "[X..O#....]"] {
        assert_eq!(game.parse_position(text), Ok(position), "{text}");
    }
    assert_eq!(position.to_string(), "X../O#./... x");
    for (text, expected) in [
        ("X../OX./... x", "row 2 has 3 cells, expected 2"),
        ("X.#/O../...", "character '#' at place 3: expected # at every hole"),
        ("X../OX./..#", "character 'X' at place 6: expected # at every hole"),
        ("X../O#./...#", "character '#' at place 12: expected # at every hole"),
        ("X../O#./....", "9 cells, expected 8"),
        ("X../O#./... .", "9 cells, expected 8"),
    ] {
        let message = game.parse_position(text).unwrap_err().to_string();
        assert!(message.starts_with(expected), "{text}: {message}");
    }
}

#[test]
fn cells_with_names_are_written_and_read_by_them() {
    let game = placing("named", Board::Plain { cells: 3 }, &["hub", "n", "s"], vec![0b111], 1);
    assert_eq!(game.format_cells(0b101), "hub s");
    assert_eq!(game.format_move(Move::Shift { from: 1, to: 0 }), "n-hub");
    assert_eq!(game.parse_move(" N - Hub "), Ok(Move::Shift { from: 1, to: 0 }));
    assert_eq!(game.parse_move("pass"), Ok(Move::Pass));
    for text in ["0", "hubs", "", "n-"] {
        assert_eq!(game.parse_move(text).unwrap_err().kind(), ErrorKind::Move, "{text}");
    }
}
