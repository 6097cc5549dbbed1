/* Perfect play for morpion (tic-tac-toe) and its family.
 *
 * Generated from src/lib.rs by: cbindgen --config cbindgen.toml --output include/morpion.h
 *
 * A table is an opaque handle without hidden state: any number of threads may use one at the same time until it is
 * closed. Functions that can fail return an int32_t, 0 (MORPION_OK) or the number of an error; those that take `message`
 * then also write a text of at most `capacity` bytes there, ending with a zero byte. `message` may be NULL. */

#ifndef MORPION_H
#define MORPION_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// The version of this header, MAJOR.MINOR.PATCH; that of the library at hand is morpion_version().
#define MORPION_VERSION_MAJOR 0

// See MORPION_VERSION_MAJOR.
#define MORPION_VERSION_MINOR 1

// See MORPION_VERSION_MAJOR.
#define MORPION_VERSION_PATCH 0

// Done.
#define MORPION_OK 0

// A pointer is NULL that may not be, or a text is not UTF-8.
#define MORPION_ERROR_ARGUMENT 1

// The file or the source could not be read.
#define MORPION_ERROR_IO 2

// Not a table.
#define MORPION_ERROR_MAGIC 3

// A table of a format that this library does not know.
#define MORPION_ERROR_VERSION 4

// Fewer or more bytes than the header says.
#define MORPION_ERROR_LENGTH 5

// A checksum that does not fit.
#define MORPION_ERROR_CHECKSUM 6

// A header that contradicts itself.
#define MORPION_ERROR_HEADER 7

// No built-in table has this name.
#define MORPION_ERROR_NAME 8

// A packed table without a sound seek table, or with a damaged frame.
#define MORPION_ERROR_PACKED 9

// A header whose rules are unsound.
#define MORPION_ERROR_RULES 10

// A table of other rules than those expected.
#define MORPION_ERROR_OTHER_RULES 11

// A character that is no cell.
#define MORPION_ERROR_CHARACTER 20

// Too many or too few cells.
#define MORPION_ERROR_SIZE 21

// A row of the wrong length.
#define MORPION_ERROR_ROW 22

// Piece counts that the game never has.
#define MORPION_ERROR_COUNTS 23

// The side in the text is not the one to move.
#define MORPION_ERROR_SIDE 24

// All pieces are placed and the text does not say who is to move.
#define MORPION_ERROR_SIDE_MISSING 25

// A text that is no move.
#define MORPION_ERROR_MOVE 26

// A piece off the board.
#define MORPION_ERROR_OFF_THE_BOARD 30

// A cell that both sides hold.
#define MORPION_ERROR_OVERLAP 31

// The side to move owns a line.
#define MORPION_ERROR_MOVER_LINE 32

// Both sides own a line.
#define MORPION_ERROR_BOTH_LINES 33

// The table contradicts itself.
#define MORPION_ERROR_DAMAGED 40

// The mover wins.
#define MORPION_WIN 1

// Neither side can force a win.
#define MORPION_DRAW 0

// The mover loses.
#define MORPION_LOSS -1

// A draw whose every play that keeps it ends.
#define MORPION_DRAW_ENDS 1

// A draw that can go on for ever.
#define MORPION_DRAW_CYCLES 2

// The game goes on.
#define MORPION_NOT_OVER 0

// The side waiting has made a line.
#define MORPION_OVER_LINE 1

// Nothing can be placed any more.
#define MORPION_OVER_FULL 2

// The side to move has no legal move.
#define MORPION_OVER_STUCK 3

// In place of the cell a piece comes from: the piece is new.
#define MORPION_PLACE 254

// In place of both cells: a pass.
#define MORPION_PASS 255

// The most moves a position can have.
#define MORPION_MAX_MOVES 163

// An open table.
typedef struct MorpionTable MorpionTable;

// Bytes that the library asks for as it needs them: of a file read piece by piece, of a server that knows ranges.
//
// `read_at` is called from the threads that open and ask the table, while they do; for a packed table by one at a time, else
// by several at once. It may not ask or close the same table, nor leave by longjmp or an exception.
typedef struct MorpionSource {
  // Given to `read_at` as it is. It has to last until the table is closed.
  void *user;
  // How many bytes there are.
  uint64_t size;
  // Writes the `length` bytes from `offset` on to `into`, never beyond `size`. Returns 0, or any other number where they
  // cannot be had: the question then fails with MORPION_ERROR_IO, and its message has the number.
  int32_t (*read_at)(void *user, uint64_t offset, uint8_t *into, size_t length);
} MorpionSource;

// A position: bit c of a set stands for cell c. `side` is 'x' or 'o', the colour of the mover; only texts need it.
typedef struct MorpionPosition {
  // Cells of the side to move.
  uint64_t mover;
  // Cells of the side waiting.
  uint64_t waiter;
  // 'x' or 'o'.
  char side;
} MorpionPosition;

// What a position is worth to the side to move.
typedef struct MorpionScore {
  // MORPION_WIN, MORPION_DRAW or MORPION_LOSS.
  int32_t value;
  // Half-moves to the end; -1 for a draw and from a table without distances.
  int32_t plies;
  // MORPION_DRAW_ENDS or MORPION_DRAW_CYCLES; 0 where the value is no draw.
  int32_t draw;
} MorpionScore;

// A move and what it is worth to the side that makes it, counted from the position before.
typedef struct MorpionMove {
  // The cell the piece comes from, MORPION_PLACE or MORPION_PASS.
  uint8_t from;
  // The cell the piece goes to, or MORPION_PASS.
  uint8_t to;
  // Its worth.
  struct MorpionScore score;
} MorpionMove;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Opens a table file, plain or packed, which its first bytes tell: reads it into memory, a packed one as it is. `*out` is
// to be closed with morpion_close; it is NULL after a failure, here and below.
//
// # Safety
// `path` ends with a zero byte; `out` has room for a pointer; `message` is NULL or has room for `capacity` bytes.
int32_t morpion_open(const char *path,
                     struct MorpionTable **out,
                     char *message,
                     size_t capacity);

// Maps a table file, plain or packed, into memory: nothing is read before it is asked for, and processes share it. Nobody may
// change or truncate the file until the table is closed. `*out` is to be closed with morpion_close.
//
// # Safety
// As morpion_open, and the file stays as it is.
int32_t morpion_map(const char *path,
                    struct MorpionTable **out,
                    char *message,
                    size_t capacity);

// Opens a table from `length` bytes, plain or packed, which are copied. `*out` is to be closed with morpion_close.
//
// # Safety
// `bytes` has `length` bytes; for the rest as morpion_open.
int32_t morpion_from_bytes(const uint8_t *bytes,
                           size_t length,
                           struct MorpionTable **out,
                           char *message,
                           size_t capacity);

// Opens a plain or packed table that is read by a callback, only what an answer needs. `*source` is copied. Of a packed
// table up to `cache` bytes of unpacked frames are kept, at least the last one. `*out` is to be closed with morpion_close.
//
// # Safety
// `source` points to a source whose `read_at` does as MorpionSource says until the table is closed; for the rest as
// morpion_open.
int32_t morpion_open_source(const struct MorpionSource *source,
                            size_t cache,
                            struct MorpionTable **out,
                            char *message,
                            size_t capacity);

// Opens the built-in table of this name: "classic", "swap", … `*out` is to be closed with morpion_close.
//
// # Safety
// As morpion_open.
int32_t morpion_builtin(const char *name,
                        struct MorpionTable **out,
                        char *message,
                        size_t capacity);

// Writes the name of the built-in table `index`, as much of it as fits, with a zero byte. Returns the length of the whole
// name, 0 where there are not as many.
//
// # Safety
// `buffer` is NULL or has room for `capacity` bytes.
size_t morpion_builtin_name(size_t index,
                            char *buffer,
                            size_t capacity);

// Closes a table; NULL is left alone.
//
// # Safety
// `table` is NULL or comes from this library, is not closed yet, and nobody uses it any more.
void morpion_close(struct MorpionTable *table);

// Writes the name of the game, as much of it as fits, with a zero byte. Returns the length of the whole name, 0 where
// `table` is NULL.
//
// # Safety
// `table` is open; `buffer` is NULL or has room for `capacity` bytes.
size_t morpion_name(const struct MorpionTable *table,
                    char *buffer,
                    size_t capacity);

// Checks the sums of all bytes of the table; reads all of it.
//
// # Safety
// `table` is open; `message` is NULL or has room for `capacity` bytes.
int32_t morpion_check_sums(const struct MorpionTable *table, char *message, size_t capacity);

// The position the game begins with.
//
// # Safety
// `table` is open and `out` has room for a position.
int32_t morpion_start(const struct MorpionTable *table, struct MorpionPosition *out);

// Reads a position: "X../.O./..X o", or one of the forms of notebooks.
//
// # Safety
// `table` is open, `text` ends with a zero byte, `out` has room for a position, `message` is NULL or has room for
// `capacity` bytes.
int32_t morpion_parse(const struct MorpionTable *table,
                      const char *text,
                      struct MorpionPosition *out,
                      char *message,
                      size_t capacity);

// Writes a position, as much of it as fits, with a zero byte. Returns the length of the whole text, 0 where a pointer
// is NULL or the side of the position neither 'x' nor 'o'.
//
// # Safety
// `table` is open, `position` points to one, `buffer` is NULL or has room for `capacity` bytes.
size_t morpion_format(const struct MorpionTable *table,
                      const struct MorpionPosition *position,
                      char *buffer,
                      size_t capacity);

// Writes a move, as morpion_format a position: "b2", "a1-b3", "pass".
//
// # Safety
// `table` is open, `mv` points to a move, `buffer` is NULL or has room for `capacity` bytes.
size_t morpion_format_move(const struct MorpionTable *table,
                           const struct MorpionMove *mv,
                           char *buffer,
                           size_t capacity);

// Reads a move, in either case: "b2", "a1-b3", "pass". It need not be legal anywhere; morpion_moves lists those that are. Its
// score is all zero.
//
// # Safety
// `table` is open, `text` ends with a zero byte, `out` has room for a move, `message` is NULL or has room for `capacity`
// bytes.
int32_t morpion_parse_move(const struct MorpionTable *table,
                           const char *text,
                           struct MorpionMove *out,
                           char *message,
                           size_t capacity);

// Value and distance of a position.
//
// # Safety
// `table` is open, `position` points to one, `out` has room for a score, `message` is NULL or has room for `capacity`
// bytes.
int32_t morpion_probe(const struct MorpionTable *table,
                      const struct MorpionPosition *position,
                      struct MorpionScore *out,
                      char *message,
                      size_t capacity);

// Values and distances of `count` positions, faster than one after the other. `codes[i]` becomes 0 or the error of
// position i, whose `out[i]` is then left as it was; `codes` may be NULL. Returns 0, or the first error.
//
// # Safety
// `table` is open, `positions` has `count` positions, `out` has room for as many scores, `codes` is NULL or has room for
// as many codes.
int32_t morpion_probe_many(const struct MorpionTable *table,
                           const struct MorpionPosition *positions,
                           size_t count,
                           struct MorpionScore *out,
                           int32_t *codes);

// All moves with their worth, the best first; none where the game is over. `*count` becomes their number and, where
// `perfect` is not NULL, `*perfect` how many of them, from the first, are perfect. No more than `room` moves are
// written to `out`; MORPION_MAX_MOVES is always enough.
//
// # Safety
// `table` is open, `position` points to one, `out` has room for `room` moves, `count` and, unless NULL, `perfect` have room for
// a number, `message` is NULL or has room for `capacity` bytes.
int32_t morpion_moves(const struct MorpionTable *table,
                      const struct MorpionPosition *position,
                      struct MorpionMove *out,
                      size_t room,
                      size_t *count,
                      size_t *perfect,
                      char *message,
                      size_t capacity);

// A perfect move. `*found` becomes 1, or 0 where the game is over and there is none.
//
// # Safety
// `table` is open, `position` points to one, `out` has room for a move, `found` for a number, `message` is NULL or has room
// for `capacity` bytes.
int32_t morpion_best(const struct MorpionTable *table,
                     const struct MorpionPosition *position,
                     struct MorpionMove *out,
                     int32_t *found,
                     char *message,
                     size_t capacity);

// Whether the game is over: MORPION_NOT_OVER, MORPION_OVER_LINE, MORPION_OVER_FULL or MORPION_OVER_STUCK.
//
// # Safety
// `table` is open, `position` points to one, `out` has room for a number, `message` is NULL or has room for `capacity` bytes.
int32_t morpion_over(const struct MorpionTable *table,
                     const struct MorpionPosition *position,
                     int32_t *out,
                     char *message,
                     size_t capacity);

// The position after a move, seen by the other side, which is then to move. The move has to be legal here.
//
// # Safety
// `position` and `mv` point to a position and a move; `out` has room for a position and may be `position`.
int32_t morpion_after(const struct MorpionPosition *position,
                      const struct MorpionMove *mv,
                      struct MorpionPosition *out);

// The version of the library, "0.1.0": that of the header that it was built with.
const char *morpion_version(void);

// The short name of an error, the same in every language; "ok" for 0, "unknown" for what is no number of an error.
const char *morpion_error_name(int32_t code);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MORPION_H */
