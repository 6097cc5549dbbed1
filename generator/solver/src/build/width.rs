//! The width of entries, which is widened if a distance does not fit. No other module chooses it.

use crate::error::SolveError;
use crate::layout::Layout;
use morpion_lookup::raw::{Encoding, Header};

/// Calls `build` with this layout. If it returns `None`, because a distance does not fit, calls it with the layout of
/// wider entries. If an `interrupted` build already used wider entries, it is resumed first: `build` is called with
/// `true`, and returns `None` if there is nothing to resume.
///
/// # Errors
/// If `build` fails; [`SolveError::TooDeep`] if entries cannot be wider.
pub fn widened<T, E: From<SolveError>>(
    layout: &Layout,
    interrupted: Option<&Header>,
    mut build: impl FnMut(&Layout, bool) -> Result<Option<T>, E>,
) -> Result<T, E> {
    let too_deep = || E::from(SolveError::TooDeep);
    if layout.header().encoding != Encoding::Plies8 {
        return build(layout, false)?.ok_or_else(too_deep);
    }
    let wide = layout.with_encoding(Encoding::Plies16)?;
    if interrupted == Some(wide.header())
        && let Some(built) = build(&wide, true)?
    {
        return Ok(built);
    }
    match build(layout, false)? {
        Some(built) => Ok(built),
        None => build(&wide, false)?.ok_or_else(too_deep),
    }
}
