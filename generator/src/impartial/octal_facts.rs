//! Facts of an octal game's table, as `nim build` and `nim info` print them: heaps, period, mask and size.

use crate::terminal::prelude::*;
use morpion_grundy::{Closed, GrundyTable};

/// The facts of a table. The keys of the JSON form are part of the interface.
#[derive(Serialize)]
pub struct Facts {
    code: String,
    /// Last heap whose value was computed; `None` for a closed form.
    heaps: Option<u64>,
    period: Option<u64>,
    /// First heap, at least 1, from which the values repeat.
    preperiod: Option<u64>,
    /// Last heap of the certificate.
    certified_to: Option<u64>,
    greatest: Option<u64>,
    /// Mask that makes the fewest heaps rare.
    mask: Option<u64>,
    /// Number of rare heaps among heaps 1 to `heaps`.
    rare: Option<u64>,
    /// `true` for a position mask, for which the parity of the heap counts too.
    position: bool,
    /// `nim` or `lasker` if the values are known for every heap.
    closed: Option<&'static str>,
    /// Number of bytes of one value.
    width: u8,
    /// Number of stored values.
    values: u64,
    /// Length of the file in bytes.
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
}

impl Facts {
    pub fn new(table: &GrundyTable) -> Result<Self> {
        let (code, header) = table.octal()?;
        let closed = code.closed();
        let open = closed.is_none();
        let k = code.finite().map_or(0, |digits| digits.len() as u64 - 1);
        Ok(Self {
            code: header.code.clone(),
            heaps: open.then_some(header.heaps),
            period: header.period.map(|p| p.length),
            preperiod: header.period.map(|p| p.start),
            certified_to: header.period.and_then(|p| p.certificate(k)),
            greatest: open.then_some(header.greatest),
            mask: header.mask.map(|m| m.bits),
            rare: header.mask.map(|m| m.rare),
            position: header.mask.is_some_and(|m| m.position.is_some()),
            closed: closed.map(|closed| match closed {
                Closed::Nim => "nim",
                Closed::Lasker => "lasker",
            }),
            width: header.width,
            values: header.values,
            bytes: table.size(),
            file: None,
            seconds: None,
            cpu_seconds: None,
        })
    }

    pub fn print(&self, json: bool, out: &mut Output) -> Result<()> {
        if json {
            return out.json(self);
        }
        writeln!(out, "code          {}", self.code)?;
        match (self.closed, self.period, self.preperiod) {
            (Some(closed), ..) => writeln!(out, "values        closed form of {closed}, any heap")?,
            (_, Some(period), Some(start)) => {
                writeln!(
                    out,
                    "period        {}, from heap {} on",
                    grouped(period),
                    grouped(start)
                )?;
                writeln!(
                    out,
                    "certified     by the values up to heap {}",
                    grouped(self.certified_to.unwrap_or_default())
                )?;
            }
            _ => writeln!(out, "period        none certified")?,
        }
        if let (Some(heaps), Some(greatest)) = (self.heaps, self.greatest) {
            writeln!(out, "heaps worked  {}", grouped(heaps))?;
            writeln!(out, "greatest      {greatest}")?;
        }
        if let (Some(mask), Some(rare)) = (self.mask, self.rare) {
            let position = if self.position { ", with the position" } else { "" };
            writeln!(out, "rare heaps    {} with mask {mask}{position}", grouped(rare))?;
        }
        let width = counted(self.width.into(), "byte");
        writeln!(out, "stored        {} of {width}", counted(self.values, "value"))?;
        if let Some(file) = &self.file {
            writeln!(out, "file          {} ({} bytes)", Shown(file), grouped(self.bytes))?;
        }
        Ok(())
    }
}
