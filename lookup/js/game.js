// A game by its table: positions as text and as objects, legal moves, the end, and answers. The file `index.d.ts` documents the public
// members of all classes.

import { ANSWERS } from "./answers.js";
import { besideText, readBeside, splitBeside } from "./beside.js";
import { namesOf } from "./board.js";
import { attempt, fail, shown } from "./error.js";
import { blankBeforeSide, forms, withoutFractions } from "./forms.js";
import { layerIndex, layerOf } from "./graph.js";
import { endOf, legalMoves } from "./moves.js";
import { CELLS } from "./order.js";
import { Position, ofSides, other } from "./position.js";
import { reachable } from "./reach.js";
import { bit, cellsOf } from "./sets.js";
import { xxh3 } from "./xxh3.js";

/** The game that the header of a table describes; base class of tables in memory and of remote tables. */
export class Game {
  #head;
  #run;
  #game;
  /** The name that the board gives each cell, and the name of each cell. */
  #given;
  #names;
  #fingerprint;

  /** Takes what `openTable` returns, and what runs a generator of `answers.js`: it returns the answer, or a promise. */
  constructor(head, run) {
    const { board, squares, names } = head.game;
    this.#head = head;
    this.#run = run;
    this.#game = head.game;
    this.#given = namesOf(board, squares);
    this.#names = names.length ? names : this.#given;
  }

  static {
    for (const [name, answer] of Object.entries(ANSWERS)) {
      this.prototype[name] = function (...questions) { return this.#run(answer(this.#head, this, ...questions)); };
    }
  }

  get name() { return this.#game.name; }
  get title() { return this.#game.title; }
  get rules() { return this.#game.rules; }
  get cells() { return this.#game.cells; }
  get board() { return { ...this.#game.board }; }
  get names() { return [...this.#names]; }
  get encoding() { return this.#head.encoding.name; }
  get fingerprint() { return this.#fingerprint ??= xxh3(new TextEncoder().encode(this.rules)).toString(16).padStart(16, "0"); }
  get symmetries() { return this.#head.symmetries.length; }
  get entries() { return this.#game.layers.reduce((sum, { rows, columns }) => sum + rows * columns, 0); }

  get start() {
    return this.format(this.#game.start, this.#game.start.side);
  }

  /** Reads the text of a position, also as other programs write it. */
  parse(text) {
    if (typeof text !== "string") fail("type", `${shown(text)} is not the text of a position`);
    const { text: board, beside } = splitBeside(this.#game, blankBeforeSide(withoutFractions(text.replace(/^\uFEFF+/, ""))));
    const { sets, side } = this.#readForms(board);
    const [x, o] = readBeside(this.#game, [this.#names, this.#given], sets, beside), position = ofSides(x, o, this.#sideToMove(x, o, side));
    layerOf(this.#game, position);
    return position;
  }

  /** Reads the rows of a text, or those that it may mean. */
  #readForms(text) {
    const read = (rows) => attempt(() => this.#readRows(rows)), isDecided = ({ error }) => !error || error.message.includes(" two meanings ");
    const first = read(text), found = first.error ? forms(text, this.#game.board.columns ?? this.cells, this.cells).map(read).find(isDecided) ?? first : first;
    if (found.error) throw found.error;
    return found;
  }

  /** The sets of X and of O in a text of rows, and the side to move if it is named, else `null`. */
  #readRows(text) {
    const { board, side } = splitSide(text.trim().replace(/^["']+|["']+$/g, ""), this.cells);
    const { cells, squares, board: { columns = cells } } = this.#game;
    const withHoles = board.includes("#"), whole = withHoles ? squares.length : cells;
    const sets = [0n, 0n], first = [];
    let count = 0, rows = 0, before = 0, found = 0;
    const wrong = ([character, place], what) => fail("character", `character ${JSON.stringify(character)} at place ${place + 1} ${what}`);
    const closeRow = () => {
      const row = squares.slice(rows * columns, (rows + 1) * columns);
      // A row beyond the board is an error whatever its length.
      const expected = withHoles || row.length === 0 ? columns : row.filter((cell) => cell !== null).length;
      rows += 1;
      if (found !== expected && found !== whole) fail("row", `row ${rows} has ${found} cell${found === 1 ? "" : "s"}, expected ${expected}`);
      before += found;
      found = 0;
    };
    [...board].forEach((character, place) => {
      if ("/[]|\n;".includes(character)) {
        if (found > 0 || character === "/") closeRow();
      } else if (!" \t\r,()\"'".includes(character)) {
        const kind = KIND_OF.get(character);
        if (kind === undefined) wrong([character, place], `is not a cell: expected X, O or . ${OTHERS}`);
        first[kind] ??= [character, place];
        if (kind < 6) sets[kind % 2] |= bit(count);
        const square = before + found, isCell = character !== "#";
        const fits = square < whole ? (squares[square] !== null) === isCell : isCell;
        if (withHoles && !fits) wrong([character, place], "should be # at every hole of the board and nowhere else");
        found += 1;
        if (isCell) count += 1;
      }
    });
    if (count !== cells) fail("size", `${count} cell${count === 1 ? "" : "s"}, expected ${cells}`);
    if (rows > 0 && found > 0) closeRow();
    const pair = CONTRARY.find(([kind, other]) => first[kind] && first[other] && (kind !== 6 || !first[3]));
    if (pair) wrong(first[pair[0]], `has two meanings beside ${JSON.stringify(first[pair[1]][0])}: write X, O and . ${OTHERS}`);
    return { sets, side };
  }

  #sideToMove(x, o, named) {
    const game = this.#game, turn = (mover, waiter) => game.layers[layerIndex(game, { mover, waiter })]?.turn;
    const sides = [...(["x", null].includes(turn(x, o)) ? ["x"] : []), ...(["o", null].includes(turn(o, x)) ? ["o"] : [])];
    const [countX, countO] = [x, o].map((word) => cellsOf(word & CELLS).length);
    if (sides.length === 0) fail("counts", `${countX} X and ${countO} O do not occur in this game${countO > countX ? "; if O began, exchange the letters" : ""}`);
    if (sides.length === 2) return named ?? fail("side-missing", "the side to move is missing: add x or o after the board, since either side may be to move");
    return named === null || named === sides[0] ? sides[0] : fail("side", `${named} to move, expected ${sides[0]}`);
  }

  format(position, side) {
    const { mover, waiter } = this.positionOf(position);
    if (side !== "x" && side !== "o") fail("side", `side ${JSON.stringify(side)}, expected x or o`);
    const { cells } = new Position(this, { mover, waiter }, side), columns = this.#game.board.columns ?? cells.length;
    const letter = (cell) => (cell === null ? "#" : ".XO"[cells[cell]]);
    const text = this.#game.squares.map((cell, square) => (square > 0 && square % columns === 0 ? "/" : "") + letter(cell));
    const words = side === "x" ? [mover, waiter] : [waiter, mover];
    return `${text.join("")} ${side}${besideText(this.#game, this.#names, words)}`;
  }

  /** A checked position with its sets, from any form in which it is given. */
  positionOf(given, side) {
    if (typeof given === "string") return this.parse(side === undefined ? given : `${given} ${side}`);
    if (Array.isArray(given) || ArrayBuffer.isView(given)) return this.parse(cellsText(given) + (side === undefined ? "" : ` ${side}`));
    if (given instanceof Position && given.fingerprint !== this.fingerprint) fail("other-rules", `a position of another game: use a position of ${this.name}`);
    if (typeof given?.mover !== "bigint" || typeof given?.waiter !== "bigint") {
      fail("type", `${shown(given)} is not a position: use text, a Position, { mover, waiter } as BigInts, or cells of 0, 1 and 2`);
    }
    layerOf(this.#game, given);
    return given;
  }

  position(given = this.start, side = undefined) {
    if (side !== undefined && side !== "x" && side !== "o") fail("side", `side ${JSON.stringify(side)}, expected x or o`);
    const found = this.positionOf(given, side), told = this.#told(found);
    const named = found.side ?? side ?? told ?? "x";
    if ((side ?? named) !== named || (told ?? named) !== named) fail("side", `${side ?? named} to move, expected ${told ?? named}`);
    return found instanceof Position ? found : new Position(this, found, named);
  }

  /** The side to move as far as the numbers of pieces determine it, else `null`. */
  #told(position) { return this.#game.layers[layerIndex(this.#game, position)].turn; }

  positions() { return reachable(this, this.#game); }

  /** The images of the cells under each symmetry. */
  permutations() { return this.#head.symmetries; }

  /** The legal moves with the resulting positions. */
  successors(position) {
    const game = this.#game, index = layerIndex(game, position);
    if (index < 0 || endOf(game, index, position, () => false) !== null) return [];
    return legalMoves(game, index, position).map((found) => {
      const { from, to, take, push, also, mover, waiter } = found;
      return { move: this.#textOf(found), from, to, take, push, also, position: { mover: waiter, waiter: mover } };
    });
  }

  #textOf({ from, to, take, push, also }) {
    if (to === null) return "pass";
    const names = this.#names, taken = [take, also].map((cell) => (cell === null ? "" : `x${names[cell]}`));
    return `${from === null ? "" : names[from] + (push ? ">" : "-")}${names[to]}${taken.join("")}`;
  }

  /** Returns true if a text is a move of some position. */
  #isMove(text) {
    const cell = `(${this.#names.join("|")})`;
    return new RegExp(`^(pass|(${cell}[->])?${cell}(x${cell}){0,2})$`).test(text);
  }

  /** Examples of moves. */
  #movesLike() {
    const { names, board } = this.#game;
    if (names.length) return "a cell by its name, a move from cell to cell like A-B, or pass";
    return board.columns === undefined ? "a cell like 4, a move like 0-5, or pass" : "a cell like b2, a move like a1-b3, or pass";
  }

  /** The reason why the game is over in a checked position, and its value for the side to move; `null` if it is not over. */
  #end(position) {
    const game = this.#game, index = layerIndex(game, position);
    return endOf(game, index, position, () => legalMoves(game, index, position).length === 0);
  }

  over(position) { return this.#end(this.positionOf(position))?.over ?? null; }

  winner(position) {
    position = this.position(position ?? null);
    const value = this.#end(position)?.value;
    return value === "win" ? position.side : value === "loss" ? other(position.side) : null;
  }

  /** The score of a position that a table does not contain because its layer has ended. */
  scoreOfEnded(position) {
    const { value } = this.#end(position);
    return { value, plies: value === "draw" ? null : 0, draw: value === "draw" ? "end" : null };
  }

  after(given, move) {
    const text = typeof move === "string" ? move : move?.move;
    if (typeof text !== "string") fail("type", `${shown(move)} is not a move: use text, or an object with the text as its move`);
    const position = this.position(given ?? null), wanted = text.trim().toLowerCase();
    const found = this.successors(position).find((successor) => successor.move === wanted);
    if (!found) fail("move", `${JSON.stringify(text.slice(0, 64))} ${this.#isMove(wanted) ? "is not a legal move here" : `is not a move: expected ${this.#movesLike()}`}`);
    const after = new Position(this, found.position, other(position.side));
    return typeof given === "string" ? `${after}` : after;
  }
}

/** Cells as text with `/` between rows, from a list, a typed array, or a list of rows. */
function cellsText(cells) {
  if (cells.length > 64) fail("size", `${cells.length} cells, more than any board has`);
  const isRow = (cell) => Array.isArray(cell) || ArrayBuffer.isView(cell) || (typeof cell === "string" && cell.length > 1);
  return Array.from(cells, (cell) => (isRow(cell) ? `${Array.from(cell).slice(0, 64).map(cellText).join("")}/` : cellText(cell))).join("").replace(/\/$/, "");
}

/** The text of a cell: -1 is O, and nothing is an empty cell. */
const cellText = (cell) => (cell === -1 ? "2" : cell === null || cell === "" || cell === " " ? "." : /^[^/]$/.test(typeof cell === "number" || typeof cell === "string" ? `${cell}` : "") ? `${cell}` : fail("character", `cell ${shown(cell)}: use 0 for an empty cell, 1 for X, 2 for O`));

/** Splits off the letter of the side to move, which is separate from the board, or follows a board that has all its cells. */
function splitSide(text, cells) {
  const side = { x: "x", o: "o", w: "x", b: "o" }[text.at(-1)?.toLowerCase()];
  const rest = text.slice(0, -1), board = rest.trimEnd();
  const count = (word) => [...word].filter((character) => "Xx1Oo2WwBb._-0".includes(character)).length;
  const isApart = [",", "|", "\t"].some((separator) => board.includes(separator) && !board.endsWith(separator) && !rest.endsWith(separator));
  const ends = isApart || /["')\]]$/.test(board) || count(board) >= cells || board.split(/\s+/).some((word) => count(word) > 1);
  return side && board.length < rest.length && ends ? { board, side } : { board: text, side: null };
}

/** Marks of the same kind: pieces in pairs that go together, then empty cells. */
const KINDS = ["Xx", "Oo", "1", "2", "Ww", "Bb", "0", "._-", "#"];

const KIND_OF = new Map(KINDS.flatMap((marks, kind) => [...marks].map((mark) => [mark, kind])));

/** Kinds that contradict each other. A 2 beside X alone can only be O. Beside `.` a 0 may be a piece, unless 1 and 2 are the pieces. */
const CONTRARY = [[2, 0], [3, 1], [4, 0], [4, 1], [4, 2], [4, 3], [5, 0], [5, 1], [5, 2], [5, 3], [6, 7]];

/** Marks that are accepted too, instead of X, O and `.`. */
const OTHERS = "(or 1, 2, 0; W, B; _ and - for .; in lists -1 for O and b for .)";
