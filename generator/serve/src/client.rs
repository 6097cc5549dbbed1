//! The client of a request, and its rate limit.

use crate::refusal::Refusal;
use axum::extract::Request;
use axum::http::HeaderMap;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Number of stored addresses above which idle ones are removed, that is, addresses without a request for a second.
const ADDRESSES: usize = 10_000;

/// Time in which a used up quota becomes full again.
const PERIOD: Duration = Duration::from_secs(1);

/// Identification and rate limit of clients.
pub(crate) struct Clients {
    rate: u32,
    /// Time at which the quota of an address is full again. Each request delays it by a part of the period.
    full: Mutex<HashMap<IpAddr, Instant>>,
    trust_proxy: bool,
}

impl Clients {
    /// Limits clients to `rate` requests a second, with bursts of the same size; 0 sets no limit. With `trust_proxy`,
    /// the client is the last address in `X-Forwarded-For`, which the proxy has added.
    pub(crate) fn new(rate: u32, trust_proxy: bool) -> Clients {
        Clients { rate, full: Mutex::default(), trust_proxy }
    }

    /// Returns the client's address.
    pub(crate) fn client(&self, request: &Request) -> IpAddr {
        let forwarded = if self.trust_proxy { forwarded_for(request.headers()) } else { None };
        let peer = || request.extensions().get().map(SocketAddr::ip);
        forwarded.or_else(peer).unwrap_or(Ipv4Addr::UNSPECIFIED.into())
    }

    /// Takes one request from the client's quota. Returns 429 if the quota is used up.
    pub(crate) fn admit(&self, client: IpAddr) -> Result<(), Refusal> {
        if self.rate == 0 || self.take(network(client), Instant::now()) {
            return Ok(());
        }
        Err(Refusal::new(429, format!("more than {} requests a second", self.rate)))
    }

    /// Takes one request of this time from the quota of an address, if there is one left.
    fn take(&self, address: IpAddr, now: Instant) -> bool {
        let mut full = self.full.lock().unwrap_or_else(PoisonError::into_inner);
        if full.len() >= ADDRESSES {
            full.retain(|_, full| *full > now);
        }
        let full = full.entry(address).or_insert(now);
        let after = (*full).max(now) + PERIOD / self.rate;
        let is_left = after <= now + PERIOD;
        if is_left {
            *full = after;
        }
        is_left
    }
}

/// Reads the address that the nearest proxy has added.
fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
    last.rsplit(',').next()?.trim().parse().ok()
}

/// Returns the address that is counted. For IPv6 it is the network of 64 bits, since one client usually has all its
/// addresses.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the requests of a burst that are admitted.
    fn burst(clients: &Clients, last: u32, now: Instant) -> usize {
        let address = Ipv4Addr::from_bits(last).into();
        (0..100).take_while(|_| clients.take(address, now)).count()
    }

    #[test]
    fn a_quota_is_a_burst_that_fills_again_within_a_second() {
        let (clients, start) = (Clients::new(8, false), Instant::now());
        let after = |milliseconds| start + Duration::from_millis(milliseconds);
        assert_eq!(burst(&clients, 1, start), 8);
        assert_eq!(burst(&clients, 1, after(124)), 0);
        assert_eq!(burst(&clients, 1, after(125)), 1);
        assert_eq!(burst(&clients, 1, after(625)), 4);
        assert_eq!(burst(&clients, 1, after(1624)), 7);
        assert_eq!(burst(&clients, 1, after(9000)), 8);
        assert_eq!(burst(&clients, 2, after(9000)), 8, "another client has its own quota");
    }

    #[test]
    fn idle_addresses_are_removed() {
        let (clients, start) = (Clients::new(2, false), Instant::now());
        let stored = || clients.full.lock().unwrap().len();
        for address in 0..ADDRESSES as u32 {
            assert!(clients.take(Ipv4Addr::from_bits(address).into(), start));
        }
        assert_eq!(burst(&clients, 0, start + PERIOD / 4), 1, "an active address is kept");
        assert_eq!(stored(), ADDRESSES);
        assert_eq!(burst(&clients, u32::MAX, start + PERIOD / 2), 2);
        assert_eq!(stored(), 2, "the active address and the new one");
    }
}
