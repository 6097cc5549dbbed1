//! How often one address may ask.
//!
//! In: requests with the address of their client. Out: the request, or 429 where its bucket of tokens is empty.

use super::refusal::Refusal;
use super::stream::Client;
use axum::extract::{Request, State as Extract};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The most addresses remembered at a time.
const ADDRESSES: usize = 10_000;

/// How many of them are still remembered after some were forgotten to make room: so that not every new address costs a look at
/// all.
const KEPT: usize = ADDRESSES / 4 * 3;

/// What each address has left: a bucket that holds a second's worth of requests and fills as time goes by.
pub struct Buckets {
    rate: u32,
    left: Mutex<HashMap<IpAddr, Bucket>>,
}

/// How many requests were left, and when.
type Bucket = (f64, Instant);

impl Buckets {
    /// Full buckets for `rate` requests a second; 0: without limit.
    pub fn new(rate: u32) -> Buckets {
        Buckets { rate, left: Mutex::default() }
    }

    /// Takes one request out of the bucket of `address`, if there is one left.
    fn take(&self, address: IpAddr, now: Instant) -> bool {
        if self.rate == 0 {
            return true;
        }
        let rate = f64::from(self.rate);
        let fill = |(left, at): Bucket| {
            (left + now.saturating_duration_since(at).as_secs_f64() * rate).min(rate)
        };
        let mut buckets = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let known = buckets.get(&address).copied();
        if known.is_none() && buckets.len() >= ADDRESSES {
            forget_fullest(&mut buckets, fill);
        }
        let left = known.map_or(rate, fill);
        let granted = left >= 1.0;
        buckets.insert(address, (left - f64::from(u8::from(granted)), now));
        granted
    }
}

/// Forgets the fullest buckets until [`KEPT`] remain. A forgotten address has a full one when it asks again: the fuller its bucket
/// was, the less it gains by that.
fn forget_fullest(buckets: &mut HashMap<IpAddr, Bucket>, fill: impl Fn(Bucket) -> f64) {
    let mut fills: Vec<(f64, IpAddr)> =
        buckets.iter().map(|(address, bucket)| (fill(*bucket), *address)).collect();
    let (_, _, fullest) = fills.select_nth_unstable_by(KEPT - 1, |a, b| a.0.total_cmp(&b.0));
    for (_, address) in fullest {
        buckets.remove(address);
    }
}

/// Lets a request through, or answers 429.
pub(crate) async fn limit(
    Extract(buckets): Extract<Arc<Buckets>>,
    request: Request,
    next: Next,
) -> Response {
    let client = request.extensions().get::<Client>();
    if client.is_some_and(|client| !buckets.take(client.address, Instant::now())) {
        let rate = buckets.rate;
        return Refusal::often(format!("more than {rate} requests a second")).into_response();
    }
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;
    use std::time::Duration;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let (buckets, now) = (Buckets::new(3), Instant::now());
        let [one, other] = [1, 2].map(|last| IpAddr::V4(Ipv4Addr::new(127, 0, 0, last)));
        let granted = (0..5).filter(|_| buckets.take(one, now)).count();
        assert_eq!(granted, 3);
        assert!(buckets.take(other, now));
        assert!(!buckets.take(one, now + Duration::from_millis(300)));
        assert!(buckets.take(one, now + Duration::from_millis(700)));
    }

    #[test]
    fn with_too_many_addresses_the_fullest_buckets_are_forgotten() {
        let (buckets, now) = (Buckets::new(3), Instant::now());
        let held = || buckets.left.lock().unwrap().len();
        let busy = IpAddr::V4(Ipv4Addr::LOCALHOST);
        assert_eq!((0..5).filter(|_| buckets.take(busy, now)).count(), 3);
        for bits in 0..3 * ADDRESSES as u32 {
            assert!(buckets.take(IpAddr::V4(Ipv4Addr::from_bits(10 << 24 | bits)), now));
            assert!(held() <= ADDRESSES);
        }
        assert!(!buckets.take(busy, now), "the empty one is remembered");
        // An address that is known needs no room.
        while held() < ADDRESSES {
            let bits = 11 << 24 | held() as u32;
            buckets.take(IpAddr::V4(Ipv4Addr::from_bits(bits)), now);
        }
        assert!(!buckets.take(busy, now));
        assert_eq!(held(), ADDRESSES);
    }
}
