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

    /// Takes one request from the client's quota.
    ///
    /// # Errors
    /// 429 if the quota is used up.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_has_a_quota_of_its_own() {
        let clients = Clients::new(3, false);
        let client = |text: &str| text.parse().unwrap();
        assert_eq!((0..5).filter(|_| clients.admit(client("127.0.0.1")).is_ok()).count(), 3);
        assert!(clients.admit(client("127.0.0.2")).is_ok());
        // Addresses of one IPv6 network share a quota, and a mapped address counts as its IPv4 address.
        let many = (0..9).filter(|n| clients.admit(client(&format!("2001:db8::{n}"))).is_ok());
        assert_eq!(many.count(), 3);
        assert!(clients.admit(client("2001:db8:0:1::1")).is_ok());
        assert!(clients.admit(client("::ffff:127.0.0.1")).is_err());
        assert!((0..1000).all(|_| Clients::new(0, false).admit(client("127.0.0.1")).is_ok()));
    }

    #[test]
    fn only_a_trusted_proxy_names_the_client() {
        let request = |forwarded: &[&str]| {
            let mut request = Request::new(axum::body::Body::empty());
            request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 9))));
            for value in forwarded {
                request.headers_mut().append("x-forwarded-for", value.parse().unwrap());
            }
            request
        };
        for (forwarded, expected) in [
            (&[][..], "127.0.0.1"),
            (&["192.0.2.1"], "192.0.2.1"),
            (&["198.51.100.7, 192.0.2.1"], "192.0.2.1"),
            (&["198.51.100.7", "192.0.2.1"], "192.0.2.1"),
            (&["192.0.2.1, unknown"], "127.0.0.1"),
            (&["2001:db8::1"], "2001:db8::1"),
        ] {
            let found = |trust| Clients::new(0, trust).client(&request(forwarded)).to_string();
            assert_eq!(found(true), expected, "{forwarded:?}");
            assert_eq!(found(false), "127.0.0.1", "{forwarded:?}");
        }
    }
}
