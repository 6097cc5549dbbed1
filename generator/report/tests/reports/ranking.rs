use morpion_core::Value;
use morpion_games::catalogue::Table;
use morpion_report::ranking::ranking;

#[test]
fn drawing_moves_are_ordered_by_the_replies_that_lose() {
    let table: Table = morpion_lookup::Table::builtin("classic").unwrap();
    let game = table.game();
    let ranking = ranking(&table, game.start().raw, true).unwrap();
    let names: Vec<String> = ranking.iter().map(|ranked| game.format_move(ranked.mv)).collect();
    assert_eq!(names, ["a1", "c1", "a3", "c3", "b2", "b1", "a2", "c2", "b3"]);
    // After a corner, all replies but the centre lose. After the centre, the edges lose. After an edge, four
    // replies lose.
    let losing = |at: usize| ranking[at].trap.map(|trap| (trap.losing, trap.replies));
    assert_eq!([losing(0), losing(4), losing(5)], [Some((7, 8)), Some((4, 8)), Some((4, 8))]);
    assert_eq!(ranking[4].trap.unwrap().own_losing, 0);
    assert!(ranking[5].trap.unwrap().own_losing > 0);
}

#[test]
fn only_moves_that_keep_a_draw_have_a_trap() {
    let table: Table = morpion_lookup::Table::builtin("classic").unwrap();
    for (text, drawing) in [("X../.O./..X o", 4), ("XO./.../... x", 0), ("XXX/OO./... o", 0)] {
        let position = table.game().parse_position(text).unwrap().raw;
        let quick = ranking(&table, position, false).unwrap();
        assert!(quick.iter().all(|ranked| ranked.trap.is_none()), "{text}");
        let ranking = ranking(&table, position, true).unwrap();
        let with_trap = ranking.iter().filter(|ranked| ranked.trap.is_some()).count();
        assert_eq!(with_trap, drawing, "{text}");
        for ranked in &ranking {
            let is_drawing = drawing > 0 && ranked.score.value() == Value::Draw;
            assert_eq!(ranked.trap.is_some(), is_drawing, "{text}");
        }
    }
}
