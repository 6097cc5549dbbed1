//! `morpion ugi` in a tournament, as a runner plays one: two engines, each asked for its moves and whether the game is over.

use morpion_tests::morpion;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// An engine that is asked as cutegames asks: it is sent a line, and waited for until it has said the answer.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    fn start(game: &str) -> Engine {
        let mut child = morpion(["ugi", game])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut engine = Engine { child, input, output: BufReader::new(output).lines() };
        engine.ask("ugi", "ugiok");
        engine
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// What follows `answer` on the first line that begins with it.
    fn ask(&mut self, line: &str, answer: &str) -> String {
        self.say(line);
        loop {
            let said = self.output.next().expect("an answer").unwrap();
            assert!(!said.contains("error"), "{line}: {said}");
            if let Some(rest) = said.strip_prefix(answer) {
                return rest.trim().to_owned();
            }
        }
    }

    fn at(&mut self, moves: &[String]) {
        let history = moves.join(" ");
        let said = if moves.is_empty() { String::new() } else { format!(" moves {history}") };
        self.say(&format!("position startpos{said}"));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.say("quit");
        assert!(self.child.wait().unwrap().success());
    }
}

/// Plays a game as a runner of tournaments does; both engines have to agree on its end.
fn play(game: &str, errors: [u32; 2], seed: u32) -> (String, usize) {
    let mut engines = [Engine::start(game), Engine::start(game)];
    for (engine, errors) in engines.iter_mut().zip(errors) {
        engine.say(&format!("setoption name Errors value {errors}"));
        engine.say(&format!("setoption name Seed value {seed}"));
        engine.ask("isready", "readyok");
        engine.say("uginewgame");
    }
    let mut moves = Vec::new();
    loop {
        engines[0].at(&moves);
        let is_first = engines[0].ask("query p1turn", "response ") == "true";
        assert_eq!(is_first, moves.len().is_multiple_of(2));
        let engine = &mut engines[usize::from(!is_first)];
        engine.at(&moves);
        if engine.ask("query gameover", "response ") == "true" {
            break;
        }
        moves.push(engine.ask("go movetime 100", "bestmove "));
        assert!(moves.len() < 1000, "{game} does not end");
    }
    let results = engines.each_mut().map(|engine| {
        engine.at(&moves);
        assert_eq!(engine.ask("query gameover", "response "), "true");
        engine.ask("query result", "response ")
    });
    assert_eq!(results[0], results[1]);
    (results[0].clone(), moves.len())
}

#[test]
fn tournaments_are_played_to_their_ends() {
    assert_eq!(play("classic", [0, 0], 1), ("draw".into(), 9));
    assert_eq!(play("tapatan", [0, 0], 2), ("p1win".into(), 9));
    assert_eq!(play("achi", [0, 0], 3), ("p1win".into(), 11));
    // Neither side can force a win in swap, so that perfect play goes in circles, which the third occurrence ends.
    let (result, moves) = play("swap", [0, 0], 4);
    assert!(result == "draw" && moves > 6, "{result} in {moves}");
    // Who always errs does not hold it; who never does wins every time it can.
    for seed in 0..5 {
        assert_eq!(play("swap", [100, 0], seed).0, "p2win");
        assert_ne!(play("classic", [0, 50], seed).0, "p2win");
    }
}
