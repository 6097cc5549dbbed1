//! A perfect game of classic morpion without the standard library: the table is part of the program, opening it takes memory from a small
//! fixed block, and answers take no memory.
//!
//! If this program links, the library does not need std: std would bring a second panic handler.
#![no_std]
#![no_main]

use core::alloc::{GlobalAlloc, Layout};
use core::ffi::{c_char, c_int};
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use morpion_lookup::{Side, Table};

/// An allocator that gives each byte of `MEMORY` once and never reuses memory.
struct Block;

const SIZE: usize = 256 << 10;

#[repr(align(64))]
struct Memory(core::cell::UnsafeCell<[u8; SIZE]>);

// SAFETY: `Block` gives each byte to one caller only, by an atomic counter.
unsafe impl Sync for Memory {}

static MEMORY: Memory = Memory(core::cell::UnsafeCell::new([0; SIZE]));
static USED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: allocations do not overlap, lie inside `MEMORY`, and are aligned to 64 bytes; a greater alignment is refused.
unsafe impl GlobalAlloc for Block {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let size = layout.size().next_multiple_of(64);
        let start = USED.fetch_add(size, Relaxed);
        if layout.align() > 64 || start + size > SIZE {
            return core::ptr::null_mut();
        }
        // SAFETY: `start` is inside `MEMORY`.
        unsafe { MEMORY.0.get().cast::<u8>().add(start) }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ALLOCATOR: Block = Block;

// SAFETY: the functions have these signatures in the C library.
#[link(name = "c")]
unsafe extern "C" {
    fn putchar(character: c_int) -> c_int;
    fn abort() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    // SAFETY: ends the process.
    unsafe { abort() }
}

static CLASSIC: &[u8] = include_bytes!("../../../tables/classic.morpion");

#[unsafe(no_mangle)]
extern "C" fn main(_: c_int, _: *const *const c_char) -> c_int {
    let Ok(table) = Table::from_source(CLASSIC) else { return 1 };
    let opened = USED.load(Relaxed);
    let mut position = table.game().start();
    while let Ok(Some(best)) = table.best_move(position) {
        position = table.game().after(position, best.mv);
    }
    let (x, o) = position.raw.sides(position.side);
    for cell in 0..9 {
        let letter = if x >> cell & 1 == 1 {
            b'X'
        } else if o >> cell & 1 == 1 {
            b'O'
        } else {
            b'.'
        };
        // SAFETY: prints one character.
        unsafe { putchar(letter.into()) };
    }
    // The game was played without allocating after the table was opened.
    let answered_without_memory = USED.load(Relaxed) == opened;
    c_int::from(!(answered_without_memory && position.side == Side::O))
}
