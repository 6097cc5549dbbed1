// The history of a game: positions, the moves between them, and where in it we are.

export class Timeline {
  /** Of moves that have been played there are one fewer than positions. */
  constructor(positions, moves = [], cursor = moves.length) {
    this.positions = positions;
    this.moves = moves;
    this.go(cursor);
    // From where on the future is a perfect line, and what it comes to.
    this.line = null;
  }

  get position() {
    return this.positions[this.cursor];
  }

  get atEnd() {
    return this.cursor === this.moves.length;
  }

  /** A move from here; another future than it is forgotten. */
  play(move, position) {
    if (this.moves[this.cursor] !== move) {
      this.moves.length = this.cursor;
      this.positions.length = this.cursor + 1;
      this.line = null;
      this.moves.push(move);
      this.positions.push(position);
    }
    this.cursor += 1;
  }

  /** Puts a line of play behind this position, to be stepped through. */
  follow(moves, positions, note) {
    this.moves.length = this.cursor;
    this.positions.length = this.cursor + 1;
    this.moves.push(...moves);
    this.positions.push(...positions);
    this.line = { from: this.cursor, note };
  }

  go(cursor) {
    this.cursor = Math.max(0, Math.min(this.moves.length, cursor));
  }

  /** How often the position at a place has occurred until there, this time included. */
  occurrences(at = this.cursor) {
    return this.positions.slice(0, at + 1).filter((position) => position === this.positions[at]).length;
  }
}
