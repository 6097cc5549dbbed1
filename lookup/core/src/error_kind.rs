//! Error codes shared by all languages.
//!
//! Lists every kind of error with its number and with its short name, which are the same in every language.

macro_rules! kinds {
    ($($(#[$documentation:meta])* $kind:ident = $number:literal, $name:literal;)*) => {
        /// Kind of an error, without the particulars. `kind as u8` is a number, the same in every language. 0 means success, and 1 an
        /// invalid argument outside this crate.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum ErrorKind {
            $($(#[$documentation])* $kind = $number,)*
        }

        impl ErrorKind {
            /// Every kind.
            pub const ALL: &[ErrorKind] = &[$(ErrorKind::$kind),*];

            /// A short name, the same in every language that this library is used from.
            pub const fn name(self) -> &'static str {
                match self {
                    $(ErrorKind::$kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    /// The bytes could not be read.
    Io = 2, "io";
    /// A packed table without a valid seek table, or with a damaged frame.
    Packed = 9, "packed";
    /// Not a table.
    Magic = 3, "magic";
    /// A table of a format that this library does not know.
    Version = 4, "version";
    /// Fewer or more bytes than the header says.
    Length = 5, "length";
    /// A checksum that does not fit.
    Checksum = 6, "checksum";
    /// A header that contradicts itself.
    Header = 7, "header";
    /// A header whose rules are invalid.
    Rules = 10, "rules";
    /// A table of other rules than those expected.
    OtherRules = 11, "other-rules";
    /// No table of this name.
    Name = 8, "name";
    /// A character that is not a cell.
    Character = 20, "character";
    /// Too many or too few cells.
    Size = 21, "size";
    /// A row of the wrong length.
    Row = 22, "row";
    /// Piece counts that the game never has.
    Counts = 23, "counts";
    /// The side in the text is not the one to move.
    Side = 24, "side";
    /// All pieces are placed and the text does not say who is to move.
    SideMissing = 25, "side-missing";
    /// Pieces in hand or the ages of pieces are missing in a text, or are not those of its board.
    Beside = 27, "beside";
    /// A text that is not a move.
    Move = 26, "move";
    /// A piece off the board.
    OffTheBoard = 30, "off-the-board";
    /// A cell that both sides hold.
    Overlap = 31, "overlap";
    /// The side to move owns a line.
    MoverLine = 32, "mover-line";
    /// Both sides own a line.
    BothLines = 33, "both-lines";
    /// The table contradicts itself.
    Damaged = 40, "damaged";
}
