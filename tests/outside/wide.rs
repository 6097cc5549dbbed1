//! A game whose distances need two bytes: the build widens its entries by itself, plans again, resumes, and its table is proved.
//!
//! The chase runs along a path of 24 cells, of which the last one loses. Each side has a piece on the path and another on a cell without
//! links. A piece behind another follows it, and the other one has to step on: a long win takes an even number of plies, for which
//! entries of one byte have no code.

use morpion_builder::plan::Plan;
use morpion_builder::{Options, build};
use morpion_core::{Encoding, Game};
use morpion_games::catalogue::Table;
use morpion_games::rules::parse;
use morpion_machine::progress::{Progress, Unobserved};
use morpion_solver::layout::lay_out;
use morpion_tests::error_text;
use morpion_verify::{Hex, verify};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};
use std::time::Duration;

fn chase() -> Game {
    let edges: Vec<String> = (0..23).map(|cell| format!("[{cell}, {}]", cell + 1)).collect();
    let text = format!(
        "name = \"chase\"\n[board]\ncells = 36\n[lines]\nsets = [[23]]\n[pieces]\neach = 2\n\
         [moves]\nto = \"edges\"\nedges = [{}]\n[goal]\nmisere = true",
        edges.join(", ")
    );
    parse("chase.toml", &text).unwrap()
}

/// Options with a checkpoint after every distance.
fn options() -> Options {
    Options { checkpoint: Duration::ZERO, ..Options::default() }
}

fn bytes(folder: &tempfile::TempDir) -> Vec<u8> {
    std::fs::read(folder.path().join("chase.morpion")).unwrap()
}

#[test]
fn distances_that_need_two_bytes_get_them_and_are_proved() {
    let folder = tempfile::tempdir().unwrap();
    build(&chase(), folder.path(), &Options::default(), &Unobserved).unwrap();
    let table = Table::from_source(bytes(&folder).into()).unwrap();
    assert_eq!(table.raw().header().encoding, Encoding::Plies16);
    let longest = table.raw().census().unwrap().longest_win.unwrap().plies;
    assert!(longest > 40 && longest % 2 == 0, "{longest} plies");
    let report = verify(&table, Hex([7; 32]), &Unobserved).unwrap();
    assert!(report.is_right(), "{report:?}");
}

/// The plan of a game gives upper bounds for both widths until the distances are known.
#[test]
fn a_plan_has_bounds_for_entries_of_two_bytes() {
    let (game, folder) = (chase(), tempfile::tempdir().unwrap());
    let plan = Plan::of(&lay_out(&game, None, &Unobserved).unwrap());
    let wide = plan.wide.expect("bounds, as there is movement");
    let built = build(&game, folder.path(), &Options::default(), &Unobserved).unwrap();
    assert!(2 * built.entries < built.bytes, "entries of two bytes");
    assert!(built.bytes <= wide.disk && plan.bounds.disk < wide.disk, "{plan:?} {built:?}");
    let planned = Plan::of(&lay_out(&game, Some(Encoding::Plies16), &Unobserved).unwrap());
    assert_eq!((planned.bounds, planned.wide), (wide, None));
    let classic = morpion_games::catalogue::standard_game("classic").unwrap();
    let plan = Plan::of(&lay_out(&classic, None, &Unobserved).unwrap());
    assert_eq!(plan.wide, None, "no game of nine half-moves needs two bytes");
}

#[test]
fn memory_is_checked_again_before_entries_become_wider() {
    let (game, folder) = (chase(), tempfile::tempdir().unwrap());
    let plan = Plan::of(&lay_out(&game, None, &Unobserved).unwrap());
    let (narrow, wide) = (plan.bounds.least_memory, plan.wide.unwrap().least_memory);
    assert!(narrow < wide);
    let enough_for = |memory| Options { memory: Some(memory), ..Options::default() };
    let refused = build(&game, folder.path(), &enough_for(wide - 1), &Unobserved).unwrap_err();
    let refused = error_text(&refused);
    assert!(refused.contains("of memory, but at most"), "{refused}");
    assert!(!folder.path().join("chase.morpion").exists());
    build(&game, folder.path(), &enough_for(wide), &Unobserved).unwrap();
}

#[test]
#[cfg_attr(not(has_tmpfs), ignore = "needs the right to mount a tmpfs")]
fn the_disk_is_checked_again_before_entries_become_wider() {
    let (game, folder) = (chase(), tempfile::tempdir().unwrap());
    let plan = |encoding| Plan::of(&lay_out(&game, Some(encoding), &Unobserved).unwrap());
    let (narrow, wide) = (plan(Encoding::Plies8).bounds.disk, plan(Encoding::Plies16).bounds.disk);
    let mount = |options: &str| {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(folder.path());
        assert!(mount.status().unwrap().success());
    };
    mount(&format!("size={}", (narrow + wide) / 2));
    let refused = build(&game, folder.path(), &options(), &Unobserved);
    mount(&format!("remount,size={}", wide + (1 << 20)));
    let built = build(&game, folder.path(), &options(), &Unobserved);
    assert!(Command::new("umount").arg(folder.path()).status().unwrap().success());
    let refused = error_text(&refused.unwrap_err());
    assert!(refused.contains("on disk in"), "{refused}");
    built.unwrap();
}

/// Stops when a distance is reached for the second time, with wide entries. Counts the reported distances.
struct StopAt {
    distance: u16,
    greatest: AtomicU16,
    times: AtomicU64,
    heard: AtomicU64,
}

impl StopAt {
    fn new(distance: u16) -> StopAt {
        let zero = || AtomicU64::new(0);
        StopAt { distance, greatest: AtomicU16::new(0), times: zero(), heard: zero() }
    }
}

impl Progress for StopAt {
    fn distance(&self, distance: u16) {
        self.heard.fetch_add(1, Ordering::Relaxed);
        self.greatest.fetch_max(distance, Ordering::Relaxed);
        if distance == self.distance {
            self.times.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn stop(&self) -> bool {
        self.times.load(Ordering::Relaxed) >= 2
    }
}

#[test]
fn a_stopped_build_with_wide_entries_resumes_with_them() {
    let whole = tempfile::tempdir().unwrap();
    build(&chase(), whole.path(), &Options::default(), &Unobserved).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let stopper = StopAt::new(10);
    let stopped = build(&chase(), folder.path(), &options(), &stopper).unwrap_err();
    assert!(stopped.to_string().contains("the same command resumes"), "{stopped}");
    let rest = StopAt::new(u16::MAX);
    build(&chase(), folder.path(), &options(), &rest).unwrap();
    assert!(bytes(&folder) == bytes(&whole), "another table than without a stop");
    // Neither the narrow entries nor the distances before the stop were computed again.
    let (heard, last) = (rest.heard.into_inner(), u64::from(rest.greatest.into_inner()));
    assert!(heard <= last - 10 + 2, "{heard} distances up to {last}");
}

/// Copies the files of a build when a distance is reached, as a kill at that moment would leave them.
struct CopyAt<'a> {
    distance: u16,
    from: &'a Path,
    to: &'a Path,
}

impl Progress for CopyAt<'_> {
    fn distance(&self, distance: u16) {
        if distance == self.distance {
            let rows = std::fs::read_dir(self.from.join(".chase.rows")).unwrap();
            let names = rows.map(|entry| Path::new(".chase.rows").join(entry.unwrap().file_name()));
            std::fs::create_dir(self.to.join(".chase.rows")).unwrap();
            for name in names.chain([".chase.partial".into()]) {
                std::fs::copy(self.from.join(&name), self.to.join(&name)).unwrap();
            }
        }
    }
}

#[test]
fn a_killed_build_with_wide_entries_resumes_with_them() {
    let [whole, killed] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    // Entries of one byte do not come so far.
    let copier = CopyAt { distance: 30, from: whole.path(), to: killed.path() };
    build(&chase(), whole.path(), &options(), &copier).unwrap();
    let rest = StopAt::new(u16::MAX);
    build(&chase(), killed.path(), &options(), &rest).unwrap();
    assert!(bytes(&killed) == bytes(&whole), "another table than without a kill");
    let (heard, last) = (rest.heard.into_inner(), u64::from(rest.greatest.into_inner()));
    assert!(heard <= last - 30 + 2, "{heard} distances up to {last}");
}
