//! Proof of a `*.grundy` file, for `morpion verify`.

use crate::impartial::table::open;
use crate::terminal::prelude::*;
use morpion_impartial::proof::{Fault, Verified, verify};
use morpion_machine::progress::Stopped;

#[derive(Serialize)]
struct Report<'a> {
    file: String,
    verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    proof: Option<&'a Verified>,
}

/// Proves a table file and prints the result.
pub fn prove(file: &Path, progress: When, json: bool, out: &mut Output) -> Result<()> {
    stop_on_signal();
    let table = open(file)?;
    let result = verify(&table, &Bars::new(progress, "verify"));
    if let Err(Fault::Stopped(Stopped)) = result {
        bail!(
            "{}: stopped before the end: nothing is known about the table",
            Shown(file.display())
        );
    }
    let report = Report {
        file: file.display().to_string(),
        verified: result.is_ok(),
        error: result.as_ref().err().map(ToString::to_string),
        proof: result.as_ref().ok(),
    };
    out.status = u8::from(result.is_err());
    if json {
        return out.json(&report);
    }
    match &result {
        Ok(proof) => {
            writeln!(out, "{}: proved", Shown(&report.file))?;
            out.fields(proof)?;
        }
        Err(error) => note(format_args!("morpion: {}: {error}", report.file)),
    }
    Ok(())
}
