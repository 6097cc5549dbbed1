//! Faults of rule files: [`Faults`] collects all of them, each with its line.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Display;
use thiserror::Error;
use toml::de::DeTable;

/// The maximum number of faults that are listed. Further faults are only counted.
const MOST: usize = 100;

/// An invalid rule file, shown as one line for each fault: `FILE:LINE: KEY: what is wrong; what to write`.
#[derive(Debug, Error)]
#[error("{}", .faults.iter().map(|fault| fault.of(file)).collect::<Vec<_>>().join("\n"))]
pub struct RuleFileError {
    /// The file name as the user gave it.
    pub file: String,
    /// The faults in the order of their lines, at least one.
    pub faults: Vec<RuleFault>,
}

/// One fault of a rule file, or something odd in a valid file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RuleFault {
    /// Line number, from 1; 0 for a fault of the whole file.
    pub line: usize,
    /// The key, what is wrong, and what to write, in one line.
    pub message: String,
}

impl RuleFault {
    /// A fault of the whole file.
    pub(super) fn whole(message: impl ToString) -> RuleFault {
        RuleFault { line: 0, message: message.to_string() }
    }

    /// A fault of a key. Its line is the line of the key, or of the key's table if the file does not have the key, or else the first line.
    pub(super) fn of_key(keys: &Keys, key: &str, message: impl Display) -> RuleFault {
        let table = key.split('.').next().unwrap_or_default();
        let line = keys.get(key).or_else(|| keys.get(table)).map_or(1, |line| *line);
        RuleFault { line, message: format!("{key}: {message}") }
    }

    /// The fault with its line and the name of its file.
    pub fn of(&self, file: &str) -> String {
        let line = if self.line > 0 { format!("{}: ", self.line) } else { " ".into() };
        format!("{file}:{line}{}", self.message)
    }
}

/// The line of each key by its path, such as `board.rows`.
pub(super) type Keys = BTreeMap<String, usize>;

/// The faults that were found in a text. Methods that add a fault return `None`, so that a function can end with such a call.
#[derive(Default)]
pub(super) struct Faults {
    /// Place of each line end.
    ends: Vec<usize>,
    keys: Keys,
    /// At most [`MOST`] faults.
    found: RefCell<Vec<RuleFault>>,
    /// The number of all faults.
    count: Cell<usize>,
}

impl Faults {
    pub fn new(text: &str, root: &DeTable<'_>) -> Faults {
        let ends = text.match_indices('\n').map(|(place, _)| place).collect();
        let mut faults = Faults { ends, ..Faults::default() };
        for (name, value) in root {
            for (key, _) in value.get_ref().as_table().into_iter().flatten() {
                let path = format!("{}.{}", name.get_ref(), key.get_ref());
                faults.keys.insert(path, faults.line(key.span().start));
            }
            faults.keys.insert(name.get_ref().to_string(), faults.line(name.span().start));
        }
        faults
    }

    /// Returns true if the file has the key.
    pub fn has(&self, path: &str) -> bool {
        self.keys.contains_key(path)
    }

    /// Adds a fault of a key. The message has the fault and its remedy.
    pub fn of<T>(&self, key: &str, message: impl Display) -> Option<T> {
        self.add(RuleFault::of_key(&self.keys, key, message))
    }

    /// Adds the fault `found; write remedy` of a key if `wrong` is true, and then returns `None`.
    pub fn when(&self, wrong: bool, key: &str, found: impl Display, remedy: &str) -> Option<()> {
        if wrong { self.of(key, format_args!("{found}; write {remedy}")) } else { Some(()) }
    }

    /// Adds a fault at a place in the text.
    pub fn at<T>(&self, place: usize, key: &str, message: impl Display) -> Option<T> {
        self.add(RuleFault { line: self.line(place), message: format!("{key}: {message}") })
    }

    /// The line of a place in the text.
    pub fn line(&self, place: usize) -> usize {
        self.ends.partition_point(|end| *end < place) + 1
    }

    fn add<T>(&self, mut fault: RuleFault) -> Option<T> {
        self.count.set(self.count.get() + 1);
        if self.count.get() <= MOST {
            // A quoted key and an error of TOML may contain line ends.
            fault.message = fault.message.lines().collect::<Vec<_>>().join(", ");
            self.found.borrow_mut().push(fault);
        }
        None
    }

    /// Adds a fault for each of these keys that the table has. `{}` in the message is the key.
    pub fn refuse(&self, table: &str, keys: &[&str], message: &str) -> Option<()> {
        self.unless_more(|| {
            for key in keys {
                if let Some(&line) = self.keys.get(&format!("{table}.{key}")) {
                    let message = format!("{table}: {}", message.replace("{}", key));
                    self.add::<()>(RuleFault { line, message });
                }
            }
        })
    }

    /// Returns the result of `check`, or `None` if `check` added a fault.
    pub fn unless_more<T>(&self, check: impl FnOnce() -> T) -> Option<T> {
        let before = self.count.get();
        let result = check();
        (self.count.get() == before).then_some(result)
    }

    pub fn is_empty(&self) -> bool {
        self.count.get() == 0
    }

    /// The faults in the order of their lines, and the lines of the keys.
    pub fn end(self) -> (Vec<RuleFault>, Keys) {
        let mut found = self.found.into_inner();
        found.sort();
        found.dedup();
        if let more @ 1.. = self.count.get().saturating_sub(MOST) {
            found.push(RuleFault::whole(format!("{more} more faults: correct these first")));
        }
        (found, self.keys)
    }
}

/// The beginning of a text, quoted.
pub(super) fn quoted(text: &str) -> String {
    let short: String = text.chars().take(64).collect();
    format!("{short:?}")
}
