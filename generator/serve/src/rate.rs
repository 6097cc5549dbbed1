//! How often one address may ask.

use super::connection::Peer;
use super::reply::Reply;
use super::routes::State;
use axum::extract::{Request, State as Extract};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Addresses remembered at a time.
const ADDRESSES: usize = 10_000;

/// What each address has left: a bucket that holds a second's worth of requests and fills as time goes by.
pub struct Buckets {
    rate: f64,
    left: Mutex<HashMap<IpAddr, (f64, Instant)>>,
}

impl Buckets {
    /// Full buckets for `rate` requests a second; 0: without limit.
    pub fn new(rate: u32) -> Buckets {
        Buckets { rate: f64::from(rate), left: Mutex::default() }
    }

    /// Takes one request out of the bucket of `address`, if there is one left.
    fn take(&self, address: IpAddr, now: Instant) -> bool {
        if self.rate == 0.0 {
            return true;
        }
        let fill = |(left, at): (f64, Instant)| {
            (left + now.saturating_duration_since(at).as_secs_f64() * self.rate).min(self.rate)
        };
        let mut buckets = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= ADDRESSES {
            // Whoever has a full bucket is as good as unknown.
            buckets.retain(|_, bucket| fill(*bucket) < self.rate);
        }
        let left = fill(*buckets.get(&address).unwrap_or(&(self.rate, now)));
        let granted = left >= 1.0;
        buckets.insert(address, (left - f64::from(u8::from(granted)), now));
        granted
    }
}

/// Lets a request through, or answers 429.
pub async fn limit(Extract(state): Extract<State>, request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<Peer>();
    if peer.is_some_and(|peer| !state.buckets.take(peer.0, Instant::now())) {
        let rate = state.limits.rate;
        return Reply::often(format!("more than {rate} requests a second")).into_response();
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
}
