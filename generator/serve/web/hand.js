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

export class Hand {
  constructor() {
    // The cells that have been clicked of a move that is not complete.
    this.path = [];
  }

  /** Handles a click on a cell; null gives up the move. Returns the move, if it is complete. With `keep`, a second click on a piece keeps it. */
  choose(legal, cell, keep = false) {
    const next = [...this.path, cell];
    const move = begun(legal, next).find((each) => clicks(each).length === next.length);
    const isSecond = this.path.length === 1 && this.path[0] === cell && !keep;
    // A click that does not continue the move may begin another one.
    const paths = [next, ...(isSecond ? [] : [[cell]])];
    const isOpen = (path) => begun(legal, path).some((each) => clicks(each).length > path.length);
    this.path = (cell !== null && !move && paths.find(isOpen)) || [];
    return cell === null ? undefined : move;
  }

  /** Handles a dropped piece; it is a new piece if `from` is null. */
  drop(legal, from, to) {
    this.path = from === null ? [] : [from];
    if (to !== null && legal.some((each) => each.from === from && each.to === to)) return this.choose(legal, to);
    this.path = [];
    return undefined;
  }

  /** Names what the next click chooses; empty before the first click, and for a piece that moves. */
  prompt(legal) {
    if (this.path.length === 0) return "";
    const open = begun(legal, this.path);
    if (isTaking(legal, this.path)) return open.every(({ also }) => also === null) ? "choose the piece to take" : "choose two pieces to take";
    return open.some(({ push }) => push) ? "choose the end at which the cube goes in" : "";
  }
}
