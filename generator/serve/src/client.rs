//! The client of a request, and its rate limit.

use crate::quota::Quotas;
use crate::refusal::Refusal;
use axum::extract::Request;
use axum::http::HeaderMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Instant;

/// The addresses that count as one client. For IPv6 they are a network of 56 bits, since a home usually has all its
/// addresses.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Network(IpAddr);

impl Network {
    /// Clients without an address.
    pub(crate) const UNKNOWN: Network = Network(IpAddr::V4(Ipv4Addr::UNSPECIFIED));

    /// Returns the network of an address.
    pub(crate) fn of(address: IpAddr) -> Network {
        Network(address.to_canonical()).first(56)
    }

    /// The networks of organisations and of their providers that contain a client: 48 and 32 bits of an IPv6 address.
    pub(crate) fn wider(self) -> impl Iterator<Item = Network> {
        [48, 32].into_iter().filter(move |_| self.0.is_ipv6()).map(move |bits| self.first(bits))
    }

    /// The network that has the first bits of an IPv6 address. One whose other bits are 0 has a mark in the last ones.
    fn first(self, bits: u32) -> Network {
        Network(match self.0 {
            IpAddr::V6(address) => {
                let other = u128::MAX >> bits;
                IpAddr::V6((address.to_bits() & !other | u128::from(bits)).into())
            }
            address => address,
        })
    }
}

/// Identification and rate limit of clients.
pub(crate) struct Clients {
    rate: u32,
    quotas: Quotas,
    trust_proxy: bool,
}

impl Clients {
    /// Limits clients to `rate` requests a second, with bursts of the same size; 0 sets no limit. With `trust_proxy`,
    /// the client is the last address in `X-Forwarded-For`, which the proxy has added.
    pub(crate) fn new(rate: u32, trust_proxy: bool) -> Clients {
        Clients { rate, quotas: Quotas::new(rate), trust_proxy }
    }

    /// Returns the client's address.
    pub(crate) fn client(&self, request: &Request) -> IpAddr {
        let forwarded = if self.trust_proxy { forwarded_for(request.headers()) } else { None };
        let peer = || request.extensions().get().map(SocketAddr::ip);
        forwarded.or_else(peer).unwrap_or(Ipv4Addr::UNSPECIFIED.into())
    }

    /// Takes one request from the client's quota. Returns 429 if the quota is used up.
    pub(crate) fn admit(&self, Network(client): Network) -> Result<(), Refusal> {
        match self.quotas.take(client, Instant::now()) {
            true => Ok(()),
            false => Err(Refusal::new(429, format!("more than {} requests a second", self.rate))),
        }
    }
}

/// Reads the address that the nearest proxy has added. The visitor may have sent any bytes before the last comma.
fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?;
    let last = last.as_bytes().rsplit(|byte| *byte == b',').next()?;
    address(std::str::from_utf8(last).ok()?.trim())
}

/// Reads `192.0.2.1` or `2001:db8::1`. Some proxies add a port, or write IPv6 in brackets.
fn address(text: &str) -> Option<IpAddr> {
    let with_port = || text.parse().as_ref().map(SocketAddr::ip).ok();
    let in_brackets = || {
        let inside = text.strip_prefix('[')?.strip_suffix(']')?;
        inside.parse::<Ipv6Addr>().ok().map(IpAddr::from)
    };
    text.parse().ok().or_else(with_port).or_else(in_brackets)
}
