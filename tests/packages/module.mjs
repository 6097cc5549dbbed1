// Answers questions.json by the stored module, in one session. The table after question N is written to N.morpion.

import { readFileSync, writeFileSync } from "node:fs";
import { session } from "../../generator/web/js/module.js";

let progress = 0;
const wasm = readFileSync(new URL("../../generator/serve/web/morpion.wasm", import.meta.url));
const module = await session(wasm, () => progress++);
const answers = JSON.parse(readFileSync("questions.json", "utf8")).map((question, at) => {
  progress = 0;
  try {
    const answer = module.ask(question);
    if (question.ask === "solve") writeFileSync(`${at}.morpion`, module.table());
    return { answer, progress };
  } catch (error) {
    return { error: error.message };
  }
});
console.log(JSON.stringify(answers));
