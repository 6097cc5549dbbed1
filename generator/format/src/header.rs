//! The header of a table and the bytes around it.

use morpion_core::{
    ALIGNMENT, Encoding, Group, Header, MAGIC, METADATA_LIMIT, Permutation, Sections, fingerprint,
    serialise, symmetry_bits,
};
use morpion_core::{ErrorKind, Game, TableError};
use xxhash_rust::xxh3::xxh3_64;

/// Adds the layout of a table and the bytes of the header to a [`Header`].
pub trait WriteHeader: Sized {
    /// Lays out the table of `game`: all sections with their offsets. `rows` gives the number of orbits of the sets of a
    /// size.
    ///
    /// # Errors
    /// If a size does not fit its field.
    fn lay_out(
        game: &Game,
        encoding: Encoding,
        group: Group,
        symmetries: Vec<Permutation>,
        rows: impl Fn(u8) -> u64,
    ) -> Result<Header, TableError>;

    /// Its bytes in the file: its fields, and after them what the rules have had since the second version.
    ///
    /// # Errors
    /// If they are longer than 4 MiB.
    fn to_bytes(&self) -> Result<Vec<u8>, TableError>;
}

impl WriteHeader for Header {
    fn lay_out(
        game: &Game,
        encoding: Encoding,
        group: Group,
        symmetries: Vec<Permutation>,
        rows: impl Fn(u8) -> u64,
    ) -> Result<Header, TableError> {
        let bits = symmetry_bits(symmetries.len());
        let sections = |start| Sections::lay_out(game, encoding, bits, start, &rows);
        let Sections { maps, layers, census } = sections(0)?;
        let rules = game.rules().clone();
        let fingerprint = fingerprint(&rules);
        let mut header = Header {
            fingerprint,
            encoding,
            group,
            symmetries,
            maps,
            layers,
            census,
            graph: (rules.version() > 2).then(|| game.graph().clone()),
            rules,
        };
        // The offsets have a fixed width, so the header is as long now as with the right ones.
        let start = preamble(MAGIC, header.version(), &header.to_bytes()?).len() as u64;
        Sections { maps: header.maps, layers: header.layers, census: header.census } =
            sections(start)?;
        Ok(header)
    }

    fn to_bytes(&self) -> Result<Vec<u8>, TableError> {
        let mut bytes = serialise(self)?;
        if self.version() > 1 {
            bytes.extend(serialise(&self.rules.additions())?);
        }
        if let Some(graph) = &self.graph {
            bytes.extend(serialise(&self.rules.further)?);
            bytes.extend(serialise(graph)?);
        }
        if bytes.len() > METADATA_LIMIT {
            let length = bytes.len();
            return Err(TableError::new(
                ErrorKind::Header,
                format_args!("header: {length} bytes, expected at most {METADATA_LIMIT}"),
            ));
        }
        Ok(bytes)
    }
}

/// The bytes before the body of a file: magic, version, the header's bytes with their length and sum, zeros up to
/// [`ALIGNMENT`]. The header, at most 4 MiB (more is not read), comes from [`serialise`] or
/// [`WriteHeader::to_bytes`].
#[must_use]
pub fn preamble(magic: [u8; 8], version: u32, header: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(header.len() + 128);
    bytes.extend(magic);
    bytes.extend(version.to_le_bytes());
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header);
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    bytes.resize(bytes.len().next_multiple_of(ALIGNMENT as usize), 0);
    bytes
}
