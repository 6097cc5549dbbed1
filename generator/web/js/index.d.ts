/** Called during a computation; `whole` is 0 if it is unknown. */
export type OnProgress = (done: number, whole: number) => void;

export interface Options {
  onProgress?: OnProgress;
  /** Cancels by ending the worker. */
  signal?: AbortSignal;
}

/** Solves the game of a rule file. Returns the bytes of its table, which morpion-lookup opens. */
export function solve(rules: string, options?: Options): Promise<Uint8Array>;

/** Judges the game of a rule file, as `morpion judge --json` does. */
export function judge(rules: string, options?: Options & { games?: number }): Promise<Record<string, unknown>>;

/** Asks a worker of its own, which ends afterwards or when `signal` aborts. */
export function once<T>(signal: AbortSignal | undefined, work: (solver: Solver) => Promise<T>): Promise<T>;

/** The worth of a move for the side that makes it. */
export interface Worth {
  value: "win" | "draw" | "loss";
  /** Half-moves to the end; `null` for a draw or if they are unknown. */
  plies: number | null;
}

/** A question to the session; those without rules are about its table. */
export type Question =
  | { ask: "describe" | "solve"; rules: string }
  | { ask: "vary"; rules: string; key: string; value: string }
  | { ask: "turn"; rules: string; position?: string; player?: string; seed?: number }
  | { ask: "judge"; games: number }
  | { ask: "lesson"; for: "x" | "o"; position?: string; page?: boolean }
  | { ask: "grades" }
  | { ask: "board"; rules: string }
  | { ask: "sheet"; number: number; grade?: number }
  | { ask: "puzzle"; number: number; grade?: number }
  | { ask: "review"; moves: { side: "x" | "o"; chosen: Worth; best: Worth }[] }
  | { ask: "count"; symmetry: "none" | "board" | "rules" }
  | { ask: "heap_games" }
  | { ask: "heap_game"; game: string }
  | { ask: "heaps"; game: string; heaps: number[] }
  | { ask: "cram"; board: string; position?: string };

/** A worker with one session. Its questions are answered in their order. */
export class Solver {
  ask(question: Question, options?: { onProgress?: OnProgress }): Promise<any>;
  /** Solves the game of a rule file. The worker keeps the table for the next questions. */
  solve(rules: string, options?: { onProgress?: OnProgress }): Promise<{ description: any; table: Uint8Array }>;
  /** Opens a table, plain or packed. Returns its description. */
  open(table: Uint8Array): Promise<any>;
  /** The bytes of the session's table, which are not packed. */
  table(): Promise<Uint8Array>;
  /** True after `end`, and after a fault that the session does not survive, such as missing memory. Further questions are rejected. */
  readonly isEnded: boolean;
  /** Ends the worker, and rejects the questions that wait. */
  end(): void;
}
