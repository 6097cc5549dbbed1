//! The game in a real terminal, run by tmux.

use morpion_tests::{needs, program};
use std::process::Command;

/// A terminal in tmux, on its own server, which stops with it.
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

    /// The whole output of the terminal so far.
    fn text(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-S", "-"])
    }

    /// Waits until `found` holds for the whole output so far. Fails after minutes.
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

    /// Types a line at the prompt, waits for the next prompt or the end, and checks the output in between.
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
    ["x>", "o>", "over (", "this game of"].iter().any(|prompt| line.starts_with(prompt))
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
    terminal.enter("nonsense", "\"nonsense\" is not a move: expected a cell like b2");
    terminal.enter("a2", " 2  X | . | .");
    terminal.enter("b2", " 2  X | O | .");
    terminal.enter("a3", "X wins: a line is made.");
    // The completed line is highlighted, and pieces have their colours.
    let coloured = terminal.tmux(&["capture-pane", "-p", "-e"]);
    assert!(coloured.matches("7m").count() >= 3, "three cells inverted: {coloured:?}");
    assert!(coloured.contains("36m") && coloured.contains("33m"), "{coloured:?}");
    terminal.enter("quit", "this game of 5 moves is not saved; give it up?");
    terminal.enter("yes", "left with status 0");
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
        terminal.enter("hint", "keep the draw");
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
    terminal.enter("nonsense", "\"nonsense\" is not a move");
    // The Up key recalls the line. Its beginning is deleted, and the rest is typed again.
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
