//! The citation of a table, and the file that names the version to cite.

use morpion_tests::{built, morpion, repository, run};

#[test]
fn a_citation_names_version_year_fingerprint_and_checksum() {
    let citation = std::fs::read_to_string(repository().join("CITATION.cff")).unwrap();
    let value = |key: &str| {
        let line = citation.lines().find_map(|line| line.strip_prefix(&format!("{key}: ")));
        line.unwrap_or_else(|| panic!("{key}")).to_owned()
    };
    assert_eq!(value("version"), env!("CARGO_PKG_VERSION"));
    assert!(value("repository-code").starts_with("\"https://"));
    let output = run(&mut morpion(["info", "tapatan", "--bibtex"]));
    let entry = String::from_utf8(output.stdout).unwrap();
    let info = run(&mut morpion(["info", "tapatan", "--json"]));
    let info: serde_json::Value = serde_json::from_slice(&info.stdout).unwrap();
    for part in [
        "@misc{morpion-tapatan,\n".into(),
        format!("  year = {{{}}},\n", &value("date-released")[..4]),
        format!("morpion {}}}", env!("CARGO_PKG_VERSION")),
        format!("\\texttt{{{}}}", info["fingerprint"].as_str().unwrap()),
        "start: win in 9 plies, 886 entries".into(),
        format!("BLAKE3 {}}}", info["blake3"].as_str().unwrap()),
        "author = {{The morpion authors}}".into(),
    ] {
        assert!(entry.contains(&part), "{part}: {entry}");
    }
    assert_eq!(entry.matches('{').count(), entry.matches('}').count());
    let folder = tempfile::tempdir().unwrap();
    let rules =
        "name = \"brace\"\ntitle = \"a } b\"\n[board]\nrows = 2\ncolumns = 2\n[lines]\nlength = 2";
    std::fs::write(folder.path().join("brace.toml"), rules).unwrap();
    built(folder.path(), &[folder.path().join("brace.toml").to_str().unwrap()]);
    let output = run(morpion(["info", "brace", "--bibtex", "--tables"]).arg(folder.path()));
    let entry = String::from_utf8(output.stdout).unwrap();
    assert!(entry.contains("title = {{a \\textbraceright{} b}}"), "{entry}");
    assert!(!entry.contains("author"), "rules of somebody else: {entry}");
    assert_eq!(entry.matches('{').count(), entry.matches('}').count());
    let output = morpion(["info", "kayles", "--bibtex"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}
