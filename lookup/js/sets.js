// Sets of cells as bit masks: bit c of a BigInt is cell c. Converts sets to cells and ranks, and ranks back to cells.

/** The numbers 0, 1, … below `count`. */
export const range = (count) => [...Array(count).keys()];

/** C(n, k) at [n][k]. */
export const BINOMIALS = Array.from({ length: 38 }, () => new Array(38).fill(0));
for (let n = 0; n < 38; n++) {
  BINOMIALS[n][0] = 1;
  for (let k = 1; k <= n; k++) BINOMIALS[n][k] = BINOMIALS[n - 1][k - 1] + BINOMIALS[n - 1][k];
}

/** The cells of a set, ascending. */
export function cellsOf(set) {
  const cells = [];
  // In halves of 32 bits: operations on a BigInt take many times as long.
  for (let half = Number(set & 0xffffffffn) | 0; half !== 0; half &= half - 1) cells.push(31 - Math.clz32(half & -half));
  for (let half = Number(set >> 32n) | 0; half !== 0; half &= half - 1) cells.push(63 - Math.clz32(half & -half));
  return cells;
}

/** The set of one cell. */
export const bit = (cell) => 1n << BigInt(cell);

/** Returns true if a cell is in a set. */
export const within = (set, cell) => ((set >> BigInt(cell)) & 1n) === 1n;

/** The set of some cells. */
export const setOf = (cells) => cells.reduce((set, cell) => set | bit(cell), 0n);

/** The rank of ascending cells among the sets of the same size. */
export const rankOf = (cells) => cells.reduce((sum, cell, index) => sum + BINOMIALS[cell][index + 1], 0);

/** The rank of cells among the sets of the same size of those cells that are not `taken`. */
export function rankAmongOthers(cells, taken) {
  const number = (cell) => taken.reduce((number, other) => (other < cell ? number - 1 : number), cell);
  return rankOf(cells.map(number).sort((a, b) => a - b));
}

/** The ascending cells of the set with a rank: the inverse of `rankOf`. */
export function unrank(rank, size) {
  const cells = new Array(size);
  for (let left = size, cell = 36; left > 0; left--) {
    while (BINOMIALS[cell][left] > rank) cell--;
    rank -= BINOMIALS[cell][left];
    cells[left - 1] = cell;
  }
  return cells;
}
