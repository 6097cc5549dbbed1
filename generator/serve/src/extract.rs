//! Extractors for the game in a path and for the query of a request. They report errors as JSON, unlike axum's own
//! extractors.

use super::refusal::Refusal;
use axum::extract::{self, FromRef, FromRequestParts};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use std::sync::Arc;

macro_rules! extractors {
    ($($name:ident, $doc:literal;)*) => {$(
        #[doc = $doc]
        pub(crate) struct $name<T>(pub T);

        impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for $name<T> {
            type Rejection = Refusal;

            async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
                let read = extract::$name::from_request_parts(parts, state).await;
                let extract::$name(value) =
                    read.map_err(|rejection| Refusal::bad(rejection.body_text()))?;
                Ok($name(value))
            }
        }
    )*};
}

extractors! {
    Path, "The parameters of a path.";
    Query, "The query, field by field.";
}

/// Games or boards that can be found by name.
pub(crate) trait Named: Sized {
    /// Finds the item with this name among `all`.
    ///
    /// # Errors
    /// 404 with the known names, or with the command that builds the missing table.
    fn find(all: &[Arc<Self>], name: &str) -> Result<Arc<Self>, Refusal>;
}

/// 404 for a name that no game has.
pub(crate) fn unknown<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Refusal {
    let name: String = name.chars().take(64).collect();
    let known = known.collect::<Vec<_>>().join(", ");
    Refusal::missing(format!("no game {name:?} here: expected one of {known}"))
}

/// All games or boards of a kind.
pub(crate) type All<T> = Arc<[Arc<T>]>;

/// The game or board named by the only parameter of the path.
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
