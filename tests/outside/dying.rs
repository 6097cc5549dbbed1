//! Kills a build at a given safe point, so that its progress does not depend on a clock.
//!
//! The process that builds and kills itself is this test binary, started with the test `process` and a task.

use morpion_builder::{Options, build};
use morpion_games::rules;
use morpion_machine::progress::Progress;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Environment variable with the task of the process, in JSON.
const TASK: &str = "MORPION_DYING_TASK";

/// Kills the process `left` safe points after `file` appears.
struct DieAfter {
    file: PathBuf,
    left: AtomicU64,
}

impl Progress for DieAfter {
    fn stop(&self) -> bool {
        let none_is_left = |left: u64| left.checked_sub(1);
        if self.file.exists()
            && self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, none_is_left).is_err()
        {
            let process = std::process::id().to_string();
            let status = Command::new("kill").args(["-KILL", &process]).status();
            unreachable!("the process is gone: {status:?}");
        }
        false
    }
}

/// A build that saves every checkpoint, and is killed `later` safe points after the first one.
pub struct Dying<'a> {
    /// The rule file.
    pub rules: &'a Path,
    /// The folder of the table.
    pub out: &'a Path,
    pub memory: Option<u64>,
    pub packed: bool,
    /// The file that exists after the first checkpoint.
    pub kept: &'a Path,
    pub later: u64,
}

impl Dying<'_> {
    /// Runs the build. Returns true if the process was killed before it finished.
    pub fn build(&self) -> bool {
        let task = json!({"rules": self.rules, "out": self.out, "memory": self.memory, "packed": self.packed,
            "kept": self.kept, "later": self.later});
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "dying::process", "--ignored", "--nocapture"])
            .env(TASK, task.to_string())
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        // A killed process has no exit code.
        assert!(matches!(output.status.code(), Some(0) | None), "{error}");
        output.status.code().is_none()
    }
}

#[test]
#[ignore = "no test: a process of the tests"]
fn process() {
    let Ok(task) = std::env::var(TASK) else { return };
    let task: Value = serde_json::from_str(&task).unwrap();
    let path = |key: &str| PathBuf::from(task[key].as_str().unwrap());
    let (file, out) = (path("rules"), path("out"));
    let text = std::fs::read_to_string(&file).unwrap();
    let game = rules::parse(file.file_name().unwrap().to_str().unwrap(), &text).unwrap();
    let options = Options {
        memory: task["memory"].as_u64(),
        checkpoint: Duration::ZERO,
        packing: (task["packed"] == true).then(Default::default),
        ..Options::default()
    };
    let later = AtomicU64::new(task["later"].as_u64().unwrap());
    build(&game, &out, &options, &DieAfter { file: path("kept"), left: later }).unwrap();
}
