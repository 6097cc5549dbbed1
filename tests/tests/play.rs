//! The game in the terminal, as a person meets it: through a pipe and, in tmux, in a real terminal.

use morpion_tests::{morpion, needs, program};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs `morpion play` with lines of input.
fn play(arguments: &[&str], input: &str) -> Output {
    let mut child = morpion([&["play"], arguments].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A game that is over does not read the rest.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn out(arguments: &[&str], input: &str) -> String {
    let output = play(arguments, input);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn refused(arguments: &[&str]) -> String {
    let output = play(arguments, "");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

const TWO_PEOPLE: &[&str] = &["--x", "human", "--o", "human"];

fn people(game: &str, more: &[&str], input: &str) -> String {
    out(&[&[game], TWO_PEOPLE, more].concat(), input)
}

#[test]
fn a_full_game_is_won_and_drawn() {
    let text = people("classic", &[], "a1\nb1\n2/1\nb2\n3/1\n");
    assert!(text.contains("X wins: a line is made."), "{text}");
    let text = people("misere", &[], "a1\nb1\na2\nb2\na3\n");
    assert!(text.contains("O wins: a line is made."), "{text}");
    let text = people("classic", &[], "b2\na1\nb1\nb3\na2\nc2\na3\nc1\nc3\n");
    assert!(text.contains("Draw: nothing can be placed any more."), "{text}");
}

#[test]
fn a_game_is_reviewed_with_its_mistakes_marked() {
    let text = people("classic", &[], "review\nb2\nb1\nb3\na2\na1\nc1\nc3\nreview\n");
    assert!(text.contains("Nobody gave anything away."), "{text}");
    assert!(text.contains("over (review, undo, save FILE, new, quit)> "), "{text}");
    assert!(text.contains("  2  O b1 ??  loss in 6 plies; a draw with a1 c1 a3 c3"), "{text}");
    assert!(text.contains("  3  X b3 ??  draw that ends; a win with a1 c1 a2 c2 a3 c3"), "{text}");
    assert!(text.contains("  7  X c3     win in 1 ply\n"), "{text}");
    assert!(text.contains("Given away: O the draw with move 2, X the win with move 3, "), "{text}");
    assert!(text.contains("\nX wins  ..#.#.##\n  draw  ##.#.#..\nO wins  ........\n"), "{text}");
}

#[test]
fn illegal_input_is_explained_and_asked_for_again() {
    let text = people("classic", &[], "b2\nb2\nz9\n9/9\na1-b1\n\u{fffd}\nsave\na1\n");
    for expected in [
        "b2 is not legal: b2 is not empty: X has a piece there",
        "\"z9\" is no move: expected a cell like b2",
        "\"9/9\" is no move",
        "a1-b1 is not legal: no pieces are moved in this game",
        "\"save\" without a file: expected save FILE",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    // The game went on where it was: two pieces stand.
    assert!(text.ends_with("x> \nEnd of input: the game stops here.\n"), "{text}");
    assert!(text.contains(" 1  O | . | .\n   ---+---+---\n 2  . | X | ."), "{text}");
    let text =
        people("nine-holes-diagonals", &["--from", "XX./O.X/.OO x"], "a1-c1\na1-b2\nb1-b2\n");
    assert!(text.contains("a1 and c1 are not linked: from a1 a piece goes to b1 a2"), "{text}");
    // Bytes that are no text are asked for again too.
    let mut child = morpion(["play", "classic", "--o", "human"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"\xff\xfe\nb2\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().contains("2  . | X | ."));
}

/// Whatever is typed, the game asks again or ends: lines of random pieces of input, and random bytes. Nothing here
/// names a file to write, which takes a space.
#[test]
fn any_input_at_all_is_survived() {
    let words = [
        "a1",
        "b2",
        "c3",
        "2/1",
        "-",
        "a1-b1",
        "pass",
        "hint",
        "undo",
        "moves",
        "new",
        "board",
        "help",
        "/",
        "save",
        "load",
        "load /",
        "\u{e9}1",
        "1/",
        "a-",
        "99999999999999999999",
        "a0",
        "?",
    ];
    for (seed, game) in ["classic", "swap-pass", "tapatan", "shisima"].into_iter().enumerate() {
        let mut dice = morpion_play::dice::Dice::new(seed as u64);
        let mut input = Vec::new();
        for _ in 0..400 {
            for _ in 0..=dice.below(3) {
                input.extend_from_slice(dice.pick(&words).unwrap().as_bytes());
            }
            input.extend((0..dice.below(4) / 3).map(|_| dice.below(256) as u8));
            input.push(b'\n');
        }
        let mut child = morpion(["play", game, "--o", "random", "--seed", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stdin.take().unwrap();
        // The answers are more than a pipe holds, so they are read while the input is written.
        let writer = std::thread::spawn(move || drop(pipe.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn end_of_input_ends_the_game_cleanly() {
    for input in ["", "b2\n", "b2", "b2\nhint"] {
        let text = people("classic", &[], input);
        assert!(text.ends_with("End of input: the game stops here.\n"), "{text}");
    }
}

const SHUTTLE: &str = "a1-a2\nc3-c2\na2-a1\nc2-c3\n";

#[test]
fn repetition_is_a_draw_and_hint_says_when_it_is_near() {
    let opening = "a1\nb1\nb2\nc3\nc1\na3\n";
    let text = people("swap", &[], &format!("{opening}{SHUTTLE}{SHUTTLE}"));
    assert!(text.contains("Draw: the position occurs for the 3rd time."), "{text}");
    let text = people("swap", &["--repeat", "2"], &format!("{opening}{SHUTTLE}"));
    assert!(text.contains("Draw: the position occurs for the 2nd time."), "{text}");
    let text = people("swap", &["--turns-ago", "2"], &format!("{opening}{SHUTTLE}"));
    assert!(text.contains("Draw: the position is that of 2 turns ago."), "{text}");
    let hint = format!("{opening}{SHUTTLE}a1-a2\nc3-c2\nhint\na2-a1\nhint\n");
    let text = people("swap", &[], &hint);
    assert!(
        text.contains("but c2-c3 would repeat a position, and the referee would call a draw"),
        "{text}"
    );
    assert!(
        text.contains("but the referee calls a draw: the position occurs for the 3rd time"),
        "{text}"
    );
    let fresh = people("swap", &[], &format!("{opening}hint\n"));
    assert!(!fresh.contains("repeat") && fresh.contains("draw by cycle for x"), "{fresh}");
}

#[test]
fn hint_undo_and_new_do_what_they_say() {
    let text = people("classic", &[], "a1\nb1\nhint\nundo\nundo\nundo\nmoves\nnew\nquit\n");
    assert!(text.contains("win in 5 plies for x\n* a2     win in 5 plies\n"), "{text}");
    assert_eq!(text.matches("1 move taken back").count(), 2);
    assert!(text.contains("there is no move of yours to take back"), "{text}");
    assert!(text.contains("a1 b1 c1 a2 b2 c2 a3 b3 c3"), "{text}");
    // Against a player, its answer is taken back too; it answers the same again.
    let text = out(&["classic", "--o", "random", "--seed", "5"], "a1\nundo\na1\n");
    assert!(text.contains("2 moves taken back"), "{text}");
    let answers: Vec<_> = text.lines().filter(|line| line.contains("(random) plays")).collect();
    assert!(answers.len() == 2 && answers[0] == answers[1], "{text}");
    // After the end.
    let text = people("classic", &[], "a1\nb1\na2\nb2\na3\nundo\nb3\n");
    assert!(text.contains("X wins") && text.contains("1 move taken back"), "{text}");
}

#[test]
fn a_record_is_saved_loaded_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (mine, whole) = (file("my game.json"), file("whole.json"));
    people("swap", &["--seed", "3"], &format!("a1\nb1\nb2\nsave {mine}\n"));
    let text = out(&["--load", &mine], "c3\nc1\na3\nmoves\n");
    assert!(text.contains("X: human   O: human   seed 3") && text.contains("a1-a2"), "{text}");
    let text = people("swap", &[], &format!("load {mine}\nload {mine}x\nundo\n"));
    assert!(text.contains(": 3 moves") && text.contains("No such file"), "{text}");
    // A finished game between players; the same seed gives the same record.
    let players = ["tapatan", "--x", "random", "--o", "rules", "--seed", "9", "--save", &whole];
    out(&players, "");
    let first = std::fs::read_to_string(&whole).unwrap();
    out(&players, "");
    assert_eq!(first, std::fs::read_to_string(&whole).unwrap());
    let record: serde_json::Value = serde_json::from_str(&first).unwrap();
    assert_eq!((&record["game"], &record["x"]), (&"tapatan".into(), &"random".into()));
    assert!(record["result"]["ending"].is_string());
    // Another game's record, and one that was tampered with.
    assert!(refused(&["classic", "--load", &mine]).contains("expected classic with rules"));
    std::fs::write(&mine, first.replacen("\"moves\": [\n    \"", "\"moves\": [\n    \"z", 1))
        .unwrap();
    assert!(refused(&["--load", &mine]).contains("move 1: "));
}

/// Plays the lines, waits until `shown` is, and kills the program where it waits for the next line.
fn killed(arguments: &[&str], lines: &str, shown: &str) {
    let mut child = morpion([&["play"], arguments].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(lines.as_bytes()).unwrap();
    let mut text = Vec::new();
    let mut out = child.stdout.take().unwrap();
    while !String::from_utf8_lossy(&text).contains(shown) {
        let mut some = [0; 1024];
        let count = std::io::Read::read(&mut out, &mut some).unwrap();
        assert!(count > 0, "{}", String::from_utf8_lossy(&text));
        text.extend_from_slice(&some[..count]);
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

fn recorded(file: &Path) -> (String, bool) {
    let record: serde_json::Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let moves = record["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap());
    (moves.collect::<Vec<_>>().join(" "), !record["result"].is_null())
}

const WON: &str = "a1\nb1\na2\nb2\na3\n";
const WON_MOVES: &str = "a1 b1 a2 b2 a3";

#[test]
fn a_game_is_saved_when_it_ends_and_whenever_a_person_is_to_move() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.json");
    let save = [&["classic"], TWO_PEOPLE, &["--save", file.to_str().unwrap()]].concat();
    killed(&save, "a1\nb1\nmoves\n", "c1 a2 b2");
    assert_eq!(recorded(&file), ("a1 b1".into(), false));
    killed(&save, WON, "over (");
    assert_eq!(recorded(&file), (WON_MOVES.into(), true));
    // A move taken back and another one made.
    let output = play(&save, &format!("{WON}undo\nc3\n"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("record written to"));
    assert_eq!(recorded(&file), ("a1 b1 a2 b2 c3".into(), false));
    // A sitting without a move leaves the file alone.
    let output = play(&save, "hint\nquit\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("no move was made"));
    assert_eq!(recorded(&file), ("a1 b1 a2 b2 c3".into(), false));
    // A file that cannot be written is told at once, and is the status at the end.
    let nowhere = [&["classic"], TWO_PEOPLE, &["--save", "/nonexistent/game.json"]].concat();
    let output = play(&nowhere, "a1\nmoves\n");
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("/nonexistent/game.json: No such file"), "{text}");
    assert!(text.contains("b1 c1 a2"), "the game goes on");
}

#[test]
fn a_game_is_given_up_for_another_one_only_when_that_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.json");
    let (file, other) = (path.to_str().unwrap(), folder.path().join("other.json"));
    let asks = |text: &str| text.matches("give it up? (yes, no, save FILE)> ").count();
    let empty = " 1  . | . | .";
    // Without a move, nothing is lost.
    let text = people("classic", &[], "new\nnew\nquit\n");
    assert_eq!((asks(&text), text.matches(empty).count()), (0, 3), "{text}");
    for (answer, boards) in [("yes", 2), ("Y", 2), ("no", 1), ("", 1), ("moves", 1)] {
        let text = people("classic", &[], &format!("a1\nnew\n{answer}\nquit\n"));
        assert!(text.contains("this game of 1 move is not saved; give it up?"), "{text}");
        assert_eq!((asks(&text), text.matches(empty).count()), (1, boards), "{answer}: {text}");
    }
    // Once saved it is given up without a question, but one more move is asked for again.
    let save = format!("save {file}\n");
    let text = people("classic", &[], &format!("a1\nnew\n{save}new\nquit\n"));
    assert_eq!((asks(&text), text.matches(empty).count()), (1, 2), "{text}");
    let text = people("classic", &[], &format!("a1\n{save}b1\nnew\nno\n"));
    assert_eq!(asks(&text), 1, "{text}");
    // A record that is loaded takes the place of a game, too.
    let text =
        people("classic", &[], &format!("c3\nload {file}\nno\nload {file}\nyes\nload {file}\n"));
    assert_eq!((asks(&text), text.matches("loaded ").count()), (2, 2), "{text}");
    let text = people("classic", &[], "c3\nload /nonexistent\nyes\n");
    assert!(asks(&text) == 0 && text.contains("nothing was asked"), "{text}");
    // With --save the next game's moves take the place of the finished one's: that is said, and no move takes nothing.
    let save = ["--save", file];
    let text = people("classic", &save, &format!("{WON}new\nyes\nquit\n"));
    assert!(text.contains("the next game replaces this one of 5 moves; give it up?"), "{text}");
    assert_eq!(recorded(&path), (WON_MOVES.into(), true));
    let keep = format!("{WON}new\nsave {}\nnew\nc3\nquit\n", other.display());
    people("classic", &save, &keep);
    assert_eq!(recorded(&other), (WON_MOVES.into(), true));
    assert_eq!(recorded(&path), ("c3".into(), false));
}

#[test]
fn boards_that_are_no_grid_and_passes_are_played() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ring.toml");
    std::fs::write(
        &file,
        "name = \"ring\"\n[board]\ncells = 6\n[lines]\nsets = [[0, 2, 4]]\n[pieces]\neach = 2\n\
         [moves]\nto = \"edges\"\nedges = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [0, 5]]\nstay = true\n",
    )
    .unwrap();
    let ring = ["--rules", file.to_str().unwrap()];
    let text = out(&[&ring, TWO_PEOPLE].concat(), "0\n3\n1\n4\n1-2\npass\n2-2\n4-1\nhint\n");
    assert!(text.contains("linked: 0-1 0-5 1-2 2-3 3-4 4-5"), "{text}");
    assert!(text.contains("4 and 1 are not linked: from 4 a piece goes to 3 5"), "{text}");
    assert!(text.contains("pass   draw by cycle"), "{text}");
    for player in ["random", "cubic", "best-first", "rules", "minimax:2", "alphabeta:3", "perfect"]
    {
        let text = out(&[&ring[..], &["--x", player, "--o", "perfect:trap"]].concat(), "");
        assert!(text.contains("Draw: "), "{player}\n{text}");
    }
}

#[test]
fn bad_usage_is_refused() {
    for (arguments, expected) in [
        (&["chess"][..], "no game named \"chess\""),
        (&["classic", "--o", "deep-blue"], "player \"deep-blue\": expected random"),
        (&["classic", "--o", "minimax:0"], "depth from 1 to 36, or human"),
        (&["classic", "--repeat", "1"], "--repeat"),
        (&["classic", "--from", "XXX/XXX/XXX x"], "9 X and 0 O"),
        (&["classic", "--load", "/nonexistent.json"], "/nonexistent.json: "),
        (&["classic5k5"], "perfect:first plays from a table (others do not: --o alphabeta:4)"),
        (&[], "required"),
    ] {
        let error = refused(arguments);
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
    // Without the table, others play, and only the hint is missing.
    let text = people("classic5k5", &[], "c3\nhint\n");
    assert!(text.contains("no hint: classic5k5"), "{text}");
}

/// A terminal in tmux, on a server of its own that ends with it.
struct Terminal {
    socket: tempfile::TempDir,
}

impl Terminal {
    fn open(arguments: &str) -> Terminal {
        needs(&["tmux"]);
        let terminal = Terminal { socket: tempfile::tempdir().unwrap() };
        let command = format!(
            "'{}' play {arguments}; echo \"left with status $?\"; cat",
            program().display()
        );
        terminal.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "50", &command]);
        terminal
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux")
            .arg("-u")
            .arg("-S")
            .arg(self.socket.path().join("tmux"))
            .args(arguments)
            .env_remove("TMUX")
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR")
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{arguments:?} {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Everything the terminal has shown so far.
    fn text(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-S", "-"])
    }

    /// Waits until `found` of everything shown; minutes without it are a failure.
    fn wait(&self, what: &str, found: impl Fn(&str) -> bool) -> String {
        for _ in 0..6000 {
            let text = self.text();
            if found(&text) {
                return text;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("{what} never came up in\n{}", self.text());
    }

    fn wait_for(&self, expected: &str) -> String {
        self.wait(expected, |text| text.contains(expected))
    }

    /// Types a line at the prompt, waits for the next prompt or the end, and checks what came in between.
    fn enter(&self, line: &str, expected: &str) {
        let asked = prompts(&self.text());
        self.tmux(&["send-keys", "-l", line]);
        self.tmux(&["send-keys", "Enter"]);
        let text = self.wait("the next prompt", |text| {
            prompts(text) > asked || text.contains("left with status")
        });
        let lines: Vec<&str> = text.lines().collect();
        let typed = (0..lines.len()).filter(|&at| is_prompt(lines[at])).nth(asked - 1).unwrap();
        let answer = lines[typed..].join("\n");
        assert!(answer.contains(expected), "{expected:?} is not in\n{answer}");
    }
}

fn is_prompt(line: &str) -> bool {
    ["x>", "o>", "over ("].iter().any(|prompt| line.starts_with(prompt))
}

fn prompts(text: &str) -> usize {
    text.lines().filter(|line| is_prompt(line)).count()
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let socket = self.socket.path().join("tmux");
        let _ = Command::new("tmux").arg("-S").arg(socket).arg("kill-server").output();
    }
}

#[test]
#[cfg_attr(not(has_tmux), ignore = "needs tmux")]
fn in_a_terminal_a_game_is_won_in_colours() {
    let terminal = Terminal::open("classic --x human --o human");
    terminal.wait_for("x>");
    terminal.enter("a1", " 1  X | . | .");
    terminal.enter("b1", " 1  X | O | .");
    terminal.enter("a1", "a1 is not legal: a1 is not empty: X has a piece there");
    terminal.enter("nonsense", "\"nonsense\" is no move: expected a cell like b2");
    terminal.enter("a2", " 2  X | . | .");
    terminal.enter("b2", " 2  X | O | .");
    terminal.enter("a3", "X wins: a line is made.");
    // The made line stands out, and pieces have their colours.
    let coloured = terminal.tmux(&["capture-pane", "-p", "-e"]);
    assert!(coloured.matches("7m").count() >= 3, "three cells inverted: {coloured:?}");
    assert!(coloured.contains("36m") && coloured.contains("33m"), "{coloured:?}");
    terminal.enter("quit", "left with status 0");
}

#[test]
#[cfg_attr(not(has_tmux), ignore = "needs tmux")]
fn in_a_terminal_a_game_repeats_itself_to_a_draw() {
    let terminal = Terminal::open("swap --x human --o human --from 'XO./.X./O.. x'");
    terminal.wait_for("x>");
    terminal.enter("c1", "X | O | X");
    terminal.enter("c3", "O | . | O");
    for round in 1..=2 {
        terminal.enter("a1-a2", "X | X | .");
        terminal.enter("c3-c2", "X | X | O");
        terminal.enter("hint", "a2-a1");
        terminal.enter("a2-a1", ". | X | O");
        let then = if round == 2 {
            "Draw: the position occurs for the 3rd time."
        } else {
            " 3  O | . | O"
        };
        terminal.enter("c2-c3", then);
    }
    terminal.enter("", "left with status 0");
}

#[test]
#[cfg_attr(not(has_tmux), ignore = "needs tmux")]
fn in_a_terminal_a_line_is_edited_and_earlier_ones_come_back() {
    let terminal = Terminal::open("classic --x human --o human");
    terminal.wait_for("x>");
    terminal.enter("nonsense", "\"nonsense\" is no move");
    // Up brings the line back; its beginning is deleted, and the rest typed over.
    terminal.tmux(&["send-keys", "Up", "C-u"]);
    terminal.enter("b2", " 2  . | X | .");
    terminal.tmux(&["send-keys", "Up", "BSpace"]);
    terminal.enter("1", " 1  . | O | .");
    terminal.tmux(&["send-keys", "-l", "a"]);
    terminal.tmux(&["send-keys", "C-c"]);
    terminal.wait_for("End of input: the game stops here.");
    terminal.wait_for("left with status 0");
}

#[test]
#[cfg_attr(not(has_tmux), ignore = "needs tmux")]
fn in_a_terminal_end_of_input_leaves() {
    let terminal = Terminal::open("classic --o rules --seed 1");
    terminal.wait_for("x>");
    terminal.enter("b2", "(rules) plays");
    terminal.tmux(&["send-keys", "C-d"]);
    terminal.wait_for("End of input: the game stops here.");
    terminal.wait_for("left with status 0");
}

#[test]
fn the_folder_of_a_record_keeps_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.json");
    out(&["classic", "--x", "rules", "--o", "rules", "--save", file.to_str().unwrap()], "");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert!(left.len() == 1 && Path::new(&file).is_file());
    let nowhere = folder.path().join("none/game.json");
    let output =
        play(&["classic", "--x", "rules", "--o", "rules", "--save", nowhere.to_str().unwrap()], "");
    assert_eq!(output.status.code(), Some(2));
}
