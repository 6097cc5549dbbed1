//! The width of entries: chosen here and nowhere else, and widened if a distance does not fit.

use crate::error::{SolveError, TooDeep};
use crate::layout::Layout;
use morpion_lookup::raw::{Encoding, Header};

/// Calls `build` with this layout, and with the layout of wider entries if it returns `None` because a distance does not fit. A build
/// that was `interrupted` when it had turned to wider entries is resumed before: `build` is called with `true`, and returns
/// `None` if there is nothing good to resume.
///
/// # Errors
/// If `build` fails; [`SolveError::TooDeep`] if entries cannot be wider.
pub fn widened<T, E: From<SolveError>>(
    layout: &Layout,
    interrupted: Option<&Header>,
    mut build: impl FnMut(&Layout, bool) -> Result<Option<T>, E>,
) -> Result<T, E> {
    let too_deep = || E::from(SolveError::from(TooDeep));
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

/// `None` if a distance does not fit.
///
/// # Errors
/// All others.
pub fn fitting<T>(solved: Result<T, SolveError>) -> Result<Option<T>, SolveError> {
    match solved {
        Ok(solved) => Ok(Some(solved)),
        Err(SolveError::TooDeep(_)) => Ok(None),
        Err(error) => Err(error),
    }
}
