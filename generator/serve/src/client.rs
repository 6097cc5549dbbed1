//! The client of a request, and its rate limit.

use crate::refusal::Refusal;
use axum::extract::{ConnectInfo, Request};
use axum::http::HeaderMap;
use governor::clock::DefaultClock;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;

/// Number of stored addresses above which idle ones are removed, that is, addresses without a request for a second.
const ADDRESSES: usize = 10_000;

/// Identification and rate limit of clients.
pub(crate) struct Clients {
    rate: u32,
    limiter: Option<RateLimiter<IpAddr, HashMapStateStore<IpAddr>, DefaultClock>>,
    trust_proxy: bool,
}

impl Clients {
    /// Limits clients to `rate` requests a second, with bursts of the same size; 0 sets no limit. With `trust_proxy`,
    /// the client is the last address in `X-Forwarded-For`, which the proxy has added.
    pub(crate) fn new(rate: u32, trust_proxy: bool) -> Clients {
        let quota = NonZeroU32::new(rate).map(Quota::per_second);
        Clients { rate, limiter: quota.map(RateLimiter::hashmap), trust_proxy }
    }

    /// Returns the client's address.
    pub(crate) fn client(&self, request: &Request) -> IpAddr {
        let forwarded = if self.trust_proxy { forwarded_for(request.headers()) } else { None };
        let peer = || request.extensions().get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip());
        forwarded.or_else(peer).unwrap_or(Ipv4Addr::UNSPECIFIED.into())
    }

    /// Takes one request from the client's quota. Returns 429 if the quota is used up.
    pub(crate) fn admit(&self, client: IpAddr) -> Result<(), Refusal> {
        let Some(limiter) = &self.limiter else { return Ok(()) };
        if limiter.len() >= ADDRESSES {
            limiter.retain_recent();
        }
        let message = || format!("more than {} requests a second", self.rate);
        limiter.check_key(&network(client)).map_err(|_| Refusal::new(429, message()))
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
