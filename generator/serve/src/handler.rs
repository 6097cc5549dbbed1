//! Handlers of requests. A handler is a function of a [`Part`] of the head of a request. A longer one is a [`Job`], and may
//! read a [`Body`]. Its types also describe it.

use crate::api::{JSON, Operation};
use crate::client::Network;
use crate::extract::{self, Body, check_kind};
use crate::job::Job;
use crate::refusal::Refusal;
use crate::routes::State;
use axum::RequestPartsExt;
use axum::body::Bytes;
use axum::extract::{Path, Request, State as Shared};
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{Method, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;
use tower_http::cors::{Any, CorsLayer};

/// Head of a request.
pub(crate) struct Head {
    pub state: State,
    pub uri: Uri,
    /// The parameter of the path; empty if it has none.
    pub name: String,
}

/// A part of the head of a request.
pub(crate) trait Part: Sized + Send + 'static {
    /// Adds the parameters, and the errors of reading them.
    fn describe(operation: &mut Operation<'_>);

    /// Reads the part.
    fn read(head: &Head) -> Result<Self, Refusal>;
}

impl Part for State {
    fn describe(_: &mut Operation<'_>) {}

    fn read(head: &Head) -> Result<State, Refusal> {
        Ok(head.state.clone())
    }
}

impl<A: Part, B: Part> Part for (A, B) {
    fn describe(operation: &mut Operation<'_>) {
        A::describe(operation);
        B::describe(operation);
    }

    fn read(head: &Head) -> Result<(A, B), Refusal> {
        Ok((A::read(head)?, B::read(head)?))
    }
}

/// Result of a handler.
pub(crate) trait Answer {
    /// Content type.
    const KIND: &str = JSON;

    /// Returns the schema.
    fn schema(generator: &mut SchemaGenerator) -> Schema;

    /// Returns the body of the response.
    fn write(self) -> Result<Bytes, Refusal>;
}

impl<T: Serialize + JsonSchema> Answer for T {
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }

    fn write(self) -> Result<Bytes, Refusal> {
        Ok(serde_json::to_vec(&self)?.into())
    }
}

/// The JSON of a value of type `T`.
pub(crate) struct Written<T>(Bytes, PhantomData<T>);

impl<T> Written<T> {
    pub(crate) fn new(text: Bytes) -> Written<T> {
        Written(text, PhantomData)
    }
}

impl<T: JsonSchema> Answer for Written<T> {
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }

    fn write(self) -> Result<Bytes, Refusal> {
        Ok(self.0)
    }
}

/// Plain text.
pub(crate) struct Text(pub &'static str);

impl Answer for Text {
    const KIND: &str = "text/plain; charset=utf-8";

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }

    fn write(self) -> Result<Bytes, Refusal> {
        Ok(self.0.into())
    }
}

/// Work of a longer request, with its body.
type Work = Box<dyn FnOnce(&Job, &[u8]) -> Result<Bytes, Refusal> + Send>;

/// Reads the head of a request.
type Read<T> = Box<dyn Fn(&Head) -> Result<T, Refusal> + Send + Sync>;

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
    without_body::<P, A>(run)
}

/// Makes a handler of longer requests with a body.
pub(crate) fn post<P: Part, B: Body, A: Answer + 'static>(
    answer: fn(P, B, &Job) -> Result<A, Refusal>,
) -> Handler {
    let describe = |operation: &mut Operation<'_>| {
        describe::<P, A>(operation);
        operation.body::<B>();
    };
    let run = Run::Long(Box::new(move |head| {
        let part = P::read(head)?;
        Ok(Box::new(move |job, text| {
            answer(part, extract::parse(job.limits(), text)?, job)?.write()
        }))
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
        let answer = async move |Shared(state): Shared<State>, request: Request| {
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
    pub(crate) async fn answer(&self, state: State, request: Request) -> Result<Response, Refusal> {
        let (mut parts, body) = request.into_parts();
        let name = parts.extract::<Option<Path<String>>>().await;
        let name = name.map_err(|rejection| Refusal::new(400, rejection.body_text()))?;
        let name = name.map_or_else(String::new, |Path(name)| name);
        let head = Head { state, uri: parts.uri, name };
        let bytes = match &self.run {
            Run::Short(answer) => answer(&head)?,
            Run::Long(read) => {
                let work = read(&head)?;
                if self.checks_kind {
                    check_kind(&parts.headers)?;
                }
                let state = &head.state;
                let client = parts.extensions.get().copied().unwrap_or(Network::UNKNOWN);
                let client = state.shares.client(client);
                // Before the body is read, the request takes no place.
                let body = match self.reads_body {
                    true => Some(extract::read(&state.config.limits, &client, body).await?),
                    false => None,
                };
                let job = Job::new(state, client)?;
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
