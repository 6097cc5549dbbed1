//! The census, counted once more from the entries.
//!
//! In: a table whose keys are proved. Out: faults where the stored census differs from what is counted.

use super::keys::Keys;
use super::report::Report;
use morpion_games::progress::Progress;
use morpion_lookup::raw::{Census, Deepest, Encoding, LayerCensus};
use morpion_lookup::{DrawKind, Position, Score};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Compares the census in the table with its entries; `None` where the observer asked for a stop.
pub(super) fn check(keys: &Keys, progress: &dyn Progress, report: &mut Report) -> Option<()> {
    let stored = match keys.table.raw().census() {
        Ok(census) => census,
        Err(error) => {
            report.add_part("census", error.to_string(), "counts that can be read");
            return Some(());
        }
    };
    let counted = count(keys, progress)?;
    for (index, (stored, counted)) in stored.layers.iter().zip(&counted.layers).enumerate() {
        if stored != counted {
            let layer = keys.table.raw().header().layers[index];
            let part = format!("census of layer ({}, {})", layer.counts.mover, layer.counts.waiter);
            let has_distances = has_distances(keys.table.raw().header().encoding);
            let [found, expected] = where_they_differ([stored, counted], has_distances);
            report.add_part(&part, found, expected);
        }
    }
    if stored.layers.len() != counted.layers.len() {
        let lengths = [&stored, &counted].map(|census| format!("{} layers", census.layers.len()));
        let [found, expected] = lengths;
        report.add_part("census", found, expected);
    }
    for (part, stored, counted) in [
        ("longest win", stored.longest_win, counted.longest_win),
        ("longest loss", stored.longest_loss, counted.longest_loss),
    ] {
        if stored != counted {
            report.add_part(part, in_words(keys, stored), in_words(keys, counted));
        }
    }
    Some(())
}

fn has_distances(encoding: Encoding) -> bool {
    encoding.encode(Score::Win { plies: None }).is_none()
}

/// The numbers of two censuses of a layer that are not the same, each with its name.
fn where_they_differ(censuses: [&LayerCensus; 2], has_distances: bool) -> [String; 2] {
    let named = censuses.map(|census| {
        let by_plies = |name: &'static str, list: &[u64]| -> Vec<(String, u64)> {
            let name =
                |plies| if has_distances { format!("{name} in {plies}") } else { name.into() };
            list.iter().enumerate().map(|(plies, &count)| (name(plies), count)).collect()
        };
        let mut numbers = by_plies("wins", &census.wins);
        numbers.extend(by_plies("losses", &census.losses));
        let others = [census.draws_end, census.draws_cycle, census.none];
        let names = ["draws that end", "draws by cycle", "arrangements that are no positions"];
        numbers.extend(names.map(String::from).into_iter().zip(others));
        numbers
    });
    [[0, 1], [1, 0]].map(|[of, against]| {
        let alone = named[of].iter().filter(|number| !named[against].contains(number));
        let alone: Vec<String> = alone.map(|(name, count)| format!("{count} {name}")).collect();
        if alone.is_empty() { "nothing more".into() } else { alone.join(", ") }
    })
}

fn in_words(keys: &Keys, deepest: Option<Deepest>) -> String {
    deepest.map_or("none".into(), |Deepest { plies, position: Position { mover, waiter } }| {
        let game = keys.table.game();
        let [mover, waiter] = [mover, waiter].map(|set| game.format_cells(set));
        format!("{plies} plies, mover {mover}, waiter {waiter}")
    })
}

/// By code, how many arrangements have it, and the first row and column that does.
type Counted = BTreeMap<u16, (u64, (u64, u64))>;

fn count(keys: &Keys, progress: &dyn Progress) -> Option<Census> {
    let mut census = Census::default();
    let encoding = keys.table.raw().header().encoding;
    for (index, layer) in keys.table.raw().header().layers.iter().enumerate() {
        let codes = count_layer(keys, index, progress)?;
        let mut counted = LayerCensus::default();
        if !has_distances(encoding) {
            // Without distances there is one number of each.
            (counted.wins, counted.losses) = (vec![0], vec![0]);
        }
        for (code, (count, (row, column))) in codes {
            let add = |list: &mut Vec<u64>, plies: Option<u16>, deepest: &mut Option<Deepest>| {
                let at = usize::from(plies.unwrap_or(0));
                list.resize(list.len().max(at + 1), 0);
                list[at] += count;
                if let Some(plies) =
                    plies.filter(|plies| deepest.is_none_or(|known| known.plies < *plies))
                {
                    let position = keys.position((index, row, column));
                    *deepest = Some(Deepest { plies, position });
                }
            };
            match encoding.decode(code) {
                None => counted.none += count,
                Some(Score::Win { plies }) => {
                    add(&mut counted.wins, plies, &mut census.longest_win)
                }
                Some(Score::Loss { plies }) => {
                    add(&mut counted.losses, plies, &mut census.longest_loss);
                }
                Some(Score::Draw { kind: DrawKind::End }) => counted.draws_end += count,
                Some(Score::Draw { kind: DrawKind::Cycle }) => counted.draws_cycle += count,
            }
        }
        debug_assert!(layer.entries() > 0);
        census.layers.push(counted);
    }
    Some(census)
}

fn count_layer(keys: &Keys, index: usize, progress: &dyn Progress) -> Option<Counted> {
    let layer = keys.table.raw().header().layers[index];
    let rows = keys.rows(layer.counts.mover);
    let codes = usize::from(keys.table.raw().header().encoding.no_position()) + 1;
    let count_row = |row: u64| {
        if progress.stop() {
            return None;
        }
        let orbit = rows[row as usize].orbit;
        let mut in_row: Vec<(u64, u64)> = vec![(0, 0); codes];
        for column in 0..layer.columns {
            let slot = &mut in_row[usize::from(keys.code((index, row, column)))];
            if slot.0 == 0 {
                slot.1 = column;
            }
            slot.0 += 1;
        }
        let seen = in_row.into_iter().zip(0..=u16::MAX).filter(|((count, _), _)| *count > 0);
        Some(seen.map(|((count, column), code)| (code, (count * orbit, (row, column)))).collect())
    };
    let merge = |mut a: Counted, b: Counted| {
        for (code, (count, first)) in b {
            let slot = a.entry(code).or_insert((0, first));
            slot.0 += count;
            slot.1 = slot.1.min(first);
        }
        Some(a)
    };
    (0..layer.rows).into_par_iter().map(count_row).try_reduce(Counted::new, merge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_names_the_numbers_that_differ() {
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
