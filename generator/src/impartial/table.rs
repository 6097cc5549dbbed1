//! Files of Grundy values, `*.grundy`: recognises, opens, describes and writes them.

use crate::terminal::prelude::*;
use morpion_builder::usage::Cost;
use morpion_games::catalogue::is_file_name;
use morpion_grundy::{GrundyTable, MAGIC};
use morpion_impartial::facts::Facts;
use std::fs::File;
use std::io::Read;

/// Returns true if an argument names a table of Grundy values, by the first bytes of the file.
pub fn is_table(name: &str) -> bool {
    let mut magic = [0; MAGIC.len()];
    let file = Path::new(name);
    // Opening a pipe would wait for its writer.
    let is_read = is_file_name(name)
        && file.is_file()
        && File::open(file).is_ok_and(|mut file| file.read_exact(&mut magic).is_ok());
    is_read && magic == MAGIC
}

/// Opens a table file.
pub fn open(file: &Path) -> Result<GrundyTable> {
    // SAFETY: programs replace tables by renaming a new file over them, and never change them in place.
    Ok(unsafe { GrundyTable::map(file) }?)
}

/// Prints the facts of a table file. With `check`, also checks the checksums of all bytes.
pub fn describe(file: &Path, check: bool, json: bool, out: &mut Output) -> Result<()> {
    let table = open(file)?;
    print(&table, Some(file), None, json, out)?;
    if check && let Err(fault) = table.check_sums() {
        note(format_args!("morpion: {}: {fault}", file.display()));
        out.status = 1;
    }
    Ok(())
}

/// The file of a table, and the time of its build.
#[derive(Serialize)]
struct Origin {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_seconds: Option<f64>,
}

/// Prints the facts of a table with its file, and with the cost of its build if the table was just built.
pub fn print(
    table: &GrundyTable,
    file: Option<&Path>,
    cost: Option<Cost>,
    json: bool,
    out: &mut Output,
) -> Result<()> {
    #[derive(Serialize)]
    struct Printed {
        #[serde(flatten)]
        facts: Facts,
        #[serde(flatten)]
        origin: Origin,
    }
    let origin = Origin {
        file: file.map(|file| file.display().to_string()),
        seconds: cost.map(|cost| cost.seconds),
        cpu_seconds: cost.map(|cost| cost.cpu_seconds),
    };
    let printed = Printed { facts: Facts::of(table)?, origin };
    if json {
        return out.json(&printed);
    }
    out.fields(&printed.facts)?;
    out.fields(&printed.origin)
}
