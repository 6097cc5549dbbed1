// Solves and judges games in a worker, so that the page never stalls.

/** The address of the module. */
const wasm = new URL("./morpion.wasm", import.meta.url);

let compiled = null;

/** Compiles the module and starts a worker as pages do. `node.js` replaces both. */
export const platform = {
  compile: () => fetch(wasm).then((response) => {
    if (!response.ok) throw new Error(`${wasm}: status ${response.status}`);
    return WebAssembly.compileStreaming?.(response.clone()).catch(async () => WebAssembly.compile(await response.arrayBuffer()))
      ?? response.arrayBuffer().then((bytes) => WebAssembly.compile(bytes));
  }),
  start: () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }),
};

/** Compiles the module, once and only if something needs it. */
function load() {
  compiled ??= platform.compile();
  compiled.catch(() => (compiled = null));
  return compiled;
}

/** A worker with one session of the module. Its questions are answered in their order; `end` cancels them. */
export class Solver {
  #worker = platform.start();
  #waiting = new Map();
  #next = 0;
  #ready;
  #fault = null;

  constructor() {
    this.#worker.addEventListener("message", ({ data: { id, done, whole, ended, error, isFatal, ...found } }) => {
      const waiting = this.#waiting.get(id);
      if (!ended) return void waiting?.onProgress?.(done, whole);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(found);
      else waiting?.reject(new Error(error));
      if (isFatal) this.end();
    });
    this.#worker.addEventListener("error", (event) => this.#fail(new Error(event.message || "the worker does not start")));
    this.#ready = load().then((module) => this.#post({ wasm: module }));
    this.#ready.catch((error) => this.#fail(error));
  }

  /** True after `end`, and after a fault that the session does not survive, such as missing memory. Further questions are rejected. */
  get isEnded() { return this.#fault !== null; }

  /** Answers a question about rules or the session's table. */
  async ask(question, { onProgress } = {}) {
    await this.#ready;
    return (await this.#post({ question }, onProgress)).answer;
  }

  /** Solves the game of a rule file. Returns its table as bytes, and its description. */
  async solve(rules, { onProgress } = {}) {
    await this.#ready;
    const { answer: description, table } = await this.#post({ question: { ask: "solve", rules } }, onProgress);
    return { description, table };
  }

  /** Opens a table, plain or packed, for the next questions. Returns its description. */
  async open(table) {
    await this.#ready;
    return (await this.#post({ table })).answer;
  }

  /** The bytes of the session's table, which are not packed. */
  async table() {
    await this.#ready;
    return (await this.#post({ isWanted: true })).table;
  }

  /** Ends the worker. Questions that wait are rejected with the name `AbortError`. */
  end() {
    this.#worker.terminate();
    this.#fail(new DOMException("stopped", "AbortError"));
  }

  #fail(error) {
    this.#fault ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #post(message, onProgress) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      if (this.isEnded) throw this.#fault;
      this.#waiting.set(id, { resolve, reject, onProgress });
      this.#worker.postMessage({ id, ...message });
    });
  }
}

/** Asks a worker of its own, which ends afterwards or when `signal` aborts. */
export async function once(signal, work) {
  signal?.throwIfAborted();
  const solver = new Solver(), stop = () => solver.end();
  signal?.addEventListener("abort", stop);
  try {
    return await work(solver);
  } finally {
    signal?.removeEventListener("abort", stop);
    solver.end();
  }
}

/**
 * Solves the game of a rule file. Returns the bytes of its table, which morpion-lookup opens.
 * @param {string} rules
 * @param {{ onProgress?: (done: number, whole: number) => void, signal?: AbortSignal }} [options]
 */
export const solve = (rules, { onProgress, signal } = {}) =>
  once(signal, async (solver) => (await solver.solve(rules, { onProgress })).table);

/**
 * Judges the game of a rule file: what players of several levels make of it. Two games are judged side by side by two calls.
 * @param {string} rules
 * @param {{ games?: number, onProgress?: (done: number, whole: number) => void, signal?: AbortSignal }} [options]
 */
export const judge = (rules, { games = 200, onProgress, signal } = {}) =>
  once(signal, async (solver) => {
    await solver.solve(rules, { onProgress });
    return solver.ask({ ask: "judge", games }, { onProgress });
  });
