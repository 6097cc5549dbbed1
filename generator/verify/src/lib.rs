//! Proof of a table by forward moves.
//!
//! The proof has its own code for ranks, moves and values. So the proof finds errors of the solver, and the solver's tables show errors of
//! the proof. The section on trust lists the code that both share.
//!
//! # What is proved
//!
//! - The game as data and the places of all sections follow from the rule text in the table (`derived`).
//! - The symmetries are a group that keeps the rules, and are the group that the format prescribes. The maps send every
//!   set to the least set of its orbit, by the first symmetry that leads there (`keys`).
//! - Every entry has the value that the entries of its children require. In plain games two sums of each layer are compared (`required`);
//!   in other games every entry is compared with each of its children (`direct`). The entries of finished positions have the value that the
//!   rules give them. An entry is "no position" if and only if a line ends the game for the side that makes it and the mover owns one.
//! - Draws that end are traced to finished games (`ends`), because a cycle of draws must not be marked as ending.
//! - The census is counted again (`census`).
//!
//! It follows that all values are right. A win in d plies has a child that is lost in d − 1. A loss in d has only won
//! children, and the longest of these wins takes d − 1. Distances fall with every move, so each win leads to a finished
//! game, and no win depends on a cycle. A draw has a drawing child and no lost child, so neither side can be forced to
//! leave the draws.
//!
//! This argument needs only that every entry agrees with the entries of its children, wherever these are. So it also holds if a turn leads
//! to other layers, or to positions that have no entry because the game is over: the rules give the scores of such positions.
//!
//! The file `tests/theorem/README.md` in the repository has this argument as a theorem, proved in Coq: a table whose entries fulfil 13
//! conditions is right. The file compares each condition with this proof.
//!
//! # Plain games and others
//!
//! In a *plain* game a turn changes the mover's pieces alone, and the next sections apply. If pieces are taken or pushed, or age, the
//! children of a row are in several rows and layers. Then `direct` compares every entry with all of its children. This comparison is exact:
//! it has neither a key nor a bound on the error. Entries in the layers of the children are read in any order, so such a table is proved as
//! a whole.
//!
//! `waiters` checks all positions with one waiter together. If nothing is taken, the children of these positions are in one row
//! (`children`). The children by one push are in two rows, with and without a new piece (`pushing`). The code that each position must have
//! is compared with all entries of the position. So a fault of any entry is found, even if other images of the entry are right.
//!
//! The faults themselves are found entry by entry: `turns` makes the moves of one position, and `keys` finds the places of the children.
//! Entries of one row that are images of each other are then checked one by one. Layers with turns that `waiters` does not know are always
//! checked in this way, and so are all layers if pieces age: about 0.4 µs of processor time an entry.
//!
//! # Why two methods
//!
//! Sums could replace the comparison of entries, but the children would still have to be read. The required value is the greatest
//! preference of all children, and a maximum is not a sum. If a piece is taken, the children are in a different row for each taken piece,
//! so entries of these rows would be read in any order with sums too. A table could then be proved in parts, but each part would read
//! nearly all of the layers after takes. So `direct` is still needed.
//!
//! Without `waiters`, a proof takes 8 to 10 times as long: 0.92 instead of 0.11 processor seconds for six-mens-morris, 11.3 instead of 1.2
//! for seven-mens-morris, and 3.4 instead of 0.34 for quixo4. The proofs of nine men's morris, Morabaraba and Quixo on 5×5 took 2,800 to
//! 14,200 seconds with `waiters`.
//!
//! # Why one pass is enough
//!
//! This section and the next two are about plain games.
//!
//! Write a position as (A, B): A is the set of the mover's cells, and B the set of the waiter's cells. A *class* is an orbit of
//! positions under the group G. A *representative* is the least set of an orbit of sets. The table has a row for every
//! representative A, and the row has an entry for every B.
//!
//! A move keeps the cells of the waiter, who moves next. So the children of all positions (A, B) with the same B are positions whose mover
//! has the cells B. If B is a representative, the entries of all these children are one row of the table, and they require a value r(A, B)
//! for each A. The stored value s(A, B) lies in another row if A is not B. The proof does not look up this entry. Instead it compares two
//! sums over the layer, for a random function h of classes and values, which the next section defines:
//!
//! - **required**: over all positions (A, B) whose B is a representative, the sum of |orbit of B| · h(class of (A, B), r(A, B));
//! - **stored**: over all entries (A, B), whose A is a representative, the sum of |orbit of A| · h(class of (A, B), s(A, B)).
//!
//! If two entries of one row are images of each other under the stabiliser of its representative, they are compared directly. If all such
//! entries are equal, then s depends only on the class. The value r also depends only on the class, because a symmetry maps children to
//! children. Take a class C with n positions. G permutes the orbit of B transitively, so each set of this orbit is the waiter in the same
//! number of positions of C. Hence n / |orbit of B| positions of C have the representative as their waiter, and C adds n · h(C, r(C)) to
//! the required sum. In the same way it adds n · h(C, s(C)) to the stored sum. The difference is
//! > D = ∑ n(C) · (h(C, r(C)) − h(C, s(C))), over all classes C of the layer.
//!
//! If all entries are right, D is zero for every h.
//!
//! # The bound on the error
//!
//! The sum is a fingerprint of a multiset, as in Blum, Evans, Gemmell, Kannan and Naor: *Checking the correctness of memories*,
//! Algorithmica 12, 1994. This section shows why a wrong layer is found, with the numbers of this program.
//!
//! Let p = 2⁶¹ − 1, which is prime. For each cell c draw two elements of the field of p elements, x(c) and y(c). For
//! each bit i of a value draw an element z(i). All are uniform and independent. One more element z is for values that
//! the encoding cannot represent. The class of (A, B) has the name (A', B'): A' is the least set of the orbit of A, and
//! B' is the least image of B under the symmetries that map A to A'. Different classes have different names. Define
//!
//! > h((A', B'), v) = ∏ x(c) over c in A' · ∏ y(c) over c in B' · ∏ z(i) over the bits i that are 1 in v.
//!
//! Seen as a polynomial in these elements, each h(C, v) is one monomial with coefficient 1, and different pairs (C, v) have
//! different monomials. So D is a polynomial, and if r(C) and s(C) differ, its coefficient at the monomial of (C, r(C)) is
//! n(C). No other term can cancel it. As 0 < n(C) ≤ |G| < p, the coefficient is not zero in the field, and D is not the zero
//! polynomial. Its degree is at most d, the number of cells plus the bits of an entry. By the lemma of Schwartz and Zippel, a
//! polynomial of degree d that is not zero vanishes at a random point with a probability of at most d / p.
//!
//! Two lanes compute the sums with independent elements, and the sums must agree in both lanes. So **a wrong layer has equal sums with a
//! probability of at most (d / p)²**. For 36 cells and entries of two bytes that is (52 / (2⁶¹ − 1))² < 2⁻¹¹⁰. A table with several wrong
//! layers passes only if all of them have equal sums, so the bound holds for the whole table.
//!
//! A prime modulus matters. Modulo 2⁶⁴ a coefficient n(C) = 2ᵏ would lose k bits, and the orders of most groups are even.
//!
//! The statement has two conditions. The table must be fixed before the key is drawn, which a fresh key for every run
//! ensures: the caller draws 256 bits from the operating system. The elements are the output of ChaCha20 for the key,
//! so the bound holds if this output cannot be distinguished from random numbers.
//!
//! # Parts
//!
//! Several machines can prove one table with one key: the sums of their rows are added. Each part compares every MiB that it reads with the
//! list of checksums in the table, and hashes it with BLAKE3. [`sum`] refuses parts with different headers, censuses or keys, and parts
//! that have read different bytes in one MiB. [`sum`] joins the hashes to the BLAKE3 hash of the whole file. So the parts prove one file,
//! which this hash identifies, even if somebody has made files whose checksums collide.
//!
//! Three conditions remain. The machines are trusted: whoever can edit the result of a part can forge a proof. No file
//! may change while it is read. And all parts know the key, so the bound holds only for a table that was complete
//! before the key was drawn.
//!
//! # What is trusted
//!
//! Both the solver and the proof use the following code. An error in this code affects both in the same way, so other tests have to find
//! it. Paths are relative to the repository; `solved` is `generator/builder/tests/solved`.
//!
//! | shared code | use in the proof | tests that would find an error |
//! |---|---|---|
//! | `morpion_games::rules`: rule files | the game of the rule text, which the game of the table must equal | `solved/brute.rs` reads games from its own description; `tests/outside/facts.rs` compares with other programs |
//! | [`Game`](morpion_core::Game): lines, the graph of layers and steps, final scores | all values. The proof takes the lines, the graph and, in plain games, the final scores; `required.rs`, `children.rs` and `turns.rs` interpret the steps by themselves, `pushing.rs` takes pushes from `turns.rs`, and `turns.rs` finds lines, ends and scores by itself | `solved/brute.rs`, `solved/kinds.rs` and `solved/vectors.rs` compare with a definition that reads the rules again |
//! | `Header::from_bytes`, `Header::padding`, `Header::file_length` | the places of the sections, the bytes between them, and the length of the file | readers of other languages find all entries of `lookup/conformance` there |
//! | `morpion_games::reach::groups::divided` | layer groups, from the layers that `turns.rs` finds after each turn | `generator/games/tests/games/layer_groups.rs` |
//! | `morpion_games::symmetry::group` | the group, and products of symmetries; the proof checks that the group is closed and keeps the rules, but not that it is complete | `generator/games/tests/games/symmetries.rs` |
//! | `LayerCensus::add` | the census, from the counts of codes | `tests/outside/bytes.rs` builds the tables whose census `solved/vectors.rs` and readers of all languages compare with a definition |
//! | [`rank`](morpion_core::rank): binomials, ranks, subsets | columns, and places in maps | tests next to the code; `solved/brute.rs` reads every entry by its position |
//! | [`Encoding`](morpion_core::Encoding) | codes and scores | tests of `scale.rs`; `solved/entry.rs`; the vectors of `lookup/conformance`, which readers in other languages answer |
//! | [`Table`](morpion_lookup::Table), its header, its source, packed files | reading | `lookup/tests`; `lookup/js` has its own reader, and answers the same vectors |
//! | `morpion_machine::isa` | columns of entries that are checked by waiters | tests next to the code; `solved/brute.rs` reads every entry by its position |
//! | `morpion_machine::threads` | sharing rows among threads | `tests/outside/bytes.rs`; `solved/proved.rs` compares the number of checked entries |
//!
//! Outside the project, the proof trusts ChaCha20 (`chacha20`), BLAKE3 (`blake3`), the operating system's random numbers,
//! and the compiler. `solved/faults.rs` plants every kind of fault in tables, and `sums.rs` compares the rate of missed
//! faults with its bound in a small field.
//!
//! # If the sums differ
//!
//! The entries of the layer are checked one by one against their children (`entry`), and reported with their positions. If no wrong
//! entry is found in the layer or among its children, the sums themselves are reported. A table whose sums differ is never called right.

mod census;
mod codes;
mod derived;
mod direct;
mod ends;
mod entry;
mod fault;
mod file;
mod halves;
mod hex;
mod keys;
mod parts;
mod proof;
mod report;
mod sample;
mod scale;
mod sums;
mod turns;
mod whole;

pub use fault::{Fault, Unfinished};
pub use hex::Hex;
pub use parts::joined::{SumError, sum};
pub use parts::part::Part;
pub use parts::partial::{PartialProof, verify_part};
pub use report::{CONDITION, Certainty, Method, Report};
pub use sums::hash::Key;
pub use sums::layer_sums::{CodeCount, LayerSums};
pub use whole::{verify, verify_checksums, verify_sample};
