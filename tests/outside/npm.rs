//! The packages for npm contain the licences and the changelog.

use morpion_tests::{needs, repository, run};
use std::process::Command;

#[test]
#[cfg_attr(not(has_node), ignore = "needs node")]
fn the_npm_packages_contain_licences_and_changelog() {
    needs(&["node"]);
    for folder in ["lookup/js", "tables"] {
        let folder = repository().join(folder);
        let packed = tempfile::tempdir().unwrap();
        let mut pack = Command::new("npm");
        pack.args(["pack", "--silent", "--pack-destination"]).arg(packed.path());
        run(pack.current_dir(&folder));
        let archive = std::fs::read_dir(packed.path()).unwrap().next().unwrap().unwrap().path();
        let list = String::from_utf8(run(Command::new("tar").arg("-tzf").arg(archive)).stdout);
        for file in ["LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md"] {
            let name = format!("package/{file}");
            assert!(list.as_ref().unwrap().lines().any(|line| line == name), "{name} is missing");
        }
    }
}
