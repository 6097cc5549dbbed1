//! Functions that answer requests.

use super::answer::Answer;
use super::body::{self, Body, IsRead};
use super::operation::Operation;
use super::part::{Head, Part};
use crate::client::Network;
use crate::job::Job;
use crate::refusal::Refusal;
use crate::state::State;
use axum::RequestPartsExt;
use axum::body::Bytes;
use axum::extract::{Path, Request, State as Extract};
use axum::http::Method;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use std::sync::Arc;
use std::time::Duration;
use tower_http::cors::{Any, CorsLayer};

/// Work of a longer request, with its body.
type Work = Box<dyn FnOnce(&Job, &[u8]) -> Result<Bytes, Refusal> + Send>;

/// Reads the head of a request.
type Read<R> = Box<dyn Fn(&Head) -> Result<R, Refusal> + Send + Sync>;

enum Run {
    /// Answers at once.
    Short(Read<Bytes>),
    /// The rest is a job.
    Long(Read<Work>),
}

/// A handler with its description. Everything is boxed, so that the code around it is compiled only once.
pub(crate) struct Handler {
    pub describe: fn(&mut Operation<'_>),
    kind: &'static str,
    run: Run,
    reads_body: bool,
    /// Requires the type of JSON.
    checks_kind: bool,
}

fn describe<P: Part, A: Answer>(operation: &mut Operation<'_>) {
    P::describe(operation);
    operation.answers::<A>();
}

fn without_body<P: Part, A: Answer>(run: Run) -> Handler {
    let describe = describe::<P, A>;
    Handler { describe, kind: A::KIND, run, reads_body: false, checks_kind: false }
}

/// Makes a handler that answers at once.
pub(crate) fn short<P: Part, A: Answer + 'static>(answer: fn(P) -> Result<A, Refusal>) -> Handler {
    let run = Run::Short(Box::new(move |head| answer(P::read(head)?)?.write()));
    without_body::<P, A>(run)
}

/// Makes a handler of longer requests.
pub(crate) fn long<P: Part, A: Answer + 'static>(
    answer: fn(P, &Job) -> Result<A, Refusal>,
) -> Handler {
    let run = Run::Long(Box::new(move |head| {
        let part = P::read(head)?;
        Ok(Box::new(move |job, _| answer(part, job)?.write()))
    }));
    let describe = |operation: &mut Operation<'_>| {
        describe::<P, A>(operation);
        operation.refuses(&[503]);
    };
    Handler { describe, ..without_body::<P, A>(run) }
}

/// Makes a handler of longer requests with a body.
pub(crate) fn post<P: Part, B: Body, A: Answer + 'static>(
    answer: fn(P, B, &Job) -> Result<A, Refusal>,
) -> Handler {
    let describe = |operation: &mut Operation<'_>| {
        describe::<P, A>(operation);
        operation.body::<B>();
        operation.refuses(&[503]);
    };
    let run = Run::Long(Box::new(move |head| {
        let part = P::read(head)?;
        Ok(Box::new(move |job, text| answer(part, body::parse(job.limits(), text)?, job)?.write()))
    }));
    Handler { describe, kind: A::KIND, run, reads_body: true, checks_kind: B::IS_CHECKED }
}

impl Handler {
    /// Returns the router of a path: for POST if the handler reads a body, otherwise for GET. If it is shared, other sites
    /// can read its answers (CORS). This is safe, since tables are public and answers do not depend on the client.
    pub(crate) fn serve(self, is_shared: bool) -> MethodRouter<State> {
        let (filter, methods) = match self.reads_body {
            true => (MethodFilter::POST, vec![Method::POST, Method::OPTIONS]),
            false => (MethodFilter::GET, vec![Method::GET, Method::HEAD, Method::OPTIONS]),
        };
        let handler = Arc::new(self);
        let answer = async move |Extract(state): Extract<State>, request: Request| {
            handler.answer(state, request).await
        };
        let router = on(filter, answer).fallback(wrong_method);
        if !is_shared {
            return router;
        }
        let sharing = CorsLayer::new()
            .allow_origin(Any)
            .allow_methods(methods)
            .allow_headers([CONTENT_TYPE])
            .expose_headers([RETRY_AFTER])
            .max_age(Duration::from_secs(86_400));
        router.layer(sharing)
    }

    /// Answers a request.
    async fn answer(&self, state: State, request: Request) -> Result<Response, Refusal> {
        let (mut parts, body) = request.into_parts();
        let name = parts.extract::<Option<Path<String>>>().await;
        let name = name.map_err(|rejection| Refusal::new(400, rejection.body_text()))?;
        let name = name.map_or_else(String::new, |Path(name)| name);
        let shared = &state.shared;
        let head = Head { shared: shared.clone(), served: state.served(), uri: parts.uri, name };
        let bytes = match &self.run {
            Run::Short(answer) => answer(&head)?,
            Run::Long(read) => {
                let work = read(&head)?;
                if self.checks_kind {
                    body::check_kind(&parts.headers)?;
                }
                let client = parts.extensions.get().copied().unwrap_or(Network::UNKNOWN);
                let client = shared.shares.client(client);
                // Before the body is read, the request takes no slot.
                let body = match self.reads_body {
                    true => {
                        let body = body::read(&shared.config.limits, &client, body).await?;
                        parts.extensions.get::<IsRead>().inspect(|is_read| is_read.set());
                        Some(body)
                    }
                    false => None,
                };
                let job = Job::new(shared, client)?;
                job.run(move |job| work(job, body.as_ref().map_or(&[], |body| &body.text))).await?
            }
        };
        Ok(([(CONTENT_TYPE, self.kind)], bytes).into_response())
    }
}

/// Answers 405.
async fn wrong_method(method: Method) -> Refusal {
    Refusal::new(405, format!("{method} is not allowed here: use a method of the header `allow`"))
}
