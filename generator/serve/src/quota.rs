//! Quotas of requests.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Number of stored addresses above which idle ones are removed, that is, addresses without a request for a second.
pub(crate) const ADDRESSES: usize = 10_000;

/// Time in which a used up quota becomes full again.
pub(crate) const PERIOD: Duration = Duration::from_secs(1);

/// Quotas of requests, one for each address.
pub(crate) struct Quotas {
    /// Time that one request takes to become available again, if there is a limit.
    pause: Option<Duration>,
    /// Time at which the quota of an address is full again.
    pub full: Mutex<HashMap<IpAddr, Instant>>,
}

impl Quotas {
    /// Quotas of `rate` requests per [`PERIOD`], with bursts of the same size; 0 sets no limit.
    pub(crate) fn new(rate: u32) -> Quotas {
        Quotas { pause: PERIOD.checked_div(rate), full: Mutex::default() }
    }

    /// Takes one request of this time from the quota of an address, if there is one left.
    pub(crate) fn take(&self, address: IpAddr, now: Instant) -> bool {
        let Some(pause) = self.pause else { return true };
        let mut full = self.full.lock().unwrap_or_else(PoisonError::into_inner);
        if full.len() >= ADDRESSES {
            full.retain(|_, full| *full > now);
        }
        let full = full.entry(address).or_insert(now);
        let after = (*full).max(now) + pause;
        let is_left = after <= now + PERIOD;
        if is_left {
            *full = after;
        }
        is_left
    }
}
