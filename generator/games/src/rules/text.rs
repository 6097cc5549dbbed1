//! The canonical form of a rule file: its keys in a fixed order, each written in one way, without comments.
//!
//! Writes the text that a table contains, from which the table's fingerprint is computed. So the canonical form must never change.

use super::shape::{TABLES, keys};
use crate::nearest::nearest;
use morpion_core::Game;
use std::collections::BTreeMap;
use std::fmt::Write;
use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The canonical form of a valid rule file without name, title and aliases.
pub(super) fn canonical(file: &DeTable<'_>) -> String {
    let mut text = String::new();
    for (table, keys) in TABLES {
        let Some(values) = file.get(table).and_then(|value| value.get_ref().as_table()) else {
            continue;
        };
        let start = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(text, "{start}[{table}]");
        for key in keys {
            if let Some(value) = values.get(*key) {
                let _ = write!(text, "{key} = ");
                write_value(value.get_ref(), &mut text);
                text.push('\n');
            }
        }
    }
    text
}

/// The rule file of a game in canonical form.
#[must_use]
pub fn whole(game: &Game) -> String {
    with_rules(game, &game.about().rules)
}

fn with_rules(game: &Game, rules: &str) -> String {
    let mut text = String::new();
    for (key, value) in [("name", game.name()), ("title", game.title())] {
        let _ = write!(text, "{key} = ");
        write_string(value, &mut text);
        text.push('\n');
    }
    text + "\n" + rules
}

/// A key that no rule file has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{key:?} is not a key of rule files below a table: {}", if nearest.is_empty() { "see `morpion help rules`".into() } else { format!("write {}", nearest.join(" or ")) })]
pub struct UnknownKey {
    key: String,
    nearest: Vec<String>,
}

/// The rule file of a game in canonical form, with other values of some keys such as `pieces.each`. A value is TOML, or a string without
/// its quotes. The text of the value is read as TOML, but the rules are not checked.
///
/// # Errors
/// If rule files do not have a key.
pub fn varied(game: &Game, values: &BTreeMap<String, String>) -> Result<String, UnknownKey> {
    let mut rules = DeTable::parse_recoverable(&game.about().rules).0.into_inner();
    for (key, value) in values {
        let known = key.split_once('.').filter(|_| keys().any(|known| known == *key));
        let unknown = || UnknownKey { key: key.clone(), nearest: nearest(key, keys()) };
        let (table, name) = known.ok_or_else(unknown)?;
        let string = |_| unplaced(DeValue::String(value.into()));
        let value = DeValue::parse(value.trim()).unwrap_or_else(string);
        let empty = || unplaced(DeValue::Table(DeTable::new()));
        let table = rules.entry(unplaced(table.into())).or_insert_with(empty);
        if let DeValue::Table(table) = table.get_mut() {
            table.insert(unplaced(name.into()), value);
        }
    }
    Ok(with_rules(game, &canonical(&rules)))
}

/// A key or a value without a place in a file.
fn unplaced<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

fn write_value(value: &DeValue<'_>, text: &mut String) {
    match value {
        DeValue::String(string) => write_string(string, text),
        DeValue::Integer(digits) => {
            let number = i64::from_str_radix(digits.as_str(), digits.radix());
            let _ = write!(text, "{}", number.unwrap_or_default());
        }
        DeValue::Boolean(is_so) => text.push_str(if *is_so { "true" } else { "false" }),
        DeValue::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { ", " });
                write_value(item.get_ref(), text);
            }
            text.push(']');
        }
        // No key of a rule file has another kind of value.
        _ => {}
    }
}

/// Writes a string, over several lines if the string has several lines.
fn write_string(string: &str, text: &mut String) {
    let is_drawing = string.contains('\n');
    text.push_str(if is_drawing { "\"\"\"\n" } else { "\"" });
    for character in string.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            '\n' if is_drawing => text.push('\n'),
            control if control.is_control() => {
                let _ = write!(text, "\\u{:04X}", u32::from(control));
            }
            _ => text.push(character),
        }
    }
    text.push_str(if is_drawing { "\"\"\"" } else { "\"" });
}
