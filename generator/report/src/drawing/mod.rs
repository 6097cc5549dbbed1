//! Drawings in SVG, which need no table: the [`diagram`] of a position and the [`picture`] of a board, with the places of [`geometry`].

pub mod diagram;
pub mod geometry;
pub mod picture;
mod strokes;
