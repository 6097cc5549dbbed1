//! The client of a request, and its rate limit.

use crate::refusal::Refusal;
use axum::Extension;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::clock::DefaultClock;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Arc;

/// Number of stored addresses above which idle ones are removed, that is, addresses without a request for a second.
const ADDRESSES: usize = 10_000;

/// Address of the client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client(pub IpAddr);

/// Identification and rate limit of clients.
#[derive(Clone)]
pub(crate) struct Clients {
    trust_proxy: bool,
    limiter: Option<Arc<RateLimiter<IpAddr, HashMapStateStore<IpAddr>, DefaultClock>>>,
    rate: u32,
}

impl Clients {
    /// Limits clients to `rate` requests a second, with bursts of the same size; 0 sets no limit. With `trust_proxy`,
    /// the client is the last address in `X-Forwarded-For`, which the proxy has added.
    pub(crate) fn new(rate: u32, trust_proxy: bool) -> Clients {
        let limiter = NonZeroU32::new(rate)
            .map(|rate| Arc::new(RateLimiter::hashmap(Quota::per_second(rate))));
        Clients { trust_proxy, limiter, rate }
    }

    fn client(&self, request: &Request) -> Client {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(Ipv4Addr::UNSPECIFIED.into(), |peer| peer.0.ip());
        let forwarded = if self.trust_proxy { forwarded_for(request.headers()) } else { None };
        Client(forwarded.unwrap_or(peer))
    }

    /// Takes one request from the client's quota. Returns false if the quota is used up.
    fn admit(&self, client: Client) -> bool {
        let Some(limiter) = &self.limiter else { return true };
        if limiter.len() >= ADDRESSES {
            limiter.retain_recent();
        }
        limiter.check_key(&network(client.0)).is_ok()
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

/// Stores the client's address in the request.
pub(crate) async fn identify(
    State(clients): State<Clients>,
    mut request: Request,
    next: Next,
) -> Response {
    let client = clients.client(&request);
    request.extensions_mut().insert(client);
    next.run(request).await
}

/// Answers 429 if the client exceeds its rate limit.
pub(crate) async fn limit(
    State(clients): State<Clients>,
    Extension(client): Extension<Client>,
    request: Request,
    next: Next,
) -> Response {
    if clients.admit(client) {
        return next.run(request).await;
    }
    Refusal::often(format!("more than {} requests a second", clients.rate)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_has_a_quota_of_its_own() {
        let clients = Clients::new(3, false);
        let client = |text: &str| Client(text.parse().unwrap());
        assert_eq!((0..5).filter(|_| clients.admit(client("127.0.0.1"))).count(), 3);
        assert!(clients.admit(client("127.0.0.2")));
        // Addresses of one IPv6 network share a quota, and a mapped address counts as its IPv4 address.
        let many = (0..9).filter(|n| clients.admit(client(&format!("2001:db8::{n}"))));
        assert_eq!(many.count(), 3);
        assert!(clients.admit(client("2001:db8:0:1::1")));
        assert!(!clients.admit(client("::ffff:127.0.0.1")));
        assert!((0..1000).all(|_| Clients::new(0, false).admit(client("127.0.0.1"))));
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
            let found = |trust| Clients::new(0, trust).client(&request(forwarded)).0.to_string();
            assert_eq!(found(true), expected, "{forwarded:?}");
            assert_eq!(found(false), "127.0.0.1", "{forwarded:?}");
        }
    }
}
