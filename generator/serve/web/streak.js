// Puzzles solved in a row without help, kept in the browser.

const KEY = "morpion puzzles";

function load() {
  try {
    const { now = 0, best = 0, solved = [] } = JSON.parse(localStorage.getItem(KEY)) ?? {};
    return { now, best, solved };
  } catch {
    return { now: 0, best: 0, solved: [] };
  }
}

export class Streak {
  constructor() {
    this.state = load();
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

  keep(state) {
    this.state = state;
    try {
      localStorage.setItem(KEY, JSON.stringify(state));
    } catch {
      // A browser that stores nothing still counts while the page is open.
    }
  }

  get words() {
    return `Solved in a row: ${this.state.now}. Longest row: ${this.state.best}.`;
  }
}
