//! Numbers of arrangements, forth and back.

use morpion_core::{Counts, Position};
use morpion_games::reach::arrangements::Arrangements;
use morpion_lookup::Table;

#[test]
fn every_number_is_another_arrangement_in_ascending_order() {
    for cells in [0x1FFu64, 0b1_0110_1100_1011_0011_1001, 0xF_8000_0013] {
        for counts in (0..=cells.count_ones() as u8)
            .map(|ply| Counts { mover: ply / 2, waiter: ply.div_ceil(2) })
        {
            let all = Arrangements::new(cells, counts);
            let count = all.count() as u64;
            let step = (count / 5000).max(1) as usize;
            let found: Vec<Position> =
                (0..count).step_by(step).map(|number| all.position(number)).collect();
            assert!(found.is_sorted_by(|a, b| a < b));
            for (number, &position) in (0..count).step_by(step).zip(&found) {
                let Position { mover, waiter } = position;
                assert_eq!((mover & waiter, (mover | waiter) & !cells), (0, 0));
                assert_eq!(mover.count_ones(), counts.mover.into());
                assert_eq!(waiter.count_ones(), counts.waiter.into());
                assert_eq!(all.number(position), number);
                assert_eq!(number, all.row(mover) * all.columns() + all.column(position));
            }
        }
    }
}

#[test]
fn each_order_of_pieces_that_age_is_an_arrangement() {
    let game = Table::builtin("disappearing").unwrap().game().clone();
    let none = Position { mover: 0, waiter: 0 };
    for layer in 0..game.graph().layers.len() {
        let all = Arrangements::of_layer(&game, layer, none);
        let positions: Vec<Position> =
            (0..all.count() as u64).map(|number| all.position(number)).collect();
        assert_eq!(positions[0].counts(), game.graph().layers[layer].counts);
        assert!(positions.iter().all(|&position| game.layer_of(position) == Some(layer)));
        assert!((0..).zip(&positions).all(|(number, &position)| all.number(position) == number));
        let in_row = |row| (0..all.columns()).map(all.in_row(row));
        assert!((0..all.rows()).flat_map(in_row).eq(positions));
    }
}

#[test]
fn ranks_beyond_32_bits_are_exact() {
    let all = Arrangements::new((1 << 36) - 1, Counts { mover: 18, waiter: 18 });
    let last = all.count() as u64 - 1;
    assert_eq!((last, all.number(all.position(last))), (9_075_135_299, last));
}

#[test]
fn the_example_at_the_head_is_so() {
    let all = Arrangements::new(0x1FF, Counts { mover: 1, waiter: 1 });
    assert_eq!(all.count(), 72);
    assert_eq!(all.position(0), Position { mover: 1, waiter: 2 });
    assert_eq!(all.position(8), Position { mover: 2, waiter: 1 });
}
