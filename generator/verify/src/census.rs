//! Counts the census again from the entries, and compares the result with the stored census.

use crate::fault::Fault;
use crate::report::Report;
use crate::sums::layer_sums::LayerSums;
use morpion_core::{CELLS, Census, Deepest, Encoding, Game, Header, LayerCensus, Position, Score};
use morpion_games::reach::layer_name;

/// Compares the stored census with the counts of all layers.
pub(super) fn compare(header: &Header, stored: &Census, layers: &[LayerSums], report: &mut Report) {
    let Header { game, encoding, .. } = header;
    let counted = assemble(*encoding, layers);
    let nodes = &game.graph().layers;
    for ((stored, counted), node) in stored.layers.iter().zip(&counted.layers).zip(nodes) {
        if stored != counted {
            let part = format!("census of layer {}", layer_name(node));
            let [found, expected] = where_they_differ([stored, counted], encoding.has_distances());
            report.add(Fault::of_part(part, found, expected));
        }
    }
    if stored.layers.len() != counted.layers.len() {
        let [found, expected] =
            [stored, &counted].map(|census| format!("{} layers", census.layers.len()));
        report.add(Fault::of_part("census", found, expected));
    }
    for (part, stored, counted) in [
        ("longest win", stored.longest_win, counted.longest_win),
        ("longest loss", stored.longest_loss, counted.longest_loss),
    ] {
        if stored != counted {
            let [found, expected] = [stored, counted].map(|deepest| in_words(game, deepest));
            report.add(Fault::of_part(part, found, expected));
        }
    }
}

/// The numbers that differ between two censuses of a layer, with their names, as a text for each census.
fn where_they_differ(censuses: [&LayerCensus; 2], has_distances: bool) -> [String; 2] {
    let [stored, counted] = censuses.map(|census| {
        let by_plies = |name: &'static str, list: &[u64]| -> Vec<(String, u64)> {
            let name =
                |plies| if has_distances { format!("{name} in {plies}") } else { name.into() };
            list.iter().enumerate().map(|(plies, &count)| (name(plies), count)).collect()
        };
        let mut numbers = by_plies("wins", &census.wins);
        numbers.extend(by_plies("losses", &census.losses));
        let others = [census.draws_end, census.draws_cycle, census.none];
        let names = ["draws that end", "draws by cycle", "invalid arrangements"];
        numbers.extend(names.map(String::from).into_iter().zip(others));
        numbers
    });
    let without = |numbers: &[(String, u64)], others: &[(String, u64)]| {
        let alone = numbers.iter().filter(|number| !others.contains(number));
        let alone: Vec<String> = alone.map(|(name, count)| format!("{count} {name}")).collect();
        if alone.is_empty() { "nothing more".into() } else { alone.join(", ") }
    };
    [without(&stored, &counted), without(&counted, &stored)]
}

fn in_words(game: &Game, deepest: Option<Deepest>) -> String {
    deepest.map_or("none".into(), |Deepest { plies, position: Position { mover, waiter } }| {
        let [mover, waiter] = [mover, waiter].map(|word| game.format_cells(word & CELLS));
        format!("{plies} plies, mover {mover}, waiter {waiter}")
    })
}

/// Makes a census from the counts of layers, which are in the order of play.
fn assemble(encoding: Encoding, layers: &[LayerSums]) -> Census {
    let mut census = Census::default();
    for layer in layers {
        let mut counted = LayerCensus::default();
        if !encoding.has_distances() {
            // Without distances, a census always has one number of wins and one number of losses, even if they are 0.
            (counted.wins, counted.losses) = (vec![0], vec![0]);
        }
        for count in &layer.codes {
            let score = encoding.decode(count.code);
            counted.add(score, count.arrangements);
            let (plies, deepest) = match score {
                Some(Score::Win { plies: Some(plies) }) => (plies, &mut census.longest_win),
                Some(Score::Loss { plies: Some(plies) }) => (plies, &mut census.longest_loss),
                _ => continue,
            };
            if deepest.is_none_or(|known| known.plies < plies) {
                let position = Position { mover: count.mover, waiter: count.waiter };
                *deepest = Some(Deepest { plies, position });
            }
        }
        census.layers.push(counted);
    }
    census
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_reports_the_different_numbers() {
        let stored = LayerCensus {
            wins: vec![0, 12, 3],
            losses: vec![5],
            draws_end: 7,
            ..Default::default()
        };
        let counted = LayerCensus { wins: vec![0, 11, 3], draws_end: 8, ..stored.clone() };
        let differ =
            |other: &LayerCensus, has_distances| where_they_differ([&stored, other], has_distances);
        assert_eq!(
            differ(&counted, true),
            ["12 wins in 1, 7 draws that end", "11 wins in 1, 8 draws that end"]
        );
        let longer = LayerCensus { losses: vec![5, 0], ..stored.clone() };
        assert_eq!(differ(&longer, true), ["nothing more", "0 losses in 1"]);
        let without = |wins| LayerCensus { wins: vec![wins], ..Default::default() };
        let [found, expected] = where_they_differ([&without(1), &without(2)], false);
        assert_eq!([found, expected], ["1 wins", "2 wins"]);
    }
}
