use crate::own_table;
use morpion_machine::progress::Unobserved;
use morpion_report::classes::layers;
use morpion_report::count::{Symmetry, count};

#[test]
fn the_lemma_and_the_enumeration_agree_on_every_layer() {
    for body in [
        "rows = 3\ncolumns = 3\n[lines]\nlength = 3",
        "rows = 2\ncolumns = 4\n[lines]\nlength = 2",
        "rows = 4\ncolumns = 4\n[lines]\nlength = 4\n[pieces]\neach = 4\n[moves]\nto = \"any\"",
    ] {
        let table = own_table(body);
        for symmetry in [Symmetry::None, Symmetry::Board, Symmetry::Rules] {
            let count = count(&table, symmetry, &Unobserved).unwrap();
            let layers = layers(&table, symmetry, &count, &Unobserved).unwrap();
            assert_eq!(layers.len(), table.game().graph().layers.len());
            for layer in layers {
                assert_eq!(Some(layer.burnside), layer.enumerated, "{layer:?}");
            }
        }
    }
}
