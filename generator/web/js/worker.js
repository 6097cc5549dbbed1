// A worker with one session of the module. It answers messages `{ id, wasm | question | table | isWanted }` in their order.

import { session } from "./module.js";

let now = null, opened = null;
const report = (done, whole) => postMessage({ id: now, done, whole });

/** Answers one message. */
async function answer({ wasm, question, table, isWanted }) {
  if (wasm) return void (opened = await session(wasm, report));
  if (table) return { answer: opened.open(table), table: null };
  if (isWanted) return { table: opened.table() };
  const found = opened.ask(question);
  return { answer: found, table: question.ask === "solve" ? opened.table() : null };
}

let last = Promise.resolve();
addEventListener("message", ({ data }) => {
  last = last.then(async () => {
    now = data.id;
    try {
      const found = await answer(data);
      postMessage({ id: data.id, ...found, ended: true }, found?.table ? [found.table.buffer] : []);
    } catch (error) {
      // A trap, such as missing memory, has no message for people.
      const isFatal = error instanceof WebAssembly.RuntimeError;
      const message = isFatal ? `not enough memory, or a fault of the program (${error.message})` : error.message;
      postMessage({ id: data.id, error: message, isFatal, ended: true });
    }
  });
});
