//! `morpion arena`: players against each other, and against perfect play.

use super::tables::{TableSource, whole};
use crate::terminal::prelude::*;
use morpion_play::arena::positions::Judged;
use morpion_play::arena::{self, Judgement, Match, Results, Score, Terms};
use morpion_play::players::{self, Player};
use morpion_report::phrases::in_columns;
use std::collections::HashSet;
use std::slice;

/// Number of half-moves after which a game is declared a draw.
const LONGEST: u32 = 1000;

/// Hold a tournament, and compare players with perfect play
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: TableSource,
    /// Players
    #[arg(
        long,
        value_name = "PLAYER,...",
        value_delimiter = ',',
        default_values = ["random", "cubic", "best-first", "rules", "minimax:2", "alphabeta:4", "perfect:random"]
    )]
    players: Vec<String>,
    /// Games of each pair for each assignment of the colours, and of each player against itself
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Seed of all choices: the same seed gives the same results, with any number of threads
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Judge the players on a seeded sample of N positions; 0 judges none [default: every position that play can
    /// reach in games of up to 100,000 arrangements, a sample of 10,000 in larger ones]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=100_000_000))]
    sample: Option<u32>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Answer of the command. The keys of the JSON form are part of the interface.
#[derive(Serialize)]
struct ArenaAnswer {
    game: String,
    seed: u64,
    games_per_pair: u32,
    matches: Vec<Match>,
    scores: Vec<Score>,
    /// `true` if the positions are a sample.
    sampled: bool,
    /// `None` if there is no table, or no position was judged.
    judgements: Option<Vec<Judgement>>,
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let players: Vec<Player> =
        args.players.iter().map(|text| players::parse(text.trim())).collect::<Result<_, _>>()?;
    let mut names = HashSet::new();
    for Player { name, .. } in &players {
        ensure!(names.insert(name), "{name} is listed twice: list each player once");
    }
    let game = args.source.rules()?;
    let table = table(&args.source, &players, args.sample == Some(0))?;
    let terms = Terms { games: args.games, seed: args.seed, longest: LONGEST };
    let bars = Bars::new(When::Auto, "games");
    let matches = arena::play(&game, table.as_ref(), &players, &terms, &bars)?;
    drop(bars);
    let Judged { positions, sampled } = Judged::of(&game, args.sample, args.seed);
    let judgements = match &table {
        Some(table) if !positions.is_empty() => {
            let judged = (positions.len() * players.len()) as u64;
            let bars = Bars::over(When::Auto, "positions", judged);
            let judge = |player| arena::judge(table, player, &positions, &bars);
            Some(players.iter().map(judge).collect::<Result<Vec<_>, _>>()?)
        }
        _ => None,
    };
    let results = ArenaAnswer {
        game: game.name().to_owned(),
        seed: args.seed,
        games_per_pair: args.games,
        scores: arena::scores(&players, &matches),
        matches,
        sampled,
        judgements,
    };
    if args.json { out.json(&results) } else { print(out, &results) }
}

/// Opens the table for judging and for players. If there is no table and no player needs one, returns `None` and prints a note on
/// standard error.
fn table(source: &TableSource, players: &[Player], judge_none: bool) -> Result<Option<Table>> {
    let needs = players.iter().find(|player| player.needs_table);
    match (source.open_or_solve(), needs) {
        (Ok(table), _) => Ok(Some(whole(table)?)),
        (Err(error), Some(player)) => Err(error
            .context(format!("{} plays from a table (choose others with --players)", player.name))),
        (Err(error), None) => {
            if !judge_none {
                note(format_args!(
                    "morpion: the players are not judged, for lack of a table: {error:#}"
                ));
            }
            Ok(None)
        }
    }
}

fn print(out: &mut impl Write, results: &ArenaAnswer) -> Result<()> {
    let names: Vec<&str> = results.scores.iter().map(|score| score.player.as_str()).collect();
    writeln!(
        out,
        "{}: games of each pair {}, seed {}; wins/draws/losses of X, by row, against O, by column\n",
        results.game, results.games_per_pair, results.seed
    )?;
    let cell = |x: &str, o: &str| {
        let one = results.matches.iter().find(|one| one.x == x && one.o == o);
        one.map_or("-".into(), |one| {
            let Results { x_wins, draws, o_wins, .. } = one.results;
            format!("{x_wins}/{draws}/{o_wins}")
        })
    };
    let row = |label: &str, cells: Vec<String>| [vec![label.to_owned()], cells].concat();
    let mut rows = vec![row("", names.iter().map(ToString::to_string).collect())];
    rows.extend(names.iter().map(|x| row(x, names.iter().map(|o| cell(x, o)).collect())));
    writeln!(out, "{}", aligned(&rows))?;
    let mut rows =
        vec![["", "wins", "draws", "losses", "points", "95 %"].map(String::from).to_vec()];
    for Score { player, wins, draws, losses, points, interval: (low, high) } in &results.scores {
        let [points, low, high] = [points, low, high].map(|share| 100.0 * share);
        let counts = [wins, draws, losses].map(u32::to_string);
        let shares = [format!("{points:.1}"), format!("{low:.1} to {high:.1}")];
        rows.push([&[player.clone()][..], &counts, &shares].concat());
    }
    write!(out, "{}", aligned(&rows))?;
    let broken: u32 = results.matches.iter().map(|one| one.results.broken_off).sum();
    if broken > 0 {
        writeln!(
            out,
            "{} declared a draw after {}",
            counted(broken.into(), "game"),
            counted(LONGEST.into(), "half-move")
        )?;
    }
    if let Some(judgements) = &results.judgements {
        print_judgements(out, judgements, results.sampled)?;
    }
    Ok(())
}

pub fn print_judgements(
    out: &mut impl Write,
    judgements: &[Judgement],
    sampled: bool,
) -> Result<()> {
    let count = judgements.first().map_or(0, |judgement| judgement.positions);
    let which = if sampled { "a sample of" } else { "all" };
    // The interval of a share is widest at one half.
    let width_of_interval = match (sampled, arena::interval(0.5, count as f64)) {
        (true, (_, high)) => format!(", ±{:.1} at most", 100.0 * (high - 0.5)),
        (false, _) => String::new(),
    };
    writeln!(
        out,
        "\nchoices in {which} {} positions in which the game continues, percent{width_of_interval}\n",
        grouped(count)
    )?;
    let heads = [
        ["", "value", "perfect", "wins", "wins", "draws", "slower", "sooner", "positions"],
        ["", "kept", "", "thrown", "lost", "lost", "wins", "losses", "searched"],
    ];
    let mut rows: Vec<Vec<String>> = heads.map(|heads| heads.map(String::from).to_vec()).into();
    for judgement in judgements {
        let shares = [
            judgement.kept,
            judgement.perfect,
            judgement.wins_thrown,
            judgement.wins_lost,
            judgement.draws_lost,
            judgement.slower_wins,
            judgement.sooner_losses,
        ];
        let share = |share: Option<f64>| share.map_or("-".into(), |s| format!("{:.2}", 100.0 * s));
        let nodes = judgement.nodes.map_or("-".into(), |nodes| nodes.to_string());
        rows.push([slice::from_ref(&judgement.player), &shares.map(share)[..], &[nodes]].concat());
    }
    write!(out, "{}", aligned(&rows))?;
    writeln!(out, "\nthe worst mistake of each")?;
    let mistake = |error: &arena::Error| {
        let arena::Error { position, plays, best, .. } = error;
        let before = brief(error.value, error.plies);
        let after = brief(error.plays_value, error.plays_plies);
        let best = best.join(" or ");
        format!("{position}  plays {plays} ({before} to {after}) instead of {best}")
    };
    let rows = judgements.iter().map(|Judgement { player, worst, .. }| {
        vec![player.clone(), worst.as_ref().map_or("none".into(), mistake)]
    });
    Ok(write!(out, "{}", in_columns(&rows.collect::<Vec<_>>(), 2))?)
}
