// Solves and judges games in a thread of Node.

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { platform } from "./index.js";

/** A thread with the interface of a page's worker. */
class Thread extends Worker {
  addEventListener(type, listener) {
    this.on(type, (value) => listener(type === "message" ? { data: value } : value));
  }
}

platform.compile = async () => WebAssembly.compile(await readFile(new URL("./morpion.wasm", import.meta.url)));
platform.start = () => new Thread(new URL("./thread.js", import.meta.url));

export { Solver, judge, once, solve } from "./index.js";
