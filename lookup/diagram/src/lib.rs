//! Drawings in SVG: the [`diagram`] of a position and the [`picture`] of a board, with the places of [`geometry`]; and [`html`] around them.
//!
//! Drawing needs no table. The module for Python draws boards without the code of reports.

pub mod diagram;
pub mod geometry;
pub mod html;
pub mod picture;
mod strokes;

pub use strokes::rounded;
