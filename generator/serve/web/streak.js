// Puzzles solved in a row without help, kept in the browser.

import { keep, kept } from "./storage.js";

const NAME = "morpion puzzles";

export class Streak {
  constructor() {
    this.state = { now: 0, best: 0, solved: [], ...kept(NAME) };
  }

  /** Counts a puzzle that was solved without help, once. */
  add(position) {
    const { now, best, solved } = this.state;
    if (solved.includes(position)) return;
    this.keep({ now: now + 1, best: Math.max(best, now + 1), solved: [...solved, position].slice(-100) });
  }

  end() {
    this.keep({ ...this.state, now: 0 });
  }

  /** A browser that stores nothing still counts while the page is open. */
  keep(state) {
    this.state = state;
    keep(NAME, state);
  }

  get words() {
    return `Solved in a row: ${this.state.now}. Longest row: ${this.state.best}.`;
  }
}
