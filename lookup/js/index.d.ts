/** Perfect play for morpion (tic-tac-toe) and its family. */

export type Value = "win" | "draw" | "loss";
export type Side = "x" | "o";
/** Reason why a game is over: the waiter has a line, the board is full, no move, the mover owns a line, the mover has too few pieces. */
export type Over = "line" | "full" | "stuck" | "own-line" | "few";

/**
 * A word for each side, with bit c for cell c. From bit 36 on, a word has the number of pieces in hand in games with mills, or, with bit
 * 52, the order of pieces that age; in other games, nothing.
 */
export interface Masks {
  readonly mover: bigint;
  readonly waiter: bigint;
}

/**
 * A move: its text (`b2` places a piece, `a1-b3` moves one, `b2xc3` and `a1-b3xc3` take one too, `b2xa3xc3` two, `a1>a5` pushes,
 * `pass`) and its cells, `null` if it does not have them.
 */
export interface Move {
  readonly move: string;
  readonly from: number | null;
  readonly to: number | null;
  /** The cell whose piece is taken; `null` if the move takes nothing. */
  readonly take: number | null;
  /** A higher cell whose piece is taken too, in games in which two lines at once take two pieces; otherwise `null`. */
  readonly also: number | null;
  /** True if the piece on `from`, own or new, is pushed in at `to`. */
  readonly push: boolean;
}

/** An immutable position of a game, made by `table.position(…)` and `position.after(move)`. */
export class Position implements Masks {
  private constructor();
  /** The word of the side to move. */
  readonly mover: bigint;
  /** The word of the side waiting. */
  readonly waiter: bigint;
  /** The side to move. */
  readonly side: Side;
  /** The fingerprint of its game's rules. */
  readonly fingerprint: string;
  /** The content of each cell: 0 nothing, 1 X, 2 O. */
  readonly cells: number[];
  /** All legal moves, in the order of cells; none if the game is over. */
  readonly legalMoves: Move[];
  /** Why the game is over; `null` if it is not over. */
  readonly over: Over | null;
  readonly isOver: boolean;
  /** The side that has won; `null` for a draw and if the game is not over. */
  readonly winner: Side | null;
  /** The position after a legal move. */
  after(move: string | Pick<Move, "move">): Position;
  /** The symmetric forms of the position, each once, including itself. Symmetric positions share the first form. */
  orbit(): Position[];
  /** Returns true if another position has the same pieces, side to move and rules. */
  equals(other: unknown): boolean;
  /** The text of the position, `X../.O./..X o`, with pieces in hand, `… x 3/2`, or pieces that age, `… x c1,a2/b2`. */
  toString(): string;
  toJSON(): string;
}

/** A cell: 0, `null`, `""` or `"."` is empty, 1 or `"X"` is X, 2, -1 or `"O"` is O. */
export type Cell = number | string | null;

/** Cells as numbers in a typed array. */
export type Numbers = Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/** Cells in their order: a list, a list of rows, or a typed array. */
export type Cells = readonly Cell[] | readonly (readonly Cell[] | Numbers)[] | Numbers;

/** A position: text such as `X../.O./..X o`, an object, two words, or cells. */
export type Given = string | Position | Masks | Cells;

/** A win or a loss. */
export interface Decided {
  value: "win" | "loss";
  /** Half-moves to the end; null in a table without distances. */
  plies: number | null;
  draw: null;
}

/** A draw by cycle, or one that ends. */
export interface Drawn {
  value: "draw";
  plies: null;
  draw: "cycle" | "end";
}

/** The value of a position for the side to move. `value` tells which fields are null. */
export type Score = Decided | Drawn;

/** A move and its value for the side that makes it, counted from the position before. */
export type RankedMove = Score & Move;

/** A line of perfect play. */
export interface Line {
  /** The positions, one more than there are moves. */
  positions: Position[];
  moves: string[];
  /** Reason why the game is over at the end; null if the last position is a repetition. */
  over: Over | null;
  /** The index of the position that the last one repeats; null if the game ends. */
  cycle: number | null;
}

/** Scores of many positions. */
export interface Scores {
  /** 1 for a win, 0 for a draw, -1 for a loss of the side to move. */
  value: Int8Array;
  /** Half-moves to the end, -1 for a draw and in a table without distances. */
  plies: Int16Array;
  /** 1 for a draw that ends, 2 for a draw by cycle, 0 if the value is not a draw. */
  draw: Int8Array;
  /** 0, or a key of `errorKinds`. A row with an error has value 0, plies -1, draw 0. */
  error: Uint8Array;
}

/**
 * The number of arrangements of pieces by layer, value and distance, as columns with a row for each count above 0. Arrangements that
 * are not positions are left out; those that play cannot reach are counted.
 */
export interface Census {
  /** Pieces of the side to move. */
  mover: Uint8Array;
  /** Pieces of the side waiting. */
  waiter: Uint8Array;
  /** 1 for wins, 0 for draws, -1 for losses of the side to move. */
  value: Int8Array;
  /** Half-moves to the end, -1 for draws and in a table without distances. */
  plies: Int16Array;
  /** 1 for draws that end, 2 for draws by cycle, 0 for wins and losses. */
  draw: Uint8Array;
  /** The number of arrangements. */
  count: Float64Array;
}

/** Names of the errors in `Scores.error`, by number, the same in every language. */
export const errorKinds: Readonly<Record<number, string>>;

/** Strength of a player. */
export interface Level {
  /** The probability of an imperfect move if there is one [default: 0]. */
  errors?: number;
  /** Returns numbers from 0 to below 1 [default: `Math.random`]. The same numbers choose the same moves in every language. */
  random?: () => number;
}

/** The error that this package throws, except for the reason of an abort. */
export class MorpionError extends Error {
  constructor(kind: string, message: string, options?: ErrorOptions);
  /**
   * Short name of the error, the same in every language: `character`, `counts`, `magic`, `io`, … A value of the wrong type is `type`.
   * Packed and remote files also have `packed` (a damaged frame, or no seek table), `decoder` (WebAssembly is not allowed), `ranges` (the server
   * does not support range requests) and `changed` (the file has changed since it was opened). `memory` means that the positions of a
   * game do not fit in memory.
   */
  readonly kind: string;
  /** Another name of `kind`. */
  readonly code: string;
  /** Index of the position in a batch. */
  readonly index?: number;
}

/** A game by the rules of its table. */
declare class Game {
  readonly name: string;
  readonly title: string;
  readonly cells: number;
  /** `holes` lists the squares that are not cells, row by row from 0, if there are any. */
  readonly board: { rows: number; columns: number; holes?: number[] } | { cells: number };
  /** The name of each cell. */
  readonly names: string[];
  /** The rule file of the game, without name and title. */
  readonly rules: string;
  readonly encoding: "plies" | "plies16" | "wdl";
  readonly fingerprint: string;
  readonly symmetries: number;
  readonly entries: number;
  /** The text of the position at the start of the game. */
  readonly start: string;
  /** Every position that play can reach, each once, in the order of play, with a side that is then to move. */
  positions(): Generator<Position, void, undefined>;
  /**
   * A position as an object [default: the start of the game]. `side` is the side to move if neither the position nor its number of
   * pieces determines it [default for two words: X].
   */
  position(given?: Given, side?: Side): Position;
  parse(text: string): Masks & { side: Side };
  format(position: Masks, side: Side): string;
  over(position: Given): Over | null;
  /** The side that has won; `null` for a draw and if the game is not over. */
  winner(position: Given): Side | null;
  /** The position after a legal move: as text if the position is given as text, else as an object. */
  after(position: string, move: string | Pick<Move, "move">): string;
  after(position: Exclude<Given, string>, move: string | Pick<Move, "move">): Position;
}

/** A table in memory. */
export class Table extends Game {
  /** Opens a table, given the bytes of a whole file that is not packed. They are not copied. Checks the header, not the entries. */
  constructor(source: ArrayBufferLike | ArrayBufferView);
  /** Checks the checksums of all bytes; throws if one is wrong. */
  checkSums(): void;
  probe(position: Given): Score;
  /** All moves, the best first; none if the game is over. */
  moves(position: Given): RankedMove[];
  /** Every perfect move. */
  best(position: Given): string[];
  /** The line of perfect play from a position [default: the start of the game]. */
  line(position?: Given): Line;
  /**
   * A move of a fallible player: with probability `errors` an imperfect move, if there is any, else a perfect one. Both are chosen
   * uniformly. null if the game is over.
   */
  choose(position: Given, level?: Level): string | null;
  /**
   * The scores of many positions, or their errors, a row for each position, in about 3 µs each. `movers` and `waiters` are the words of the side to move
   * and of the side waiting.
   */
  probeMany(movers: BigUint64Array | BigInt64Array, waiters: BigUint64Array | BigInt64Array): Scores;
  /** The census of the table. */
  census(): Census;
}

/** Opens the bytes of a table, plain or packed. A packed table is unpacked; use `openRemote` if it does not fit into memory. */
export function open(source: ArrayBufferLike | ArrayBufferView): Promise<Table>;

/** The names of the tables inside this package. */
export function builtinNames(): string[];

/** Loads and opens a table inside this package. */
export function builtin(name: string): Promise<Table>;

/** A table on a server. An answer reads a map entry and a row: at most two requests, and none if both are in memory. */
export class RemoteTable extends Game {
  private constructor();
  probe(position: Given): Promise<Score>;
  /** All moves, the best first; none if the game is over. */
  moves(position: Given): Promise<RankedMove[]>;
  /** Every perfect move. */
  best(position: Given): Promise<string[]>;
  /** As `Table.line`; makes some requests for each move. */
  line(position?: Given): Promise<Line>;
  /** As `Table.choose`. */
  choose(position: Given, level?: Level): Promise<string | null>;
  /** As `Table.probeMany`. For a few positions only, because it fetches every part of the file that contains one of them. */
  probeMany(movers: BigUint64Array | BigInt64Array, waiters: BigUint64Array | BigInt64Array): Promise<Scores>;
  /** The census of the table. */
  census(): Promise<Census>;
}

export interface RemoteOptions {
  /** Bytes of unpacked frames that are kept, in addition to the beginning and the end of the file [default: 8 MiB]. */
  cache?: number;
  /** Aborts opening and every request of the open table. Their promises are rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

/** Opens a table on a server, plain or packed, by two requests at once: its first 32 KiB and its last 132 KiB. */
export function openRemote(url: string | URL, options?: RemoteOptions): Promise<RemoteTable>;
