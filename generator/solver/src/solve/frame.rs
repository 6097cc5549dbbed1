//! What all layers of a game share while they are solved: its group and its sets folded into rows.

use morpion_games::symmetry::group::group;
use morpion_games::symmetry::orbits::{Images, Orbits};
use morpion_lookup::format::{Header, MapSection};
use morpion_lookup::{Encoding, Game, Permutation, TableError};
use std::collections::BTreeSet;

/// A game with its group and the rows of every set size that a mover has.
#[derive(Debug)]
pub struct Frame {
    game: Game,
    header: Header,
    images: Vec<Images>,
    orbits: Vec<Option<Orbits>>,
    has_line: Vec<Vec<bool>>,
}

impl Frame {
    /// Finds the group, folds the sets, and lays out the table. Costs 4 bytes a set of every size.
    ///
    /// # Errors
    /// Where the game is too large for the format.
    pub fn new(game: &Game, encoding: Encoding) -> Result<Frame, TableError> {
        let (kind, symmetries) = group(game);
        let cells = u32::from(game.cells());
        let sizes: BTreeSet<u32> =
            game.layers().iter().map(|layer| u32::from(layer.mover)).collect();
        if let Some(size) = sizes.iter().find(|&&size| !Orbits::fit(cells, size, symmetries.len()))
        {
            return Err(TableError::Header(format!(
                "too many sets of {size} of {cells} cells, expected less than 2^32"
            )));
        }
        let mut orbits: Vec<Option<Orbits>> = (0..=cells).map(|_| None).collect();
        for &size in &sizes {
            orbits[size as usize] = Some(Orbits::new(cells, size, &symmetries));
        }
        let has_line = orbits
            .iter()
            .map(|orbits| {
                let representatives = orbits.iter().flat_map(|orbits| &orbits.representatives);
                representatives.map(|&set| game.has_line(set)).collect()
            })
            .collect();
        let rows =
            |size: u8| orbits[usize::from(size)].as_ref().map_or(0, |orbits| orbits.rows() as u64);
        let images = symmetries.iter().map(Images::new).collect();
        let header = Header::lay_out(game, encoding, kind, symmetries, rows)?;
        Ok(Frame { game: game.clone(), header, images, orbits, has_line })
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The header of the table to be.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The group's elements.
    pub fn symmetries(&self) -> &[Permutation] {
        &self.header.symmetries
    }

    /// The group's elements as tables of images, in the same order.
    pub fn images(&self) -> &[Images] {
        &self.images
    }

    /// The rows of the sets of `size`. Panics for a size that no mover has.
    pub fn orbits(&self, size: u8) -> &Orbits {
        self.orbits[usize::from(size)].as_ref().expect("a size of a mover's set")
    }

    /// By row, whether the sets of `size` hold a line.
    pub fn has_line(&self, size: u8) -> &[bool] {
        &self.has_line[usize::from(size)]
    }

    /// The bytes of one map as they stand in the table.
    pub fn map_bytes(&self, section: &MapSection) -> Vec<u8> {
        self.orbits(section.size).map.iter().flat_map(|entry| entry.to_le_bytes()).collect()
    }
}
