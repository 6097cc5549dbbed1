//! Tests of the installed C library: programs that link it, the examples of its README, its header and its memory.

use crate::{headers, hostile};
use morpion_tests::{hide_tables, needs, repository, run, vector_tables};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiler options that turn every warning into an error.
const STRICT: [&str; 6] =
    ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Werror"];

/// The installed library, and the commands that compile programs against it.
struct Installed {
    folder: tempfile::TempDir,
}

impl Installed {
    fn new() -> Installed {
        let installed = Installed { folder: tempfile::tempdir().unwrap() };
        let prefix = format!("PREFIX={}", installed.prefix().display());
        run(make().args(["install", "install-tables", &prefix]));
        installed
    }

    fn prefix(&self) -> PathBuf {
        self.folder.path().join("prefix")
    }

    fn flags(&self, arguments: &[&str]) -> Vec<String> {
        let package = self.prefix().join("lib/pkgconfig");
        let output =
            run(Command::new("pkg-config").args(arguments).env("PKG_CONFIG_PATH", &package));
        String::from_utf8(output.stdout).unwrap().split_whitespace().map(String::from).collect()
    }

    /// Compiles a program with the shared library or the static one.
    fn compile(&self, source: &Path, kind: &str, flags: &[&str]) -> PathBuf {
        let libraries = match kind {
            "shared" => self.flags(&["--libs", "morpion"]),
            _ => self.flags(&["--libs", "morpion-static"]),
        };
        let name = source.file_name().unwrap().to_str().unwrap();
        let (compiler, standard) = match name.ends_with(".cpp") {
            true => ("c++", "-std=c++11"),
            false => ("cc", "-std=c11"),
        };
        let program = self.folder.path().join(format!("{name}-{kind}"));
        run(Command::new(compiler)
            .args([standard, "-D_GNU_SOURCE"])
            .args(STRICT)
            .args(flags)
            .args(self.flags(&["--cflags", "morpion"]))
            .arg(source)
            .args(libraries)
            .arg("-o")
            .arg(&program));
        program
    }

    fn example(&self, name: &str, kind: &str) -> PathBuf {
        self.compile(&c_folder().join("examples").join(name), kind, &[])
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        hide_tables(&mut command).env("LD_LIBRARY_PATH", self.prefix().join("lib"));
        command
    }
}

fn c_folder() -> PathBuf {
    repository().join("lookup/c")
}

/// The folder with the libraries, which cargo builds because these tests depend on their crate.
fn built() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_path_buf()
}

fn make() -> Command {
    let mut command = Command::new("make");
    command.arg("--silent").arg("-C").arg(c_folder()).env("BUILT", built());
    command
}

/// Runs a command and returns its output; fails if the command does.
fn printed(command: &mut Command) -> String {
    String::from_utf8(run(command).stdout).unwrap()
}

/// The questions in a file of `conformance`, and their expected answers, its last `columns`.
fn vectors(file: &str, columns: usize) -> (String, Vec<String>) {
    let text = std::fs::read_to_string(repository().join("lookup/conformance").join(file));
    let split = |line: &str| {
        let at = line.rmatch_indices(',').nth(columns - 1).unwrap().0;
        // The text of a position may have commas, and is quoted then.
        (line[..at].replace('"', "") + "\n", line[at + 1..].to_owned())
    };
    text.unwrap().lines().skip(1).map(split).unzip()
}

/// Runs `command` on questions and compares its answers.
fn expect(command: &mut Command, folder: &Path, (questions, answers): (String, Vec<String>)) {
    assert!(answers.len() > 100, "{} vectors", answers.len());
    let asked = folder.join("questions");
    std::fs::write(&asked, &questions).unwrap();
    let text = printed(command.stdin(std::fs::File::open(&asked).unwrap()));
    assert_eq!(text.lines().count(), answers.len());
    for ((found, expected), question) in text.lines().zip(&answers).zip(questions.lines()) {
        assert_eq!(found, expected, "{command:?}: {question}");
    }
}

/// Compares the answers of `command` with the vectors.
fn expect_vectors(command: &mut Command, folder: &Path) {
    expect(command, folder, vectors("vectors.csv", 6));
}

/// Checks the answers of `conform` about the tables in a folder: `how` opens them, `end` is their extension, and
/// `cache` the size of the cache.
fn conforms(conform: &mut Command, folder: &Path, [how, end, cache]: [&str; 3]) {
    expect_vectors(conform.arg(how).arg(folder).args([end, cache]), folder);
}

#[test]
#[cfg_attr(not(all(has_cc, has_pkg_config)), ignore = "needs cc and pkg-config")]
fn programs_link_the_installed_library() {
    needs(&["cc", "pkg-config"]);
    let installed = Installed::new();
    for kind in ["shared", "static"] {
        let play = installed.example("play.c", kind);
        let game = printed(&mut installed.command(play));
        assert_eq!(game.lines().count(), 10, "nine moves");
        let conform = installed.example("conform.c", kind);
        let tables = repository().join("lookup/conformance/tables");
        let folder = installed.folder.path();
        expect_vectors(installed.command(&conform).arg("builtin").arg(&tables), folder);
        let mut command = installed.command(conform);
        expect(command.arg("choose").arg(tables), folder, vectors("choices.csv", 1));
    }
}

/// Links from C++, whose compiler must accept the header without warnings. Opens the table of a game by name from an
/// installed folder.
#[test]
#[cfg_attr(not(all(has_cc, has_pkg_config)), ignore = "needs cc and pkg-config")]
fn a_program_in_another_language_opens_the_games_that_are_installed() {
    needs(&["cc", "pkg-config"]);
    let installed = Installed::new();
    let play = installed.example("play.cpp", "shared");
    let game = printed(&mut installed.command(&play));
    assert!(game.starts_with(".../.../... x\n") && game.lines().count() > 5, "{game}");
    let tables = installed.prefix().join("share");
    let game = printed(installed.command(&play).arg("teeko").env("XDG_DATA_DIRS", tables));
    assert!(game.starts_with(TEEKO), "{game}");
}

/// The first line of a program's output for a game of teeko.
const TEEKO: &str = "...../...../...../...../..... x";

#[test]
#[cfg_attr(not(all(has_cc, has_pkg_config)), ignore = "needs cc and pkg-config")]
fn tables_are_found_next_to_the_library_wherever_it_is() {
    needs(&["cc", "pkg-config"]);
    let installed = Installed::new();
    let [shared, fixed] = ["shared", "static"].map(|kind| installed.example("play.c", kind));
    let moved = installed.folder.path().join("moved");
    std::fs::rename(installed.prefix(), &moved).unwrap();
    std::fs::create_dir(moved.join("bin")).unwrap();
    std::fs::rename(fixed, moved.join("bin/play")).unwrap();
    let play = |program: &Path, variable: &str, value: PathBuf| {
        let mut command = installed.command(program);
        command.arg("teeko").env(variable, value).current_dir("/");
        command
    };
    let lib = moved.join("lib");
    // A folder for one processor architecture, as some systems have it.
    let (minor, _) = env!("CARGO_PKG_VERSION").rsplit_once('.').unwrap();
    let name = format!("libmorpion.so.{minor}");
    std::fs::create_dir(lib.join("x86_64-linux-gnu")).unwrap();
    std::fs::copy(lib.join(&name), lib.join("x86_64-linux-gnu").join(&name)).unwrap();
    for (program, variable, value) in [
        (&*shared, "LD_LIBRARY_PATH", lib.clone()),
        (&shared, "LD_LIBRARY_PATH", lib.join("x86_64-linux-gnu")),
        (&moved.join("bin/play"), "LD_LIBRARY_PATH", "/".into()),
        (Path::new("play"), "PATH", moved.join("bin")),
    ] {
        let game = printed(&mut play(program, variable, value));
        assert!(game.starts_with(TEEKO), "{}: {game}", program.display());
    }

    // Without tables, the message names every folder.
    std::fs::rename(moved.join("share"), moved.join("elsewhere")).unwrap();
    let mut command = play(&shared, "LD_LIBRARY_PATH", lib);
    command.env("MORPION_TABLES", "/dev/null/a:/dev/null/b").env("XDG_DATA_DIRS", "/dev/null/c");
    let nowhere = command.output().unwrap();
    let error = String::from_utf8(nowhere.stderr).unwrap();
    assert_eq!(nowhere.status.code(), Some(1));
    assert_eq!(
        error,
        format!(
            "teeko: no table in /dev/null/a, /dev/null/b, /dev/null/data/morpion, /dev/null/c/morpion, {}: \
             build it with `morpion build teeko`, or add its folder to MORPION_TABLES; morpion-tables has larger games, \
             which `make install-tables` installs\n",
            moved.join("share/morpion").display()
        )
    );
}

#[test]
#[cfg_attr(not(all(has_cc, has_pkg_config)), ignore = "needs cc and pkg-config")]
fn packed_tables_and_sources_are_read_like_plain_files() {
    needs(&["cc", "pkg-config"]);
    let installed = Installed::new();
    let folder = installed.folder.path();
    vector_tables(folder);
    let conform = installed.example("conform.c", "shared");
    let packed = ".morpion.zst";
    for how in [
        ["open", packed, "1000000"],
        ["open", packed, "0"],
        ["map", packed, "1000000"],
        ["map", packed, "2000"],
        ["source", packed, "65536"],
        ["source", ".morpion", "0"],
    ] {
        conforms(&mut installed.command(&conform), folder, how);
    }
    run(with_tables(&mut installed.command(installed.example("faults.c", "shared")), folder));
}

#[test]
#[cfg_attr(not(all(has_cc, has_pkg_config)), ignore = "needs cc and pkg-config")]
fn files_that_every_reader_must_refuse_are_refused_with_their_errors() {
    needs(&["cc", "pkg-config"]);
    let installed = Installed::new();
    let folder = repository().join("lookup/conformance");
    let list = std::fs::read_to_string(folder.join("refused.csv")).unwrap();
    let files: Vec<_> = list.lines().skip(1).map(|line| line.split_once(',').unwrap()).collect();
    let path = |file| format!("{}\n", folder.join("refused").join(file).display());
    let paths = installed.folder.path().join("paths");
    std::fs::write(&paths, files.iter().map(|&(file, _)| path(file)).collect::<String>()).unwrap();
    let mut command = installed.command(installed.example("refused.c", "shared"));
    let text = printed(command.stdin(std::fs::File::open(&paths).unwrap()));
    assert_eq!(text.lines().count(), files.len());
    for (found, (file, error)) in text.lines().zip(files) {
        assert_eq!(found, [error; 4].join(" "), "{file}");
    }
}

#[test]
#[cfg_attr(not(all(has_cc, has_pkg_config)), ignore = "needs cc and pkg-config")]
fn changed_headers_have_the_verdicts_of_all_readers() {
    needs(&["cc", "pkg-config"]);
    let installed = Installed::new();
    let mut command = installed.command(installed.example("refused.c", "shared"));
    let folder = tempfile::tempdir().unwrap();
    let files = headers::write(folder.path(), 60);
    let found = headers::verdicts(command.arg("open"), &files, folder.path());
    for (found, file) in found.iter().zip(&files) {
        assert_eq!(found, file.opened, "{}", file.path.display());
    }
}

#[test]
#[cfg_attr(
    not(all(has_cc, has_pkg_config, target_os = "linux")),
    ignore = "needs cc, pkg-config and /proc"
)]
fn no_hostile_seek_table_takes_much_memory() {
    needs(&["cc", "pkg-config"]);
    let installed = Installed::new();
    let folder = tempfile::tempdir().unwrap();
    let files = hostile::write(folder.path());
    let paths = installed.folder.path().join("paths");
    let lines = files.iter().map(|path| format!("{}\n", path.display())).collect::<String>();
    std::fs::write(&paths, lines).unwrap();
    let mut command = installed.command(installed.example("refused.c", "shared"));
    let text = printed(command.arg("source").stdin(std::fs::File::open(&paths).unwrap()));
    let (errors, peak) = text.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(errors.lines().count(), files.len());
    assert!(!errors.contains("opened"), "{errors}");
    let peak: u64 = peak.parse().unwrap();
    assert!(peak < hostile::MOST_MEMORY, "{peak} bytes");
}

/// The arguments of `faults`.
fn with_tables<'c>(faults: &'c mut Command, folder: &Path) -> &'c mut Command {
    faults.arg(folder.join("swap.morpion")).arg(folder.join("swap.morpion.zst"))
}

#[test]
#[ignore = "long: runs all vectors with valgrind and sanitisers, about 5 seconds; .ci/run runs it"]
fn programs_touch_no_foreign_memory_and_leak_none() {
    needs(&["cc", "pkg-config", "valgrind"]);
    let installed = Installed::new();
    let folder = installed.folder.path();
    vector_tables(folder);
    let valgrind = |program: &Path| {
        let mut command = installed.command("valgrind");
        command
            .args(["--quiet", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=all"])
            .arg("--errors-for-leak-kinds=all")
            .arg(program);
        command
    };
    let conform = installed.example("conform.c", "shared");
    let ways = [["map", ".morpion", "0"], ["source", ".morpion.zst", "65536"]];
    for how in ways {
        conforms(&mut valgrind(&conform), folder, how);
    }
    run(with_tables(&mut valgrind(&installed.example("faults.c", "shared")), folder));
    // The same programs, compiled with sanitisers.
    let sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover", "-g"];
    let example = |name| {
        let source = c_folder().join("examples").join(name);
        installed.command(installed.compile(&source, "static", &sanitizers))
    };
    for how in ways {
        conforms(&mut example("conform.c"), folder, how);
    }
    run(with_tables(&mut example("faults.c"), folder));
    run(&mut example("play.cpp"));
}

/// The code blocks of a language on a Markdown page.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let opening = format!("```{language}\n");
    let after = page.split(opening.as_str()).skip(1);
    after.map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

#[test]
#[cfg_attr(not(all(has_cc, has_pkg_config)), ignore = "needs cc and pkg-config")]
fn the_examples_of_the_readme_work_as_printed() {
    needs(&["cc", "pkg-config"]);
    let page = std::fs::read_to_string(c_folder().join("README.md")).unwrap();
    let home = tempfile::tempdir().unwrap();
    // The commands run in a copy of the library's folder, because they write there; make follows the links.
    for name in ["Makefile", "examples"] {
        std::os::unix::fs::symlink(c_folder().join(name), home.path().join(name)).unwrap();
    }
    let [commands] = &blocks(&page, "sh")[..] else { panic!("one block of commands") };
    let mut shell = Command::new("sh");
    let typed = printed(
        hide_tables(shell.arg("-euxc").arg(commands).current_dir(home.path()))
            .env("BUILT", built())
            .env_remove("XDG_DATA_HOME")
            .env("HOME", home.path()),
    );
    assert!(typed.contains("\n...../...../...../...../..... x  "), "teeko by its name: {typed}");
    let installed = Installed::new();
    let programs = blocks(&page, "c");
    assert_eq!(programs.len(), 2);
    let file = repository().join("tables/tapatan.morpion");
    for (number, (program, expected)) in
        programs.iter().zip(["b1 a2 c2 b3 of 6 moves\n", "1 in 9\n"]).enumerate()
    {
        let source = installed.folder.path().join(format!("example{number}.c"));
        std::fs::write(&source, program).unwrap();
        let program = installed.compile(&source, "shared", &[]);
        assert_eq!(printed(installed.command(program).arg(&file)), expected);
    }
}

#[test]
#[cfg_attr(not(all(has_cc, has_pkg_config)), ignore = "needs cc and pkg-config")]
fn a_package_is_staged_in_one_folder_for_another() {
    needs(&["cc", "pkg-config"]);
    let stage = tempfile::tempdir().unwrap();
    let (root, variable) = (stage.path(), format!("DESTDIR={}", stage.path().display()));
    run(make().args(["install", "PREFIX=/opt/games", "LIBDIR=/opt/games/lib64", &variable]));
    let lib = root.join("opt/games/lib64");
    for file in ["pkgconfig/morpion.pc", "cmake/morpion/morpion-config.cmake"] {
        let text = std::fs::read_to_string(lib.join(file)).unwrap();
        assert!(text.contains("/opt/games/lib64") && !text.contains('@'), "{text}");
        assert!(!text.contains(root.to_str().unwrap()), "{text}");
    }
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md"] {
        let copy = std::fs::read(root.join("opt/games/share/doc/morpion").join(file)).unwrap();
        assert!(copy == std::fs::read(repository().join(file)).unwrap(), "{file}");
    }
    let version = env!("CARGO_PKG_VERSION");
    let (minor, _) = version.rsplit_once('.').unwrap();
    assert_eq!(
        std::fs::read_link(lib.join("libmorpion.so")).unwrap(),
        Path::new(&format!("libmorpion.so.{minor}")),
    );
    let needed = printed(Command::new("readelf").arg("-d").arg(lib.join("libmorpion.so")));
    assert!(needed.contains(&format!("Library soname: [libmorpion.so.{minor}]")), "{needed}");
    let symbols =
        printed(Command::new("nm").args(["-D", "--defined-only"]).arg(lib.join("libmorpion.so")));
    assert!(symbols.lines().all(|line| line.contains(" morpion_")), "{symbols}");
    run(make().args(["uninstall", "PREFIX=/opt/games", "LIBDIR=/opt/games/lib64", &variable]));
    let left = printed(Command::new("find").arg(root).args(["-not", "-type", "d"]));
    assert_eq!(left, "");

    let relative = make().args(["install", "PREFIX=games"]).output().unwrap();
    assert!(!relative.status.success());
    let error = String::from_utf8(relative.stderr).unwrap();
    assert!(error.contains("the folder \"games\" is relative: use an absolute path"), "{error}");
}

#[test]
#[cfg_attr(not(all(has_cc, has_cmake)), ignore = "needs cc and cmake")]
fn cmake_finds_the_package() {
    needs(&["cc", "cmake"]);
    let installed = Installed::new();
    let folder = installed.folder.path().join("project");
    std::fs::create_dir(&folder).unwrap();
    let (version, example) = (env!("CARGO_PKG_VERSION"), c_folder().join("examples/play.c"));
    let project = |wanted: &str| {
        let text = format!(
            "cmake_minimum_required(VERSION 3.13)\nproject(check C)\nfind_package(morpion {wanted} REQUIRED)\n\
             add_executable(shared {example})\ntarget_link_libraries(shared morpion::morpion)\n\
             add_executable(static {example})\ntarget_link_libraries(static morpion::static)\n",
            example = example.display()
        );
        std::fs::write(folder.join("CMakeLists.txt"), text).unwrap();
        let mut command = Command::new("cmake");
        let prefix = format!("-DCMAKE_PREFIX_PATH={}", installed.prefix().display());
        command.arg("-S").arg(&folder).arg("-B").arg(folder.join("build")).arg(prefix);
        command
    };
    for wanted in ["9.0", "0.0"] {
        assert!(!project(wanted).output().unwrap().status.success(), "{wanted} is not {version}");
    }
    run(&mut project(version.rsplit_once('.').unwrap().0));
    run(Command::new("cmake").arg("--build").arg(folder.join("build")));
    for program in ["shared", "static"] {
        let game = printed(&mut installed.command(folder.join("build").join(program)));
        assert_eq!(game.lines().count(), 10, "{program}");
    }
}

#[test]
fn the_header_has_the_number_of_every_error_and_the_version() {
    let header = std::fs::read_to_string(c_folder().join("include/morpion.h")).unwrap();
    for kind in morpion_core::ErrorKind::ALL {
        let name = kind.name().to_uppercase().replace('-', "_");
        let line = format!("  MORPION_ERROR_{name} = {},\n", kind as u8);
        assert!(header.contains(&line), "{line}");
    }
    for (part, number) in
        ["MAJOR", "MINOR", "PATCH"].iter().zip(env!("CARGO_PKG_VERSION").split('.'))
    {
        let line = format!("#define MORPION_VERSION_{part} {number}\n");
        assert!(header.contains(&line), "{line}");
    }
}

#[test]
#[cfg_attr(not(has_cbindgen), ignore = "needs cbindgen")]
fn the_header_is_the_generated_one() {
    needs(&["cbindgen"]);
    let output =
        run(Command::new("cbindgen").args(["--config", "cbindgen.toml"]).current_dir(c_folder()));
    let committed = std::fs::read(c_folder().join("include/morpion.h")).unwrap();
    assert!(output.stdout == committed, "run cbindgen as lookup/c/README.md says");
}
