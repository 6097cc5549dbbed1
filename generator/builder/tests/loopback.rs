//! Several processes of one machine solve games together. They make the same bytes as one process, also after some were
//! killed. If a process is missing, the others report it within seconds.
//!
//! The processes are this test program itself, started with the test `process` and a task.

use morpion_builder::cluster::build::{Options, build, shard_folder};
use morpion_builder::cluster::hosts::Hosts;
use morpion_builder::join::join;
use morpion_core::{Counts, Encoding};
use morpion_games::catalogue::standard_game;
use morpion_machine::progress::{Progress, Unobserved};
use morpion_solver::layout::lay_out;
use morpion_solver::sets::FoldedSets;
use morpion_solver::table::{solve, solve_as};
use serde_json::{Value, json};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Environment variable with the task of a process, in JSON.
const TASK: &str = "MORPION_CLUSTER_TASK";

/// Seconds for which processes wait for each other, unless a test says otherwise.
const WAIT: u64 = 120;

/// Pauses, so that a small game can be interrupted. Kills its process when a given layer begins.
struct Slow {
    pause: Duration,
    /// Layers that may still begin before the kill.
    layers: AtomicU64,
}

impl Progress for Slow {
    fn layer(&self, _: Counts, _: u64) {
        if self.layers.fetch_sub(1, Ordering::Relaxed) == 0 {
            let process = std::process::id().to_string();
            let status = Command::new("kill").args(["-KILL", &process]).status();
            unreachable!("the process is gone: {status:?}");
        }
        std::thread::sleep(self.pause);
    }

    fn distance(&self, _: u16) {
        std::thread::sleep(self.pause);
    }
}

#[test]
#[ignore = "no test: a process of the tests"]
fn process() {
    let Ok(task) = std::env::var(TASK) else { return };
    let task: Value = serde_json::from_str(&task).unwrap();
    let text = |key: &str| task[key].as_str().unwrap();
    let number = |key: &str| task[key].as_u64().unwrap();
    let options = Options {
        process: number("process") as usize,
        workers: number("workers") as usize,
        wait: Duration::from_secs(number("wait")),
        build: morpion_builder::Options {
            encoding: (task["wide"] == task["process"]).then_some(Encoding::Plies16),
            memory: task["memory"].as_u64(),
            checkpoint: Duration::ZERO,
            fresh: task["fresh"] == true,
            packing: None,
        },
    };
    let dies = task["dies"]["process"] == task["process"];
    let layers = if dies { task["dies"]["layers"].as_u64().unwrap() } else { u64::MAX };
    let pause = Duration::from_millis(number("slow"));
    let progress: Arc<dyn Progress + Send> = Arc::new(Slow { pause, layers: layers.into() });
    let game = standard_game(text("game")).unwrap();
    let hosts = Hosts::parse(text("hosts")).unwrap();
    match build(&game, text("folder").as_ref(), &hosts, &options, &progress) {
        Ok(done) => println!("\n{}", serde_json::to_string(&done).unwrap()),
        Err(error) => {
            let all = std::iter::successors(Some(&error as &dyn std::error::Error), |e| e.source());
            eprintln!("{}", all.map(ToString::to_string).collect::<Vec<_>>().join(": "));
            std::process::exit(2);
        }
    }
}

/// Processes of one build.
struct Cluster {
    folder: tempfile::TempDir,
    task: Value,
    processes: usize,
}

impl Cluster {
    fn new(game: &str, processes: usize, workers: usize) -> Cluster {
        let folder = tempfile::tempdir().unwrap();
        // All ports are reserved at the same time, so that they differ.
        let address = own_address();
        let ports: Vec<TcpListener> =
            (0..processes).map(|_| TcpListener::bind((address, 0)).unwrap()).collect();
        let hosts: Vec<String> =
            ports.iter().map(|port| port.local_addr().unwrap().to_string()).collect();
        let task = json!({"game": game, "folder": folder.path(), "hosts": hosts.join("\n"),
            "workers": workers, "wait": WAIT, "slow": 0});
        Cluster { folder, task, processes }
    }

    fn with(mut self, key: &str, value: Value) -> Cluster {
        self.task[key] = value;
        self
    }

    fn start(&self, process: usize) -> Child {
        let mut task = self.task.clone();
        task["process"] = process.into();
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "process", "--ignored", "--nocapture"])
            .env(TASK, task.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    fn start_all(&self) -> Vec<Child> {
        (0..self.processes).map(|process| self.start(process)).collect()
    }

    fn address(&self, process: usize) -> &str {
        self.task["hosts"].as_str().unwrap().lines().nth(process).unwrap()
    }

    fn shards(&self) -> Vec<PathBuf> {
        let game = self.task["game"].as_str().unwrap();
        let of = |process| shard_folder(self.folder.path(), game, process, self.processes);
        (0..self.processes).map(of).collect()
    }

    /// Builds to the end and returns the JSON of all processes.
    fn finish(&self) -> Vec<Value> {
        let outputs = self.start_all().into_iter().map(|child| child.wait_with_output().unwrap());
        outputs.map(|output| done(&output)).collect()
    }

    /// Joins all shards and returns the table.
    fn table(&self) -> Vec<u8> {
        let game = standard_game(self.task["game"].as_str().unwrap()).unwrap();
        let encoding =
            if self.task["wide"].is_null() { Encoding::Plies8 } else { Encoding::Plies16 };
        let layout = lay_out(&game, Some(encoding), &Unobserved).unwrap();
        let sets = FoldedSets::fold(&layout, &Unobserved).unwrap();
        join(Vec::new(), &layout, &sets, &self.shards(), &Unobserved).unwrap()
    }
}

/// Returns an address of this machine that no other cluster of these tests uses, if the whole network 127 is this
/// machine. So a free port stays free.
fn own_address() -> Ipv4Addr {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let (count, process) = (COUNT.fetch_add(1, Ordering::Relaxed), std::process::id());
    let [.., high, low] = process.to_be_bytes();
    if cfg!(target_os = "linux") {
        Ipv4Addr::new(127, high, low, count.try_into().expect("fewer clusters"))
    } else {
        Ipv4Addr::LOCALHOST
    }
}

fn done(output: &Output) -> Value {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find(|line| line.starts_with('{')).expect("what was done");
    serde_json::from_str(line).unwrap()
}

/// Waits for a process, which should end within seconds. Fails after minutes.
fn wait(mut child: Child, what: &str) -> Output {
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > Duration::from_secs(180) {
            child.kill().unwrap();
            panic!("a process goes on: {what}");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

/// Waits for a process that has to fail, and returns its standard error.
fn fails(child: Child, what: &str) -> String {
    let output = wait(child, what);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{what}: {error}");
    assert!(!error.contains("panicked"), "{what}: {error}");
    error
}

fn solved(game: &str) -> Vec<u8> {
    solve(&standard_game(game).unwrap(), &Unobserved).unwrap()
}

/// Builds a game by two and by four processes.
fn is_the_same(game: &str, memory: Option<u64>) {
    let expected = solved(game);
    for (processes, workers) in [(2, 1), (4, 1), (2, 2)] {
        let cluster = Cluster::new(game, processes, workers).with("memory", memory.into());
        let results = cluster.finish();
        assert!(cluster.table() == expected, "{game} by {processes} × {workers}");
        let sum = |key: &str| results.iter().map(|done| done[key].as_u64().unwrap()).sum::<u64>();
        assert_eq!(sum("sent_bytes"), sum("received_bytes"));
        assert!(sum("sent_bytes") > 0);
        let seconds: f64 = results.iter().map(|done| done["cpu_seconds"].as_f64().unwrap()).sum();
        println!("{game} {processes} × {workers}: {seconds:.2} CPU s, {} bytes", sum("sent_bytes"));
    }
}

#[test]
fn a_line_is_a_host_or_an_error_with_its_number() {
    let hosts = Hosts::parse("# ours\na:1\n\n [::1]:2101 # here\n").unwrap();
    assert_eq!(hosts.0, ["a:1", "[::1]:2101"]);
    for (text, expected) in [
        ("a:1\nb", "line 2: \"b\" is not"),
        (":1", "line 1"),
        ("a:0", "line 1"),
        ("a:70000", "line 1"),
        ("a:1\na:1", "line 2: a:1 is listed twice"),
        ("", "0 hosts"),
    ] {
        let error = Hosts::parse(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text:?} {error}");
    }
}

#[test]
fn several_processes_make_the_bytes_of_one() {
    for game in ["beginner4", "swap4", "tapatan", "classic"] {
        is_the_same(game, None);
    }
    // Here the rows are in files.
    is_the_same("beginner4", Some(45 << 20));
}

#[test]
fn several_processes_solve_groups_of_layers_together() {
    for game in ["disappearing-line-first", "disappearing-4", "five-mens-morris"] {
        is_the_same(game, None);
    }
    // Here the rows are in files.
    is_the_same("five-mens-morris", Some(45 << 20));
    let cluster = Cluster::new("quixo3", 1, 1);
    assert!(fails(cluster.start(0), "quixo3").contains("cannot solve games that push"));
}

/// Some processes were killed after they used wider entries, and the others before.
#[test]
fn processes_resume_with_the_widest_entries() {
    let achi = standard_game("achi").unwrap();
    let expected = solve_as(&achi, Encoding::Plies16, &Unobserved).unwrap();
    for wide in 0..3 {
        let cluster = Cluster::new("achi", 3, 1).with("wide", wide.into());
        cluster.finish();
        assert!(cluster.table() == expected, "process {wide}");
    }
}

#[test]
#[ignore = "long: 44 to 152 million entries, three times each, about 5 minutes"]
fn several_processes_make_the_bytes_of_one_for_large_games() {
    for game in ["teeko", "swap5", "beginner5"] {
        is_the_same(game, None);
    }
}

/// Kills one process when its ninth layer begins, and then a process at a random moment, `times` times. The others have
/// to end, and then all have to resume together.
fn kill(game: &str, slow: u64, times: u64) {
    let expected = solved(game);
    let mut cluster = Cluster::new(game, 3, 1).with("slow", slow.into());
    let began = Instant::now();
    cluster.finish();
    let whole = began.elapsed();
    assert!(cluster.table() == expected);
    let (mut named, mut kept) = (0, 0);
    for number in 0..=times {
        cluster.shards().iter().for_each(|shard| std::fs::remove_dir_all(shard).unwrap());
        let killed = (number % 3) as usize;
        let dies = if number == 0 { json!({"process": killed, "layers": 8}) } else { Value::Null };
        cluster.task["dies"] = dies;
        // A process can be killed before it connects, and then the others wait in vain.
        cluster.task["wait"] = if number == 0 { WAIT } else { 2 }.into();
        let mut children = cluster.start_all();
        if number > 0 {
            // Moments all over the build, for all processes in turn.
            std::thread::sleep(whole * ((number - 1) * 37 % 90 + 5) as u32 / 100);
            children[killed].kill().unwrap();
        }
        children[killed].wait().unwrap();
        (cluster.task["dies"], cluster.task["wait"]) = (Value::Null, WAIT.into());
        let name = format!("process {killed} at {}", cluster.address(killed));
        for (process, child) in children.into_iter().enumerate().filter(|child| child.0 != killed) {
            let output = wait(child, "another one was killed");
            let error = String::from_utf8_lossy(&output.stderr);
            // The others have either finished, or report a process that was lost or did not connect.
            let ends = ["is lost", "did not connect"].iter().any(|end| error.contains(end));
            assert!(output.status.success() || ends, "kill {number}, process {process}: {error}");
            assert!(!error.contains("panicked"), "kill {number}, process {process}: {error}");
            named += usize::from(error.contains(&format!("{name} is lost")));
        }
        let has_state = |shard: &PathBuf| shard.join("worker-0.state").exists();
        kept += usize::from(cluster.shards().iter().all(has_state));
        cluster.finish();
        assert!(cluster.table() == expected, "after kill {number}");
    }
    println!(
        "{game}: {times} kills and one, named {named} times by others, {kept} left files to resume from"
    );
    assert!(named > 0 && kept > 0, "{named} {kept}");
}

#[test]
fn after_a_kill_the_others_end_and_all_resume_to_the_same_bytes() {
    kill("beginner4", 10, 1);
    kill("five-mens-morris", 10, 1);
}

#[test]
#[ignore = "long: eight slow builds by three processes, about 10 seconds; .ci/run runs it"]
fn after_each_process_was_killed_all_resume_to_the_same_bytes() {
    kill("beginner4", 10, 3);
}

#[test]
#[ignore = "long: twenty builds of teeko by three processes, about 5 minutes"]
fn after_ten_kills_a_larger_game_has_the_same_bytes() {
    kill("teeko", 0, 10);
}

/// A process can have saved a layer, or all, when another is killed before it has saved the same one.
#[test]
fn a_process_ahead_of_the_others_resumes_with_them() {
    for game in ["beginner4", "five-mens-morris"] {
        resume_with_one_ahead(game);
    }
}

fn resume_with_one_ahead(game: &str) {
    let mut cluster = Cluster::new(game, 2, 1).with("wait", 20.into());
    cluster.finish();
    let expected = cluster.table();
    let (ahead, kept) = (&cluster.shards()[0], cluster.folder.path().join("ahead"));
    std::fs::rename(ahead, &kept).unwrap();
    std::fs::remove_dir_all(&cluster.shards()[1]).unwrap();
    cluster.task["dies"] = json!({"process": 1, "layers": 5});
    for child in cluster.start_all() {
        wait(child, "one dies and the other loses it");
    }
    cluster.task["dies"] = Value::Null;
    std::fs::remove_dir_all(ahead).unwrap();
    std::fs::rename(&kept, ahead).unwrap();
    cluster.finish();
    assert!(cluster.table() == expected);
}

#[test]
fn a_shard_without_a_file_requires_a_fresh_start() {
    let mut cluster = Cluster::new("swap4", 1, 1).with("dies", json!({"process": 0, "layers": 3}));
    cluster.start(0).wait().unwrap();
    let rows = || {
        let files = std::fs::read_dir(&cluster.shards()[0]).unwrap().map(|file| file.unwrap());
        let rows =
            files.map(|file| file.path()).filter(|path| path.extension() == Some("rows".as_ref()));
        rows.collect::<Vec<_>>()
    };
    assert!(rows().len() >= 3, "the layers before the kill are kept: {:?}", rows());
    rows().into_iter().for_each(|path| std::fs::remove_file(path).unwrap());
    for _ in 0..2 {
        let error = fails(cluster.start(0), "a file is missing");
        assert!(error.contains("missing: start again with --fresh on all hosts"), "{error}");
    }
    (cluster.task["dies"], cluster.task["fresh"]) = (Value::Null, true.into());
    cluster.finish();
    assert!(cluster.table() == solved("swap4"));
}

#[test]
fn a_missing_process_is_named() {
    let cluster = Cluster::new("swap4", 3, 1).with("wait", 1.into());
    for process in [0, 2] {
        let error = fails(cluster.start(process), "alone");
        assert!(error.contains("2 of 3 processes did not connect within 1 s"), "{error}");
        let first = usize::from(process == 0);
        assert!(
            error.contains(&format!("process {first} at {}", cluster.address(first))),
            "{error}"
        );
    }
}

#[test]
fn a_process_without_enough_memory_has_no_checkpoint_to_resume() {
    let cluster = Cluster::new("swap4", 2, 1).with("memory", 1000.into());
    let error = fails(cluster.start(0), "too little memory");
    assert!(error.contains("memory in each process, but at most 1000 B may be used"), "{error}");
    assert!(error.contains("nothing is kept") && !error.contains("resumes"), "{error}");
}

#[test]
fn an_address_in_use_is_named() {
    let cluster = Cluster::new("swap4", 2, 1).with("wait", 1.into());
    let _taken = TcpListener::bind(cluster.address(1)).unwrap();
    let error = fails(cluster.start(1), "an address that is taken");
    assert!(error.contains(&format!("cannot listen on {}", cluster.address(1))), "{error}");
    // An unrelated server at this address sends meaningless bytes.
    let error = fails(cluster.start(0), "waits for a stranger");
    assert!(error.contains("1 of 2 processes did not connect"), "{error}");
}

#[test]
fn silent_clients_delay_nobody() {
    let strangers = |cluster: &Cluster, child: &mut Child| -> Vec<TcpStream> {
        let first = loop {
            assert!(child.try_wait().unwrap().is_none(), "the process has ended");
            match TcpStream::connect(cluster.address(0)) {
                Ok(first) => break first,
                Err(_) => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        let others = (1..100).map(|_| TcpStream::connect(cluster.address(0)).unwrap());
        std::iter::once(first).chain(others).collect()
    };
    let cluster = Cluster::new("swap4", 2, 1);
    let mut first = cluster.start(0);
    let silent = strangers(&cluster, &mut first);
    for child in [first, cluster.start(1)] {
        let output = wait(child, "strangers are connected");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    drop(silent);
    let cluster = Cluster::new("swap4", 2, 1).with("wait", 1.into());
    let mut first = cluster.start(0);
    let began = Instant::now();
    let silent = strangers(&cluster, &mut first);
    let error = fails(first, "strangers alone");
    assert!(error.contains("1 of 2 processes did not connect within 1 s"), "{error}");
    // Handling one client after the other would take 500 s.
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    drop(silent);
}

#[test]
fn a_process_that_builds_something_else_is_refused_by_both() {
    let first = Cluster::new("swap4", 2, 1).with("wait", 60.into());
    let hosts = first.task["hosts"].clone();
    for (key, value, expected) in [
        ("game", json!("beginner4"), "builds another table"),
        ("workers", json!(2), "workers, and this process"),
    ] {
        let other = Cluster::new("swap4", 2, 1)
            .with("hosts", hosts.clone())
            .with(key, value)
            .with("wait", 60.into());
        let children = [first.start(0), other.start(1)];
        let errors = children.map(|child| fails(child, expected));
        assert!(errors.iter().any(|error| error.contains(expected)), "{errors:?}");
    }
}

#[test]
fn a_shard_is_solved_by_one_process_at_a_time() {
    let cluster = Cluster::new("swap4", 2, 1).with("wait", 600.into());
    let mut first = cluster.start(0);
    // The process listens for the others as soon as it has the lock.
    while TcpStream::connect(cluster.address(0)).is_err() {
        assert!(first.try_wait().unwrap().is_none(), "the first one has ended");
        std::thread::sleep(Duration::from_millis(10));
    }
    let error = fails(cluster.start(0), "a second one");
    assert!(error.contains("another process writes this shard"), "{error}");
    assert!(first.try_wait().unwrap().is_none(), "the first one has ended");
    first.kill().unwrap();
    first.wait().unwrap();
}
