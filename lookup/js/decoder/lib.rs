//! Unpacks frames of packed tables in JavaScript, by the code that unpacks them in Rust. `.ci/decoder` compiles it to `decoder.js`.
//!
//! JavaScript asks for room with `input`, writes a packed frame there, and calls `unpack`.

#[path = "../../src/packed/decode.rs"]
mod decode;

use decode::Decoder;
use std::sync::Mutex;

/// The limit of the window of a frame, that of `morpion_core::MAX_FRAME`.
const WINDOW: u64 = 8 << 20;

/// The bytes that JavaScript writes and reads.
struct Buffers {
    decoder: Option<Decoder>,
    packed: Vec<u8>,
    unpacked: Vec<u8>,
    fault: &'static str,
}

static BUFFERS: Mutex<Buffers> =
    Mutex::new(Buffers { decoder: None, packed: Vec::new(), unpacked: Vec::new(), fault: "" });

/// Returns room for a packed frame of this length.
// SAFETY: nothing else in the module has this name.
#[unsafe(no_mangle)]
extern "C" fn input(length: usize) -> *mut u8 {
    let mut buffers = BUFFERS.lock().unwrap();
    buffers.packed.resize(length, 0);
    buffers.packed.as_mut_ptr()
}

/// Unpacks the frame, which must unpack to this length. Returns its bytes; null if it is refused.
// SAFETY: nothing else in the module has this name.
#[unsafe(no_mangle)]
extern "C" fn unpack(length: usize) -> *const u8 {
    let buffers = &mut *BUFFERS.lock().unwrap();
    let decoder = buffers.decoder.get_or_insert_with(|| Decoder::new(WINDOW));
    buffers.unpacked.resize(length, 0);
    match decoder.unpack(&buffers.packed, &mut buffers.unpacked) {
        Ok(()) => buffers.unpacked.as_ptr(),
        Err(error) => {
            buffers.fault = error;
            std::ptr::null()
        }
    }
}

/// Returns the reason why the last frame is refused, in ASCII.
// SAFETY: nothing else in the module has this name.
#[unsafe(no_mangle)]
extern "C" fn fault() -> *const u8 {
    BUFFERS.lock().unwrap().fault.as_ptr()
}

/// Returns the length of the reason.
// SAFETY: nothing else in the module has this name.
#[unsafe(no_mangle)]
extern "C" fn fault_length() -> usize {
    BUFFERS.lock().unwrap().fault.len()
}
