//! `morpion ugi` in a tournament of two engines, which answer with their moves and with the end of the game.

use morpion_tests::morpion;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// An engine controlled as cutegames does (its `src/engine/engine_ugi.cpp`): it gets a line, and has to print a line of two words
/// that starts with the expected one.
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
        assert_eq!(engine.ask("ugi", "ugiok"), "");
        engine
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// The second word of the reply that starts with `answer`; empty if there is none.
    fn ask(&mut self, line: &str, answer: &str) -> String {
        self.say(line);
        loop {
            let reply = self.output.next().expect("an answer").unwrap();
            assert!(!reply.contains("error"), "{line}: {reply}");
            match reply.split_whitespace().collect::<Vec<_>>()[..] {
                [first] if first == answer => return String::new(),
                [first, word] if first == answer => return word.to_owned(),
                _ => {}
            }
        }
    }

    fn at(&mut self, start: &str, moves: &[String]) {
        let history = moves.join(" ");
        let suffix = if moves.is_empty() { String::new() } else { format!(" moves {history}") };
        self.say(&format!("position {start}{suffix}"));
    }

    /// The answer to a question about a position.
    fn query(&mut self, start: &str, moves: &[String], question: &str) -> String {
        self.at(start, moves);
        self.ask(&format!("query {question}"), "response")
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.say("quit");
        assert!(self.child.wait().unwrap().success());
    }
}

/// Plays a game as cutegames does (its `src/match/play.cpp`, with both engines asked for the end). Returns the result on which
/// the engines agree, and the number of moves.
fn play_from(game: &str, start: &str, errors: [u32; 2], seed: u32) -> (String, usize) {
    let mut engines = [Engine::start(game), Engine::start(game)];
    for (engine, errors) in engines.iter_mut().zip(errors) {
        engine.say(&format!("setoption name Errors value {errors}"));
        engine.say(&format!("setoption name Seed value {seed}"));
        engine.ask("isready", "readyok");
        engine.say("uginewgame");
    }
    let mut moves = Vec::new();
    let limits =
        ["movetime 100", "p1time 1000 p2time 1000 p1inc 10 p2inc 10", "depth 3", "nodes 9"];
    loop {
        let is_first = engines[0].query(start, &moves, "p1turn") == "true";
        let engine = &mut engines[usize::from(!is_first)];
        engine.ask("isready", "readyok");
        let over = engine.query(start, &moves, "gameover");
        assert_eq!(over, engines[usize::from(is_first)].query(start, &moves, "gameover"));
        if over == "true" {
            break;
        }
        let limit = limits[moves.len() % limits.len()];
        moves.push(engines[usize::from(!is_first)].ask(&format!("go {limit}"), "bestmove"));
        let next = engines[0].query(start, &moves, "p1turn") == "true";
        assert_ne!(is_first, next, "sides move in turn");
        assert!(moves.len() < 1000, "{game} does not end");
    }
    let results = engines.each_mut().map(|engine| engine.query(start, &moves, "result"));
    assert_eq!(results[0], results[1]);
    (results[0].clone(), moves.len())
}

fn play(game: &str, errors: [u32; 2], seed: u32) -> (String, usize) {
    play_from(game, "startpos", errors, seed)
}

#[test]
fn tournaments_are_played_to_the_end() {
    assert_eq!(play("classic", [0, 0], 1), ("draw".into(), 9));
    assert_eq!(play("tapatan", [0, 0], 2), ("p1win".into(), 9));
    assert_eq!(play("achi", [0, 0], 3), ("p1win".into(), 11));
    // Neither side can force a win in swap, so perfect play goes in circles until the third occurrence ends it.
    let (result, moves) = play("swap", [0, 0], 4);
    assert!(result == "draw" && moves > 6, "{result} in {moves}");
    // A player that always errs does not hold the draw. A player that never errs wins whenever it can.
    for seed in 0..5 {
        assert_eq!(play("swap", [100, 0], seed).0, "p2win");
        assert_ne!(play("classic", [0, 50], seed).0, "p2win");
    }
    // In a file of openings, an opening is a position with its side.
    assert_eq!(play_from("swap", "fen XX./OO./XO. x", [0, 0], 1), ("p1win".into(), 1));
    assert_eq!(play_from("classic", "fen X../.../... o", [0, 0], 1), ("draw".into(), 8));
}
