//! Formats scores, distances and numbers, in the same way for all commands.

use morpion_lookup::{DrawKind, Score};

/// Formats a score: `win in 5 plies`, `draw by cycle`, `loss`.
pub fn in_words(score: Score) -> String {
    let value = score.value().name();
    match (score.plies(), score.draw()) {
        (Some(distance), _) => format!("{value} in {}", plies(distance)),
        (_, Some(DrawKind::Cycle)) => format!("{value} by cycle"),
        (_, Some(DrawKind::End)) => format!("{value} that ends"),
        _ => value.into(),
    }
}

/// Formats `1 ply`, `9 plies`.
pub(crate) fn plies(distance: u16) -> String {
    format!("{distance} {}", if distance == 1 { "ply" } else { "plies" })
}

/// Formats a number with commas between thousands.
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats `1 move`, `1,234 moves`.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        for (number, text) in [(0u64, "0"), (999, "999"), (1000, "1,000"), (1234567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }
}
