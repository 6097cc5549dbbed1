//! Proof of a `*.grundy` file, for `morpion verify`.

use crate::impartial::table::open;
use crate::terminal::prelude::*;
use morpion_impartial::proof::{Fault, Verified, verify};
use morpion_machine::progress::Stopped;
use std::path::Path;

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
    if json {
        out.json(&report)?;
    } else {
        match &result {
            Ok(proof) => writeln!(
                out,
                "{}: {} proved, {} values{}{}",
                Shown(&report.file),
                proof.game,
                grouped(proof.values),
                methods(proof),
                match (proof.period, proof.preperiod) {
                    (Some(p), Some(e)) =>
                        format!(", period {} from heap {} on", grouped(p), grouped(e)),
                    _ => String::new(),
                }
            )?,
            Err(error) => note(format_args!("morpion: {}: {error}", report.file)),
        }
    }
    out.status = u8::from(result.is_err());
    Ok(())
}

/// Describes which heaps of an octal game each method reached: the definition, all splits, and sparse space. A board of
/// cram is proved by the definition alone.
fn methods(proof: &Verified) -> String {
    let Some(definition_to) = proof.definition_to else { return ", by the definition".into() };
    let mut methods = String::new();
    let mut before = 0;
    for (method, last) in [
        ("by the definition", definition_to),
        ("from all splits", proof.exhaustive_to),
        ("by sparse space", proof.worked_to),
    ] {
        if last > before {
            methods.push_str(&format!(", {method} to heap {}", grouped(last)));
            before = last;
        }
    }
    // A table with a closed form has no values, so only its header was checked.
    if methods.is_empty() { ", a closed form".into() } else { methods }
}
