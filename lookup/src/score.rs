//! What a position is worth, and how an entry of a table says it.

use crate::rules::Value;
use serde::{Deserialize, Serialize};

/// The value of a position for the side to move, with its distance where the table holds distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// The mover wins.
    Win {
        /// Half-moves to the end, the winner hurrying and the loser delaying; `None` from a table without distances.
        plies: Option<u16>,
    },
    /// Neither side can force a win.
    Draw {
        /// How it goes on.
        kind: DrawKind,
    },
    /// The mover loses.
    Loss {
        /// Half-moves to the end, as for a win.
        plies: Option<u16>,
    },
}

/// The two kinds of draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawKind {
    /// Every play that keeps the draw ends, on a full board or with a blocked side.
    End,
    /// Play that keeps the draw can go on for ever.
    Cycle,
}

impl DrawKind {
    /// `end` or `cycle`.
    pub fn name(self) -> &'static str {
        match self {
            DrawKind::End => "end",
            DrawKind::Cycle => "cycle",
        }
    }
}

impl Score {
    /// Win, draw or loss.
    pub fn value(self) -> Value {
        match self {
            Score::Win { .. } => Value::Win,
            Score::Draw { .. } => Value::Draw,
            Score::Loss { .. } => Value::Loss,
        }
    }

    /// The distance in half-moves; `None` for a draw and from a table without distances.
    pub fn plies(self) -> Option<u16> {
        match self {
            Score::Win { plies } | Score::Loss { plies } => plies,
            Score::Draw { .. } => None,
        }
    }

    /// How a draw goes on; `None` for a win or a loss.
    pub fn draw(self) -> Option<DrawKind> {
        match self {
            Score::Draw { kind } => Some(kind),
            _ => None,
        }
    }

    /// The score of a move that leads to a position of this score: seen from the other side and one ply farther.
    #[inline]
    pub const fn before(self) -> Score {
        const fn farther(plies: Option<u16>) -> Option<u16> {
            match plies {
                Some(plies) => Some(plies.saturating_add(1)),
                None => None,
            }
        }
        match self {
            Score::Win { plies } => Score::Loss { plies: farther(plies) },
            Score::Loss { plies } => Score::Win { plies: farther(plies) },
            draw => draw,
        }
    }

    /// A number that is greater the better the score is for the mover: wins before draws before losses, the sooner win
    /// and the later loss first; draws of both kinds are equal.
    #[inline]
    pub fn preference(self) -> i32 {
        match self {
            Score::Win { plies } => 0x2_0000 - i32::from(plies.unwrap_or(0)),
            Score::Draw { .. } => 0,
            Score::Loss { plies } => -0x2_0000 + i32::from(plies.unwrap_or(0)),
        }
    }
}

/// How entries are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Encoding {
    /// One byte an entry: 0 draw by cycle, 1–126 win in 0–125, 127 draw that ends, 128–254 loss in 0–126, 255 none.
    Plies8,
    /// Two bytes an entry, of the same shape: 1–32,766 win, 32,767 draw that ends, 32,768–65,534 loss, 65,535 none.
    Plies16,
    /// Two bits an entry: 0 draw that ends, 1 win, 2 loss, 3 none; for games without movement.
    Wdl,
}

impl Encoding {
    /// Bits an entry takes.
    #[inline]
    pub const fn bits(self) -> u32 {
        match self {
            Encoding::Plies8 => 8,
            Encoding::Plies16 => 16,
            Encoding::Wdl => 2,
        }
    }

    /// The name on the command line and in `info`.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Plies8 => "plies",
            Encoding::Plies16 => "plies16",
            Encoding::Wdl => "wdl",
        }
    }

    /// The code of "no such position": the greatest one.
    #[inline]
    pub const fn none(self) -> u16 {
        ((1u32 << self.bits()) - 1) as u16
    }

    /// What a code says; `None` for "no such position".
    #[inline]
    pub fn decode(self, code: u16) -> Option<Score> {
        match (self, u8::try_from(code)) {
            // Which of the three values it is cannot be guessed, so a read is faster than deciding.
            (Encoding::Plies8, Ok(code)) => BYTES[usize::from(code)],
            (Encoding::Plies8, Err(_)) => None,
            _ => self.work_out(code),
        }
    }

    /// What a code says of the move that leads there: [`Score::before`] of [`Encoding::decode`].
    #[inline]
    pub(crate) fn decode_before(self, code: u16) -> Option<Score> {
        match (self, u8::try_from(code)) {
            (Encoding::Plies8, Ok(code)) => BYTES_BEFORE[usize::from(code)],
            _ => self.decode(code).map(Score::before),
        }
    }

    const fn work_out(self, code: u16) -> Option<Score> {
        let half = match self {
            Encoding::Wdl => {
                return match code {
                    0 => Some(Score::Draw { kind: DrawKind::End }),
                    1 => Some(Score::Win { plies: None }),
                    2 => Some(Score::Loss { plies: None }),
                    _ => None,
                };
            }
            Encoding::Plies8 => 1 << 7,
            Encoding::Plies16 => 1 << 15,
        };
        if code == 0 {
            Some(Score::Draw { kind: DrawKind::Cycle })
        } else if code < half - 1 {
            Some(Score::Win { plies: Some(code - 1) })
        } else if code == half - 1 {
            Some(Score::Draw { kind: DrawKind::End })
        } else if code - half < half - 1 {
            Some(Score::Loss { plies: Some(code - half) })
        } else {
            None
        }
    }

    /// The code of a score; `None` where this encoding has none: a distance that is missing or does not fit, a draw by
    /// cycle in two bits.
    pub fn encode(self, score: Score) -> Option<u16> {
        if self == Encoding::Wdl {
            return match score {
                Score::Draw { kind: DrawKind::End } => Some(0),
                Score::Draw { kind: DrawKind::Cycle } => None,
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

/// What the codes of one byte say.
static BYTES: [Option<Score>; 256] = {
    let mut scores = [None; 256];
    let mut code = 0;
    while code < 256 {
        scores[code] = Encoding::Plies8.work_out(code as u16);
        code += 1;
    }
    scores
};

/// What the codes of one byte say of the moves that lead there.
static BYTES_BEFORE: [Option<Score>; 256] = {
    let mut scores = BYTES;
    let mut code = 0;
    while code < 256 {
        if let Some(score) = scores[code] {
            scores[code] = Some(score.before());
        }
        code += 1;
    }
    scores
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_scores_are_one_to_one() {
        for encoding in [Encoding::Plies8, Encoding::Plies16, Encoding::Wdl] {
            for code in 0..encoding.none() {
                let score = encoding.decode(code).expect("a code below the last is a score");
                assert_eq!(encoding.encode(score), Some(code), "{encoding:?} {code}");
            }
            assert_eq!(encoding.decode(encoding.none()), None);
        }
        assert_eq!(Encoding::Plies8.encode(Score::Win { plies: Some(125) }), Some(126));
        assert_eq!(Encoding::Plies8.encode(Score::Win { plies: Some(126) }), None);
        assert_eq!(Encoding::Plies8.encode(Score::Loss { plies: Some(126) }), Some(254));
        assert_eq!(Encoding::Plies8.encode(Score::Loss { plies: Some(127) }), None);
    }
}
