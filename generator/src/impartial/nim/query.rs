//! `morpion nim query`: the winner of a sum of heaps, and every winning move.

use super::source::heaps_to;
use crate::terminal::answers::answer_each;
use crate::terminal::folders::Tables;
use crate::terminal::prelude::*;
use morpion_grundy::GrundyTable;
use morpion_impartial::octal::answer::{AnswerError, HeapAnswer, HeapMove};
use morpion_impartial::octal::treblecross::{self, RowAnswer};
use morpion_impartial::octal::{misere, named, normal};
use morpion_machine::progress::Unobserved;
use std::iter::once;

/// Ask for the value of a sum of heaps, who wins, and every winning move
#[derive(clap::Args)]
pub struct Args {
    /// An octal code, a name, or a table file
    #[arg(value_name = "CODE|TABLE")]
    code: String,
    /// Heaps, or a row for treblecross; without any, reads one sum per line from standard input
    #[arg(value_name = "HEAP")]
    heaps: Vec<String>,
    /// List at most this many winning moves
    #[arg(long, value_name = "N", default_value_t = 1000)]
    moves: usize,
    /// Misère play: the last move loses (nim, or one heap of a game that never splits)
    #[arg(long)]
    misere: bool,
    #[command(flatten)]
    tables: Tables,
    /// Print one JSON object per sum
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let mut asked = Asked { args: &args, table: None };
    if !args.heaps.is_empty() {
        writeln!(out, "{}", asked.answer(&args.heaps)?)?;
        return Ok(());
    }
    answer_each(
        out,
        args.json,
        &[],
        |_| false,
        |line| {
            let words: Vec<String> = line.split_whitespace().map(str::to_string).collect();
            Ok(asked.answer(&words).map_err(|error| format!("{error:#}")))
        },
    )?;
    Ok(())
}

/// A game with its table, which is opened when the first sum is read.
struct Asked<'a> {
    args: &'a Args,
    table: Option<GrundyTable>,
}

impl Asked<'_> {
    /// Answers a sum of heaps or a row, as one line of output.
    fn answer(&mut self, words: &[String]) -> Result<String> {
        if let [row] = words
            && treblecross::is_row(row)
        {
            return self.row(row);
        }
        let heaps = words.iter().map(|word| heap(word)).collect::<Result<Vec<u64>>>()?;
        let answer = if self.args.misere {
            let code = match named::resolve(&self.args.code) {
                Ok(code) => code,
                Err(_) => self.table(0)?.octal()?.0.clone(),
            };
            misere::answer(&code, &heaps, self.args.moves, &Unobserved)?
        } else {
            let limit = self.args.moves;
            let table = self.table(heaps.iter().max().copied().unwrap_or(0))?;
            normal::answer(table, &heaps, limit, &Unobserved)?
        };
        if self.args.json { Ok(serde_json::to_string(&answer)?) } else { Ok(in_words(&answer)) }
    }

    fn row(&mut self, text: &str) -> Result<String> {
        let code = self.table(0)?.octal()?.0.clone();
        if code.to_string() != "0.007" {
            bail!(
                "{text:?} is a row, but the game is {code}: give heaps, since only treblecross has rows"
            );
        }
        let row = treblecross::parse(text)?;
        if self.args.misere {
            return Err(AnswerError::Misere(code).into());
        }
        let answer = treblecross::answer(self.table(row.len() as u64 + 2)?, &row)?;
        if self.args.json { Ok(serde_json::to_string(&answer)?) } else { Ok(row_in_words(&answer)) }
    }

    /// Returns the table for heaps up to `longest`.
    fn table(&mut self, longest: u64) -> Result<&GrundyTable> {
        let table = match self.table.take() {
            Some(table) if table.heap(longest).is_ok() => table,
            _ => heaps_to(&self.args.tables, &self.args.code, longest)?.0,
        };
        Ok(self.table.insert(table))
    }
}

fn heap(word: &str) -> Result<u64> {
    match word.parse::<u64>() {
        Ok(heap) if heap.to_string() == word => Ok(heap),
        _ => bail!("{word:?} is not a heap: give a number from 0 to 18446744073709551615"),
    }
}

fn in_words(answer: &HeapAnswer) -> String {
    let HeapAnswer { code, heaps, values, value, outcome, .. } = answer;
    let part = |(index, heap): (usize, &u64)| match values {
        Some(values) => format!("{heap} (value {})", values[index]),
        None => heap.to_string(),
    };
    let parts: Vec<String> = heaps.iter().enumerate().map(part).collect();
    let misere = if answer.misere.is_some() { " misère" } else { "" };
    let (parts, value) = (parts.join(" + "), number(*value));
    let sum = format!("{code}{misere}  {parts}  value {value}  {outcome}");
    let more = answer.more.map(|_| "… (more: --moves N)".to_string());
    let moves = answer.moves.iter().map(move_in_words);
    once(sum).chain(moves).chain(more).collect::<Vec<_>>().join("\n  ")
}

fn number(value: Option<u64>) -> String {
    value.map_or("-".to_string(), |value| value.to_string())
}

fn move_in_words(mv: &HeapMove) -> String {
    let left: Vec<String> = mv.leave.iter().map(u64::to_string).collect();
    let left = if left.is_empty() { "nothing".to_string() } else { left.join(" + ") };
    format!("heap {}: take {}, leave {left}", mv.heap, mv.take)
}

fn row_in_words(answer: &RowAnswer) -> String {
    let value = number(answer.value);
    let over = answer.over.map_or(String::new(), |over| format!("  (over: {over})"));
    let mut text = format!("{}  value {value}  {}{over}", answer.row, answer.outcome);
    if !answer.moves.is_empty() {
        let cells: Vec<String> = answer.moves.iter().map(usize::to_string).collect();
        text.push_str(&format!("  cells {}", cells.join(" ")));
    }
    text
}
