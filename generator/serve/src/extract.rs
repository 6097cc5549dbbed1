//! Extractors: the game of a path, and the query of a request. A fault is answered in JSON, where axum would answer plain text.

use super::refusal::Refusal;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// Parts of a path that its template names.
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

/// Games or boards that are found by a name.
pub(crate) trait Named: Sized {
    /// Finds the one of this name among all that are served.
    ///
    /// # Errors
    /// 404 with the names there are, or the command that builds it.
    fn find(all: &[Arc<Self>], name: &str) -> Result<Arc<Self>, Refusal>;
}

/// All games or boards of a kind.
pub(crate) type All<T> = Arc<[Arc<T>]>;

/// The game or board that the only part of a path names.
pub(crate) struct Found<T>(pub Arc<T>);

impl<S: Send + Sync, T: Named> FromRequestParts<S> for Found<T>
where
    All<T>: FromRef<S>,
{
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let Path(name): Path<String> = Path::from_request_parts(parts, state).await?;
        T::find(&All::<T>::from_ref(state), &name).map(Found)
    }
}
