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

/** Everything this package throws, but for the reason of an abort. */
export class MorpionError extends Error {
  /**
   * Short name of what is wrong, the same in every language: `character`, `counts`, `magic`, `io`, … Of packed and remote
   * files there are also `packed` (damaged frames, no seek table), `decoder` (fzstd is missing), `ranges` (the server does not
   * know range requests), and `changed` (the file is another than when it was opened).
   */
  readonly kind: string;
}

/** A game by the rules of its table. A position is given as text, `X../.O./..X o`, or as two sets. */
declare class Game {
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
  parse(text: string): Position & { side: Side };
  format(position: Position, side: Side): string;
  over(position: string | Position): Over | null;
  /** The position after a legal move. */
  after(position: string, move: string): string;
}

/** A table in memory. */
export class Table extends Game {
  /** Opens a table, given the whole file, not packed, which is not copied. Checks the header, not the entries. */
  constructor(source: ArrayBuffer | Uint8Array);
  /** Checks the sums of all bytes; throws where one is wrong. */
  checkSums(): void;
  probe(position: string | Position): Score;
  /** All moves, the best first; none where the game is over. */
  moves(position: string | Position): RankedMove[];
  /** Every perfect move. */
  best(position: string | Position): string[];
}

/** Opens the bytes of a table, plain or packed; packed ones are unpacked into memory. */
export function open(source: ArrayBuffer | Uint8Array): Promise<Table>;

/** A table on a server: answers take a map entry and a row, at most two requests, none where both are there already. */
export class RemoteTable extends Game {
  private constructor();
  probe(position: string | Position): Promise<Score>;
  /** All moves, the best first; none where the game is over. */
  moves(position: string | Position): Promise<RankedMove[]>;
  /** Every perfect move. */
  best(position: string | Position): Promise<string[]>;
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
