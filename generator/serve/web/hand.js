// The piece that is picked up, and the move that a click or a drop makes with it.

export class Hand {
  constructor() {
    this.picked = null;
  }

  /** Handles a click on a cell; null drops the piece. Returns the move, if any. With `keep`, a second click on a piece keeps it. */
  choose(legal, cell, keep = false) {
    const move = cell === null ? undefined : legal.find((each) => each.to === cell && each.from === this.picked);
    const own = cell !== null && legal.some((each) => each.from === cell);
    this.picked = !move && own && (keep || this.picked !== cell) ? cell : null;
    return move;
  }

  /** Handles a dropped piece; it is a new piece if `from` is null. */
  drop(legal, from, to) {
    this.picked = null;
    return legal.find((each) => each.from === from && each.to === to && to !== null);
  }
}
