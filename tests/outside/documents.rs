//! Documents: their Rust is compiled, and their commands install nothing that is not ours.

use morpion_tests::{needs, repository, run};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files of the repository with one of these extensions.
fn files(extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![repository()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap_or_default();
            if path.is_symlink() || ["target", "node_modules", "dist", ".git"].contains(&name) {
                continue;
            } else if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| extensions.iter().any(|&e| end == e)) {
                found.push(path);
            }
        }
    }
    found
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn all_rust_in_documents_is_compiled() {
    // Documents that are the documentation of an item, whose examples `cargo test` compiles.
    let mut compiled = Vec::new();
    for source in files(&["rs"]) {
        for line in text(&source).lines().map(str::trim) {
            let included = line.strip_prefix("#[doc = include_str!(\"");
            if let Some(page) = included.and_then(|line| line.strip_suffix("\")]")) {
                compiled.push(source.parent().unwrap().join(page).canonicalize().unwrap());
            }
        }
    }
    let mut examples = 0;
    for page in files(&["md"]) {
        for line in text(&page).lines().filter(|line| line.trim().starts_with("```rust")) {
            let page = page.canonicalize().unwrap();
            assert!(compiled.contains(&page), "{}: the Rust is not compiled", page.display());
            let kinds = ["```rust", "```rust,no_run"];
            assert!(kinds.contains(&line.trim()), "{}: {line}", page.display());
            examples += 1;
        }
        // In a line of text, an expression with `?` is an example that nobody compiles.
        for span in text(&page).split('`').skip(1).step_by(2) {
            let is_expression = span.contains("::") && span.contains(")?");
            assert!(!is_expression, "{}: {span}: move it to a block", page.display());
        }
    }
    assert!(examples >= 5, "{examples} examples");
}

/// Commands that install packages by name from a registry.
const INSTALLERS: [&str; 8] = [
    "pip install",
    "pip3 install",
    "uv add",
    "npm install",
    "npm i ",
    "yarn add",
    "cargo add",
    "cargo install",
];

/// The words of a line that an installer takes as names of a registry.
fn installed(line: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for command in INSTALLERS {
        for (at, _) in line.match_indices(command) {
            let rest = line[at + command.len()..].split(['`', '#', ';', '|', ')', '"', '&']).next();
            let words: Vec<&str> = rest.unwrap_or_default().split_whitespace().collect();
            let is_local = |word: &&str| word.starts_with(['.', '/', '-']);
            match words.iter().any(|&word| word == "--path" || word == "--requirement") {
                true => {}
                false => names.extend(words.into_iter().filter(|word| !is_local(word))),
            }
        }
    }
    names
}

#[test]
fn no_command_installs_a_package_of_our_name_from_a_registry() {
    let mut commands = 0;
    for path in files(&["md", "py", "js", "mjs", "ts", "toml", "html", "rs", "h", "c", "cpp"]) {
        if path.ends_with("tests/outside/documents.rs") {
            continue;
        }
        for line in text(&path).lines() {
            commands += usize::from(INSTALLERS.iter().any(|command| line.contains(command)));
            for name in installed(line) {
                // Nothing of this project is published, so whatever a registry has under such a name is a stranger's.
                let is_ours = name.trim_matches('\'').starts_with("morpion");
                assert!(!is_ours, "{}: {line}: install it from its folder", path.display());
            }
        }
    }
    assert!(commands > 5, "{commands} commands");
    assert_eq!(installed("`pip install morpion` installs"), ["morpion"]);
    assert_eq!(installed("pip install ./lookup/python"), [""; 0]);
    assert_eq!(installed("npm install morpion boardgame.io"), ["morpion", "boardgame.io"]);
    assert_eq!(installed("cargo install --path generator"), [""; 0]);
}

/// The library and the tables have the same names as packages of each language.
#[test]
fn the_packages_have_the_same_names_in_every_language() {
    for (folder, manifest, name) in [
        ("lookup", "Cargo.toml", "name = \"morpion-lookup\""),
        ("lookup/python", "pyproject.toml", "name = \"morpion-lookup\""),
        ("lookup/js", "package.json", "\"name\": \"morpion-lookup\""),
        ("tables", "Cargo.toml", "name = \"morpion-tables\""),
        ("tables", "package.json", "\"name\": \"morpion-tables\""),
    ] {
        let folder = repository().join(folder);
        let manifest = text(&folder.join(manifest));
        let found = manifest.lines().find(|line| line.contains("name")).unwrap();
        assert_eq!(found.trim().trim_end_matches(','), name, "{}", folder.display());
    }
    for folder in ["lookup", "lookup/python", "lookup/js", "lookup/grundy", "lookup/c", "tables"] {
        let page = text(&repository().join(folder).join("README.md"));
        let says = ["Nothing is on", "not published yet", "No package of any system"];
        assert!(says.iter().any(|words| page.contains(words)), "{folder}: is it published?");
    }
}

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
