//! `morpion count`: the positions that play can reach.

use super::known::{known, print as print_known};
use super::tables::{TableSource, whole};
use crate::terminal::help::help;
use crate::terminal::output::{Output, csv};
use anyhow::Result;
use clap::ValueEnum;
use morpion_builder::usage::available_memory;
use morpion_machine::progress::Unobserved;
use morpion_report::count::{Count, Symmetry, count};
use morpion_report::games::{Games, games, lines};
use morpion_report::phrases::{aligned, grouped};
use serde::Serialize;
use std::io::Write;

/// Count the positions that play can reach, by value
#[derive(clap::Args)]
#[command(after_help = help("count"))]
pub struct Args {
    #[command(flatten)]
    source: TableSource,
    /// Symmetric positions counted once or separately
    #[arg(long, value_name = "KIND", default_value = "none")]
    symmetry: SymmetryArg,
    /// Count the games too, by length and by result
    #[arg(long)]
    games: bool,
    /// Count the lines of play of 1 to N moves instead of positions
    #[arg(long, value_name = "N", conflicts_with_all = ["csv", "games"])]
    lines: Option<usize>,
    /// Print the positions by layer, value and distance as CSV
    #[arg(long, conflicts_with_all = ["json", "games"])]
    csv: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Args {
    fn symmetry(&self) -> Symmetry {
        match self.symmetry {
            SymmetryArg::None => Symmetry::None,
            SymmetryArg::Board => Symmetry::Board,
            SymmetryArg::Rules => Symmetry::Rules,
        }
    }
}

/// Answer of the command. The keys are part of the interface.
#[derive(Serialize)]
struct CountAnswer {
    #[serde(flatten)]
    count: Count,
    #[serde(flatten)]
    games: Option<Games>,
}

#[derive(Clone, Copy, ValueEnum)]
enum SymmetryArg {
    /// Every position by itself
    None,
    /// Classes under the grid's rotations and reflections that keep the rules
    Board,
    /// Classes under all symmetries of the rules
    Rules,
}

/// Lines of play by their number of moves. The keys are part of the interface.
#[derive(Serialize)]
struct LinesAnswer {
    game: String,
    symmetry: String,
    /// As texts, since many JSON readers round numbers above 2⁵³.
    lines: Vec<String>,
}

fn run_lines(args: &Args, symmetry: Symmetry, most: usize, out: &mut Output) -> Result<()> {
    let game = args.source.tables.game(&args.source.game)?;
    let lines = lines(&game, symmetry, most, available_memory(), &Unobserved)?;
    if args.json {
        let lines = lines.iter().map(u128::to_string).collect();
        let named = args.symmetry.to_possible_value();
        let symmetry = named.map(|value| value.get_name().to_owned()).unwrap_or_default();
        let game = game.name().to_owned();
        return out.json(&LinesAnswer { game, symmetry, lines });
    }
    let mut rows = vec![vec!["moves".into(), "lines of play".into()]];
    rows.extend((1..).zip(&lines).map(|(moves, &lines)| vec![format!("{moves}"), grouped(lines)]));
    Ok(write!(out, "{}", aligned(&rows))?)
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let symmetry = args.symmetry();
    if let Some(most) = args.lines {
        return run_lines(&args, symmetry, most, out);
    }
    let is_short = !args.csv && !args.games && symmetry == Symmetry::None;
    let table = match args.source.open_or_solve() {
        Err(error) if is_short => return print_known(&known(&args.source, error)?, args.json, out),
        opened => whole(opened?)?,
    };
    // Counted first, since it fails at once if the number of games is infinite.
    let games =
        args.games.then(|| games(&table, symmetry, available_memory(), &Unobserved)).transpose()?;
    let count = count(&table, symmetry, &Unobserved)?;
    if args.csv {
        out.write_all(&csv(&count.distribution)?)?;
        return Ok(());
    }
    let answer = CountAnswer { count, games };
    if args.json { out.json(&answer) } else { print(&answer, out) }
}

fn print(answer: &CountAnswer, out: &mut Output) -> Result<()> {
    let CountAnswer { count, games } = answer;
    writeln!(out, "game          {}", count.game)?;
    writeln!(out, "symmetry      {}", count.symmetry)?;
    writeln!(out, "positions     {}", grouped(count.positions))?;
    if let Some(plies) = &count.plies {
        writeln!(
            out,
            "by pieces     {}",
            plies.iter().map(|&count| grouped(count)).collect::<Vec<_>>().join(" ")
        )?;
    }
    writeln!(out, "finished      {}", grouped(count.terminal))?;
    writeln!(out, "win           {}", grouped(count.win))?;
    writeln!(out, "loss          {}", grouped(count.loss))?;
    writeln!(out, "draw          {}", grouped(count.draw))?;
    let plies = |longest: Option<u16>| longest.map_or("-".into(), |plies| format!("{plies} plies"));
    writeln!(out, "longest win   {}", plies(count.longest_win))?;
    writeln!(out, "longest loss  {}", plies(count.longest_loss))?;
    if let Some(Games { games, games_by_length, games_by_result }) = games {
        let which =
            if count.symmetry == "none" { "" } else { ", moves to symmetric positions once" };
        writeln!(out, "games         {}{which}", grouped(*games))?;
        for (result, &games) in ["X wins", "O wins", "drawn"].iter().zip(games_by_result) {
            writeln!(out, "  {result:<12}{}", grouped(games))?;
        }
        for (moves, &games) in games_by_length.iter().enumerate().filter(|(_, games)| **games > 0) {
            writeln!(out, "  {:<12}{}", format!("in {moves}"), grouped(games))?;
        }
    }
    Ok(())
}
