//! Compares the memory of a plan with the allocations of the solver, by counting every allocation of this process.

use morpion_builder::plan::{Bounds, Plan};
use morpion_builder::store::FileStore;
use morpion_core::{Encoding, Header};
use morpion_games::rules::parse;
use morpion_machine::progress::Unobserved;
use morpion_machine::threads;
use morpion_solver::error::SolveError;
use morpion_solver::layout::lay_out;
use morpion_solver::sets::FoldedSets;
use morpion_solver::solve::exchange::{Batch, Inbox, Threads};
use morpion_solver::solve::keeper::{Keeper, VisitLayer};
use morpion_solver::solve::store::{Storage, Store};
use morpion_solver::solve::{memory, solve};
use std::alloc::{GlobalAlloc, Layout as Block, System};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, counting bytes.
struct Counting;

fn took(bytes: usize) {
    let now = NOW.fetch_add(bytes, Ordering::Relaxed) + bytes;
    PEAK.fetch_max(now, Ordering::Relaxed);
}

// SAFETY: every call is forwarded unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, block: Block) -> *mut u8 {
        took(block.size());
        // SAFETY: the caller fulfils the requirements of the system's allocator.
        unsafe { System.alloc(block) }
    }

    unsafe fn alloc_zeroed(&self, block: Block) -> *mut u8 {
        took(block.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(block) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, block: Block) {
        NOW.fetch_sub(block.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, block) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, block: Block, size: usize) -> *mut u8 {
        took(size);
        NOW.fetch_sub(block.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, block, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Held by the test that counts.
static COUNTS: Mutex<()> = Mutex::new(());

/// Returns the most bytes that are allocated at once during `work`.
fn peak(work: impl FnOnce()) -> u64 {
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    work();
    (PEAK.load(Ordering::Relaxed) - before) as u64
}

/// Writes the layers of a table to a file, from which they are read back.
struct InFile {
    file: File,
    /// Starts of the layers in the order in which they are solved, and the end of the last one.
    starts: Vec<u64>,
    /// Number of layers of the game.
    layers: usize,
}

impl Keeper for InFile {
    fn write(&mut self, layer: &VisitLayer) -> Result<(), SolveError> {
        self.file.seek(SeekFrom::End(0))?;
        layer(&mut |piece| Ok(self.file.write_all(piece)?))?;
        self.starts.push(self.file.stream_position()?);
        Ok(())
    }

    fn solved_layer(&mut self, layer: usize) -> io::Result<Box<dyn Read + '_>> {
        self.file.seek(SeekFrom::Start(self.starts[self.layers - layer - 1]))?;
        Ok(Box::new(&mut self.file))
    }
}

/// Bytes of buffers of a fixed size, which a plan adds for the program as a whole: buffers of every thread, and a chunk
/// of wide entries before it is written to the file.
fn buffers(encoding: Encoding) -> u64 {
    (1 << 19) + if encoding == Encoding::Plies16 { 2 << 20 } else { 0 }
}

#[test]
fn pending_entries_in_a_store_take_no_memory_when_they_are_read() {
    let _counts = COUNTS.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let store: Arc<dyn Store> = Arc::new(FileStore { folder: folder.path().into() });
    let (codes, keys, limit) = (20, 100_000, 1 << 16);
    let inbox = Inbox::new(1, limit, Some(store));
    for (code, piece) in
        (0..codes).flat_map(|code| (0..keys / 1000).map(move |piece| (code, piece)))
    {
        let keys = (piece * 1000..(piece + 1) * 1000).collect();
        inbox.put(&Batch { strip: 0, code, keys }).unwrap();
    }
    let mut read = vec![0u8; keys as usize];
    let taken = peak(|| {
        for arrived in inbox.take(0) {
            arrived.each(&mut read, |_, count| *count += 1).unwrap();
        }
    });
    assert!(read.iter().all(|&count| u16::from(count) == codes));
    assert!(taken <= limit as u64, "{taken} bytes for {} entries", u32::from(codes) * keys);
}

#[test]
fn solving_takes_the_planned_memory_for_every_kind_of_layer_and_entry() {
    let _counts = COUNTS.lock().unwrap_or_else(PoisonError::into_inner);
    // Two threads, since on a machine with many threads their buffers would dominate.
    let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    threads.install(compare_memory_with_plan);
}

fn compare_memory_with_plan() {
    // No two cells are equivalent, so that layers are large on few cells.
    let links: Vec<[u8; 2]> = (0..15).map(|cell| [cell, cell + 1]).chain([[2, 5]]).collect();
    let placement = format!("[board]\ncells = 16\n[lines]\nsets = {links:?}");
    let restricted = format!("{placement}\n[opening]\nforbidden = [12]\nduring = \"placing\"");
    let moving = "[board]\nrows = 4\ncolumns = 5\n[lines]\nsets = [[0, 1, 2, 3], [6, 12, 18], [4, 9]]\n[pieces]\neach = 4\n[moves]\nto = ";
    let (free, king) = (format!("{moving}\"any\""), format!("{moving}\"king\""));
    let ageing = "[board]\nrows = 3\ncolumns = 4\n[lines]\nlength = 3\n[pieces]\neach = 4\n[moves]\noldest = \"before-lines\"".to_string();
    let mills = "[board]\nrows = 3\ncolumns = 6\n[lines]\nsets = [[0, 1, 2], [6, 12, 17], [4, 9, 15], [3, 7, 11]]\n[pieces]\neach = 4\n[moves]\nto = \"king\"\n[mills]".to_string();
    let pushing = "[board]\nrows = 3\ncolumns = 5\n[lines]\nsets = [[0, 1, 2, 3], [6, 11, 13], [4, 9]]\n[moves]\nto = \"push\"".to_string();
    use Encoding::{Plies8, Plies16, Wdl};
    for (body, encodings) in [
        (&placement, &[Plies8, Plies16, Wdl][..]),
        (&restricted, &[Plies8, Wdl]),
        (&free, &[Plies8]),
        (&king, &[Plies8, Plies16]),
        (&ageing, &[Plies8, Plies16]),
        (&mills, &[Plies8]),
        (&pushing, &[Plies8]),
    ] {
        let game = parse("t.toml", &format!("name = \"t\"\n{body}")).unwrap();
        for &encoding in encodings {
            let layout = lay_out(&game, Some(encoding), &Unobserved).unwrap();
            // The plan also counts the program itself.
            let Bounds { memory: most, least_memory, .. } = Plan::of(&layout).bounds;
            let least_threads = if most == least_memory { 2 } else { 1 };
            let [planned, least] = [(most, 2), (least_memory, least_threads)]
                .map(|(bytes, threads)| bytes - memory::program(threads));
            assert!(planned > 3 * buffers(encoding), "too small a game to tell: {planned}");
            let storage = Storage::default();
            let mut team = Threads::new(threads::count(), &storage);
            let taken = taken(&layout, &storage, &mut team);
            println!("{encoding:?} {taken} of {planned} planned: {body}");
            assert!(taken <= planned + buffers(encoding), "{encoding:?} {taken} {planned}\n{body}");
            assert!(planned <= taken + taken / 2, "{encoding:?} {taken} {planned}\n{body}");
            if planned != least {
                let folder = tempfile::tempdir().unwrap();
                let store = FileStore { folder: folder.path().into() };
                // Some of the rows are in memory, or none.
                for room in [0, (planned - least) / 2] {
                    let most = least + room;
                    let budgets = memory::budgets(&layout, 1, most + memory::program(1));
                    let storage = store.clone().storage(Some(budgets));
                    let mut team = Threads::new(1, &storage);
                    let taken = self::taken(&layout, &storage, &mut team);
                    println!("{encoding:?} {taken} of {most} planned with rows in files: {body}");
                    assert!(
                        taken <= most + buffers(encoding),
                        "{encoding:?} {taken} {most}\n{body}"
                    );
                }
            }
        }
    }
}

/// The most bytes that are allocated at once while a table is solved.
fn taken(layout: &Header, storage: &Storage, team: &mut Threads) -> u64 {
    peak(|| {
        let encoding = layout.encoding;
        let sets = FoldedSets::fold(layout, &Unobserved).unwrap();
        let layers = layout.game.graph().layers.len();
        let mut file = InFile { file: tempfile::tempfile().unwrap(), starts: vec![0], layers };
        solve(&sets, encoding, storage, team, &mut file, &Unobserved).unwrap();
    })
}
