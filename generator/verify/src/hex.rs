//! Bytes that are written as hexadecimal digits.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Bytes that are written and read as hexadecimal digits, two digits for each byte.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
#[serde(bound = "T: Clone + AsRef<[u8]> + TryFrom<Vec<u8>>")]
pub struct Hex<T>(pub T);

impl<T: AsRef<[u8]>> fmt::Display for Hex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl<T: AsRef<[u8]>> fmt::Debug for Hex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<T: AsRef<[u8]>> From<Hex<T>> for String {
    fn from(hex: Hex<T>) -> String {
        hex.to_string()
    }
}

impl<T: TryFrom<Vec<u8>>> TryFrom<String> for Hex<T> {
    type Error = String;

    fn try_from(text: String) -> Result<Hex<T>, String> {
        text.parse()
    }
}

impl<T: TryFrom<Vec<u8>>> FromStr for Hex<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Hex<T>, String> {
        let digit = |digit: char| digit.to_digit(16).map(|value| value as u8);
        let digits: Option<Vec<u8>> = text.chars().map(digit).collect();
        let digits = digits.filter(|digits| digits.len() % 2 == 0);
        let bytes =
            digits.map(|digits| digits.as_chunks().0.iter().map(|[a, b]| a << 4 | b).collect());
        let read = bytes.and_then(|bytes: Vec<u8>| T::try_from(bytes).ok());
        read.map(Hex).ok_or_else(|| "expected hexadecimal digits, 64 for a key or a hash".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_back_as_written() {
        let key = Hex([0xA7; 32]);
        assert_eq!(key.to_string().parse(), Ok(key));
        for wrong in ["", "12", &"g".repeat(64), &"é".repeat(32), &"0".repeat(65)] {
            assert!(wrong.parse::<Hex<[u8; 32]>>().is_err(), "{wrong}");
        }
        assert_eq!("".parse(), Ok(Hex(Vec::new())));
    }
}
