//! Reading the body of a request.
//!
//! In: a request whose client may be slow, or never end. Out: its bytes, within the limits of length and time.

use super::flight::{Buffer, Content, Full};
use super::job::Job;
use super::refusal::Refusal;
use axum::extract::Request;
use axum::http::header::CONTENT_LENGTH;
use http_body_util::BodyExt;

/// A connection that waits for its client, and may make room for others.
struct Receiving<'j>(&'j Job);

impl<'j> Receiving<'j> {
    fn new(job: &'j Job) -> Receiving<'j> {
        job.client().activity.set_working(false);
        Receiving(job)
    }
}

impl Drop for Receiving<'_> {
    fn drop(&mut self) {
        self.0.client().activity.set_working(true);
    }
}

/// Reads a body.
///
/// # Errors
/// 413 where it is too long, 408 where it does not arrive in time, 400 where it breaks off, 429 where too much is in flight.
pub(crate) async fn read(job: &Job, request: Request) -> Result<Buffer, Refusal> {
    let limits = job.limits();
    let mut buffer = job.flight().buffer(job.client(), Content::Body, limits.body);
    let announced =
        request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > limits.body as u64) {
        return Err(Full::Long { content: Content::Body, most: limits.body }.into());
    }
    let _receiving = Receiving::new(job);
    let _wait = job.flight().wait_for(job.client());
    let mut body = request.into_body();
    let read = async {
        while let Some(frame) = body.frame().await {
            let frame =
                frame.map_err(|error| Refusal::bad(format!("the body broke off: {error}")))?;
            if let Some(bytes) = frame.data_ref() {
                buffer.push(bytes).await?;
            }
        }
        Ok::<(), Refusal>(())
    };
    match tokio::time::timeout(limits.request_time, read).await {
        Ok(read) => read?,
        Err(_) => {
            let seconds = limits.request_time.as_secs_f64();
            return Err(Refusal::slow(format!("the body took longer than {seconds} s")));
        }
    }
    Ok(buffer)
}
