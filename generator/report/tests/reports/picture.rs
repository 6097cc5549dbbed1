use morpion_games::catalogue::standard_game;
use morpion_report::picture::draw;

#[test]
fn every_cell_line_and_link_is_drawn() {
    // A cell is a point with links or a square, on the ground.
    for (name, points, squares, names, links, straight, bent) in [
        ("tapatan", 9, 0, 6, 16, 8, 0),
        ("classic", 0, 9, 6, 0, 8, 0),
        ("teeko", 25, 0, 10, 72, 28, 16),
    ] {
        let drawn = draw(&standard_game(name).unwrap());
        let count = |tag: &str| drawn.matches(tag).count();
        assert_eq!((count("<circle"), count("<rect")), (points, squares + 1), "{name}");
        assert_eq!(count("<text"), names, "{name}");
        assert_eq!(count("<line"), links + straight, "{name}");
        assert_eq!(count("<polygon") + count("<polyline"), bent, "{name}");
    }
    // Sides of the ring are paths, diameters are straight.
    let drawn = draw(&standard_game("rota").unwrap());
    assert_eq!((drawn.matches("<polyline").count(), drawn.matches("<polygon").count()), (8, 0));
}

#[test]
fn lines_that_overlap_are_drawn_next_to_each_other() {
    let drawn = draw(&standard_game("classic4").unwrap());
    let segments: Vec<&str> = drawn.split("<line").skip(1).collect();
    let different: std::collections::BTreeSet<&str> = segments.iter().copied().collect();
    assert_eq!(different.len(), segments.len());
}
