//! `morpion judge`: facts by which to judge a game.

mod bot;
mod columns;
mod vary;

use super::tables::{TableSource, Tables, whole};
use crate::terminal::prelude::*;
use columns::print;
use morpion_play::appraisal::appraise;
use vary::{Variant, Varied};

/// Judge a game, its variants, or a player of it
#[derive(clap::Args)]
pub struct Args {
    /// Games by name, table files, or rule files; two are judged side by side, more in a row each
    #[arg(value_name = "GAME|FILE", required = true)]
    names: Vec<String>,
    #[command(flatten)]
    tables: Tables,
    /// Games of each pair of players for each assignment of the colours
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Judge variants with other values of a key of the rule file, such as pieces.each=3..5; repeat it for more keys
    #[arg(long, value_name = "KEY=A..B|A,B", value_parser = vary::parse_vary)]
    vary: Vec<Varied>,
    /// Judge a program instead: it reads a position a line, and writes a move a line
    #[arg(long, value_name = "CMD", conflicts_with_all = ["vary", "games"])]
    player: Option<String>,
    /// Judge the program on a sample of N positions [default: as in `morpion arena`]
    #[arg(long, value_name = "N", requires = "player", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    sample: Option<u32>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Answer about several games. The keys are part of the interface.
#[derive(Serialize)]
struct Comparison<T> {
    games: Vec<T>,
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let source = |name: &String| TableSource { game: name.clone(), tables: args.tables.clone() };
    if let Some(command) = &args.player {
        let [name] = &args.names[..] else { bail!("--player is judged in one game at a time") };
        return bot::judge(&source(name), command, args.sample, args.json, out);
    }
    if !args.vary.is_empty() {
        let games = args.names.iter().map(|name| Ok(args.tables.game(name)?));
        let games = games.collect::<Result<Vec<_>>>()?;
        let variants = vary::judged(&games, &args.vary, args.games)?;
        return match args.json {
            true => out.json(&Comparison { games: variants }),
            false => vary::print(out, &variants),
        };
    }
    let judged = |name| {
        let table: Table = whole(source(name).open_or_solve()?)?;
        let bars = Bars::new(When::Auto, table.game().name());
        Ok(appraise(&table, args.games, &bars)?)
    };
    let mut games = args.names.iter().map(judged).collect::<Result<Vec<_>>>()?;
    match (games.len(), args.json) {
        (1, true) => out.json(&games.remove(0)),
        (_, true) => out.json(&Comparison { games }),
        (..=2, _) => print(out, &games),
        _ => vary::print(out, &games.into_iter().map(Variant::from).collect::<Vec<_>>()),
    }
}
