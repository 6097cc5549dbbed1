//! The exports of the module. Everything is passed as bytes: a page asks for [`room`], writes there, calls [`ask`] or [`open`], and
//! reads the answer.

use crate::session::{Answer, Session};
use morpion_machine::progress::Progress;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

// SAFETY: the page passes a function of two numbers, which touches no memory of the module.
#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Tells the page how much of a computation is done. `whole` is 0 if the total is unknown.
    safe fn progress(done: f64, whole: f64);
}

struct Module {
    session: Session,
    /// Bytes from the page.
    input: Vec<u8>,
    /// The last answer, or the message that says why there is no answer.
    output: String,
}

static MODULE: Mutex<Option<Module>> = Mutex::new(None);

fn module<T>(then: impl FnOnce(&mut Module) -> T) -> T {
    let mut module: MutexGuard<'_, _> = MODULE.lock().unwrap_or_else(PoisonError::into_inner);
    let new = || Module { session: Session::default(), input: Vec::new(), output: String::new() };
    then(module.get_or_insert_with(new))
}

/// Address at which the page writes `length` bytes.
// SAFETY: nothing else in the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: u32) -> u32 {
    module(|module| {
        module.input = vec![0; length as usize];
        module.input.as_ptr() as u32
    })
}

/// Answers the question in the room. Returns 1 if there is an answer, and 0 if there is a message instead.
// SAFETY: nothing else in the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> u32 {
    module(|module| {
        let question = String::from_utf8_lossy(&std::mem::take(&mut module.input)).into_owned();
        let answer = module.session.answer(&question, &Page::default());
        module.say(answer)
    })
}

/// Opens the table in the room. Returns 1 or 0 like [`ask`].
// SAFETY: nothing else in the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> u32 {
    module(|module| {
        let answer = module.session.open(std::mem::take(&mut module.input));
        module.say(answer)
    })
}

impl Module {
    fn say(&mut self, answer: Answer) -> u32 {
        let is_answer = answer.is_ok();
        self.output = answer.unwrap_or_else(|error| error.to_string());
        u32::from(is_answer)
    }
}

/// Place of the answer or message.
// SAFETY: nothing else in the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> u64 {
    module(|module| place(module.output.as_bytes()))
}

/// Place of the session's table; its length is 0 if there is none.
// SAFETY: nothing else in the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn table() -> u64 {
    module(|module| place(module.session.table().unwrap_or_default()))
}

/// The address of `bytes` in the lower 32 bits, and their length in the upper 32 bits.
fn place(bytes: &[u8]) -> u64 {
    (bytes.len() as u64) << 32 | bytes.as_ptr() as u64
}

/// Passes progress on to the page, some hundred times for each computation.
#[derive(Default)]
struct Page {
    whole: AtomicU64,
    done: AtomicU64,
}

/// Number of reports for each computation.
const REPORTS: u64 = 500;

impl Progress for Page {
    fn whole(&self, entries: u64) {
        self.whole.store(entries, Relaxed);
        self.done.store(0, Relaxed);
    }

    fn advance(&self, entries: u64) {
        let before = self.done.fetch_add(entries, Relaxed);
        let (done, whole) = (before + entries, self.whole.load(Relaxed));
        let step = (whole / REPORTS).max(1);
        if done / step > before / step {
            progress(done as f64, whole as f64);
        }
    }
}
