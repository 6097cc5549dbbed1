/** Perfect play for morpion (tic-tac-toe) and its family. */

export type Value = "win" | "draw" | "loss";
export type Side = "x" | "o";
export type Over = "line" | "full" | "stuck";

/** Two sets of cells, bit c for cell c. */
export interface Masks {
  readonly mover: bigint;
  readonly waiter: bigint;
}

/** A move: its text (`b2` places, `a1-b3` moves a piece, `pass`), and its cells, `null` where there is none. */
export interface Move {
  readonly move: string;
  readonly from: number | null;
  readonly to: number | null;
}

/** A position of a game, which never changes: `table.position(…)` and `position.after(move)` make them. */
export class Position implements Masks {
  private constructor();
  /** The cells of the side to move. */
  readonly mover: bigint;
  /** The cells of the side waiting. */
  readonly waiter: bigint;
  /** The side to move. */
  readonly side: Side;
  /** The fingerprint of its game's rules. */
  readonly fingerprint: string;
  /** The content of each cell: 0 nothing, 1 X, 2 O. */
  readonly cells: number[];
  /** All legal moves, in the order of cells; none where the game is over. */
  readonly legalMoves: Move[];
  /** Why the game is over; `null` if it is not over. */
  readonly over: Over | null;
  readonly isOver: boolean;
  /** The side that has won; `null` for a draw and if the game is not over. */
  readonly winner: Side | null;
  /** The position after a legal move. */
  after(move: string | Pick<Move, "move">): Position;
  /** The symmetric forms, itself among them, each once; all of them have the same first one. */
  orbit(): Position[];
  /** Returns true if another position has the same pieces, side to move and rules. */
  equals(other: unknown): boolean;
  /** Its text, `X../.O./..X o`. */
  toString(): string;
  toJSON(): string;
}

/** Cells in their order, 0 empty, 1 for X, 2 for O: one list, rows of them, or a typed array. */
export type Cells = readonly number[] | readonly (readonly number[])[] | readonly string[] | Int8Array | Uint8Array | Int32Array | Float64Array;

/** A position: as text, `X../.O./..X o`, as an object, as two sets, or as cells. */
export type Given = string | Position | Masks | Cells;

/** The value of a position for the side to move. */
export interface Score {
  value: Value;
  /** Half-moves to the end; null for a draw and from a table without distances. */
  plies: number | null;
  /** Kind of draw; null for a win or a loss. */
  draw: "cycle" | "end" | null;
}

/** A move and its value for the side that makes it, counted from the position before. */
export interface RankedMove extends Score, Move {}

/** A line of perfect play. */
export interface Line {
  /** The positions, one more than there are moves. */
  positions: Position[];
  moves: string[];
  /** Why the game is over at the end; null where the last position is a repeated one. */
  over: Over | null;
  /** The index of the position that the last one repeats; null where the game comes to its end. */
  cycle: number | null;
}

/** Scores of many positions. */
export interface Scores {
  /** 1 for a win, 0 for a draw, -1 for a loss of the side to move. */
  value: Int8Array;
  /** Half-moves to the end, -1 for a draw and from a table without distances. */
  plies: Int16Array;
  /** 1 for a draw that ends, 2 for a draw by cycle, 0 if the value is not a draw. */
  draw: Int8Array;
  /** 0 for a row that is answered, else a key of `errorKinds`. Such a row has value 0, plies -1, draw 0. */
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
  /** Gives numbers from 0 to below 1: `Math.random` unless given. With the same numbers the same moves are made in every language. */
  random?: () => number;
}

/** Everything this package throws, but for the reason of an abort. */
export class MorpionError extends Error {
  constructor(kind: string, message: string, options?: ErrorOptions);
  /**
   * Short name of what is wrong, the same in every language: `character`, `counts`, `magic`, `io`, … A value of the wrong type is
   * `type`. Of packed and remote files there are also `packed` (damaged frames, no seek table), `decoder` (fzstd is missing),
   * `ranges` (the server does not know range requests), and `changed` (the file is another than when it was opened). `memory` is too
   * little memory for the positions of a game.
   */
  readonly kind: string;
  /** The same as `kind`. */
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
  readonly encoding: "plies" | "plies16" | "wdl";
  readonly fingerprint: string;
  readonly symmetries: number;
  readonly entries: number;
  /** The text of the position the game begins with. */
  readonly start: string;
  /** Every position that play can reach, each once, in the order of play, with a side that is then to move. */
  positions(): Generator<Position, void, undefined>;
  /**
   * A position as an object; the start of the game if none is given. `side` names the side to move where neither the position nor
   * the pieces tell; two sets alone are taken with X to move there.
   */
  position(given?: Given, side?: Side): Position;
  parse(text: string): Masks & { side: Side };
  format(position: Masks, side: Side): string;
  over(position: Given): Over | null;
  /** The side that has won; `null` for a draw and if the game is not over. */
  winner(position: Given): Side | null;
  /** The position after a legal move: as text where it was given as text, else as an object. */
  after(position: string, move: string | Pick<Move, "move">): string;
  after(position: Exclude<Given, string>, move: string | Pick<Move, "move">): Position;
}

/** A table in memory. */
export class Table extends Game {
  /** Opens a table, given the whole file, not packed, which is not copied. Checks the header, not the entries. */
  constructor(source: ArrayBufferLike | ArrayBufferView);
  /** Checks the sums of all bytes; throws where one is wrong. */
  checkSums(): void;
  probe(position: Given): Score;
  /** All moves, the best first; none where the game is over. */
  moves(position: Given): RankedMove[];
  /** Every perfect move. */
  best(position: Given): string[];
  /** The line of perfect play from a position on, the start of the game if none is given. */
  line(position?: Given): Line;
  /**
   * A move for a fallible player: with probability `errors` one of the imperfect moves, if there are any, else a perfect one;
   * uniform within each. null where the game is over.
   */
  choose(position: Given, level?: Level): string | null;
  /**
   * The scores of many positions, or their errors, row by row: `movers` and `waiters` are the cells of the side to move and of the
   * side waiting.
   */
  probeMany(movers: BigUint64Array, waiters: BigUint64Array): Scores;
  /** The census of the table. */
  census(): Census;
}

export interface OpenOptions {
  /**
   * Bytes of a packed table that are kept unpacked [default: 64 MiB]. A table that fits is unpacked at once. Of a larger one, answers
   * unpack the frames that they read, and those used last are kept.
   */
  cache?: number;
}

/** Opens the bytes of a table, plain or packed. */
export function open(source: ArrayBufferLike | ArrayBufferView, options?: OpenOptions): Promise<Table>;

/** The names of the tables inside this package. */
export function builtinNames(): string[];

/** Opens a table inside this package, which is loaded when it is asked for. */
export function builtin(name: string): Promise<Table>;

/** A table on a server: answers take a map entry and a row, at most two requests, none where both are there already. */
export class RemoteTable extends Game {
  private constructor();
  probe(position: Given): Promise<Score>;
  /** All moves, the best first; none where the game is over. */
  moves(position: Given): Promise<RankedMove[]>;
  /** Every perfect move. */
  best(position: Given): Promise<string[]>;
  /** As `Table.line`: some requests a move. */
  line(position?: Given): Promise<Line>;
  /** As `Table.choose`. */
  choose(position: Given, level?: Level): Promise<string | null>;
  /** As `Table.probeMany`: for a few positions, since it fetches all the parts that they lie in. */
  probeMany(movers: BigUint64Array, waiters: BigUint64Array): Promise<Scores>;
  /** The census of the table. */
  census(): Promise<Census>;
}

export interface RemoteOptions {
  /** Bytes of unpacked frames that are kept, beside the beginning and the end of the file; 8 MiB unless given. */
  cache?: number;
  /** Ends opening, and every request of the open table: what waits is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** In place of the global `fetch`. */
  fetch?: typeof fetch;
}

/** Opens a table on a server, plain or packed, by two requests at once: its first 32 KiB and its last 132 KiB. */
export function openRemote(url: string | URL, options?: RemoteOptions): Promise<RemoteTable>;
