//! `morpion games`: lists the standard games and the user's own, with the places of their tables and the values of
//! their starts.

use super::tables::Tables;
use crate::terminal::prelude::*;
use morpion_builder::Start;
use morpion_builder::folders::{Location, LookupError};

/// List the standard games and your own, with tables and values
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    tables: Tables,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listed {
    game: String,
    title: String,
    /// A path or `built in`; null if there is no table.
    table: Option<String>,
    start: Option<Start>,
    /// The error, if the table is damaged.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let folders = args.tables.folders();
    for name in folders.names() {
        let (table, error) = match folders.open(&name) {
            Ok(opened) => (Some(opened), None),
            Err(LookupError::NotBuilt { .. }) => (None, None),
            Err(error) => (None, Some(error.to_string())),
        };
        let game = match &table {
            Some((table, _)) => Some(table.game().clone()),
            None => folders.game(&name).ok(),
        };
        let listed = Listed {
            title: game.as_ref().map_or(String::new(), |game| game.title().to_owned()),
            game: game.map_or(name, |game| game.name().to_owned()),
            start: table.as_ref().map(|(table, _)| Start::of(table)).transpose()?,
            table: table.map(|(_, location)| match location {
                Location::File(file) => file.display().to_string(),
                Location::BuiltIn => "built in".into(),
            }),
            error,
        };
        if args.json {
            out.json(&listed)?;
        } else {
            let start =
                listed.start.map(|start| brief(start.value, start.plies)).unwrap_or_default();
            let location = listed.error.or(listed.table).unwrap_or_else(|| "not built".into());
            writeln!(out, "{:<28} {start:<10} {}", listed.game, Shown(location))?;
            for line in wrapped(&listed.title, WIDTH - 4) {
                writeln!(out, "    {}", Shown(line))?;
            }
        }
    }
    Ok(())
}
