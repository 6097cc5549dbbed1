// Which piece is picked up, and which move a click or a drop makes of it.

export class Hand {
  constructor() {
    this.picked = null;
  }

  /** For a click on a cell; null lets the piece go. Gives the move that this makes, if any. With `keep` another click on a piece holds it. */
  choose(legal, cell, keep = false) {
    const move = cell === null ? undefined : legal.find((each) => each.to === cell && each.from === this.picked);
    const own = cell !== null && legal.some((each) => each.from === cell);
    this.picked = !move && own && (keep || this.picked !== cell) ? cell : null;
    return move;
  }

  /** For a piece that is dropped, a new one where `from` is null. */
  drop(legal, from, to) {
    this.picked = null;
    return legal.find((each) => each.from === from && each.to === to && to !== null);
  }
}
