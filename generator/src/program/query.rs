//! `morpion query`: values and moves of positions, from a table.

use super::moves::{grouped, share};
use super::play::board;
use super::tables::TableSource;
use crate::terminal::answers::answer_each;
use crate::terminal::prelude::*;
use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use morpion_core::{Game, Situation};
use morpion_report::answer::Answer;
use morpion_report::diagram::{Diagram, NAMES};
use morpion_report::line::LineAnswer;
use morpion_report::ranking::{best, ranking};
use std::io::{self, IsTerminal};

/// Print the value, distance and perfect moves of positions
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: TableSource,
    /// Positions [default: one per line from standard input; the start on a terminal, or if there is none]
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,
    /// Print one line of perfect play from each position instead
    #[arg(long)]
    line: bool,
    /// Draw one position as SVG instead, by default the start; needs no table
    #[arg(long, conflicts_with_all = ["line", "json"])]
    svg: bool,
    /// Print one JSON object per position
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let Args { source, mut positions, line, svg, json } = args;
    if svg {
        return draw(&source, &positions, out);
    }
    let table = source.open_or_solve()?;
    if positions.is_empty() && io::stdin().is_terminal() {
        positions.push(table.game().start().to_string());
    }
    let colours = AutoStream::choice(&io::stdout());
    let form = match io::stdout().is_terminal() {
        _ if line => AnswerForm::Line { json },
        _ if json => AnswerForm::Json,
        true => AnswerForm::Board { colour: colours != ColorChoice::Never },
        false => AnswerForm::Short,
    };
    let traps = !positions.is_empty();
    let cells = table.game().cells().into();
    let any = answer_each(
        out,
        json,
        &positions,
        |line| is_row(line, cells),
        |text| {
            Ok(match table.game().parse_position(text) {
                Ok(position) => Ok(answer(&table, position, traps, form)?),
                Err(_) if is_list_of_moves(table.game(), text) => {
                    Err("moves, not a position: write the board after them".into())
                }
                Err(error) => Err(error.to_string()),
            })
        },
    )?;
    if !any {
        writeln!(out, "{}", answer(&table, table.game().start(), true, form)?)?;
    }
    Ok(())
}

fn draw(source: &TableSource, positions: &[String], out: &mut Output) -> Result<()> {
    ensure!(positions.len() < 2, "--svg draws one position");
    let game = source.rules()?;
    let position = position(&game, positions.first().map(String::as_str))?;
    let diagram = Diagram { game: &game, position, last: None, next: None, names: NAMES };
    Ok(write!(out, "{}", diagram.document())?)
}

/// Reads a position; without a text, the start.
pub fn position(game: &Game, text: Option<&str>) -> Result<Situation> {
    let Some(text) = text else { return Ok(game.start()) };
    game.parse_position(text)
        .with_context(|| format!("{:?} is not a position of {}", text.trim(), game.name()))
}

fn is_list_of_moves(game: &Game, text: &str) -> bool {
    let mut moves = text.split_whitespace().peekable();
    moves.peek().is_some() && moves.all(|word| game.parse_move(word).is_ok())
}

/// Returns true if a line may be a part of a board with `cells` cells: a row, or another line of a drawing.
fn is_row(line: &str, cells: usize) -> bool {
    let line = line.trim_end_matches(['\r', '\n']);
    let is_mark = |c: char| "XxOo12WwBb._0".contains(c);
    let is_part = |c: char| is_mark(c) || "-+=|#[](),\"'│─┼".contains(c) || c.is_ascii_digit();
    // A number such as 1.0 is one mark.
    let is_number = |word: &str| word.contains('.') && word.parse::<f32>().is_ok();
    let marks = |word: &str| if is_number(word) { 1 } else { word.matches(is_mark).count() };
    let is_drawn = |word: &str| word.len() == 1 || word.chars().all(is_part);
    let is_open = line.matches('[').count() > line.matches(']').count();
    !line.is_empty()
        && (is_open || line.starts_with("in hand: ") || line.split_whitespace().all(is_drawn))
        && line.split(|c: char| c.is_whitespace() || ",|[]()".contains(c)).map(marks).sum::<usize>()
            < cells
}

/// Format of an answer.
#[derive(Clone, Copy)]
enum AnswerForm {
    /// A JSON object.
    Json,
    /// A line for the position and one for each move, for pipes.
    Short,
    /// A line of play.
    Line { json: bool },
    /// The board, then one line for all moves of the same worth.
    Board { colour: bool },
}

/// The answer to one position.
fn answer(table: &Table, position: Situation, traps: bool, form: AnswerForm) -> Result<String> {
    match form {
        AnswerForm::Json => {
            return Ok(serde_json::to_string(&Answer::new(table, position, traps)?)?);
        }
        AnswerForm::Line { json } => return line(table, position, json),
        AnswerForm::Short | AnswerForm::Board { .. } => {}
    }
    let game = table.game();
    let mut text =
        format!("{}  {}", game.format_position(position), in_words(table.probe(position)?));
    if let Some(over) = game.end_at(position) {
        text.push_str(&format!("  (over: {})", over.name()));
    }
    let ranking = ranking(table, position.raw, traps)?;
    match form {
        AnswerForm::Board { colour } => {
            let board = board::draw(table.game(), position, None);
            let board = if colour { board } else { strip_str(&board).to_string() };
            let board = board + &board::links(game);
            text = format!("{}\n\n{text}\n", board.trim_end_matches('\n'));
            text.push_str(&grouped(game, &ranking));
        }
        _ => {
            let best = best(&ranking).len();
            for (index, ranked) in ranking.iter().enumerate() {
                let mark = if index < best { "*" } else { "" };
                let share = ranked.trap.and_then(share).map(|share| format!(" ({share})"));
                let (name, worth) = (game.format_move(ranked.mv), in_words(ranked.score));
                text.push_str(&format!("\n  {name}{mark}  {worth}{}", share.unwrap_or_default()));
            }
        }
    }
    Ok(text)
}

/// Plays the first perfect move of each side from `position` on. Returns a JSON object, or a line of text for each position.
fn line(table: &Table, position: Situation, json: bool) -> Result<String> {
    let line = table.line(position, usize::MAX)?;
    let answer = LineAnswer::new(table.game(), &line);
    if json {
        return Ok(serde_json::to_string(&answer)?);
    }
    let texts = line.positions.iter().enumerate().map(|(index, &position)| {
        let end = match (answer.cycle, answer.over) {
            _ if index < answer.moves.len() => answer.moves[index].clone(),
            (Some(before), _) => format!("as position {before}: a cycle"),
            (_, over) => format!("over: {}", over.unwrap_or_default()),
        };
        let score = in_words(table.probe(position)?);
        Ok(format!("{index:>3}  {}  {score:<18}  {end}", answer.positions[index]))
    });
    Ok(texts.collect::<Result<Vec<_>>>()?.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_sees_the_board_and_moves_of_equal_worth_in_one_line() {
        let table: Table = morpion_lookup::Table::builtin("swap").unwrap();
        let position = table.game().parse_position("X../.O./..X o").unwrap();
        let text = answer(&table, position, true, AnswerForm::Board { colour: false }).unwrap();
        let (board, rest) = text.split_once("\n\n").unwrap();
        assert!(board.contains("a   b   c") && board.contains("X | . | ."), "{text}");
        assert_eq!(
            rest,
            "X../.O./..X o  draw by cycle\n  draw by cycle      b1 a2 c2 b3 (80 % of replies lose)\n  \
             loss in 4 plies    c1 a3\n"
        );
        let line = answer(&table, position, true, AnswerForm::Short).unwrap();
        assert_eq!(line.lines().count(), 7, "{line}");
        assert!(line.contains("\n  b1*  draw by cycle (80 % of replies lose)\n"), "{line}");
        let over = table.game().parse_position("XXX/OO./O.. o").unwrap();
        for form in [AnswerForm::Board { colour: false }, AnswerForm::Short] {
            assert!(answer(&table, over, true, form).unwrap().contains("(over: line)"));
        }
    }
}
