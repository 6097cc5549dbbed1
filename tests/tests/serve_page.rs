//! The files of the page, as they are served and as they are exported.

mod server;

use morpion_tests::{built, morpion};
use serde_json::{Value, json};
use server::Server;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[test]
fn the_page_is_whole_and_loads_nothing_from_elsewhere() {
    let server = Server::start(&["classic"]);
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert!(page.header("content-security-policy").unwrap().contains("default-src 'none'"));
    let mut found = BTreeSet::from(["index.html".to_owned()]);
    let mut open = vec![("index.html".to_owned(), page.body.clone())];
    while let Some((name, text)) = open.pop() {
        let foreign = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!foreign.contains("http://") && !foreign.contains("https://"), "{name}");
        for part in text.split('"') {
            let file = part.trim_start_matches("./");
            let is_file = [".js", ".css", ".svg"].iter().any(|ending| file.ends_with(ending));
            if is_file && file.len() > 4 && !file.contains(' ') && found.insert(file.to_owned()) {
                let response = server.get(&format!("/{file}"));
                assert_eq!(response.status, 200, "{file} in {name}");
                open.push((file.to_owned(), response.body));
            }
        }
    }
    assert!(found.len() >= 10, "{found:?}");
    let tag = page.header("etag").unwrap();
    let again = format!(
        "GET / HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: {tag}\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(server.send(again.as_bytes()).status, 304);
    let head = server.ask("HEAD", "/", None);
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert_eq!(head.header("content-length").unwrap(), page.body.len().to_string());
}

#[test]
fn an_export_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("a/site");
    let run =
        |games: &[&str]| morpion(["serve", "--export"]).arg(&site).args(games).output().unwrap();
    let output = run(&["classic", "swap"]);
    assert!(output.status.success(), "{output:?}");
    let server = Server::start(&["classic", "swap"]);
    let read = |name: &str| std::fs::read_to_string(site.join(name)).unwrap();
    assert_eq!(read("index.html"), server.get("/").body);
    assert_eq!(read("data/swap.json"), server.get("/api/v1/games/swap").body);
    let games: Value = serde_json::from_str(&read("data/games.json")).unwrap();
    assert_eq!(games, server.get("/api/v1/games").json());
    assert_ne!(read("source.js"), server.get("/source.js").body);
    for game in ["classic", "swap"] {
        let table = std::fs::read(site.join("data").join(format!("{game}.morpion"))).unwrap();
        assert_eq!(table, morpion_lookup::builtin(game).unwrap().source().as_ref());
    }
    let reader = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../lookup/js");
    for file in std::fs::read_dir(&reader).unwrap().map(|file| file.unwrap().path()) {
        let name = file.file_name().unwrap().to_str().unwrap();
        // The package's own entry has built-in tables beside the reader, which no page needs.
        if name.ends_with(".js") && name != "index.js" {
            assert_eq!(read(&format!("reader/{name}")), std::fs::read_to_string(&file).unwrap());
        }
    }
    for name in ["fzstd/fzstd.js", "fzstd/LICENSE"] {
        let expected = std::fs::read_to_string(reader.join(name)).unwrap();
        assert_eq!(read(&format!("reader/{name}")), expected);
    }
    let blocked = folder.path().join("a/site/index.html");
    let output = morpion(["serve", "classic", "--export"]).arg(blocked).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn a_large_table_is_exported_packed_whether_it_is_packed_already_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, packed) = (folder.path().join("plain"), folder.path().join("packed"));
    built(&packed, &["teeko", "--packed"]);
    let unpacked = morpion(["unpack", "teeko", "--out"])
        .args([&plain, Path::new("--tables"), &packed])
        .output()
        .unwrap();
    assert!(unpacked.status.success(), "{unpacked:?}");
    let expected = std::fs::read(packed.join("teeko.morpion.zst")).unwrap();
    for tables in [plain, packed] {
        let site = folder.path().join("site");
        let output = morpion(["serve", "teeko", "swap", "--export"])
            .args([&site, Path::new("--tables"), &tables])
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let files = std::fs::read_to_string(site.join("data/tables.json")).unwrap();
        let files: Value = serde_json::from_str(&files).unwrap();
        assert_eq!(files, json!({"swap": "swap.morpion", "teeko": "teeko.morpion.zst"}));
        let exported = std::fs::read(site.join("data/teeko.morpion.zst")).unwrap();
        assert!(exported == expected, "teeko from {}", tables.display());
        std::fs::remove_dir_all(site).unwrap();
    }
}
