/** Perfect play for morpion (tic-tac-toe) and its family. */

export type Value = "win" | "draw" | "loss";
export type Side = "x" | "o";
export type Over = "line" | "full" | "stuck";

/** Two sets of cells, bit c for cell c. */
export interface Position {
  mover: bigint;
  waiter: bigint;
}

/** What a position is worth to the side to move. */
export interface Score {
  value: Value;
  /** Half-moves to the end; null for a draw and from a table without distances. */
  plies: number | null;
  /** Kind of draw; null for a win or a loss. */
  draw: "cycle" | "end" | null;
}

/** A move and what it is worth to the side that makes it, counted from the position before. */
export interface RankedMove extends Score {
  move: string;
}

/** Everything this module throws. */
export class MorpionError extends Error {
  /** Short name of what is wrong, the same in every language: `character`, `counts`, `magic`, … */
  readonly kind: string;
}

/** An open table. A position is given as text, `X../.O./..X o`, or as two sets. */
export class Table {
  /** Opens a table, given the whole file, which is not copied. Checks the header, not the entries. */
  constructor(source: ArrayBuffer | Uint8Array);
  readonly name: string;
  readonly title: string;
  readonly cells: number;
  readonly board: { rows: number; columns: number } | { cells: number };
  readonly encoding: "plies" | "plies16" | "wdl";
  readonly fingerprint: string;
  readonly symmetries: number;
  readonly entries: number;
  /** The position the game begins with. */
  readonly start: string;
  /** Checks the sums of all bytes; throws where one is wrong. */
  checkSums(): void;
  parse(text: string): Position & { side: Side };
  format(position: Position, side: Side): string;
  probe(position: string | Position): Score;
  /** All moves, the best first; none where the game is over. */
  moves(position: string | Position): RankedMove[];
  /** Every perfect move. */
  best(position: string | Position): string[];
  over(position: string | Position): Over | null;
  /** The position after a legal move. */
  after(position: string, move: string): string;
}
