//! Numbers of bytes in arguments.

/// Reads a number of bytes: digits, and K, M, G or T for powers of 1,024, with or without `iB`.
pub fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is not a number of bytes: write for example 500M or 2G");
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let unit = text[digits..].to_ascii_uppercase();
    let unit = unit.trim_end_matches("IB").trim_end_matches('B');
    let power = ["", "K", "M", "G", "T"].iter().position(|known| *known == unit);
    let count = text[..digits].parse::<u64>().ok().zip(power);
    count.and_then(|(count, power)| count.checked_mul(1 << (10 * power))).ok_or_else(wrong)
}
