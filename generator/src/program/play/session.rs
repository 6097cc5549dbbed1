//! A game in the terminal, move by move.

use super::board;
use super::hint::hints;
use super::input::{self, command, read_move};
use super::review::review;
use super::saved::{self, Saved};
use crate::program::moves::grouped;
use crate::program::tables::TableSource;
use crate::terminal::lines::Prompts;
use crate::terminal::prelude::*;
use morpion_core::{Game, Move, Side};
use morpion_play::dice::Dice;
use morpion_play::link;
use morpion_play::players::{Player, Question};
use morpion_play::record::Record;
use morpion_play::referee::{OCCURRENCES, Referee};
use morpion_report::phrases::{self, capital, rules};
use morpion_report::ranking::{Ranked, ranking};
use std::cell::OnceCell;

/// A game with its players, input and output.
pub struct Session<'g, W> {
    pub referee: Referee<'g>,
    /// The players of X and of O; `None` for a human.
    pub players: [Option<Player>; 2],
    pub seed: u64,
    pub source: TableSource,
    /// The table, once it is opened or solved.
    pub table: OnceCell<Table>,
    pub saved: Saved,
    pub prompts: Prompts,
    pub out: W,
    /// Number of hints at the present position.
    pub hints: usize,
    /// The game to begin if the player gives up the present game, which is not saved. `None` unless the player has been asked
    /// about it.
    pub asked: Option<Other<'g>>,
}

/// The game that replaces the present game, with the file of its record if there is one. `None` if the player leaves.
pub type Other<'g> = Option<(Referee<'g>, Option<PathBuf>)>;

/// The action after a line of input.
enum Next {
    /// The position has changed.
    Question,
    /// Ask again.
    Ask,
    /// End the session.
    Leave,
}

impl<'g, W: Write> Session<'g, W> {
    /// Plays until the input ends, or until the game is over and the player does not begin another game.
    pub fn run(&mut self) -> Result<()> {
        let game = self.game();
        write_wrapped(&mut self.out, game.title())?;
        let [x, o] = self.names();
        writeln!(self.out, "X: {x}   O: {o}   seed {}", self.seed)?;
        if self.has_human() {
            writeln!(self.out, "Type a move, or help.")?;
        }
        write!(self.out, "{}", board::links(game))?;
        loop {
            let over = self.referee.outcome().is_some();
            let waits = over || self.player().is_none();
            // The board is drawn once a turn, since the answer to a human's move follows at once.
            if waits || !self.has_human() {
                self.draw()?;
            }
            self.announce()?;
            if waits {
                self.say(|session| session.keep(over))?;
            }
            if over && !self.has_human() {
                return Ok(());
            }
            self.hints = 0;
            let next = if waits { self.ask(over)? } else { self.move_player()? };
            if let Next::Leave = next {
                return Ok(());
            }
        }
    }

    /// The record of the game so far.
    pub fn record(&self) -> Record {
        let [x, o] = self.names();
        Record::new(&self.referee, &x, &o, self.seed)
    }

    /// The table, which is opened or solved at its first use.
    pub fn table(&self) -> Result<&Table> {
        if let Some(table) = self.table.get() {
            return Ok(table);
        }
        let table = self.source.open_or_solve()?;
        Ok(self.table.get_or_init(|| table))
    }

    fn game(&self) -> &'g Game {
        self.referee.game()
    }

    /// The names of the players of X and of O.
    fn names(&self) -> [String; 2] {
        let name = |player: &Player| player.name.clone();
        self.players.each_ref().map(|player| player.as_ref().map_or("human".into(), name))
    }

    /// The player of the side to move; `None` for a human.
    fn player(&self) -> Option<&Player> {
        self.players[self.referee.side() as usize].as_ref()
    }

    fn has_human(&self) -> bool {
        self.players.iter().any(Option::is_none)
    }

    /// The side of the human if the other side is a player.
    fn only_human(&self) -> Option<Side> {
        match self.players {
            [None, Some(_)] => Some(Side::X),
            [Some(_), None] => Some(Side::O),
            _ => None,
        }
    }

    fn draw(&mut self) -> Result<()> {
        let last = self.referee.moves().last().and_then(|mv| mv.target());
        let text = board::draw(self.game(), self.referee.position(), last);
        writeln!(self.out, "\n{text}")?;
        Ok(())
    }

    /// Reports the result of the game if it is over.
    fn announce(&mut self) -> Result<()> {
        let Some(outcome) = self.referee.outcome() else { return Ok(()) };
        match outcome.winner {
            Some(side) => {
                let result = match self.only_human() {
                    Some(human) if human == side => "You won".into(),
                    Some(_) => "You lost".into(),
                    None => format!("{} wins", capital(side)),
                };
                writeln!(self.out, "{}: {}.", board::coloured(side, result), outcome.ending)?;
            }
            None => writeln!(self.out, "Draw: {}.", outcome.ending)?,
        }
        Ok(())
    }

    fn move_player(&mut self) -> Result<Next> {
        let (side, ply) = (self.referee.side(), self.referee.moves().len() as u64);
        let Some(player) = self.player() else { return Ok(Next::Ask) };
        let table = if player.needs_table { Some(self.table()?) } else { None };
        let turn = Question {
            game: self.game(),
            position: self.referee.position().raw,
            table,
            limit: None,
        };
        // Each ply has its own dice, so that a game continues in the same way after undo and load.
        let (mv, choice) = player.choose(&turn, &mut Dice::stream(self.seed, ply))?;
        let (name, text) = (player.name.clone(), self.game().format_move(mv));
        write!(self.out, "{} ({name}) plays {text}", board::coloured(side, capital(side)))?;
        if let (Some(nodes), Some(worth)) = (choice.nodes, choice.worth) {
            write!(self.out, "  ({} positions searched, worth {worth})", phrases::grouped(nodes))?;
        }
        writeln!(self.out)?;
        self.referee.play(mv)?;
        Ok(Next::Question)
    }

    /// Prints the text of an answer, or the reason why there is none.
    fn say(&mut self, answer: impl FnOnce(&mut Self) -> Result<String>) -> Result<()> {
        match answer(self) {
            Ok(text) => Ok(write!(self.out, "{text}")?),
            // An error is one line, in which names of files stay as they are.
            Err(error) => Ok(writeln!(self.out, "{}", Shown(format_args!("{error:#}")))?),
        }
    }

    /// Updates the file of --save, so that the game survives any end of the program.
    fn keep(&mut self, over: bool) -> Result<String> {
        let record = self.record();
        let kept = self.saved.keep(&record)?;
        let path = self.saved.path.as_ref().filter(|_| kept && over);
        Ok(path.map_or(String::new(), |path| format!("saved to {}\n", Shown(path.display()))))
    }

    /// Reads lines until one changes the position or leaves.
    fn ask(&mut self, over: bool) -> Result<Next> {
        loop {
            let prompt = self.prompt(over);
            let Some(line) = self.prompts.ask(&prompt, &mut self.out)? else {
                let state = if over { "Goodbye." } else { "End of input: the game stops here." };
                writeln!(self.out, "\n{state}")?;
                return Ok(Next::Leave);
            };
            match self.obey(&line, over)? {
                Next::Ask => {}
                next => return Ok(next),
            }
        }
    }

    fn prompt(&self, over: bool) -> String {
        if self.asked.is_some() {
            let moves = counted(self.referee.moves().len() as u64, "move");
            let lost = match &self.saved.path {
                None => format!("this game of {moves} is not saved"),
                Some(path) => {
                    let path = Shown(path.display());
                    format!("in {path} the next game replaces this one of {moves}")
                }
            };
            format!("{lost}; give it up? (yes, no, save FILE)> ")
        } else if over {
            "over (review, undo, save FILE, new, quit)> ".into()
        } else {
            board::prompt(self.referee.side())
        }
    }

    fn obey(&mut self, line: &str, over: bool) -> Result<Next> {
        let game = self.game();
        let (word, rest) = command(game, line);
        match (word.as_str(), rest, self.asked.take()) {
            ("yes" | "y", "", Some(other)) => return self.begin(other),
            ("no" | "n" | "", "", Some(_)) => {}
            // After the end of the game, an empty line leaves.
            ("", ..) if over => return Ok(Next::Leave),
            ("", ..) => {}
            ("yes" | "y" | "no" | "n", "", None) => writeln!(self.out, "nothing was asked")?,
            ("quit" | "exit", "", _) if over && self.saved.path.is_none() => {
                return self.instead(None);
            }
            ("quit" | "exit", "", _) => return Ok(Next::Leave),
            ("link", "", _) => {
                let link = link::write(&self.record(), game);
                writeln!(self.out, "{link}  (append it to the address of the page)")?;
            }
            ("help" | "?", "", _) => {
                writeln!(self.out, "{}{}", input::notation(game), help("playing"))?;
            }
            ("rules", "", _) => write_wrapped(&mut self.out, rules(game))?,
            ("board", "", _) => {
                self.draw()?;
                write!(self.out, "{}", board::links(game))?;
            }
            ("moves", "", _) => {
                let moves = self.referee.legal_moves();
                let moves: Vec<_> = moves.iter().map(|&mv| game.format_move(mv)).collect();
                write_wrapped(&mut self.out, moves.join(" "))?;
            }
            ("hint", "", _) => self.say(Self::hint)?,
            ("review", "", _) => self.say(Self::review)?,
            ("undo", "", _) => return self.undo(),
            ("new", "", _) => {
                let start = self.referee.states()[0];
                return self.instead(Some((Referee::from_position(game, start), None)));
            }
            ("save" | "load", "", _) => {
                writeln!(self.out, "{word:?} needs a file: write {word} FILE")?;
            }
            ("save", file, _) => self.say(|session| session.save(Path::new(file)))?,
            ("load", file, _) => match self.replay(Path::new(file)) {
                Ok(referee) => return self.instead(Some((referee, Some(file.into())))),
                Err(error) => self.say(|_| Err(error.context(file.to_owned())))?,
            },
            _ => return self.move_human(line),
        }
        Ok(Next::Ask)
    }

    fn save(&mut self, path: &Path) -> Result<String> {
        let record = self.record();
        self.saved.write(&record, path)?;
        Ok(format!("saved to {}\n", Shown(path.display())))
    }

    fn move_human(&mut self, line: &str) -> Result<Next> {
        let own = self.referee.position().raw.mover;
        let mv = match read_move(self.game(), line) {
            Err(error) => {
                write_wrapped(&mut self.out, error)?;
                return Ok(Next::Ask);
            }
            // Putting a piece back on its own cell is a pass.
            Ok(Move::Shift { from, to })
                if from == to && own >> from & 1 == 1 && self.referee.check(Move::Pass).is_ok() =>
            {
                Move::Pass
            }
            Ok(mv) => mv,
        };
        match self.referee.play(mv) {
            Ok(()) => Ok(Next::Question),
            Err(illegal) => {
                let text = self.game().format_move(mv);
                writeln!(self.out, "{text} is not legal: {illegal}")?;
                Ok(Next::Ask)
            }
        }
    }

    /// Takes moves back until a human is to move.
    fn undo(&mut self) -> Result<Next> {
        let moves = self.referee.moves().len();
        let mut before = self.referee.clone();
        while before.undo().is_some() {
            if self.players[before.side() as usize].is_none() {
                let taken = counted((moves - before.moves().len()) as u64, "move");
                writeln!(self.out, "{taken} taken back")?;
                self.referee = before;
                return Ok(Next::Question);
            }
        }
        writeln!(self.out, "there is no move of yours to take back")?;
        Ok(Next::Ask)
    }

    /// Starts another game, without a question if the present game is saved.
    fn instead(&mut self, other: Other<'g>) -> Result<Next> {
        if self.saved.would_be_lost(&self.record()) {
            self.asked = Some(other);
            return Ok(Next::Ask);
        }
        self.begin(other)
    }

    fn begin(&mut self, other: Other<'g>) -> Result<Next> {
        let Some((referee, path)) = other else { return Ok(Next::Leave) };
        self.referee = referee;
        if let Some(path) = path {
            let moves = counted(self.referee.moves().len() as u64, "move");
            writeln!(self.out, "loaded {}: {moves}", Shown(path.display()))?;
            let record = self.record();
            self.saved.remember_saved(&record, &path);
        }
        Ok(Next::Question)
    }

    fn replay(&mut self, path: &Path) -> Result<Referee<'g>> {
        let (record, unused) = saved::read(path)?;
        if !unused.is_empty() {
            writeln!(self.out, "not used: {}", Shown(unused.join(", ")))?;
        }
        Ok(record.replay(self.game())?)
    }

    /// The next hint. The last hint shows the value of each move, and the moves that repeat a position.
    fn hint(&mut self) -> Result<String> {
        if self.referee.outcome().is_some() {
            return Ok("the game is over\n".into());
        }
        let position = self.referee.position();
        let table = self.table().context("no hint")?;
        let (score, ranking) = (table.probe(position)?, ranking(table, position.raw, true)?);
        let hints = hints(self.game(), &ranking);
        self.hints += 1;
        if let Some(hint) = hints.get(self.hints - 1) {
            let more = if self.hints < hints.len() { " (hint says more)" } else { "" };
            return Ok(wrapped(&format!("{hint}{more}"), WIDTH).join("\n") + "\n");
        }
        let mut text = format!("{} for {}\n", in_words(score), position.side.letter());
        text += &grouped(self.game(), &ranking);
        for Ranked { mv, .. } in ranking {
            let times = self.referee.occurrences_after(mv) + 1;
            let end = if times == OCCURRENCES { ": a draw" } else { "" };
            if times > 1 {
                let name = self.game().format_move(mv);
                text += &format!("  {name} repeats a position, {times} of {OCCURRENCES}{end}\n");
            }
        }
        Ok(text)
    }

    /// The value of every move so far.
    fn review(&mut self) -> Result<String> {
        review(&self.referee, self.table().context("no review")?)
    }
}
