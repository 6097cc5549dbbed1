/* Perfect play for morpion (tic-tac-toe) and its family.
 *
 * Generated from src/ by: cbindgen --config cbindgen.toml --output include/morpion.h
 *
 * Rules for every function:
 *
 * - A table is an opaque handle without hidden state. Any number of threads may use it at the same time until it is closed.
 *   Functions that open a table write it to `*out`, or NULL if they fail. Close it with morpion_close.
 * - Functions that can fail return 0 (MORPION_OK) or the number of an error, MORPION_ERROR_...; morpion_error_name returns its
 *   name, and morpion_last_message its text. After an error, other results are not set, unless the function says so.
 * - Arguments that are texts or paths end with a zero byte. Texts are UTF-8. A path may be any bytes (on Windows, UTF-8).
 * - A result that is a text is written to `buffer`: at most `capacity` bytes with the final zero byte. The function returns the
 *   length of the whole text without this byte, like snprintf. `buffer` may be NULL if `capacity` is 0.
 * - No other pointer may be NULL unless the function says so. The error is MORPION_ERROR_ARGUMENT, or 0 if the function returns
 *   a length or a number. Results may not overlap with arguments or with each other unless the function says so. */

#ifndef MORPION_H
#define MORPION_H

#include <stddef.h>
#include <stdint.h>

/// The version of this header, MAJOR.MINOR.PATCH; morpion_version() returns the version of the library.
#define MORPION_VERSION_MAJOR 0

/// See MORPION_VERSION_MAJOR.
#define MORPION_VERSION_MINOR 5

/// See MORPION_VERSION_MAJOR.
#define MORPION_VERSION_PATCH 0

/// Success.
#define MORPION_OK 0

/// A pointer is NULL, or a text is not UTF-8. The other errors are in `MorpionError`.
#define MORPION_ERROR_ARGUMENT 1

/// The mover wins.
#define MORPION_WIN 1

/// Neither side can force a win.
#define MORPION_DRAW 0

/// The mover loses.
#define MORPION_LOSS -1

/// A draw that ends.
#define MORPION_DRAW_ENDS 1

/// A draw that can continue forever.
#define MORPION_DRAW_CYCLES 2

/// The game is not over.
#define MORPION_NOT_OVER 0

/// The side waiting has made a line.
#define MORPION_OVER_LINE 1

/// The board is full.
#define MORPION_OVER_FULL 2

/// The side to move has no legal move.
#define MORPION_OVER_STUCK 3

/// The side to move owns a line, which a push has completed.
#define MORPION_OVER_OWN_LINE 4

/// The side to move has too few pieces.
#define MORPION_OVER_FEW 5

/// The `from` of a placement.
#define MORPION_PLACE 254

/// The `from` and `to` of a pass.
#define MORPION_PASS 255

/// The `take` of a move that takes nothing.
#define MORPION_NO_TAKE 255

/// The limit of the number of moves in a position of a game in which lines take no pieces.
#define MORPION_MAX_MOVES 163

/// The limit of the number of symmetries of a table.
#define MORPION_MAX_SYMMETRIES 1024

/// The usual size of a cache, 64 MiB. Packed tables of at most this size are unpacked when they are opened.
#define MORPION_CACHE 67108864

/// Kind of an error, without the particulars. `kind as u8` is a number, the same in every language. 0 means success, and 1 an
/// invalid argument outside this crate.
enum MorpionError
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /// The bytes could not be read.
  MORPION_ERROR_IO = 2,
  /// A packed table without a valid seek table, or with a damaged frame.
  MORPION_ERROR_PACKED = 9,
  /// Not a table.
  MORPION_ERROR_MAGIC = 3,
  /// A table of a format that this library does not know.
  MORPION_ERROR_VERSION = 4,
  /// Fewer or more bytes than the header says.
  MORPION_ERROR_LENGTH = 5,
  /// A checksum that does not fit.
  MORPION_ERROR_CHECKSUM = 6,
  /// A header that contradicts itself.
  MORPION_ERROR_HEADER = 7,
  /// A header whose rules are invalid.
  MORPION_ERROR_RULES = 10,
  /// A table of other rules than those expected.
  MORPION_ERROR_OTHER_RULES = 11,
  /// No table of this name.
  MORPION_ERROR_NAME = 8,
  /// A character that is not a cell.
  MORPION_ERROR_CHARACTER = 20,
  /// Too many or too few cells.
  MORPION_ERROR_SIZE = 21,
  /// A row of the wrong length.
  MORPION_ERROR_ROW = 22,
  /// Piece counts that the game never has.
  MORPION_ERROR_COUNTS = 23,
  /// The side in the text is not the one to move.
  MORPION_ERROR_SIDE = 24,
  /// All pieces are placed and the text does not say who is to move.
  MORPION_ERROR_SIDE_MISSING = 25,
  /// Pieces in hand or ages of pieces that are missing in a text, or do not fit its board.
  MORPION_ERROR_BESIDE = 27,
  /// A text that is not a move.
  MORPION_ERROR_MOVE = 26,
  /// A piece off the board.
  MORPION_ERROR_OFF_THE_BOARD = 30,
  /// A cell that both sides hold.
  MORPION_ERROR_OVERLAP = 31,
  /// The side to move owns a line.
  MORPION_ERROR_MOVER_LINE = 32,
  /// Both sides own a line.
  MORPION_ERROR_BOTH_LINES = 33,
  /// The table contradicts itself.
  MORPION_ERROR_DAMAGED = 40,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum MorpionError MorpionError;
#else
typedef uint8_t MorpionError;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/// An open table.
typedef struct MorpionTable MorpionTable;

/// Bytes that the library reads when it needs them, for example from a file or from a server with range requests.
///
/// `read_at` is called by the threads that open or use the table, during these calls. For a packed table one thread calls it at a
/// time, else several may. It must not use or close the same table, nor leave by longjmp or an exception.
typedef struct MorpionSource {
  /// Passed to `read_at`. Must be valid until the table is closed.
  void *user;
  /// Number of bytes.
  uint64_t size;
  /// Writes the `length` bytes at `offset` to `into`; they are never beyond `size`. Returns 0, or any other number if they cannot be
  /// read. Then the function that needs them fails with MORPION_ERROR_IO, and its message contains the number.
  int32_t (*read_at)(void *user, uint64_t offset, uint8_t *into, size_t length);
} MorpionSource;

/// A position: a word for each side. Bit c of a word is cell c. From bit 36 on, a word has the number of pieces in hand in games with
/// mills, or, with bit 52, the order of pieces that age; in other games, nothing. `side` is 'x' or 'o', the colour of the side to move;
/// only texts need it.
typedef struct MorpionPosition {
  /// The word of the side to move.
  uint64_t mover;
  /// The word of the side waiting.
  uint64_t waiter;
  /// 'x' or 'o'.
  char side;
} MorpionPosition;

/// The value of a position for the side to move.
typedef struct MorpionScore {
  /// MORPION_WIN, MORPION_DRAW or MORPION_LOSS.
  int32_t value;
  /// Half-moves to the end; -1 for a draw and in a table without distances.
  int32_t plies;
  /// MORPION_DRAW_ENDS or MORPION_DRAW_CYCLES; 0 if the value is not a draw.
  int32_t draw;
} MorpionScore;

/// A move and its value for the side that makes it, counted from the position before.
typedef struct MorpionMove {
  /// The cell from which a piece moves, MORPION_PLACE or MORPION_PASS.
  uint8_t from;
  /// The cell on which a piece is placed or to which it moves, or MORPION_PASS.
  uint8_t to;
  /// The cell whose piece is taken, or MORPION_NO_TAKE.
  uint8_t take;
  /// 1 if the piece is pushed in at `to`, otherwise 0.
  uint8_t push;
  /// A higher cell whose piece is taken too, or MORPION_NO_TAKE.
  uint8_t also;
  /// The value of the move.
  struct MorpionScore score;
} MorpionMove;









#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/// The version of the library, for example "0.2.0"; its header has the same version.
const char *morpion_version(void);

/// The short name of an error, the same in every language; "ok" for 0, "unknown" for an unknown number.
const char *morpion_error_name(int32_t code);

/// The text of the last error of a function that this thread called, or an empty text. It is valid until the next error of this thread.
const char *morpion_last_message(void);

/// Opens the table of a game by its name or alias: NAME.morpion or NAME.morpion.zst in the first folder that has it, else the
/// built-in table. The folders are, in this order: those listed in the variable MORPION_TABLES; "morpion" in $XDG_DATA_HOME
/// (~/.local/share), which the program builds tables into; "morpion" in each of $XDG_DATA_DIRS (/usr/local/share and
/// /usr/share); and ../share/morpion next to the folder of this library, which `make install-tables` installs tables into. A file
/// is opened as by morpion_map. MORPION_ERROR_NAME if there is no such table; the message names every folder that was searched.
int32_t morpion_open_game(const char *name,
                          size_t cache,
                          struct MorpionTable **out);

/// Opens the built-in table of this name: "classic", "swap", …; morpion_builtin_name lists them.
int32_t morpion_builtin(const char *name, struct MorpionTable **out);

/// Writes the name of the built-in table number `index`, counted from 0, to `buffer`, and returns its length; 0 if there are
/// fewer tables.
size_t morpion_builtin_name(size_t index,
                            char *buffer,
                            size_t capacity);

/// Opens a table file, plain or packed, which its first bytes determine. A file of at most 64 MiB is read into memory; in a
/// larger one, each answer reads the bytes that it needs. `cache` is how many bytes of a packed table are kept unpacked, usually
/// MORPION_CACHE: a table that fits is unpacked at once, and of a larger one the frames used last are kept.
int32_t morpion_open(const char *path,
                     size_t cache,
                     struct MorpionTable **out);

/// Opens a table file, plain or packed, by mapping it into memory: nothing is read before an answer needs it, and processes
/// share the memory. `cache` as in morpion_open. Nobody may change or truncate the file until the table is closed, but another
/// file may be renamed over it.
int32_t morpion_map(const char *path,
                    size_t cache,
                    struct MorpionTable **out);

/// Opens a table from `length` bytes, plain or packed, which are copied. `cache` as in morpion_open.
int32_t morpion_from_bytes(const uint8_t *bytes,
                           size_t length,
                           size_t cache,
                           struct MorpionTable **out);

/// Opens a plain or packed table that a callback reads: of the table only the parts that answers need. `*source` is copied. Of a
/// packed table, up to `cache` bytes of unpacked frames are kept, at least the last one.
int32_t morpion_open_source(const struct MorpionSource *source,
                            size_t cache,
                            struct MorpionTable **out);

/// Reads the whole table and checks its checksums. MORPION_ERROR_CHECKSUM, or for a packed table MORPION_ERROR_PACKED, if it is
/// damaged.
int32_t morpion_check_sums(const struct MorpionTable *table);

/// Closes a table, which nobody may use any more. NULL is allowed and does nothing.
void morpion_close(struct MorpionTable *table);

/// Writes the name of the game to `buffer`, and returns its length.
size_t morpion_name(const struct MorpionTable *table, char *buffer, size_t capacity);

/// The number of cells of the board, at most 36. Cells are numbered from 0, row by row from the top.
uint32_t morpion_cells(const struct MorpionTable *table);

/// The number of rows of the board; 0 if it is not a grid.
uint32_t morpion_rows(const struct MorpionTable *table);

/// The number of columns of the board; 0 if it is not a grid.
uint32_t morpion_columns(const struct MorpionTable *table);

/// The position at the start of the game.
int32_t morpion_start(const struct MorpionTable *table, struct MorpionPosition *out);

/// Reads a position: rows from the top, `X` `O` `.`, `/` between rows, a space and the side to move, as in "X../.O./..X o". The
/// side may be omitted if the number of pieces determines it. Pieces in hand of X and O follow as in "... x 3/2", pieces that age as
/// in "... x c1,a2/b2", the oldest first. Forms of notebooks are read too: `1` and `2` for the sides, `0` `_`
/// `-` for empty cells, lower case, "(1,0,0,0,2,0,0,0,0)".
int32_t morpion_parse(const struct MorpionTable *table,
                      const char *text,
                      struct MorpionPosition *out);

/// Writes a position to `buffer` as morpion_parse reads it, and returns the length of its text; 0 if its side is neither 'x' nor 'o'.
size_t morpion_format(const struct MorpionTable *table,
                      const struct MorpionPosition *position,
                      char *buffer,
                      size_t capacity);

/// Reads a move in upper or lower case: "b2" places a piece, "a1-b3" moves one, "b2xc3" and "a1-b3xc3" take one too, "b2xa3xc3" two,
/// "a1>a5" pushes, "pass" passes. Does not check that the move is legal; morpion_moves lists the legal moves. The score becomes zero.
int32_t morpion_parse_move(const struct MorpionTable *table,
                           const char *text,
                           struct MorpionMove *out);

/// Writes a move to `buffer` as morpion_parse_move reads it, and returns the length of its text.
size_t morpion_format_move(const struct MorpionTable *table,
                           const struct MorpionMove *mv,
                           char *buffer,
                           size_t capacity);

/// The position after a move, with the other side to move. The move must be legal in the position. `out` may be `position`.
int32_t morpion_after(const struct MorpionTable *table,
                      const struct MorpionPosition *position,
                      const struct MorpionMove *mv,
                      struct MorpionPosition *out);

/// Value and distance of a position. MORPION_ERROR_OFF_THE_BOARD, _OVERLAP, _COUNTS, _MOVER_LINE or _BOTH_LINES if the game has no
/// such position.
int32_t morpion_probe(const struct MorpionTable *table,
                      const struct MorpionPosition *position,
                      struct MorpionScore *out);

/// Values and distances of `count` positions, faster than single questions. `codes[i]` becomes 0 or the error of position i, for
/// which `out[i]` is unchanged. `codes` may be NULL. Returns 0, or the first error, whose message has the number of its position.
int32_t morpion_probe_many(const struct MorpionTable *table,
                           const struct MorpionPosition *positions,
                           size_t count,
                           struct MorpionScore *out,
                           int32_t *codes);

/// All moves with their values, the best first; none if the game is over. `*count` becomes the number of moves. `*perfect` becomes
/// the number of perfect moves, which come first: they have the best value, with the shortest win or the longest loss. `perfect`
/// may be NULL. At most `room` moves are written to `out`. MORPION_MAX_MOVES is enough unless lines take pieces: if `*count` is
/// greater than `room` then, call the function again with more room.
int32_t morpion_moves(const struct MorpionTable *table,
                      const struct MorpionPosition *position,
                      struct MorpionMove *out,
                      size_t room,
                      size_t *count,
                      size_t *perfect);

/// A perfect move, the first of morpion_moves. `*found` becomes 1, or 0 if the game is over.
int32_t morpion_best_move(const struct MorpionTable *table,
                          const struct MorpionPosition *position,
                          struct MorpionMove *out,
                          int32_t *found);

/// A move of a fallible player: with probability `errors`, from 0 to 1, an imperfect move, if there is any, else a perfect one.
/// Both are chosen uniformly. `random` is a random number from 0 to below 1, for example from drand48. `*found` as in
/// morpion_best_move.
int32_t morpion_choose(const struct MorpionTable *table,
                       const struct MorpionPosition *position,
                       double errors,
                       double random,
                       struct MorpionMove *out,
                       int32_t *found);

/// The end of the game, if it is over: MORPION_NOT_OVER, or a reason that begins with MORPION_OVER_.
int32_t morpion_over(const struct MorpionTable *table,
                     const struct MorpionPosition *position,
                     int32_t *out);

/// The moves of a line of perfect play, to the end of the game or to a repetition. Each side makes the first of its perfect moves.
/// `*count` becomes the number of moves. `*cycle` becomes 0 if the game is over after them, else the number of moves since the
/// position that is repeated. At most `room` moves are written to `out`. For a win or a loss, their number is its distance.
int32_t morpion_line(const struct MorpionTable *table,
                     const struct MorpionPosition *position,
                     struct MorpionMove *out,
                     size_t room,
                     size_t *count,
                     size_t *cycle);

/// The symmetric forms of a position, each once, including the position, with the same side to move. Symmetric positions share
/// the first form. `*count` becomes the number of forms. At most `room` forms are written to `out`; MORPION_MAX_SYMMETRIES is
/// always enough.
int32_t morpion_orbit(const struct MorpionTable *table,
                      const struct MorpionPosition *position,
                      struct MorpionPosition *out,
                      size_t room,
                      size_t *count);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MORPION_H */
