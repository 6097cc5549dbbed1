//! Path and query of a request.
//!
//! In: the head of a request. Out: its fields as a type of their own, or 400 in JSON (axum would answer with plain text).

use super::refusal::Refusal;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

/// The parts of a path that its template names.
pub(crate) struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let axum::extract::Path(value) = axum::extract::Path::from_request_parts(parts, state)
            .await
            .map_err(|rejection| Refusal::bad(rejection.body_text()))?;
        Ok(Path(value))
    }
}

/// The query, field by field.
pub(crate) struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let axum::extract::Query(value) = axum::extract::Query::from_request_parts(parts, state)
            .await
            .map_err(|rejection| Refusal::bad(rejection.body_text()))?;
        Ok(Query(value))
    }
}
