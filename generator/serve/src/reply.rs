//! The one place where an error becomes an answer, and where what a client sent is taken apart.

use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::header::{CONNECTION, RETRY_AFTER};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

/// What there is in place of an answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct Error {
    /// What was found, and what was expected.
    error: String,
    /// The text in question, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    input: Option<String>,
}

/// An error as the client sees it: a status and `{"error": "…"}`.
#[derive(Debug)]
pub struct Reply {
    status: StatusCode,
    body: Error,
}

impl Reply {
    fn new(status: StatusCode, message: impl Into<String>) -> Reply {
        Reply { status, body: Error { error: message.into(), input: None } }
    }

    /// 400: the request makes no sense.
    pub fn bad(message: impl Into<String>) -> Reply {
        Reply::new(StatusCode::BAD_REQUEST, message)
    }

    /// 400 with the text that made no sense.
    pub fn bad_input(message: impl Into<String>, input: impl Into<String>) -> Reply {
        let mut reply = Reply::bad(message);
        reply.body.input = Some(input.into());
        reply
    }

    /// 404: there is no such thing.
    pub fn missing(message: impl Into<String>) -> Reply {
        Reply::new(StatusCode::NOT_FOUND, message)
    }

    /// 405: not with this method.
    pub fn method(message: impl Into<String>) -> Reply {
        Reply::new(StatusCode::METHOD_NOT_ALLOWED, message)
    }

    /// 408: the body did not arrive in time.
    pub fn slow(message: impl Into<String>) -> Reply {
        Reply::new(StatusCode::REQUEST_TIMEOUT, message)
    }

    /// 413: too much at once.
    pub fn large(message: impl Into<String>) -> Reply {
        Reply::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    }

    /// 421: meant for another host.
    pub fn misdirected(message: impl Into<String>) -> Reply {
        Reply::new(StatusCode::MISDIRECTED_REQUEST, message)
    }

    /// 429: too often, or too much at the same time.
    pub fn often(message: impl Into<String>) -> Reply {
        Reply::new(StatusCode::TOO_MANY_REQUESTS, message)
    }

    /// 431: a head that is too long.
    pub fn long_head(message: impl Into<String>) -> Reply {
        Reply::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, message)
    }

    /// 503: given up, or not begun; it may be different in a moment.
    pub fn busy(message: impl Into<String>) -> Reply {
        Reply::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// The status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// A whole answer as it is sent, for a request that never reached the routes. The last one on its connection.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = serde_json::to_string(&self.body).unwrap_or_default();
        let (status, length) = (self.status, body.len());
        format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nx-content-type-options: nosniff\r\n\
             connection: close\r\ncontent-length: {length}\r\n\r\n{body}"
        )
        .into_bytes()
    }

    /// Whether it is the server's fault.
    pub fn is_fault(&self) -> bool {
        self.status.is_server_error()
    }

    /// What is said.
    pub fn message(self) -> String {
        self.body.error
    }

    /// 500: the server's fault, such as a damaged table.
    pub fn fault(message: impl Into<String>) -> Reply {
        Reply::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body)).into_response();
        let headers = response.headers_mut();
        match self.status {
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
            }
            // The rest of the body is not worth waiting for.
            StatusCode::PAYLOAD_TOO_LARGE | StatusCode::REQUEST_TIMEOUT => {
                headers.insert(CONNECTION, HeaderValue::from_static("close"));
            }
            _ => {}
        }
        response
    }
}

/// The parts of a path that its template names.
pub struct Named<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Named<T> {
    type Rejection = Reply;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Reply> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(value)) => Ok(Named(value)),
            Err(PathRejection::FailedToDeserializePathParams(fault)) => {
                Err(Reply::bad(fault.body_text()))
            }
            Err(other) => Err(Reply::bad(other.body_text())),
        }
    }
}

/// The fields behind the question mark.
pub struct Asked<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Reply;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Reply> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(Asked(value)),
            Err(QueryRejection::FailedToDeserializeQueryString(fault)) => {
                Err(Reply::bad(fault.body_text()))
            }
            Err(other) => Err(Reply::bad(other.body_text())),
        }
    }
}
