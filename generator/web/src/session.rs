//! Questions to the module, and the table that it keeps between them.

use crate::outline::{Outline, Turn};
use crate::review::{Played, Review};
use morpion_core::{Side, Situation};
use morpion_games::catalogue::Table;
use morpion_games::rules::{NamedGame, parse_named, varied};
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

/// A question. Questions about a game without its rules are about the session's table.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum Question {
    /// An [`Outline`] of the game of a rule file.
    Describe {
        /// A rule file in TOML.
        rules: String,
    },
    /// The rule file of a variant, which is not checked.
    Vary {
        /// A rule file in TOML.
        rules: String,
        /// A key such as `pieces.each`.
        key: String,
        /// The new value of the key: TOML, or a string without its quotes.
        value: String,
    },
    /// The [`Turn`] of a game that is not solved.
    Turn {
        /// A rule file in TOML.
        rules: String,
        /// A position as text; without it, the start.
        position: Option<String>,
        /// An opponent whose move is wanted too. It must not need a table.
        player: Option<String>,
        /// Seed of the opponent's choice.
        #[serde(default)]
        seed: u64,
    },
    /// Solves the game of a rule file, whose table is then the session's. The answer is its [`Description`].
    Solve {
        /// A rule file in TOML.
        rules: String,
    },
    /// The [`Appraisal`](morpion_play::appraisal::Appraisal) of the game.
    Judge {
        /// Games of each pair of players for each assignment of the colours.
        games: u32,
    },
    /// A lesson for one side.
    Lesson {
        /// `x` or `o`.
        #[serde(rename = "for")]
        owner: char,
        /// A position as text; without it, the start.
        position: Option<String>,
        /// `true` for the lesson as HTML.
        #[serde(default)]
        page: bool,
    },
    /// The grades of the game's puzzles.
    Grades,
    /// A puzzle; `null` if there is none.
    Puzzle {
        /// Any number.
        number: u64,
        /// A grade from 1 to 5; without it, any.
        grade: Option<u8>,
    },
    /// A [`printed`] sheet of puzzles, as HTML.
    Sheet {
        /// The number of the first puzzle.
        number: u64,
        /// A grade from 1 to 5; without it, any.
        grade: Option<u8>,
    },
    /// A [`board`] to print, as HTML.
    Board {
        /// A rule file in TOML.
        rules: String,
    },
    /// The [`Review`] of a game that the page has looked up in a table.
    Review {
        /// The moves of the game.
        moves: Vec<Played>,
    },
    /// The positions that play can reach, by value.
    Count {
        /// `none`, `board` or `rules`.
        symmetry: String,
    },
    /// The games of heaps that have a name.
    HeapGames,
    /// A game of heaps and its first values.
    HeapGame {
        /// Name or code of the game.
        game: String,
    },
    /// A sum of heaps.
    Heaps {
        /// The game's name or code.
        game: String,
        /// Sizes of the heaps.
        heaps: Vec<u64>,
    },
    /// A position on a board of cram.
    Cram {
        /// Rows and columns, such as `4x5`.
        board: String,
        /// A position as text; without it, the empty board.
        position: Option<String>,
    },
}

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
    pub fn open(&mut self, bytes: Vec<u8>) -> Result<String, String> {
        let bytes = Bytes::detect(bytes.into()).map_err(text)?;
        self.keep(Table::from_source(bytes).and_then(Table::loaded).map_err(text)?)
    }

    fn keep(&mut self, table: Table) -> Result<String, String> {
        let description = json(&Description::of(&table).map_err(text)?);
        self.table = Some(table);
        description
    }

    /// Answers a question as JSON.
    ///
    /// # Errors
    /// The message for the user. Invalid rules yield all faults, one a line.
    pub fn answer(&mut self, question: &str, progress: &dyn Progress) -> Result<String, String> {
        match serde_json::from_str(question).map_err(text)? {
            Question::Describe { rules } => json(&Outline::of(&named(&rules)?, progress)),
            Question::Vary { rules, key, value } => {
                json(&varied(&named(&rules)?.game, &[(key, value)].into()).map_err(text)?)
            }
            Question::Turn { rules, position, player, seed } => {
                json(&Turn::of(&named(&rules)?.game, position.as_deref(), player.as_deref(), seed)?)
            }
            Question::Solve { rules } => {
                let game = named(&rules)?.game;
                self.table = None;
                let bytes = solve(&game, progress).map_err(text)?;
                self.keep(Table::from_source(bytes.into()).map_err(text)?)
            }
            Question::Review { moves } => json(&Review::of(&moves)),
            Question::Board { rules } => json(&board(&named(&rules)?.game)),
            Question::HeapGames => json(NAMED),
            Question::HeapGame { game } => json(&self.impartial.describe(&game, progress)?),
            Question::Heaps { game, heaps } => json(&self.impartial.sum(&game, &heaps, progress)?),
            Question::Cram { board, position } => {
                json(&self.impartial.cram(&board, position.as_deref())?)
            }
            about_table => {
                let table = self.table.as_ref().ok_or("no table: solve a game or open a table")?;
                about(table, about_table, progress)
            }
        }
    }
}

/// Answers a question about a table.
fn about(table: &Table, question: Question, progress: &dyn Progress) -> Result<String, String> {
    match question {
        Question::Judge { games } => json(&appraise(table, games, progress).map_err(text)?),
        Question::Lesson { owner, position, page: is_page } => {
            let owner = match owner {
                'x' => Side::X,
                'o' => Side::O,
                other => return Err(format!("{other:?} is not a side: use x or o")),
            };
            let lesson = Lesson::new(table, situation(table, position.as_deref())?, owner);
            let lesson = lesson.map_err(text)?;
            if is_page { json(&body(table.game(), &lesson).0) } else { json(&lesson) }
        }
        Question::Grades => json(&grades(table).map_err(text)?),
        Question::Puzzle { number, grade } => {
            let filter = Filter { game: Some(table.game().name()), grade };
            json(&puzzle(&[table], number, filter).map_err(text)?)
        }
        Question::Sheet { number, grade } => {
            let filter = Filter { game: Some(table.game().name()), grade };
            json(&printed(&[table], number, filter).map_err(text)?)
        }
        Question::Count { symmetry } => {
            json(&count(table, symmetry.parse()?, progress).map_err(text)?)
        }
        _ => unreachable!("answered without a table"),
    }
}

fn situation(table: &Table, position: Option<&str>) -> Result<Situation, String> {
    match position {
        Some(position) => table.game().parse_position(position).map_err(text),
        None => Ok(table.game().start()),
    }
}

fn named(rules: &str) -> Result<NamedGame, String> {
    parse_named("rules", rules).map_err(text)
}

fn json(answer: &(impl Serialize + ?Sized)) -> Result<String, String> {
    serde_json::to_string(answer).map_err(text)
}

fn text(error: impl ToString) -> String {
    error.to_string()
}
