//! The files of the page, served and exported.

use morpion_core::Source;
use morpion_tests::server::{Response, Server};
use morpion_tests::{built, morpion};
use serde_json::Value;
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
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        for part in text.split('"') {
            let file = match part.strip_prefix("./") {
                Some(beside) if !folder.is_empty() => format!("{folder}/{beside}"),
                _ => part.trim_start_matches("./").to_owned(),
            };
            let is_file = [".js", ".css", ".svg", ".html"].iter().any(|end| file.ends_with(end));
            if is_file && file.len() > 4 && !file.contains(' ') && found.insert(file.clone()) {
                let response = server.get(&format!("/{file}"));
                assert_eq!(response.status, 200, "{file} in {name}");
                // A document about the page may link to other places, but loads nothing from there.
                if !file.ends_with(".html") {
                    open.push((file, response.body));
                }
            }
        }
    }
    for file in ["about/atlas.html", "about/explorer.html", "reader/table.js"] {
        assert!(found.contains(file), "{file}: {found:?}");
    }
    let tag = page.header("etag").unwrap();
    for (tags, status) in [
        (tag, 304),
        (&format!("W/{tag}"), 304),
        (&format!("\"other\", {tag}"), 304),
        ("*", 304),
        ("\"other\"", 200),
    ] {
        assert_eq!(asked(&server, "/", &format!("If-None-Match: {tags}")).status, status, "{tags}");
    }
    // Each way to write a file has a tag of its own.
    let packed = asked(&server, "/", "Accept-Encoding: br, gzip");
    assert_eq!((packed.status, packed.header("content-encoding")), (200, Some("gzip")));
    assert_eq!(packed.header("vary"), Some("accept-encoding"));
    let other = packed.header("etag").unwrap();
    assert_ne!(other, tag);
    let length = |response: &Response| -> u64 {
        response.header("content-length").unwrap().parse().unwrap()
    };
    assert!(length(&packed) < length(&page));
    let again = format!("Accept-Encoding: gzip\r\nIf-None-Match: {other}");
    assert_eq!(asked(&server, "/", &again).status, 304);
    let head = server.ask("HEAD", "/", None);
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert_eq!(head.header("content-length").unwrap(), page.body.len().to_string());
}

/// Asks for a file with one more header.
fn asked(server: &Server, path: &str, header: &str) -> Response {
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{header}\r\nConnection: close\r\n\r\n");
    server.send(request.as_bytes())
}

#[test]
fn tables_are_served_by_ranges() {
    let server = Server::start(&["classic"]);
    let path = "/data/games/classic.morpion";
    let table = morpion_lookup::Table::builtin("classic").unwrap();
    let bytes = table.source().in_memory().unwrap();
    let size = bytes.len();
    let head = server.ask("HEAD", path, None);
    assert_eq!((head.status, head.header("accept-ranges")), (200, Some("bytes")));
    assert_eq!(head.header("content-length").unwrap(), size.to_string());
    let tag = head.header("etag").unwrap();
    for (range, status, content) in [
        ("bytes=0-15", 206, format!("bytes 0-15/{size}")),
        (&format!("bytes=-{}", size - 1), 206, format!("bytes 1-{}/{size}", size - 1)),
        (&format!("bytes={}-", size - 3), 206, format!("bytes {}-{}/{size}", size - 3, size - 1)),
        (&format!("bytes=16-{size}0"), 206, format!("bytes 16-{}/{size}", size - 1)),
        (&format!("bytes=16-{}", u64::MAX), 206, format!("bytes 16-{}/{size}", size - 1)),
        (&format!("bytes={size}-"), 416, format!("bytes */{size}")),
        ("bytes=5-4", 416, format!("bytes */{size}")),
        ("bytes=0-1,4-5", 200, String::new()),
        ("cells=0-1", 200, String::new()),
        (&format!("bytes=0-15\r\nIf-Range: {tag}"), 206, format!("bytes 0-15/{size}")),
        ("bytes=0-15\r\nIf-Range: \"other\"", 200, String::new()),
    ] {
        let part = asked(&server, path, &format!("Range: {range}"));
        let found = part.header("content-range").unwrap_or_default();
        assert_eq!((part.status, found), (status, &*content), "{range}");
        let sent = match content.strip_prefix("bytes ").and_then(|content| content.split_once('/'))
        {
            Some(("*", _)) => &[],
            Some((sent, _)) => {
                let (first, last) = sent.split_once('-').unwrap();
                &bytes[first.parse().unwrap()..=last.parse().unwrap()]
            }
            None => bytes,
        };
        assert_eq!(part.body, String::from_utf8_lossy(sent), "{range}");
    }
    assert_eq!(asked(&server, path, &format!("If-None-Match: {tag}")).status, 304);
    let rules = server.get("/data/games/nine-mens-morris.toml");
    assert!(rules.status == 200 && rules.body.contains("nine-mens-morris"), "{rules:?}");
    for path in ["games/nope.morpion", "games/classic", "games/classic.zip", "nope.json"] {
        assert_eq!(server.get(&format!("/data/{path}")).status, 404, "{path}");
    }
}

#[test]
fn other_sites_show_the_page_in_a_frame_only_if_they_are_named() {
    let policy = |arguments: &[&str]| {
        let page = Server::start(arguments).get("/");
        let policy = page.header("content-security-policy").unwrap();
        policy.rsplit_once("frame-ancestors ").unwrap().1.to_owned()
    };
    assert_eq!(policy(&["classic"]), "'none'");
    let named = ["--embed", "https://school.example/", "--embed", "http://localhost:*"];
    assert_eq!(
        policy(&[&["classic"], &named[..]].concat()),
        "https://school.example http://localhost:*"
    );
    assert_eq!(policy(&["classic", "--embed", "*"]), "*");
    for site in
        ["school.example", "https://school.example/page", "https://a b", "https://", "'self'"]
    {
        let refused = morpion(["serve", "classic", "--embed", site]).output().unwrap();
        assert_eq!(refused.status.code(), Some(2), "{site}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains("https://school.example"));
    }
}

#[test]
fn documents_are_pages_that_load_only_the_style() {
    let server = Server::start(&["classic"]);
    let atlas = server.get("/about/atlas.html").body;
    assert!(atlas.contains(">Atlas of the morpion family</h1>"), "{}", &atlas[..2000]);
    // Contents lead to the sections, and sections to the page of the game.
    for expected in ["<a href=\"#rota\">", "<h2 id=\"rota\">", "<a href=\"../#/rota\">"] {
        assert!(atlas.contains(expected), "{expected}");
    }
    assert_eq!(atlas.matches("<svg").count(), morpion_games::catalogue::standard().count());
    assert!(atlas.contains("<div class=\"wide\" tabindex=\"0\"><table>"), "tables are tables");
    for page in ["atlas", "disappearing", "rules", "format", "explorer"] {
        let response = server.get(&format!("/about/{page}.html"));
        assert!(response.header("content-type").unwrap().starts_with("text/html"));
        assert!(!response.body.contains("<script") && !response.body.contains("src=\"http"));
        for href in response.body.split("href=\"").skip(1).map(|part| part.split('"').next()) {
            let href = href.unwrap();
            if href.starts_with("https://") || href.starts_with('#') {
                continue;
            }
            let path = match href.strip_prefix("../") {
                Some(path) => format!("/{path}"),
                None => format!("/about/{href}"),
            };
            let path = path.split('#').next().unwrap();
            assert_eq!(server.get(path).status, 200, "{href} in {page}");
        }
    }
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
    assert_eq!(read("data/games/swap.json"), server.get("/api/v1/games/swap").body);
    let games: Value = serde_json::from_str(&read("data/games.json")).unwrap();
    assert_eq!(games["games"], server.get("/api/v1/games").json()["games"]);
    assert_eq!(
        games["games"][0]["fingerprint"],
        server.get("/api/v1/games/classic").json()["fingerprint"]
    );
    assert_eq!(games, server.get("/data/games.json").json());
    for file in ["source.js", "data/games/swap.json", "data/games/swap.toml"] {
        assert_eq!(read(file), server.get(&format!("/{file}")).body, "{file}");
    }
    assert_eq!(read("about/atlas.html"), server.get("/about/atlas.html").body);
    for game in ["classic", "swap"] {
        let table = std::fs::read(site.join("data/games").join(format!("{game}.morpion"))).unwrap();
        assert_eq!(
            table,
            morpion_lookup::Table::builtin(game).unwrap().source().in_memory().unwrap()
        );
    }
    let reader = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../lookup/js");
    for file in std::fs::read_dir(&reader).unwrap().map(|file| file.unwrap().path()) {
        let name = file.file_name().unwrap().to_str().unwrap();
        // Pages need neither built-in tables nor packed ones.
        let is_elsewhere = ["index.js", "packed.js", "decoder.js"].contains(&name);
        if name.ends_with(".js") && !is_elsewhere {
            assert_eq!(read(&format!("reader/{name}")), std::fs::read_to_string(&file).unwrap());
        }
    }
    let blocked = folder.path().join("a/site/index.html");
    let output = morpion(["serve", "classic", "--export"]).arg(blocked).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn a_table_is_exported_plain_whether_it_is_packed_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, packed) = (folder.path().join("plain"), folder.path().join("packed"));
    built(&packed, &["teeko", "--packed"]);
    let unpacked = morpion(["pack", "teeko", "--undo", "--out"])
        .args([&plain, Path::new("--tables"), &packed])
        .output()
        .unwrap();
    assert!(unpacked.status.success(), "{unpacked:?}");
    let expected = std::fs::read(plain.join("teeko.morpion")).unwrap();
    for tables in [plain, packed] {
        let site = folder.path().join("site");
        let output = morpion(["serve", "teeko", "swap", "--export"])
            .args([&site, Path::new("--tables"), &tables])
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let exported = std::fs::read(site.join("data/games/teeko.morpion")).unwrap();
        assert!(exported == expected, "teeko from {}", tables.display());
        std::fs::remove_dir_all(site).unwrap();
    }
}
