//! Answering takes no memory from the heap, whatever is asked.

use morpion_lookup::{ErrorKind, Position, Score, Table};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller has it.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller has it.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = COUNT.with(Cell::get);
    work();
    COUNT.with(Cell::get) - before
}

fn ask(table: &Table, positions: &[Position], answers: &mut Vec<Result<Score, ErrorKind>>) {
    for &position in positions {
        black_box((table.probe(position), table.best_move(position)).0.is_ok());
        black_box(table.ranked_moves(position).map_or(0, |moves| moves.best().len()));
        black_box(table.game().end_at(position));
    }
    for positions in positions.chunks(100) {
        table.probe_many(positions, answers).unwrap();
        black_box(&mut *answers);
    }
}

#[test]
fn no_answer_allocates() {
    let six = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/tables/six.morpion");
    let wdl = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/tables/classic-wdl.morpion");
    let tables = [
        Table::builtin("classic").unwrap(),
        Table::builtin("swap").unwrap(),
        Table::open(six).unwrap(),
        Table::open(wdl).unwrap(),
    ];
    let mixed = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for table in tables {
        // Sound positions, and any bits at all, which are errors.
        let board = table.game().board();
        let mut positions = vec![table.game().start().raw];
        for i in 0..2000 {
            let (mover, waiter) = (mixed(i) >> 40 & board, mixed(i + 5000) >> 40 & board);
            positions.push(Position { mover, waiter: waiter & !mover });
            positions.push(Position { mover: mixed(i), waiter: mixed(i + 1) });
            let (one, other) = (1 << (i % 9), 1 << (i / 9 % 9));
            positions.push(Position { mover: one, waiter: other | one << 1 });
        }
        assert!(allocations(|| drop(black_box(vec![1u8]))) == 1, "the allocator counts");
        let mut answers = Vec::with_capacity(100);
        assert_eq!(allocations(|| ask(&table, &positions, &mut answers)), 0);
    }
}
