//! The quotas of the server, at times that the test chooses.

#[path = "../../generator/serve/src/quota.rs"]
mod quota;

use quota::{ADDRESSES, PERIOD, Quotas};
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

fn take(quotas: &Quotas, address: u32, now: Instant) -> bool {
    quotas.take(Ipv4Addr::from_bits(address).into(), now)
}

/// Counts the requests of a burst that are admitted.
fn burst(quotas: &Quotas, address: u32, now: Instant) -> usize {
    (0..100).take_while(|_| take(quotas, address, now)).count()
}

#[test]
fn a_quota_is_a_burst_that_fills_again_within_a_second() {
    let (quotas, start) = (Quotas::new(8), Instant::now());
    let after = |milliseconds| start + Duration::from_millis(milliseconds);
    for (time, admitted) in [(0, 8), (124, 0), (125, 1), (625, 4), (1624, 7), (9000, 8)] {
        assert_eq!(burst(&quotas, 1, after(time)), admitted, "after {time} ms");
    }
    assert_eq!(burst(&quotas, 2, after(9000)), 8, "another client has its own quota");
    assert_eq!(burst(&Quotas::new(0), 1, start), 100, "no limit");
}

#[test]
fn idle_addresses_are_removed() {
    let (quotas, start) = (Quotas::new(2), Instant::now());
    let stored = || quotas.full.lock().unwrap().len();
    assert!((0..ADDRESSES as u32).all(|address| take(&quotas, address, start)));
    assert_eq!(burst(&quotas, 0, start + PERIOD / 4), 1, "an active address is kept");
    assert_eq!(stored(), ADDRESSES);
    assert_eq!(burst(&quotas, u32::MAX, start + PERIOD / 2), 2);
    assert_eq!(stored(), 2, "the active address and the new one");
}
