//! Questions to the module, and the table that it keeps between them.

use crate::outline::{Outline, Turn};
use crate::review::{Played, Review};
use morpion_core::{Game, PositionError, Side, Situation};
use morpion_games::catalogue::Table;
use morpion_games::rules::{NamedGame, RuleFileError, parse_named, varied};
use morpion_impartial::octal::named::NAMED;
use morpion_impartial::page::Games;
use morpion_lookup::Bytes;
use morpion_machine::progress::Progress;
use morpion_play::appraisal::appraise;
use morpion_play::puzzles::{Filter, grades, printed, puzzle};
use morpion_report::count::count;
use morpion_report::description::Description;
use morpion_report::lesson::Lesson;
use morpion_report::lesson::page::body;
use morpion_report::sheet::board;
use morpion_solver::table::solve;
use serde::{Deserialize, Serialize};
use std::error::Error;

/// A question. `rules` is a rule file in TOML. Questions about a game without its `rules` are about the session's table. `position`
/// is a position as text; without it, the start. `number` is any number of a puzzle, and `grade` a grade from 1 to 5; without it, any.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
enum Question {
    /// An [`Outline`] of the game.
    Describe { rules: String },
    /// The rule file of a variant, which is not checked: a key such as `pieces.each` gets another value, as TOML or as a string
    /// without its quotes.
    Vary { rules: String, key: String, value: String },
    /// The [`Turn`] of a game that is not solved. `player` is an opponent whose move is wanted too, and does not need a table. Its
    /// choice depends on `seed`.
    Turn {
        rules: String,
        position: Option<String>,
        player: Option<String>,
        #[serde(default)]
        seed: u64,
    },
    /// Solves the game, whose table is then the session's. The answer is its [`Description`].
    Solve { rules: String },
    /// The [`Appraisal`](morpion_play::appraisal::Appraisal) of the game, with `games` games of each pair of players for each
    /// assignment of the colours.
    Judge { games: u32 },
    /// A lesson for one side, `x` or `o`; with `page`, the lesson as HTML.
    Lesson {
        #[serde(rename = "for")]
        owner: char,
        position: Option<String>,
        #[serde(default)]
        page: bool,
    },
    /// The grades of the game's puzzles.
    Grades,
    /// A puzzle; `null` if there is none.
    Puzzle { number: u64, grade: Option<u8> },
    /// A [`printed`] sheet of puzzles from this number on, as HTML.
    Sheet { number: u64, grade: Option<u8> },
    /// A [`board`] to print, as HTML.
    Board { rules: String },
    /// The [`Review`] of a game that the page has looked up in a table, by its moves.
    Review { moves: Vec<Played> },
    /// The positions that play can reach, by value, with the symmetry `none`, `board` or `rules`.
    Count { symmetry: String },
    /// The games of heaps that have a name.
    HeapGames,
    /// A game of heaps, by its name or code, and its first values.
    HeapGame { game: String },
    /// A sum of heaps of these sizes.
    Heaps { game: String, heaps: Vec<u64> },
    /// A position of cram. `board` is its rows and columns, such as `4x5`; without a `position`, the board is empty.
    Cram { board: String, position: Option<String> },
}

/// An answer as JSON, or the reason why there is none.
pub(crate) type Answer = Result<String, Box<dyn Error>>;

/// The table that a page works with, if there is one.
#[derive(Default)]
pub struct Session {
    table: Option<Table>,
    impartial: Games,
}

impl Session {
    /// The bytes of the table, if they are in memory.
    pub fn table(&self) -> Option<&[u8]> {
        use morpion_core::Source;
        self.table.as_ref().and_then(|table| table.source().in_memory())
    }

    /// Opens a table, plain or packed, for the next questions. Returns its [`Description`] as JSON.
    ///
    /// # Errors
    /// If the bytes are not a table.
    pub fn open(&mut self, bytes: Vec<u8>) -> Answer {
        self.keep(Table::from_source(Bytes::detect(bytes.into())?).and_then(Table::loaded)?)
    }

    fn keep(&mut self, table: Table) -> Answer {
        let description = json(&Description::of(&table)?);
        self.table = Some(table);
        description
    }

    /// Answers a question as JSON.
    ///
    /// # Errors
    /// The message for the user. Invalid rules yield all faults, one a line.
    pub fn answer(&mut self, question: &str, progress: &dyn Progress) -> Answer {
        let table = self.table.as_ref().ok_or("no table: solve a game or open a table");
        match serde_json::from_str(question)? {
            Question::Describe { rules } => json(&Outline::of(&named(&rules)?, progress)),
            Question::Vary { rules, key, value } => {
                json(&varied(&named(&rules)?.game, &[(key, value)].into())?)
            }
            Question::Turn { rules, position, player, seed } => {
                let game = named(&rules)?.game;
                json(&Turn::of(&game, situation(&game, position)?, player.as_deref(), seed)?)
            }
            Question::Solve { rules } => {
                let game = named(&rules)?.game;
                self.table = None;
                self.keep(Table::from_source(solve(&game, progress)?.into())?)
            }
            Question::Judge { games } => json(&appraise(table?, games, progress)?),
            Question::Lesson { owner, position, page } => {
                let (table, owner) = (table?, side(owner)?);
                let lesson = Lesson::new(table, situation(table.game(), position)?, owner)?;
                if page { json(&body(table.game(), &lesson).0) } else { json(&lesson) }
            }
            Question::Grades => json(&grades(table?)?),
            Question::Puzzle { number, grade } => {
                let table = table?;
                let filter = Filter { game: Some(table.game().name()), grade };
                json(&puzzle(&[table], number, filter)?.map(|(puzzle, _)| puzzle))
            }
            Question::Sheet { number, grade } => {
                let table = table?;
                let filter = Filter { game: Some(table.game().name()), grade };
                json(&printed(&[table], number, filter)?)
            }
            Question::Board { rules } => json(&board(&named(&rules)?.game)),
            Question::Review { moves } => json(&Review::of(&moves)?),
            Question::Count { symmetry } => json(&count(table?, symmetry.parse()?, progress)?),
            Question::HeapGames => json(NAMED),
            Question::HeapGame { game } => json(&self.impartial.describe(&game, progress)?),
            Question::Heaps { game, heaps } => json(&self.impartial.sum(&game, &heaps, progress)?),
            Question::Cram { board, position } => {
                json(&self.impartial.cram(&board, position.as_deref())?)
            }
        }
    }
}

fn side(letter: char) -> Result<Side, String> {
    match letter {
        'x' => Ok(Side::X),
        'o' => Ok(Side::O),
        other => Err(format!("{other:?} is not a side: use x or o")),
    }
}

fn situation(game: &Game, position: Option<String>) -> Result<Situation, PositionError> {
    position.map_or(Ok(game.start()), |text| game.parse_position(&text))
}

fn named(rules: &str) -> Result<NamedGame, RuleFileError> {
    parse_named("rules", rules)
}

fn json(answer: &(impl Serialize + ?Sized)) -> Answer {
    Ok(serde_json::to_string(answer)?)
}
