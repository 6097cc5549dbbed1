//! A packed table equals the plain one. Any Zstandard decoder unpacks its bytes, every command gives the same answers,
//! and building and packing write the same file.

use crate::dying::Dying;
use morpion_core::MAX_FRAME;
use morpion_lookup::Packed;
use morpion_tests::{built, contents, morpion, repository};
use std::path::Path;

/// A game of two layers with movement and distances, and a game with values alone.
const GAMES: [&str; 3] = ["swap4", "beginner4", "rota"];

/// Runs a command, which must succeed, and returns its standard output.
fn printed(arguments: &[&str], tables: &Path) -> String {
    let output = morpion(arguments).arg("--tables").arg(tables).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Unpacks a file of frames and a seek table with a standard Zstandard decoder.
fn unpacked(file: &Path) -> Vec<u8> {
    let packed = std::fs::read(file).unwrap();
    let mut plain = Vec::with_capacity(1 << 22);
    zstd_safe::decompress(&mut plain, &packed[..]).expect("frames of Zstandard");
    plain
}

#[test]
fn packed_tables_unpack_by_any_zstandard_and_by_pack_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    built(folder.path(), &GAMES);
    for game in GAMES {
        let plain = std::fs::read(folder.path().join(format!("{game}.morpion"))).unwrap();
        printed(&["pack", game], folder.path());
        let packed = folder.path().join(format!("{game}.morpion.zst"));
        assert!(std::fs::metadata(&packed).unwrap().len() < plain.len() as u64 / 2, "{game}");
        assert!(unpacked(&packed) == plain, "{game}");
        std::fs::remove_file(folder.path().join(format!("{game}.morpion"))).unwrap();
        printed(&["pack", game, "--undo"], folder.path());
        let back = std::fs::read(folder.path().join(format!("{game}.morpion"))).unwrap();
        assert!(back == plain, "{game}");
    }
}

#[test]
fn a_packed_build_equals_the_packed_plain_table_for_all_thread_counts() {
    let (plain, packed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    built(plain.path(), &GAMES);
    for threads in ["1", "2", "3"] {
        let arguments = [&GAMES[..], &["--packed", "--threads", threads]].concat();
        built(packed.path(), &arguments);
        for (name, _) in contents(packed.path()) {
            assert!(name.ends_with(".morpion.zst"), "{name} was left");
        }
        for game in GAMES {
            printed(&["pack", game], plain.path());
            let file = format!("{game}.morpion.zst");
            let bytes = |folder: &Path| std::fs::read(folder.join(&file)).unwrap();
            assert!(bytes(packed.path()) == bytes(plain.path()), "{game} on {threads} threads");
        }
    }
}

/// Builds these games, packed, and compares them with the shipped tables.
fn equal_shipped_ones(names: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    built(folder.path(), &[names, &["--packed"]].concat());
    for &name in names {
        let bytes = std::fs::read(folder.path().join(format!("{name}.morpion.zst"))).unwrap();
        assert!(
            morpion_tables::packed(name) == Some(&bytes[..]),
            "{name} differs from the built table"
        );
    }
}

/// Shipped packed tables whose builds take longer than a second.
const LARGE: [&str; 4] = ["swap5", "teeko", "quixo4", "six-mens-morris"];

#[test]
fn shipped_packed_tables_equal_built_ones() {
    let small: Vec<&str> = morpion_tables::names().filter(|name| !LARGE.contains(name)).collect();
    assert_eq!(small.len() + LARGE.len(), morpion_tables::names().count());
    equal_shipped_ones(&small);
}

#[test]
#[ignore = "long: 57 million entries, about 5 seconds; .ci/run runs it"]
fn large_shipped_packed_tables_equal_built_ones() {
    equal_shipped_ones(&LARGE);
}

/// The key of a proof; without it, the key is random.
const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

#[test]
fn every_command_answers_from_a_packed_table_as_from_the_plain_one() {
    let (plain, packed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    built(plain.path(), &["swap4", "rota"]);
    built(packed.path(), &["swap4", "rota", "--packed"]);
    for arguments in [
        &["query", "swap4", "X.../.O../..X./...O x", "--json"][..],
        &["query", "swap4"],
        &["query", "swap4", "--line"],
        &["info", "swap4", "--check"],
        &["count", "rota", "--json"],
        &["dump", "swap4"],
        &["verify", "swap4", "--part", "1/1", "--key", KEY, "--json"],
        &["verify", "swap4", "--sample", "100", "--json"],
        &["strategy", "rota", "--json"],
    ] {
        let here = |folder: &Path| {
            printed(arguments, folder).replace(folder.to_str().unwrap(), "").replace(".zst", "")
        };
        assert_eq!(here(packed.path()), here(plain.path()), "{arguments:?}");
    }
}

#[test]
fn a_killed_packed_build_resumes_to_the_same_bytes() {
    let whole = tempfile::tempdir().unwrap();
    built(whole.path(), &["beginner4", "--packed"]);
    let rules = repository().join("tables/beginner4.toml");
    for later in [0, 5, 20] {
        let killed = tempfile::tempdir().unwrap();
        let out = killed.path();
        let kept = &out.join(".beginner4.rows/worker-0.state");
        let dying = Dying { rules: &rules, out, memory: None, packed: true, kept, later };
        assert!(dying.build() && kept.exists(), "{later}: it was done before it was killed");
        built(out, &["beginner4", "--packed"]);
        assert!(contents(out) == contents(whole.path()), "{later}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_sample_of_a_packed_table_keeps_a_part_of_it_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let table = &built(folder.path(), &["swap5"])[0];
    assert!(table["bytes"].as_u64().unwrap() > 44_000_000, "{table}");
    printed(&["pack", "swap5", "--level", "1", "--frame", "16K"], folder.path());
    std::fs::remove_file(folder.path().join("swap5.morpion")).unwrap();
    // The memory is enough for the program with 16 MiB of frames. It is not enough for all frames, nearly all of which
    // the sample reads. The limit counts allocations, so the size of the program and its libraries does not matter.
    let limited = "ulimit -d 40000; exec \"$0\" verify swap5 --sample 2600 --tables \"$1\"";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", limited]).arg(morpion_tests::program()).arg(folder.path());
    let output = shell.env("RAYON_NUM_THREADS", "1").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("in a sample of 2,600 of"));
}

#[test]
fn a_sample_of_a_packed_table_reads_only_the_frames_of_its_entries() {
    let folder = tempfile::tempdir().unwrap();
    built(folder.path(), &["beginner4"]);
    printed(&["pack", "beginner4", "--frame", "4K"], folder.path());
    std::fs::remove_file(folder.path().join("beginner4.morpion")).unwrap();
    let file = folder.path().join("beginner4.morpion.zst");
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    std::fs::write(&file, bytes).unwrap();
    let (mut right, mut wrong) = (0, 0);
    // Each sample is another one.
    for _ in 0..400 {
        let output = morpion(["verify", "beginner4", "--sample", "5"])
            .arg("--tables")
            .arg(folder.path())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        match output.status.code() {
            Some(0) => right += 1,
            Some(1) if text.contains("packed: frame ") => wrong += 1,
            other => panic!("{other:?}: {text}{}", String::from_utf8_lossy(&output.stderr)),
        }
        if right > 0 && wrong > 0 {
            break;
        }
    }
    assert!(right > 0 && wrong > 0, "{right} samples right, {wrong} wrong");
}

#[test]
fn a_damaged_packed_table_is_one_clear_error_of_every_command() {
    let folder = tempfile::tempdir().unwrap();
    built(folder.path(), &["swap4", "--packed"]);
    let file = folder.path().join("swap4.morpion.zst");
    let good = std::fs::read(&file).unwrap();
    let mut damaged = good.clone();
    damaged[good.len() / 2] ^= 0xff;
    for (bytes, expected) in [(&damaged[..], "frame"), (&good[..good.len() - 1], "seek table")] {
        std::fs::write(&file, bytes).unwrap();
        for command in [&["verify"][..], &["dump"], &["pack", "--undo"]] {
            let output = morpion(command).arg(&file).output().unwrap();
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{command:?}: {error}");
            assert!(error.lines().count() == 1 && error.contains(expected), "{command:?}: {error}");
        }
    }
    assert_eq!(contents(folder.path()).len(), 1, "something was left behind");
}

#[test]
fn every_command_refuses_a_packed_table_longer_than_its_header_says() {
    let folder = tempfile::tempdir().unwrap();
    built(folder.path(), &["rota", "--packed"]);
    let file = folder.path().join("rota.morpion.zst");
    let good = std::fs::read(&file).unwrap();
    let frames = Packed::open(&good[..]).unwrap().frame_count();
    let seek_table = good.len() - (8 + 8 * frames + 9);
    let mut lengths: Vec<(u32, u32)> = good[seek_table + 8..]
        .chunks(8)
        .take(frames)
        .map(|entry| {
            let word = |at: usize| u32::from_le_bytes(entry[at..at + 4].try_into().unwrap());
            (word(0), word(4))
        })
        .collect();
    let mut context = zstd_safe::CCtx::create();
    context.set_parameter(zstd_safe::CParameter::ChecksumFlag(true)).unwrap();
    let mut zeros = Vec::with_capacity(1 << 16);
    context.compress2(&mut zeros, &vec![0; MAX_FRAME as usize]).unwrap();
    // The seek table claims 4 GiB.
    let mut claimed = good[..seek_table].to_vec();
    for _ in 0..512 {
        claimed.extend(&zeros);
        lengths.push((zeros.len() as u32, MAX_FRAME));
    }
    claimed.extend(morpion_core::seek_table(&lengths));
    std::fs::write(&file, &claimed).unwrap();
    for command in [&["info"][..], &["query"], &["verify"], &["dump"], &["pack", "--undo"]] {
        let output = morpion(command).arg(&file).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{command:?}: {error}");
        let expected = format!("{} bytes, expected 3744", 3744 + (4u64 << 30));
        assert!(error.lines().count() == 1 && error.contains(&expected), "{command:?}: {error}");
    }
    assert_eq!(contents(folder.path()).len(), 1, "something was left behind");
}

#[test]
fn other_files_are_not_packed_or_unpacked() {
    let folder = tempfile::tempdir().unwrap();
    built(folder.path(), &["rota"]);
    let refused = |arguments: &[&str], expected: &str| {
        let output = morpion(arguments).arg("--tables").arg(folder.path()).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(expected), "{error}");
    };
    refused(&["pack", "rota", "--undo"], "the table is not packed");
    refused(
        &["pack", "rota", "--frame", "100"],
        "100 bytes are too few or too many: choose 4096 to 8388608",
    );
    refused(&["pack", "rota", "--level", "23"], "23 is not in 1..=22");
    std::fs::remove_file(folder.path().join("rota.morpion")).unwrap();
    built(folder.path(), &["rota", "--packed"]);
    let file = folder.path().join("rota.morpion.zst");
    refused(&["pack", file.to_str().unwrap()], "the table is already packed");
}

#[test]
fn folders_are_searched_one_after_the_other_and_other_tables_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let rules = |length| {
        format!("name = \"mine\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = {length}\n")
    };
    let build = |name: &str, length, packed: &[&str]| {
        std::fs::write(path("mine.toml"), rules(length)).unwrap();
        built(Path::new(&path(name)), &[&[path("mine.toml").as_str()], packed].concat());
    };
    build("first", 3, &["--packed"]);
    build("second", 2, &[]);
    let pack = |arguments: &[&str]| {
        let mut command = morpion(["pack"]);
        command.args(arguments).env("MORPION_TABLES", path("second")).current_dir(&folder);
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let bytes = |name: &str| std::fs::read(path(name)).unwrap();
    let (status, error) = pack(&["mine", "--tables", "first", "--out", "out"]);
    assert_eq!(status, Some(0), "{error}");
    assert!(bytes("out/mine.morpion.zst") == bytes("first/mine.morpion.zst"));
    let refused = |arguments: &[&str], file: &str, expected: &str| {
        let before = bytes(file);
        let (status, error) = pack(arguments);
        assert_eq!(status, Some(2), "{error}");
        assert!(error.contains(expected) && error.contains("choose another --out"), "{error}");
        assert!(bytes(file) == before, "{file} was replaced");
    };
    let to = ["--out", "out"];
    let target = "out/mine.morpion.zst";
    refused(&[&["mine"], &to[..]].concat(), target, "a table of other rules");
    refused(&[&["mine", "--values"], &to[..]].concat(), target, "a table of other rules");
    pack(&["swap", "--out", "out"]);
    refused(&["swap", "--values", "--out", "out"], "out/swap.morpion.zst", "has distances");
    assert_eq!(pack(&["swap", "--values", "--out", "values"]).0, Some(0));
    let values = ["values/swap.morpion.zst", "--level", "1", "--out", "out"];
    refused(&values, "out/swap.morpion.zst", "has distances");
}

#[test]
fn pack_checks_the_sums_of_what_it_copies() {
    let folder = tempfile::tempdir().unwrap();
    built(folder.path(), &["rota"]);
    let file = folder.path().join("rota.morpion");
    let good = std::fs::read(&file).unwrap();
    for at in [100, good.len() / 2, good.len() - 1] {
        let mut damaged = good.clone();
        damaged[at] ^= 1;
        std::fs::write(&file, damaged).unwrap();
        for options in [&[][..], &["--level", "1"], &["--values", "--out", "other"]] {
            let mut command = morpion(["pack"]);
            let output = command.arg(&file).args(options).current_dir(&folder).output().unwrap();
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "byte {at}, {options:?}: {error}");
            assert!(error.contains("checksum"), "byte {at}, {options:?}: {error}");
        }
        assert!(!folder.path().join("rota.morpion.zst").exists());
    }
}

#[test]
fn a_table_inside_the_program_and_the_game_of_a_rule_file_are_packed() {
    let folder = tempfile::tempdir().unwrap();
    printed(&["pack", "teeko", "--out", folder.path().to_str().unwrap()], folder.path());
    let written = std::fs::read(folder.path().join("teeko.morpion.zst")).unwrap();
    assert!(written == std::fs::read(repository().join("tables/teeko.morpion.zst")).unwrap());
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, morpion_games::rules::starter("mine").unwrap()).unwrap();
    printed(&["pack", file.to_str().unwrap()], folder.path());
    let packed = unpacked(&folder.path().join("mine.morpion.zst"));
    let built = built(folder.path(), &[file.to_str().unwrap()]);
    assert!(packed == std::fs::read(built[0]["file"].as_str().unwrap()).unwrap());
}
