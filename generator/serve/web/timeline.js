// The history of a game: positions, the moves between them, and the cursor.

export class Timeline {
  /** `moves` has one entry less than `positions`. */
  constructor(positions, moves = [], cursor = moves.length) {
    this.positions = positions;
    this.moves = moves;
    this.go(cursor);
    // A perfect line behind the cursor: `from` is where it starts, `note` describes it.
    this.line = null;
    // The finished game that this line of play leaves after `from` moves; null while nothing has branched off.
    this.trunk = null;
  }

  get position() {
    return this.positions[this.cursor];
  }

  get atEnd() {
    return this.cursor === this.moves.length;
  }

  /** Plays a move at the cursor. Another future is dropped, or kept as the trunk with `keep`. */
  play(move, position, keep = false) {
    if (this.moves[this.cursor] !== move) this.replaceFuture([move], [position], keep);
    this.cursor += 1;
  }

  /** Puts a perfect line behind the cursor, to be stepped through. */
  follow(moves, positions, note, keep = false) {
    this.replaceFuture(moves, positions, keep);
    this.line = { from: this.cursor, note };
  }

  replaceFuture(moves, positions, keep) {
    const { cursor } = this;
    if (this.trunk) this.trunk.from = Math.min(this.trunk.from, cursor);
    else if (keep) this.trunk = { positions: this.positions, moves: this.moves, from: cursor };
    this.positions = [...this.positions.slice(0, cursor + 1), ...positions];
    this.moves = [...this.moves.slice(0, cursor), ...moves];
    this.line = null;
  }

  /** Leaves a branch: returns to the trunk, at a place in it. */
  rejoin(cursor) {
    if (this.trunk) {
      ({ positions: this.positions, moves: this.moves } = this.trunk);
      this.trunk = this.line = null;
    }
    this.go(cursor);
  }

  go(cursor) {
    this.cursor = Math.max(0, Math.min(this.moves.length, cursor));
  }

  /** Counts the occurrences of the position at a place, up to and including that place. */
  occurrences(at = this.cursor, positions = this.positions) {
    return positions.slice(0, at + 1).filter((position) => position === positions[at]).length;
  }
}
