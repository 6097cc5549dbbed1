//! Numbers of bytes in arguments.

/// Reads a number of bytes: digits, and K, M, G or T for powers of 1,024, with or without `iB`.
pub fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is not a number of bytes: write for example 500M or 2G");
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let shift =
        match text[digits..].to_ascii_uppercase().trim_end_matches("IB").trim_end_matches('B') {
            "" => 0,
            "K" => 10,
            "M" => 20,
            "G" => 30,
            "T" => 40,
            _ => return Err(wrong()),
        };
    text[..digits]
        .parse::<u64>()
        .ok()
        .and_then(|count| count.checked_mul(1 << shift))
        .ok_or_else(wrong)
}
