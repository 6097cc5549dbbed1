//! `morpion judge --vary`: a row for each variant of a game.

use super::columns::{percent, shares};
use crate::program::tables::solve;
use crate::terminal::prelude::*;
use crate::terminal::progress::asked_to_stop;
use morpion_core::Game;
use morpion_games::rules::{RuleFileError, parse, varied};
use morpion_play::appraisal::{Appraisal, appraise};
use morpion_report::phrases::in_columns;
use std::collections::BTreeMap;
use std::iter;

/// Maximum number of variants in one command.
const MOST: usize = 1000;

/// A key of a rule file with its values.
#[derive(Clone, Debug)]
pub struct Varied {
    key: String,
    values: Vec<String>,
}

/// Reads `KEY=A..B`, for whole numbers from A to B, or `KEY=A,B`.
pub fn parse_vary(text: &str) -> Result<Varied, String> {
    let wrong = || "write KEY=A..B for numbers, or KEY=A,B".to_owned();
    let (key, values) = text.split_once('=').ok_or_else(wrong)?;
    let values = match values.split_once("..") {
        Some((from, to)) => {
            let ends = from.parse::<u32>().ok().zip(to.parse::<u32>().ok());
            let (from, to) = ends.filter(|(from, to)| from <= to).ok_or_else(wrong)?;
            (from..=to).take(MOST + 1).map(|number| number.to_string()).collect()
        }
        None => values.split(',').map(|value| value.trim().to_owned()).collect(),
    };
    Ok(Varied { key: key.trim().to_owned(), values })
}

/// A variant of a game. The keys are part of the interface.
#[derive(Serialize)]
pub struct Variant {
    game: String,
    /// The values of the keys.
    vary: BTreeMap<String, String>,
    #[serde(flatten)]
    judged: Judged,
}

/// The judgement of a variant.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Judged {
    Appraisal(Box<Appraisal>),
    /// The reason why the variant is not judged.
    Error(String),
}

impl From<Appraisal> for Variant {
    fn from(appraisal: Appraisal) -> Variant {
        Variant {
            game: appraisal.game.clone(),
            vary: BTreeMap::new(),
            judged: Judged::Appraisal(appraisal.into()),
        }
    }
}

/// Judges each variant of these games, with `per_pair` games of each pair of players. A refused variant has a reason instead of a
/// judgement.
///
/// # Errors
/// If a rule file does not have one of the keys, or there are too many variants.
pub fn judged(games: &[Game], vary: &[Varied], per_pair: u32) -> Result<Vec<Variant>> {
    let mut choices = vec![BTreeMap::new()];
    for Varied { key, values } in vary {
        let count = choices.len() * values.len() * games.len();
        ensure!(count <= MOST, "more than {MOST} variants: choose fewer values");
        let with = |(choice, value): (BTreeMap<_, _>, &String)| {
            choice.into_iter().chain([(key.clone(), value.clone())]).collect()
        };
        let of_key = |choice| iter::repeat(choice).zip(values);
        choices = choices.into_iter().flat_map(of_key).map(with).collect();
    }
    stop_on_signal();
    let mut variants = Vec::new();
    for game in games {
        for vary in choices.clone() {
            let judged = match judge(&varied(game, &vary)?, game.name(), per_pair) {
                Ok(appraisal) => Judged::Appraisal(appraisal.into()),
                Err(error) if asked_to_stop() => return Err(error),
                Err(error) => Judged::Error(reason(&error)),
            };
            variants.push(Variant { game: game.name().to_owned(), vary, judged });
        }
    }
    Ok(variants)
}

/// The reason why a variant is refused. The user does not see the variant's rule file, so faults are named without their lines.
fn reason(error: &anyhow::Error) -> String {
    match error.downcast_ref::<RuleFileError>() {
        Some(rules) => {
            rules.faults.iter().map(|fault| &*fault.message).collect::<Vec<_>>().join("; ")
        }
        None => format!("{error:#}"),
    }
}

/// Solves and judges the game of a rule file.
fn judge(rules: &str, name: &str, per_pair: u32) -> Result<Appraisal> {
    let game = parse(name, rules)?;
    let table = solve(name, &game, None)?;
    Ok(appraise(&table, per_pair, &Bars::new(When::Auto, name))?)
}

/// Prints a row for each variant, then the reasons why variants are refused.
pub fn print(out: &mut impl Write, variants: &[Variant]) -> Result<()> {
    let name = |Variant { game, vary, .. }: &Variant| {
        let values = vary.iter().map(|(key, value)| format!(" {key}={value}"));
        format!("{game}{}", values.collect::<String>())
    };
    let heads = ["", "start", "longest win", "one good move", "club: X / draw / O"];
    let mut rows = vec![heads.map(String::from).to_vec()];
    for variant in variants {
        let Judged::Appraisal(appraisal) = &variant.judged else { continue };
        let longest = appraisal.longest_win.as_ref();
        let club = appraisal.levels.iter().find(|level| level.player == "club");
        rows.push(vec![
            name(variant),
            brief(appraisal.worth.value, appraisal.worth.plies),
            longest.map_or("-".into(), |win| win.plies.to_string()),
            percent(appraisal.choices.only_moves, appraisal.choices.choices),
            club.map(shares).unwrap_or_default(),
        ]);
    }
    write!(out, "{}", in_columns(&rows, 2))?;
    for variant in variants {
        if let Judged::Error(reason) = &variant.judged {
            writeln!(out, "{} is refused: {}", name(variant), Shown(reason))?;
        }
    }
    Ok(())
}
