use morpion_generator::{image, rule_file, solver};
use morpion_lookup::*;
fn main() {
    let facts = std::path::Path::new("../shared/facts");
    let rows = std::fs::read_to_string(facts.join("positions.csv")).unwrap();
    let mut tables: std::collections::HashMap<String, Table> = Default::default();
    let mut bad = 0;
    for row in rows.lines().skip(1) {
        let f: Vec<&str> = row.split(',').collect();
        let t = tables.entry(f[0].into()).or_insert_with(|| {
            let game = rule_file::read(&facts.join(format!("games/{}.toml", f[0]))).unwrap();
            let now = std::time::Instant::now();
            let b = image::solve(&game, Default::default(), &solver::Unwatched).unwrap();
            println!("{} {} bytes {:?} {:?}", f[0], b.len(), now.elapsed(), game.layers().len());
            let t = Table::from_vec(b).unwrap();
            t.check_sums().unwrap();
            t
        });
        let (p, _) = t.game().parse_position(f[1]).unwrap();
        let s = t.probe(p).unwrap();
        let plies = s.plies().map_or(String::new(), |p| p.to_string());
        let over = t.over(p).unwrap().is_some();
        if s.value().name() != f[2] || plies != f[3] || over != (f[4] == "yes") {
            bad += 1;
            println!("{row} {s:?} {over}");
        }
    }
    println!("bad {bad}");
}
