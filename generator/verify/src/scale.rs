//! Maps codes of children to one scale, so that the greatest preference among the children determines the value of a
//! position.

use morpion_core::{DrawKind, Encoding, Score};

/// The scale of one encoding. A *preference* ranks a child for the player who moves there, from worst to best: invalid
/// arrangements (0), children won for the other side (longer is better), draws that end, draws by cycle, and children
/// lost for the other side (shorter is better).
pub(super) struct Scale {
    pub encoding: Encoding,
    /// The preference of a child with each code.
    preferences: Vec<u16>,
    /// The code of a position for each preference of its best child; `None` if the encoding cannot represent the score.
    codes: Vec<Option<u16>>,
}

impl Scale {
    pub fn new(encoding: Encoding) -> Scale {
        // Entries of two bits have no distances. They use a few places on the scale of a byte.
        let bits = encoding.bits().max(8);
        let (half, last) = (1u16 << (bits - 1), ((1u32 << bits) - 1) as u16);
        let has_distances = encoding.has_distances();
        // Codes of wins ascend with their distances, and codes of losses too.
        let preference = |code: u16| match encoding.decode(code) {
            None => 0,
            Some(Score::Win { .. }) => code,
            Some(Score::Draw { kind: DrawKind::End }) => half - 1,
            Some(Score::Draw { kind: DrawKind::Cycle }) => half,
            Some(Score::Loss { .. }) if has_distances => last - (code - half),
            Some(Score::Loss { .. }) => last,
        };
        let preferences: Vec<u16> = (0..=encoding.no_position()).map(preference).collect();
        let mut codes = vec![None; usize::from(last) + 1];
        for (code, &preference) in (0..).zip(&preferences) {
            let parent = encoding.decode(code).and_then(|score| encoding.encode(score.before()));
            codes[usize::from(preference)] = parent;
        }
        Scale { encoding, preferences, codes }
    }

    /// The preference of a child with this code. The scale has 8 bits, or 16 bits for distances of two bytes.
    pub fn preference(&self, code: u16) -> u16 {
        self.preferences[usize::from(code)]
    }

    /// The code of a position whose best child has this preference.
    pub fn code(&self, preference: u16) -> Option<u16> {
        self.codes[usize::from(preference)]
    }

    /// The greatest preference.
    pub fn greatest(&self) -> u16 {
        (self.codes.len() - 1) as u16
    }

    /// The code of a score.
    pub fn of(&self, score: Score) -> Option<u16> {
        self.encoding.encode(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the scale with the definition of values, for two children at a time.
    #[test]
    fn the_greatest_preference_agrees_with_the_definition() {
        for encoding in [Encoding::Plies8, Encoding::Wdl, Encoding::WdlCycle] {
            let scale = Scale::new(encoding);
            for a in 0..encoding.no_position() {
                for b in 0..encoding.no_position() {
                    let scores = [a, b].map(|code| encoding.decode(code).unwrap());
                    let lost = scores.iter().filter(|score| matches!(score, Score::Loss { .. }));
                    let shortest = lost.clone().map(|score| score.plies()).min();
                    let longest = scores.iter().map(|score| score.plies()).max().unwrap();
                    let cycle = Score::Draw { kind: DrawKind::Cycle };
                    let end = Score::Draw { kind: DrawKind::End };
                    let expected = if let Some(plies) = shortest {
                        Score::Win { plies: plies.map(|plies| plies + 1) }
                    } else if scores.contains(&cycle) {
                        cycle
                    } else if scores.contains(&end) {
                        end
                    } else {
                        Score::Loss { plies: longest.map(|plies| plies + 1) }
                    };
                    let preference = scale.preference(a).max(scale.preference(b));
                    assert_eq!(scale.code(preference), encoding.encode(expected), "{a} {b}");
                }
            }
        }
    }
}
