//! Octal codes: the rules of a game of heaps, written as a number.
//!
//! Parses a text into a [`Code`] in canonical form. In a code `d0.d1d2…dk`, the digit `dt`, 0 to 7, says what may be left of a heap after
//! `t` counters are taken from it. The digit is a sum: 1 if nothing may be left, 2 if one heap may be left, 4 if two heaps may be left. No
//! heap that is left is empty. `d0` is 0 or 4: if it is 4, a heap may be split without taking counters. Digits in parentheses at the end
//! repeat forever: `0.(3)` is nim, `4.(3)` is Lasker's nim.
//!
//! Source: Guy and Smith, *The G-values of various games*, Proc. Cambridge Phil. Soc. 52 (1956); *Winning Ways*, chapter 4.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;
use morpion_core::names;

/// The maximum number of digits after the point.
pub const MAX_DIGITS: usize = 255;

/// Reason why a text is not an octal code. `at` counts characters from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CodeError {
    /// A character that the grammar does not allow at this place.
    #[error("octal code `{text}`: {found} at character {}, expected {expected}", .at + 1)]
    Unexpected {
        /// The whole text.
        text: String,
        /// Place of the character, from 0.
        at: usize,
        /// The character found.
        found: String,
        /// The characters that are allowed.
        expected: &'static str,
    },
    /// A number of digits above [`MAX_DIGITS`].
    #[error("octal code of {0} digits: expected at most {MAX_DIGITS}")]
    TooLong(usize),
}

/// A game whose values are known for every heap without a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// `0.(3)`: take any number. The value of a heap is its size.
    Nim,
    /// `4.(3)`: take any number, or split the heap. The values of 4a + 3 and 4a + 4 change places (Lasker).
    Lasker,
}

names!(Closed { Nim = "nim", Lasker = "lasker" });

impl Closed {
    /// The Grundy value of one heap. `None` if it is 2^64 (Lasker's nim, heap 2^64 − 1).
    pub fn value(self, heap: u64) -> Option<u64> {
        match (self, heap % 4) {
            (Self::Lasker, 3) => heap.checked_add(1),
            (Self::Lasker, 0) if heap > 0 => Some(heap - 1),
            _ => Some(heap),
        }
    }
}

/// The rules of an octal game in canonical form: the last digit is not 0, and the repeating part is as short as possible. Therefore codes
/// of the same rules are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code {
    /// `d0`, `d1`, … before the repeating digits. Always has `d0`; a finite code has no other zeros at the end.
    digits: Vec<u8>,
    /// The digits after `digits`, which repeat forever; empty in a finite code.
    repeating: Vec<u8>,
}

impl Code {
    /// The digit of moves that take `taken` counters.
    pub fn digit(&self, taken: u64) -> u8 {
        let start = self.digits.len() as u64;
        if taken < start {
            self.digits[taken as usize]
        } else if self.repeating.is_empty() {
            0
        } else {
            self.repeating[((taken - start) % self.repeating.len() as u64) as usize]
        }
    }

    /// The digits `d0, …, dk` of a finite code; `None` if digits repeat forever. The last digit is not 0, unless there is only `d0`.
    pub fn finite(&self) -> Option<&[u8]> {
        self.repeating.is_empty().then_some(&self.digits)
    }

    /// The closed form of the values; `None` if this library does not have one for the code.
    pub fn closed(&self) -> Option<Closed> {
        match (self.digits.as_slice(), self.repeating.as_slice()) {
            ([0], [3]) => Some(Closed::Nim),
            ([4], [3]) => Some(Closed::Lasker),
            _ => None,
        }
    }

    /// Returns whether some move leaves two heaps.
    pub fn splits(&self) -> bool {
        self.digits.iter().chain(&self.repeating).any(|d| d & 4 != 0)
    }

    fn canonical(mut digits: Vec<u8>, mut repeating: Vec<u8>) -> Self {
        // In a finite code, zeros repeat.
        if repeating.is_empty() {
            repeating.push(0);
        }
        let len = repeating.len();
        let least = (1..=len).find(|p| {
            len.is_multiple_of(*p) && (*p..len).all(|i| repeating[i] == repeating[i - p])
        });
        repeating.truncate(least.unwrap_or(len));
        while digits.len() > 1 && digits.last() == repeating.last() {
            digits.pop();
            repeating.rotate_right(1);
        }
        if repeating == [0] {
            repeating.clear();
        }
        Self { digits, repeating }
    }
}

impl FromStr for Code {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Self, CodeError> {
        let wrong = |rest: &str, expected: &'static str| CodeError::Unexpected {
            text: text.into(),
            at: text.chars().count() - rest.chars().count(),
            found: rest.chars().next().map_or("the end".into(), |c| alloc::format!("`{c}`")),
            expected,
        };
        let rest = text.strip_prefix(['0', '4']);
        let rest = rest.ok_or_else(|| wrong(text, "the first digit, 0 or 4"))?;
        let mut digits = alloc::vec![if text.starts_with('4') { 4 } else { 0 }];
        let rest = rest.strip_prefix('.').ok_or_else(|| wrong(rest, "the point"))?;
        let mut rest = take_digits(rest, &mut digits);
        let mut repeating = Vec::new();
        if let Some(inside) = rest.strip_prefix('(') {
            let after = take_digits(inside, &mut repeating);
            let closed = after.strip_prefix(')').filter(|_| !repeating.is_empty());
            rest = closed.ok_or_else(|| wrong(after, "a digit 0 to 7 or `)`"))?;
        }
        let count = digits.len() + repeating.len() - 1;
        if count == 0 || !rest.is_empty() {
            let expected = if repeating.is_empty() { "a digit 0 to 7" } else { "the end" };
            return Err(wrong(rest, expected));
        }
        if count > MAX_DIGITS {
            return Err(CodeError::TooLong(count));
        }
        Ok(Self::canonical(digits, repeating))
    }
}

/// Moves the octal digits at the beginning of a text to `digits`, and returns the rest of the text.
fn take_digits<'t>(text: &'t str, digits: &mut Vec<u8>) -> &'t str {
    let (found, rest) = text.split_at(text.find(|c| !matches!(c, '0'..='7')).unwrap_or(text.len()));
    digits.extend(found.bytes().map(|digit| digit - b'0'));
    rest
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |digits: &[u8]| digits.iter().map(|d| char::from(b'0' + d)).collect::<String>();
        let (first, others) = self.digits.split_at(1);
        write!(f, "{}.{}", text(first), text(others))?;
        match &self.repeating[..] {
            [] if others.is_empty() => f.write_str("0"),
            [] => Ok(()),
            repeating => write!(f, "({})", text(repeating)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn canonical(text: &str) -> String {
        text.parse::<Code>().unwrap().to_string()
    }

    #[test]
    fn equal_rules_have_one_text() {
        for (text, expected) in [
            ("0.77", "0.77"),
            ("0.770", "0.77"),
            ("0.0", "0.0"),
            ("0.000", "0.0"),
            ("4.0", "4.0"),
            ("0.(3)", "0.(3)"),
            ("0.3(33)", "0.(3)"),
            ("4.333(3)", "4.(3)"),
            ("0.1(0)", "0.1"),
            ("0.(0)", "0.0"),
            ("0.12(3232)", "0.1(23)"),
        ] {
            assert_eq!(canonical(text), expected);
        }
    }

    #[test]
    fn an_error_shows_where() {
        for (text, at) in [
            ("", 0),
            ("1.7", 0),
            (".77", 0),
            ("0", 1),
            ("077", 1),
            ("0.", 2),
            ("0.8", 2),
            ("0.7 ", 3),
            ("0.77x", 4),
            ("0.-7", 2),
            ("0.()", 3),
            ("0.(3", 4),
            ("0.(3)3", 5),
            ("0.(3))", 5),
            ("0.7.7", 3),
            ("0.٣", 2),
        ] {
            match text.parse::<Code>() {
                Err(CodeError::Unexpected { at: found, .. }) => assert_eq!(found, at, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        let long = "0.".to_string() + &"7".repeat(256);
        assert_eq!(long.parse::<Code>(), Err(CodeError::TooLong(256)));
    }

    #[test]
    fn closed_forms_know_the_last_heaps() {
        let lasker = "4.(3)".parse::<Code>().unwrap().closed().unwrap();
        let values: Vec<_> = (0..9).map(|n| lasker.value(n).unwrap()).collect();
        assert_eq!(values, [0, 1, 2, 4, 3, 5, 6, 8, 7]);
        assert_eq!(lasker.value(u64::MAX), None);
        assert_eq!(lasker.value(u64::MAX - 1), Some(u64::MAX - 1));
        assert_eq!(
            "0.(3)".parse::<Code>().unwrap().closed().unwrap().value(u64::MAX),
            Some(u64::MAX)
        );
        assert_eq!("0.(7)".parse::<Code>().unwrap().closed(), None);
    }

    #[test]
    fn digits_repeat_for_ever() {
        let code: Code = "4.1(27)".parse().unwrap();
        let digits: Vec<_> = (0..7).map(|t| code.digit(t)).collect();
        assert_eq!(digits, [4, 1, 2, 7, 2, 7, 2]);
        assert_eq!(code.digit(u64::MAX), 7); // an odd index
        assert_eq!("0.77".parse::<Code>().unwrap().digit(3), 0);
    }
}
