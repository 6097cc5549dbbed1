//! A table on a web server, asked by range requests: nothing is downloaded but what an answer needs.
//!
//! `cargo run --release -p morpion-lookup --features packed --example remote -- http://127.0.0.1:8000/beginner5.morpion.zst`
//!
//! Any server of files will do that knows ranges. For https add ureq's feature `rustls`.

use morpion_lookup::{Packed, Source, Table, TableError};
use std::cell::Cell;
use std::io::Read;
use ureq::http::{Response, header};

/// The bytes at an address.
struct Remote {
    agent: ureq::Agent,
    url: String,
    size: u64,
    /// Requests made and bytes received, to be told at the end.
    cost: Cell<(u32, u64)>,
}

impl Remote {
    fn open(url: &str) -> Result<Remote, TableError> {
        let agent = ureq::Agent::new_with_defaults();
        let remote = Remote { agent, url: url.into(), size: 0, cost: Cell::default() };
        let answer = remote.request(0, 1)?;
        let range =
            answer.headers().get(header::CONTENT_RANGE).and_then(|range| range.to_str().ok());
        let size = range.and_then(|range| range.rsplit('/').next()?.parse().ok());
        let size =
            size.ok_or_else(|| TableError::io("the server does not say how long the file is"))?;
        Ok(Remote { size, ..remote })
    }

    fn request(&self, offset: u64, length: usize) -> Result<Response<ureq::Body>, TableError> {
        let range = format!("bytes={offset}-{}", offset + length as u64 - 1);
        let answer = self.agent.get(&self.url).header(header::RANGE, range).call();
        let answer = answer.map_err(TableError::io)?;
        let (requests, bytes) = self.cost.get();
        self.cost.set((requests + 1, bytes + length as u64));
        match answer.status().as_u16() {
            206 => Ok(answer),
            other => Err(TableError::io(format!(
                "status {other}, expected 206: the server knows no ranges"
            ))),
        }
    }
}

impl Source for Remote {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), TableError> {
        let mut answer = self.request(offset, into.len())?;
        Ok(answer.body_mut().as_reader().read_exact(into)?)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::args().nth(1).ok_or("expected the address of a packed table")?;
    let table = Table::from_source(Packed::open(Remote::open(&url)?)?)?;
    let mut position = table.game().start();
    for _ in 0..6 {
        let score = table.probe(position)?;
        let Some(best) = table.best_move(position)? else { break };
        let (requests, bytes) = table.source().get_ref().cost.take();
        println!(
            "{position}: {} by {}, {requests} requests, {bytes} bytes",
            score.value().name(),
            table.game().format_move(best.mv),
        );
        position = table.game().after(position, best.mv);
    }
    Ok(())
}
