// The clicks that make a move: on a piece or a cube, on the cell to which it goes, on a piece that it takes.

const cellsAmong = (cells) => cells.filter((cell) => cell !== null);

/** The cells to click for a move, in order. */
export const clicks = ({ from, to, take, also }) => cellsAmong([from, to, take, also]);

/** A move for each order in which its clicks may come: of two pieces, either may be taken first. */
const ways = (move) => (move.also === null ? [move] : [move, { ...move, take: move.also, also: move.take }]);

/** The moves that begin with some clicks. */
export const begun = (moves, path) => moves.flatMap(ways).filter((move) => path.every((cell, at) => clicks(move)[at] === cell));

/** Returns true if the next click chooses a piece to take. */
export const isTaking = (moves, path) => {
  const open = begun(moves, path);
  return open.length > 0 && open.every(({ from, to, take }) => take !== null && path.length >= cellsAmong([from, to]).length);
};

/**
 * Moves that are made on a board by clicks and drags. `legal` returns the moves that can be made, `play` is called with a complete move, and
 * `show` after every other click, drop or Escape.
 */
export class Hand {
  constructor({ legal, play, show }) {
    Object.assign(this, { legal, play, show });
    // The cells that have been clicked of a move that is not complete.
    this.path = [];
  }

  /** Gives up the move that is not complete. */
  clear() {
    this.path = [];
  }

  /** Handles a click on a cell; null gives up the move. With `keep`, a second click on a piece keeps it. */
  chosen = (cell, keep = false) => {
    const legal = this.legal(), next = [...this.path, cell];
    const move = begun(legal, next).find((each) => clicks(each).length === next.length);
    const isSecond = this.path.length === 1 && this.path[0] === cell && !keep;
    // A click that does not continue the move may begin another one.
    const paths = [next, ...(isSecond ? [] : [[cell]])];
    const isOpen = (path) => begun(legal, path).some((each) => clicks(each).length > path.length);
    this.path = (cell !== null && !move && paths.find(isOpen)) || [];
    if (cell !== null && move) this.play(move);
    else this.show();
  };

  /** Handles a dropped piece; it is a new piece if `from` is null. */
  dropped = (from, to) => {
    const isLegal = to !== null && this.legal().some((each) => each.from === from && each.to === to);
    this.path = isLegal && from !== null ? [from] : [];
    if (isLegal) this.chosen(to);
    else this.show();
  };

  /** Names what the next click chooses; empty before the first click, and for a piece that moves. */
  get prompt() {
    if (this.path.length === 0) return "";
    const legal = this.legal(), open = begun(legal, this.path);
    if (isTaking(legal, this.path)) return open.every(({ also }) => also === null) ? "choose the piece to take" : "choose two pieces to take";
    return open.some(({ push }) => push) ? "choose the end at which the cube goes in" : "";
  }
}
