// Positions and moves as texts and as cells.

/** The cells (`X`, `O` or `.`) and the side to move of a position in its strict form, and the end of the text, which says what the board does not show. */
export function read(text) {
  const [board, side, beside = ""] = text.split(" ");
  return { cells: [...board].filter((letter) => "XO.".includes(letter)), side, beside };
}

/** Writes the strict form, in rows like the start of the game; without a side if none is given. */
export function write(game, cells, side, beside = "") {
  let at = 0;
  const [start] = game.start.position.split(" ");
  return [start.replace(/[XO.]/g, () => cells[at++]), side, beside].filter(Boolean).join(" ");
}

/** The pieces in hand of both sides; null if the game has no such pieces. */
export function hands(game, text) {
  if (!game.mills) return null;
  const [x, o] = (read(text).beside || "0/0").split("/").map(Number);
  return { x, o };
}

/** The pieces that both sides still have to place, as they are shown; null once all are placed, or if there is no such number. */
export function inHand(game, text) {
  if (game.mills) return read(text).beside ? hands(game, text) : null;
  if (game.pieces === null || game.ages || game.start.position.match(/[XO]/)) return null;
  const count = (letter) => Math.max(0, game.pieces - read(text).cells.filter((each) => each === letter).length);
  const left = { x: count("X"), o: count("O") };
  return left.x + left.o > 0 ? left : null;
}

/** The cells of each side's pieces, the oldest first; null if pieces do not age. */
export function ages(game, text) {
  if (!game.ages) return null;
  const { cells, beside } = read(text);
  const all = (letter) => cells.flatMap((each, at) => (each === letter ? [at] : []));
  if (!beside) return { x: all("X"), o: all("O") };
  const names = game.board.cells.map(({ name }) => name);
  const [x, o] = beside.split("/").map((list) => list.split(",").filter(Boolean).map((name) => names.indexOf(name)));
  return { x, o };
}

/** Writes pieces in hand, or the order of pieces, as the end of a position's text. */
export function besideOf(game, { hands, ages }) {
  if (hands) return hands.x + hands.o > 0 ? `${hands.x}/${hands.o}` : "";
  if (!ages || Math.max(ages.x.length, ages.o.length) < 2) return "";
  return [ages.x, ages.o].map((all) => all.map((cell) => game.board.cells[cell].name)).join("/");
}

/** The piece that goes when the side to move places its next one; null if none does. */
export function going(game, text) {
  const own = ages(game, text)?.[read(text).side] ?? [];
  return own.length > 0 && own.length === game.pieces ? own[0] : null;
}

/**
 * A move by cells: `from` is null if the piece is new, `take` if no piece is taken, `also` if no second one is; all are null for a
 * pass. For a push, `from` is the cell whose cube is taken and `to` the end at which it goes in.
 */
export function parse(game, text) {
  const cell = (name) => game.board.cells.findIndex((each) => each.name === name);
  const move = { text, from: null, to: null, take: null, also: null, push: text.includes(">") };
  if (text === "pass") return move;
  const names = text.split(/[->]/);
  const target = names.pop();
  // A name may contain an x of its own.
  const cuts = (name) => [...name.matchAll(/x/g)].map(({ index }) => [name.slice(0, index), name.slice(index + 1)]);
  const isCell = (name) => cell(name) >= 0;
  const two = () => cuts(target).flatMap(([first, rest]) => cuts(rest).map((taken) => [first, ...taken]));
  const cut = isCell(target) ? [target] : [...cuts(target), ...two()].find((cut) => cut.every(isCell)) ?? [target];
  const [to, take = null, also = null] = cut.map(cell);
  return { ...move, from: names.length > 0 ? cell(names[0]) : null, to, take, also };
}

/** The cells of the lines that a side has made. If rules are exact, a line with a cell that prolongs it does not count. */
export function made(game, cells, side) {
  const owns = (cell) => cells[cell] === side.toUpperCase();
  return game.lines.filter((line, at) => line.every(owns) && !game.prolongations?.[at]?.some(owns)).flat();
}

/** Order of moves for the side that makes them; greater is better. A drawing move is better if it is harder to answer. */
export function preference({ value, plies, trap }) {
  return { win: 1e6, draw: trap ? hardness(trap) : 0, loss: -1e6 }[value] + (value === "win" ? -1 : 1) * (plies ?? 0);
}

/** The moves of an answer with their cells, the best first. */
export const ranked = (game, { moves }) => moves.map((move) => ({ ...move, ...parse(game, move.move) })).sort((one, two) => preference(two) - preference(one));

/** The share of replies that lose, then the share of own moves after the other replies that do not. */
function hardness({ losing, replies, own_losing: ownLosing, own_moves: ownMoves }) {
  return losing / Math.max(1, replies) - (1e-4 * ownLosing) / Math.max(1, ownMoves);
}
