//! Rows are orbits, by their definition.

use morpion_core::rank::{binomial, rank, subsets};
use morpion_games::rules::parse;
use morpion_games::symmetry::group::group;
use morpion_games::symmetry::orbits::Orbits;
use morpion_games::symmetry::ranker::Ranker;
use morpion_machine::progress::Unobserved;

#[test]
fn ranks_from_tables_agree_with_the_definition() {
    for (cells, size) in
        [0, 1, 2, 7, 12].into_iter().flat_map(|cells| (0..=cells).map(move |size| (cells, size)))
    {
        let ranker = Ranker::new(cells, size);
        assert!(subsets(cells, size).all(|set| u64::from(ranker.rank(set)) == rank(set)));
    }
    let ranker = Ranker::new(36, 3);
    assert!(subsets(36, 3).all(|set| u64::from(ranker.rank(set)) == rank(set)));
}

#[test]
fn rows_are_orbits_and_every_set_finds_its_representative() {
    for body in
        ["rows = 3\ncolumns = 3\n[lines]\nlength = 3", "rows = 4\ncolumns = 4\n[lines]\nlength = 4"]
    {
        let game = parse("t", &format!("name = \"t\"\n[board]\n{body}")).unwrap();
        let (_, symmetries) = group(&game, &Unobserved).unwrap();
        let cells = u32::from(game.cells());
        for size in 0..=cells / 2 {
            let orbits = Orbits::new(cells, size, &symmetries, &Unobserved).unwrap();
            assert_eq!(
                orbits.lengths.iter().map(|&n| u64::from(n)).sum::<u64>(),
                binomial(cells, size)
            );
            assert!(orbits.representatives.is_sorted());
            for set in subsets(cells, size) {
                let (row, symmetry) = orbits.split(orbits.map[orbits.ranker.rank(set) as usize]);
                let least = symmetries.iter().map(|symmetry| symmetry.apply(set)).min().unwrap();
                assert_eq!(orbits.representatives[row], least);
                assert_eq!(symmetries[symmetry].apply(set), least);
                assert!(symmetries[..symmetry].iter().all(|symmetry| symmetry.apply(set) != least));
            }
        }
    }
}
