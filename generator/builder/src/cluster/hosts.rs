//! The addresses of the processes: a file with one address per line.

use crate::error::BuildError;
use std::io;
use std::path::Path;

/// The addresses of all processes, from process 0 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts(pub Vec<String>);

/// The maximum number of processes, since the number of connections grows with its square.
const MOST: usize = 1024;

impl Hosts {
    /// Reads a file of hosts: one `HOST:PORT` per line. Empty lines and text after `#` are ignored.
    ///
    /// # Errors
    /// If the file cannot be read, a line is not an address, or an address occurs twice.
    pub fn read(file: &Path) -> Result<Hosts, BuildError> {
        let read = std::fs::read_to_string(file).and_then(|text| Hosts::parse(&text));
        read.map_err(BuildError::at(file, "not a list of hosts"))
    }

    /// Reads the text of a file of hosts.
    ///
    /// # Errors
    /// If a line is not an address, an address occurs twice, or there are too few or too many addresses.
    pub fn parse(text: &str) -> io::Result<Hosts> {
        let invalid = |fault: String| Err(io::Error::new(io::ErrorKind::InvalidData, fault));
        let mut hosts: Vec<String> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let host = line.split('#').next().unwrap_or_default().trim();
            if host.is_empty() {
                continue;
            }
            let port = host.rsplit_once(':').and_then(|(name, port)| {
                (!name.is_empty()).then(|| port.parse::<u16>().ok()).flatten()
            });
            if port.is_none_or(|port| port == 0) {
                return invalid(format!("line {number}: {host:?} is not HOST:PORT"));
            }
            if hosts.iter().any(|known| known == host) {
                return invalid(format!("line {number}: {host} is listed twice"));
            }
            hosts.push(host.into());
        }
        match hosts.len() {
            1..=MOST => Ok(Hosts(hosts)),
            found => invalid(format!("{found} hosts are listed: list 1 to {MOST}")),
        }
    }
}
