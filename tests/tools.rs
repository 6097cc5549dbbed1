//! The tools that some tests need in addition to a Rust toolchain, and the search for each.
//!
//! `build.rs` looks for them when the tests are compiled and sets `cfg(has_node)` and the like, so that a test whose tool is
//! missing is listed as ignored. The tests check again, so that an ignored test that is run explicitly names the missing tool.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A tool: its name, and a function that checks whether it is installed.
pub type Tool = (&'static str, fn() -> bool);

/// All tools; in the name of its cfg a tool has `_` for `-`.
pub const TOOLS: &[Tool] = &[
    ("cc", || ["cc", "c++", "make", "readelf", "nm"].iter().all(|tool| runs(tool, &["--version"]))),
    ("pkg-config", || runs("pkg-config", &["--version"])),
    ("cmake", || runs("cmake", &["--version"])),
    ("valgrind", || runs("valgrind", &["--version"])),
    ("cbindgen", || runs("cbindgen", &["--version"])),
    ("node", || runs("node", &["--version"])),
    ("chromium", || chromium().is_some()),
    ("playwright-core", || browser().join("node_modules/playwright-core").is_dir()),
    ("axe-core", || browser().join("node_modules/axe-core").is_dir()),
    ("deno", || runs("deno", &["--version"])),
    ("bun", || runs("bun", &["--version"])),
    ("xxhash", || reader().join("node_modules/xxhash-wasm").is_dir()),
    ("module", || {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../generator/serve/web/morpion.wasm").is_file()
    }),
    ("npm-packages", || packages().join("node_modules/tictactoe-ai").is_dir()),
    ("coq", || runs("coqc", &["--version"]) && runs("ocamlopt", &["-version"])),
    ("python3", || runs(&python(), &["-c", "import sys; sys.exit(sys.version_info < (3, 11))"])),
    ("maturin", || runs(&python(), &["-m", "maturin", "--version"])),
    ("pytest", || runs(&python(), &["-m", "pytest", "--version"])),
    ("open-spiel", || runs(&python(), &["-c", "import pyspiel"])),
    ("pettingzoo", || runs(&python(), &["-c", "import pettingzoo, pygame"])),
    ("easyai", || runs(&python(), &["-c", "import easyAI"])),
    ("jsonschema", || runs(&python(), &["-c", "import jsonschema"])),
    ("schemathesis", || runs(&python(), &["-c", "import schemathesis.cli"])),
    ("openapi-python-client", || runs(&python(), &["-m", "openapi_python_client", "--version"])),
    ("nginx", || runs("nginx", &["-v"])),
    ("caddy", || runs("caddy", &["version"])),
    ("apache2", || runs("apache2", &["-v"])),
    ("systemd", || runs("systemd-socket-activate", &["--version"])),
    ("tmux", || runs("tmux", &["-V"])),
];

/// Features of the machine that cannot be installed: instruction sets, and the right to mount a small file system. Without them,
/// a test that needs one is listed as ignored, even if `MORPION_REQUIRE_TOOLS` is set.
pub const MACHINE: &[Tool] = &[("avx2", avx2), ("avx512", avx512), ("tmpfs", tmpfs)];

/// Checks that a command runs and succeeds.
fn runs(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    let status = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// The folder of the browser tests, whose `npm ci` installs playwright-core and axe-core.
pub fn browser() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("browser")
}

/// The folder of the JavaScript reader, whose `npm ci` installs the sums of packed tables that its tests write.
pub fn reader() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../lookup/js")
}

/// The folder of the tests of the npm packages, whose `npm ci` installs bundlers, TypeScript, boardgame.io and other engines.
pub fn packages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("packages")
}

/// The browser.
pub fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let mut files =
        std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    files.find(|file| file.is_file())
}

/// The interpreter that has maturin and pytest: `PYTHON`, else `python3`.
pub fn python() -> String {
    std::env::var("PYTHON").unwrap_or_else(|_| "python3".into())
}

#[cfg(target_arch = "x86_64")]
fn avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2")
}

#[cfg(target_arch = "x86_64")]
fn avx512() -> bool {
    avx2() && is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512dq")
}

#[cfg(not(target_arch = "x86_64"))]
fn avx2() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
fn avx512() -> bool {
    false
}

/// Mounts a small file system on an empty folder and unmounts it again.
fn tmpfs() -> bool {
    let folder = std::env::temp_dir().join(format!("morpion-tmpfs-{}", std::process::id()));
    let Ok(()) = std::fs::create_dir(&folder) else { return false };
    let path = folder.display().to_string();
    let is_mounted = runs("mount", &["-t", "tmpfs", "-o", "size=64k", "tmpfs", &path]);
    let is_free = !is_mounted || runs("umount", &[&path]);
    std::fs::remove_dir(&folder).is_ok() && is_mounted && is_free
}
