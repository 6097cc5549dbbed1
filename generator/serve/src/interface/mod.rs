//! Handlers of requests, and their description.
//!
//! A [`handler`] is a function of a [`part`] of the head of a request, and perhaps of its [`body`]. It returns an [`answer`]. These
//! types also describe it, as an [`operation`] of the OpenAPI document. [`routes`] joins handlers with their paths.

pub(crate) mod answer;
pub(crate) mod batch;
pub(crate) mod body;
pub(crate) mod handler;
pub(crate) mod operation;
pub(crate) mod part;
pub(crate) mod routes;
