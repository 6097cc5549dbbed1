// A position as an object: the pieces on the board and the side to move.

import { imageOf } from "./order.js";
import { within } from "./sets.js";

/** The other side. */
export const other = (side) => (side === "x" ? "o" : "x");

/** The words of the side to move and of the other, given those of X and of O. */
export const ofSides = (x, o, side) => (side === "x" ? { mover: x, waiter: o, side } : { mover: o, waiter: x, side });

/** A position of a game, which never changes: `table.position(…)` and `position.after(move)` make them. */
export class Position {
  #game;

  /** Only a game calls this, with a position that it has checked. */
  constructor(game, { mover, waiter }, side) {
    this.#game = game;
    this.mover = mover;
    this.waiter = waiter;
    this.side = side;
    Object.freeze(this);
  }

  get fingerprint() { return this.#game.fingerprint; }

  get cells() {
    const own = this.side === "x" ? 1 : 2;
    return Array.from({ length: this.#game.cells }, (_, cell) => (within(this.mover, cell) ? own : within(this.waiter, cell) ? 3 - own : 0));
  }

  /** All legal moves, `{ move, from, to, take, push, also }`, in the order of cells; none if the game is over. */
  get legalMoves() { return this.#game.successors(this).map(({ move, from, to, take, push, also }) => ({ move, from, to, take, push, also })); }

  after(move) { return this.#game.after(this, move); }

  get over() { return this.#game.over(this); }
  get isOver() { return this.over !== null; }
  get winner() { return this.#game.winner(this); }

  /** The symmetric forms of the position, each once, including itself. Symmetric positions share the first form. */
  orbit() {
    const forms = new Map();
    for (const images of this.#game.permutations()) {
      const form = { mover: imageOf(images, this.mover), waiter: imageOf(images, this.waiter) };
      forms.set(`${form.mover} ${form.waiter}`, form);
    }
    const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    return [...forms.values()]
      .sort((a, b) => order(a.mover, b.mover) || order(a.waiter, b.waiter))
      .map((form) => new Position(this.#game, form, this.side));
  }

  equals(other) {
    return other instanceof Position && other.mover === this.mover && other.waiter === this.waiter
      && other.side === this.side && other.fingerprint === this.fingerprint;
  }

  toString() { return this.#game.format(this, this.side); }
  toJSON() { return this.toString(); }
}
