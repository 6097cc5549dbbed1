//! The small tables that every language's tests read are those the builder makes of the rules beside them.

use std::path::Path;

#[test]
fn the_builder_makes_the_tables_of_the_conformance_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("lookup/conformance");
    let out = tempfile::tempdir().unwrap();
    for (name, encoding) in [("six", "plies"), ("fano", "plies"), ("classic-wdl", "wdl")] {
        let rules = root.join(format!("rules/{name}.toml"));
        let status = morpion_tests::morpion(["build", "--encoding", encoding, "--rules"])
            .arg(rules)
            .arg("--out")
            .arg(out.path())
            .output()
            .unwrap();
        assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
        let file = format!("{name}.morpion");
        let built = std::fs::read(out.path().join(&file)).unwrap();
        let kept = std::fs::read(root.join("tables").join(&file)).unwrap();
        assert!(built == kept, "{file} is not what the builder makes");
    }
}
