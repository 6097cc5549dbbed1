//! Error codes shared by all languages: every kind of error with its number and its short name.

/// Kind of an error, without the particulars. `kind as u8` is a number, the same in every language. 0 means success, and 1 an
/// invalid argument outside this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum ErrorKind {
    /// The bytes could not be read.
    Io = 2,
    /// A packed table without a valid seek table, or with a damaged frame.
    Packed = 9,
    /// Not a table.
    Magic = 3,
    /// A table of a format that this library does not know.
    Version = 4,
    /// Fewer or more bytes than the header says.
    Length = 5,
    /// A checksum that does not fit.
    Checksum = 6,
    /// A header that contradicts itself.
    Header = 7,
    /// A header whose rules are invalid.
    Rules = 10,
    /// A table of other rules than those expected.
    OtherRules = 11,
    /// No table of this name.
    Name = 8,
    /// A character that is not a cell.
    Character = 20,
    /// Too many or too few cells.
    Size = 21,
    /// A row of the wrong length.
    Row = 22,
    /// Piece counts that the game never has.
    Counts = 23,
    /// The side in the text is not the one to move.
    Side = 24,
    /// All pieces are placed and the text does not say who is to move.
    SideMissing = 25,
    /// Pieces in hand or the ages of pieces are missing in a text, or are not those of its board.
    Beside = 27,
    /// A text that is not a move.
    Move = 26,
    /// A piece off the board.
    OffTheBoard = 30,
    /// A cell that both sides hold.
    Overlap = 31,
    /// The side to move owns a line.
    MoverLine = 32,
    /// Both sides own a line.
    BothLines = 33,
    /// The table contradicts itself.
    Damaged = 40,
}

names!(ErrorKind {
    Io = "io", Packed = "packed", Magic = "magic", Version = "version", Length = "length",
    Checksum = "checksum", Header = "header", Rules = "rules", OtherRules = "other-rules",
    Name = "name", Character = "character", Size = "size", Row = "row", Counts = "counts",
    Side = "side", SideMissing = "side-missing", Beside = "beside", Move = "move",
    OffTheBoard = "off-the-board", Overlap = "overlap", MoverLine = "mover-line",
    BothLines = "both-lines", Damaged = "damaged"
});
