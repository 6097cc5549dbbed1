//! Drawings in SVG: the [`diagram`] of a position and the [`picture`] of a board, with the places of [`geometry`].
//!
//! This crate needs no table, so that the module for Python draws boards without the code of the reports.

pub mod diagram;
pub mod geometry;
pub mod picture;
pub mod strokes;
