//! Suggests the known names that are most similar to an unknown one.

/// The maximum number of suggestions.
const MOST: usize = 3;

/// The least similarity of two names, from 0 to 1: fewer than half of the characters may be wrong.
const ALIKE: f64 = 0.5;

/// The names of `known` that are most similar to `name`, ignoring case, the most similar first.
pub fn nearest(name: &str, known: impl IntoIterator<Item = String>) -> Vec<String> {
    let lower = name.to_ascii_lowercase();
    let likeness =
        |known: &str| strsim::normalized_damerau_levenshtein(&lower, &known.to_ascii_lowercase());
    let mut alike: Vec<(f64, String)> =
        known.into_iter().map(|known| (likeness(&known), known)).collect();
    alike.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    alike.dedup();
    // If one name is nearly right, less similar names do not help.
    let least = alike.first().map_or(0.0, |best| best.0 - 0.1);
    alike.retain(|(likeness, _)| *likeness > ALIKE && *likeness >= least);
    alike.into_iter().map(|(_, name)| name).take(MOST).collect()
}
