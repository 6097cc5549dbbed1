// Solving a game without a table on this page: the cost before, the progress, and a way to stop.

import { announce, h } from "./dom.js";
import { grouped } from "./words.js";
import * as source from "./source.js";

/** The memory and the time that solving takes, in words. */
export function cost({ memory, seconds }) {
  const time = seconds < 1 ? "less than a second" : seconds < 90 ? `about ${Math.ceil(seconds)} seconds` : `about ${Math.ceil(seconds / 60)} minutes`;
  return `${time} and ${grouped(Math.ceil(memory / 1e6))} MB of memory`;
}

/** The reason why a game is not solved on this page, and the command that solves it. */
export const beyond = ({ unsolved, memory }) => `${unsolved ?? `Solving takes ${grouped(Math.ceil(memory / 1e6))} MB of memory, too much for a page`}. Download the rules and use: morpion build FILE.toml`;

/** Rules whose solution was asked for before their page is open. */
let wanted = null;
export const want = (rules) => { wanted = rules; };

/** The cost of solving a game, with a button; `done` is called with the facts about the solved game. */
export class Solving {
  constructor({ game, rules }, done) {
    this.rules = rules;
    this.done = done;
    this.words = h("p", { role: "status" });
    this.bar = h("progress", { max: 1, "aria-label": "Progress", hidden: true });
    this.button = h("button", { type: "button", class: "primary", hidden: !game.isSolvable, onclick: () => (this.stop ? this.stop.abort() : this.start()) });
    this.element = h("div", { class: "known solving" }, this.words, this.bar, this.button);
    this.offer(game.isSolvable ? `This game is not solved yet: moves have no values. It has ${grouped(game.entries)} entries, which take ${cost(game)} here.` : `${beyond(game)}.`);
    if (wanted === rules && game.isSolvable) this.start();
    wanted = null;
  }

  offer(text) {
    this.stop = null;
    this.bar.hidden = true;
    this.words.textContent = text;
    this.button.textContent = "Solve";
  }

  async start() {
    this.stop = new AbortController();
    this.bar.hidden = false;
    this.bar.removeAttribute("value");
    this.words.textContent = "The game is being solved.";
    this.button.textContent = "Cancel";
    const onProgress = (done, whole) => { if (whole) this.bar.value = done / whole; };
    try {
      await source.solve(this.rules, { onProgress, signal: this.stop.signal });
      announce("The game is solved.");
      this.done();
    } catch (error) {
      this.offer(error.name === "AbortError" ? "Solving was stopped." : error.message);
    }
  }

  close() {
    this.stop?.abort();
  }
}
