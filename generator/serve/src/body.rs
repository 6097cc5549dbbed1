//! Bodies of requests.

use crate::limits::Limits;
use crate::refusal::Refusal;
use axum::body::{Body, Bytes, HttpBody};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use std::time::Duration;
use tokio::time::timeout;

/// Limits of time and bytes for reading the rest of a body that is too long, so that the client sees the answer before the
/// connection closes.
const LINGER: (Duration, usize) = (Duration::from_secs(2), 4 << 20);

/// Reads a body.
///
/// # Errors
/// 413 if the body is too long, 408 if it does not arrive in time, 400 if it breaks off.
pub(crate) async fn read(limits: &Limits, mut body: Body) -> Result<Bytes, Refusal> {
    let (most, time) = (limits.body, limits.request_time);
    let too_long = || Refusal::new(413, format!("a body longer than {most} bytes"));
    if body.size_hint().lower() > most as u64 {
        return Err(too_long());
    }
    match timeout(time, Limited::new(&mut body, most).collect()).await {
        Ok(Ok(read)) => Ok(read.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            let _ = timeout(LINGER.0, Limited::new(body, LINGER.1).collect()).await;
            Err(too_long())
        }
        Ok(Err(error)) => Err(Refusal::new(400, format!("the body broke off: {error}"))),
        Err(_) => {
            Err(Refusal::new(408, format!("the body took longer than {} s", time.as_secs_f64())))
        }
    }
}
