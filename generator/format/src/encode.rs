//! Codes of scores, the inverse of [`Encoding::decode`].

use morpion_core::Encoding;
use morpion_core::{DrawKind, Score};

/// Adds the way from a score to its code to an [`Encoding`].
pub trait Encode {
    /// The code of a score; `None` if the encoding has no code for it: a missing or too large distance, or the other kind of
    /// draw in two bits.
    #[must_use]
    fn encode(self, score: Score) -> Option<u16>;
}

impl Encode for Encoding {
    #[inline]
    fn encode(self, score: Score) -> Option<u16> {
        if !self.has_distances() {
            return match score {
                Score::Draw { kind } => (self.decode(0) == Some(Score::Draw { kind })).then_some(0),
                Score::Win { .. } => Some(1),
                Score::Loss { .. } => Some(2),
            };
        }
        let half = 1u16 << (self.bits() - 1);
        match score {
            Score::Draw { kind: DrawKind::Cycle } => Some(0),
            Score::Draw { kind: DrawKind::End } => Some(half - 1),
            Score::Win { plies } => plies.filter(|&plies| plies < half - 2).map(|plies| plies + 1),
            Score::Loss { plies } => {
                plies.filter(|&plies| plies < half - 1).map(|plies| plies + half)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_scores_are_one_to_one() {
        for encoding in Encoding::ALL {
            for code in 0..encoding.no_position() {
                let score = encoding.decode(code).expect("a code below the last is a score");
                assert_eq!(encoding.encode(score), Some(code), "{encoding:?} {code}");
            }
            assert_eq!(encoding.decode(encoding.no_position()), None);
        }
        assert_eq!(Encoding::Plies8.encode(Score::Win { plies: Some(125) }), Some(126));
        assert_eq!(Encoding::Plies8.encode(Score::Win { plies: Some(126) }), None);
        assert_eq!(Encoding::Plies8.encode(Score::Loss { plies: Some(126) }), Some(254));
        assert_eq!(Encoding::Plies8.encode(Score::Loss { plies: Some(127) }), None);
    }
}
