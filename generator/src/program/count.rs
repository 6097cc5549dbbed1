//! `morpion count`: the positions that play can reach.

use super::known::{known, print as print_known};
use super::tables::{TableSource, whole};
use crate::terminal::prelude::*;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use morpion_builder::usage::available_memory;
use morpion_machine::progress::Unobserved;
use morpion_report::count::{Count, Symmetry, count};
use morpion_report::games::{Games, games, lines};
use morpion_report::phrases::plies;

/// Count the positions that play can reach, by value
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: TableSource,
    /// Symmetric positions counted once or separately
    #[arg(long, value_name = "KIND", default_value = "none", value_parser = symmetry())]
    symmetry: Symmetry,
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

/// Parses the name of a symmetry.
fn symmetry() -> impl TypedValueParser<Value = Symmetry> {
    let about = [
        (Symmetry::None, "Every position by itself"),
        (Symmetry::Board, "Classes under the grid's rotations and reflections that keep the rules"),
        (Symmetry::Rules, "Classes under all symmetries of the rules"),
    ];
    PossibleValuesParser::new(
        about.map(|(symmetry, about)| PossibleValue::new(symmetry.name()).help(about)),
    )
    .try_map(|name| name.parse::<Symmetry>())
}

/// Answer of the command. The keys are part of the interface.
#[derive(Serialize)]
struct CountAnswer {
    #[serde(flatten)]
    count: Count,
    #[serde(flatten)]
    games: Option<Games>,
}

/// Lines of play by their number of moves. The keys are part of the interface.
#[derive(Serialize)]
struct LinesAnswer {
    game: String,
    symmetry: &'static str,
    /// As texts, since many JSON readers round numbers above 2⁵³.
    lines: Vec<String>,
}

fn run_lines(args: &Args, most: usize, out: &mut Output) -> Result<()> {
    let game = args.source.tables.game(&args.source.game)?;
    let lines = lines(&game, args.symmetry, most, available_memory(), &Unobserved)?;
    if args.json {
        let lines = lines.iter().map(u128::to_string).collect();
        let (game, symmetry) = (game.name().to_owned(), args.symmetry.name());
        return out.json(&LinesAnswer { game, symmetry, lines });
    }
    let mut rows = vec![vec!["moves".into(), "lines of play".into()]];
    rows.extend((1..).zip(&lines).map(|(moves, &lines)| vec![format!("{moves}"), grouped(lines)]));
    Ok(write!(out, "{}", aligned(&rows))?)
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let symmetry = args.symmetry;
    if let Some(most) = args.lines {
        return run_lines(&args, most, out);
    }
    let is_short = !args.csv && !args.games && symmetry == Symmetry::None;
    let table = match args.source.open_or_solve() {
        Err(error) if is_short => return print_known(&known(&args.source, error)?, args.json, out),
        opened => whole(opened?)?,
    };
    // Games are counted first, since that fails at once if their number is infinite.
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
    let length = |longest: Option<u16>| longest.map_or("-".into(), plies);
    let mut facts = vec![
        ("game", count.game.clone()),
        ("symmetry", count.symmetry.to_owned()),
        ("positions", grouped(count.positions)),
    ];
    if let Some(plies) = &count.plies {
        let counts: Vec<String> = plies.iter().map(|&count| grouped(count)).collect();
        facts.push(("by pieces", counts.join(" ")));
    }
    facts.extend([
        ("finished", grouped(count.terminal)),
        ("win", grouped(count.win)),
        ("loss", grouped(count.loss)),
        ("draw", grouped(count.draw)),
        ("longest win", length(count.longest_win)),
        ("longest loss", length(count.longest_loss)),
    ]);
    if let Some(Games { games, games_by_length, games_by_result }) = games {
        let which =
            if count.symmetry == "none" { "" } else { ", moves to symmetric positions once" };
        facts.push(("games", format!("{}{which}", grouped(*games))));
        facts.extend(
            ["  X wins", "  O wins", "  drawn"].into_iter().zip(games_by_result.map(grouped)),
        );
        out.facts(&facts)?;
        let lengths = games_by_length.iter().enumerate().filter(|(_, games)| **games > 0);
        let lengths = lengths.map(|(moves, &games)| (format!("  in {moves}"), grouped(games)));
        return out.facts(&lengths.collect::<Vec<_>>());
    }
    out.facts(&facts)
}
