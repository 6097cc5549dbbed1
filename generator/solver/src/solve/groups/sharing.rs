//! The work of a team on a group of layers. Each member of the team decides positions in its own rows, and all have the codes of all rows.
//!
//! The positions that a row decides are anywhere in the table. So after each pass, a member finds the codes that it has set, and sends them
//! to all others.

use crate::error::SolveError;
use crate::solve::entry::{Entry, Shared};
use crate::solve::exchange::{Outbox, Team, wait};
use crate::solve::planes::STRIPS;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The rows of one member of a team: each row whose number has its remainder.
#[derive(Clone, Copy)]
pub struct OwnRows {
    remainder: usize,
    /// Number of members of the team.
    team: usize,
}

impl OwnRows {
    /// Returns true if the member works on this row.
    #[inline]
    pub fn has(self, row: usize) -> bool {
        self.team == 1 || row % self.team == self.remainder
    }

    /// The strip of a member, for the keys of one part of a layer.
    fn strip(self, part: usize, member: usize) -> usize {
        (part * self.team + member) * STRIPS
    }
}

/// A team, and the rows of this member.
pub struct Sharing<'t> {
    team: &'t mut dyn Team,
    pub rows: OwnRows,
}

/// Number of entries of a block: those that are not sent yet are found block by block.
pub const BLOCK: usize = 32;

/// Keys of a part of a layer, which are numbers of 32 bits.
const PART: usize = 1 << 32;

impl<'t> Sharing<'t> {
    /// Finds the rows of this member of a team.
    ///
    /// # Errors
    /// If another member is lost.
    pub fn new(team: &'t mut dyn Team) -> Result<Sharing<'t>, SolveError> {
        let count = team.gather([0; 2])?.len();
        let remainder = (0..count).find(|&block| team.owns(block)).unwrap_or(0);
        Ok(Sharing { team, rows: OwnRows { remainder, team: count } })
    }

    /// The least number of all members.
    ///
    /// # Errors
    /// If another member is lost.
    pub fn least(&mut self, number: u64) -> Result<u64, SolveError> {
        let all = self.team.gather([number, 0])?.into_iter();
        Ok(all.map(|[number, _]| number).min().unwrap_or(number))
    }

    /// The greatest numbers of all members.
    ///
    /// # Errors
    /// If another member is lost.
    pub fn greatest(&mut self, numbers: [u64; 2]) -> Result<[u64; 2], SolveError> {
        let all = self.team.gather(numbers)?.into_iter();
        Ok(all.fold([0; 2], |[a, b], [c, d]| [a.max(c), b.max(d)]))
    }

    /// Sends the entries of a layer whose code is `found` to all other members, and sets those that they send. Looks only at `fresh` blocks,
    /// if these are given.
    ///
    /// # Errors
    /// If another member is lost.
    pub fn exchange<E: Entry>(
        &mut self,
        codes: &[E::Shared],
        fresh: Option<&[AtomicBool]>,
        found: &(dyn Fn(E) -> bool + Sync),
        set: &dyn Fn(usize, E),
    ) -> Result<(), SolveError> {
        let rows = self.rows;
        if rows.team == 1 {
            return Ok(());
        }
        let send = |_: usize, outbox: &mut Outbox| {
            let is_fresh = |&(block, _): &(usize, &[E::Shared])| {
                fresh.is_none_or(|fresh| fresh[block].load(Relaxed))
            };
            for (block, entries) in codes.chunks(BLOCK).enumerate().filter(is_fresh) {
                for (key, code) in (block * BLOCK..).zip(entries) {
                    let code = code.get();
                    if found(code) {
                        for other in (0..rows.team).filter(|&other| other != rows.remainder) {
                            let strip = rows.strip(key / PART, other);
                            outbox.add(code.code(), strip, (key % PART) as u32);
                        }
                    }
                }
            }
            Ok(())
        };
        let parts = codes.len().div_ceil(PART);
        let inbox = self.team.exchange(rows.team, rows.strip(parts, 0), &send, &wait)?;
        for part in 0..parts {
            for arrived in inbox.take(rows.strip(part, rows.remainder))? {
                let code = E::new(arrived.code);
                arrived.keys().for_each(|key| set(part * PART + key as usize, code));
            }
        }
        Ok(())
    }
}
