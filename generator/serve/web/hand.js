// Which piece is picked up, and which move a click or a drop makes of it.

export class Hand {
  constructor() {
    this.picked = null;
  }

  /** A cell was clicked, or null: let go. Gives the move that this makes, if any; `keep` picks up without letting go again. */
  choose(legal, cell, keep = false) {
    const move = cell === null ? undefined : legal.find((each) => each.to === cell && each.from === this.picked);
    const own = cell !== null && legal.some((each) => each.from === cell);
    this.picked = !move && own && (keep || this.picked !== cell) ? cell : null;
    return move;
  }

  /** A piece was dropped, or a new one where `from` is null. */
  drop(legal, from, to) {
    this.picked = null;
    return legal.find((each) => each.from === from && each.to === to && to !== null);
  }
}
