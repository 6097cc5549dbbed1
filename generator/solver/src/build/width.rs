//! The width of entries: chosen here and nowhere else, and widened if a distance does not fit.

use crate::error::SolveError;
use crate::layout::Layout;
use morpion_lookup::raw::Encoding;

/// Calls `build` with this layout. If an interrupted build had turned to wider entries, or `build` returns `None` because a distance
/// does not fit, calls it with the layout of wider entries.
///
/// # Errors
/// Those of `build`, and [`SolveError::TooDeep`] if there are no wider entries.
pub fn widened<T, E: From<SolveError>>(
    layout: &Layout,
    interrupted: Option<Encoding>,
    mut build: impl FnMut(&Layout) -> Result<Option<T>, E>,
) -> Result<T, E> {
    let is_narrow = layout.header().encoding == Encoding::Plies8;
    if !(is_narrow && interrupted == Some(Encoding::Plies16)) {
        if let Some(built) = build(layout)? {
            return Ok(built);
        }
        if !is_narrow {
            return Err(SolveError::from(crate::error::TooDeep).into());
        }
    }
    let wide = layout.with_encoding(Encoding::Plies16)?;
    build(&wide)?.ok_or_else(|| SolveError::from(crate::error::TooDeep).into())
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
