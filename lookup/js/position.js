// A position as an object: the pieces on the board and the side to move.

import { imageOf } from "./order.js";
import { within } from "./sets.js";

/** The other side. */
export const other = (side) => (side === "x" ? "o" : "x");

/** A position of a game, which never changes: `table.position(…)` and `position.after(move)` make them. */
export class Position {
  #game;

  /** Only a game calls this, with a position that it has checked. */
  constructor(game, { mover, waiter }, side) {
    this.#game = game;
    /** The words of the side to move and of the side waiting: their cells, bit c for cell c, and what the board does not show. */
    this.mover = mover;
    this.waiter = waiter;
    /** The side to move. */
    this.side = side;
    Object.freeze(this);
  }

  /** The fingerprint of its game's rules. */
  get fingerprint() { return this.#game.fingerprint; }

  /** The content of each cell: 0 nothing, 1 X, 2 O. */
  get cells() {
    const own = this.side === "x" ? 1 : 2;
    return Array.from({ length: this.#game.cells }, (_, cell) => (within(this.mover, cell) ? own : within(this.waiter, cell) ? 3 - own : 0));
  }

  /** All legal moves, `{ move, from, to, take, push, also }`, in the order of cells; none if the game is over. */
  get legalMoves() { return this.#game.successors(this).map(({ position, ...move }) => move); }

  /** The position after a legal move, given as text or as an object. */
  after(move) { return this.#game.after(this, move); }

  /** The reason why the game is over, such as `line` or `stuck`; `null` if it is not over. */
  get over() { return this.#game.over(this); }

  /** True if the game is over. */
  get isOver() { return this.over !== null; }

  /** The side that has won, `x` or `o`; `null` for a draw and if the game is not over. */
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

  /** Returns true if another position has the same pieces, side to move and rules. */
  equals(other) {
    return other instanceof Position && other.mover === this.mover && other.waiter === this.waiter
      && other.side === this.side && other.fingerprint === this.fingerprint;
  }

  /** Its text, `X../.O./..X o`. */
  toString() { return this.#game.format(this, this.side); }

  toJSON() { return this.toString(); }
}
