//! The constants of the interface: version, errors, values, kinds. Most errors are variants of `ErrorKind` in the core, from which cbindgen
//! generates an enum.

use morpion_lookup::{ErrorKind, PositionError, ProbeError, TableError};
use std::ffi::{CStr, c_char};

/// The version of this header, MAJOR.MINOR.PATCH; morpion_version() returns the version of the library.
pub const MORPION_VERSION_MAJOR: u32 = 0;
/// See MORPION_VERSION_MAJOR.
pub const MORPION_VERSION_MINOR: u32 = 5;
/// See MORPION_VERSION_MAJOR.
pub const MORPION_VERSION_PATCH: u32 = 0;

/// Success.
pub const MORPION_OK: i32 = 0;
/// A pointer is NULL, or a text is not UTF-8. The other errors are in `MorpionError`.
pub const MORPION_ERROR_ARGUMENT: i32 = 1;

/// The mover wins.
pub const MORPION_WIN: i32 = 1;
/// Neither side can force a win.
pub const MORPION_DRAW: i32 = 0;
/// The mover loses.
pub const MORPION_LOSS: i32 = -1;

/// A draw that ends.
pub const MORPION_DRAW_ENDS: i32 = 1;
/// A draw that can continue forever.
pub const MORPION_DRAW_CYCLES: i32 = 2;

/// The game is not over.
pub const MORPION_NOT_OVER: i32 = 0;
/// The side waiting has made a line.
pub const MORPION_OVER_LINE: i32 = 1;
/// The board is full.
pub const MORPION_OVER_FULL: i32 = 2;
/// The side to move has no legal move.
pub const MORPION_OVER_STUCK: i32 = 3;
/// The side to move owns a line, which a push has completed.
pub const MORPION_OVER_OWN_LINE: i32 = 4;
/// The side to move has too few pieces.
pub const MORPION_OVER_FEW: i32 = 5;

/// The `from` of a placement.
pub const MORPION_PLACE: u8 = 254;
/// The `from` and `to` of a pass.
pub const MORPION_PASS: u8 = 255;
/// The `take` of a move that takes nothing.
pub const MORPION_NO_TAKE: u8 = 255;

/// The limit of the number of moves in a position of a game in which lines take no pieces.
pub const MORPION_MAX_MOVES: usize = 163;

const _: () = assert!(MORPION_MAX_MOVES == morpion_core::MAX_MOVES);

/// The limit of the number of symmetries of a table.
pub const MORPION_MAX_SYMMETRIES: usize = 1024;

const _: () = assert!(MORPION_MAX_SYMMETRIES == morpion_core::MAX_SYMMETRIES);

/// The usual size of a cache, 64 MiB. Packed tables of at most this size are unpacked when they are opened.
pub const MORPION_CACHE: usize = 67_108_864;

/// An error: its number and its message.
pub(crate) struct Fault {
    pub code: i32,
    pub text: String,
}

macro_rules! faults {
    ($($error:ty)*) => {$(
        impl From<$error> for Fault {
            fn from(error: $error) -> Fault {
                Fault { code: error.kind() as i32, text: error.to_string() }
            }
        }
    )*};
}

faults!(TableError PositionError ProbeError);

pub(crate) fn argument(what: &str) -> Fault {
    Fault { code: MORPION_ERROR_ARGUMENT, text: what.into() }
}

/// The version of the library, for example "0.2.0"; its header has the same version.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub extern "C" fn morpion_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The short name of an error, the same in every language; "ok" for 0, "unknown" for an unknown number.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub extern "C" fn morpion_error_name(code: i32) -> *const c_char {
    let name = match code {
        MORPION_OK => c"ok",
        MORPION_ERROR_ARGUMENT => c"argument",
        _ => {
            let found = ErrorKind::ALL.iter().position(|kind| *kind as i32 == code);
            found.and_then(|at| CStr::from_bytes_until_nul(&NAMES[at]).ok()).unwrap_or(c"unknown")
        }
    };
    name.as_ptr()
}

/// The names of the errors in [`ErrorKind::ALL`], padded with zero bytes. A static, because a C string must outlive the call, and nothing
/// needs to be allocated.
static NAMES: [[u8; 16]; ErrorKind::ALL.len()] = {
    let mut names = [[0; 16]; ErrorKind::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        let name = ErrorKind::ALL[at].name().as_bytes();
        names[at].split_at_mut(name.len()).0.copy_from_slice(name);
        at += 1;
    }
    names
};
