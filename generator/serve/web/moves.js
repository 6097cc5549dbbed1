// The moves of a position, in groups: those that win, that draw, that lose.

import { h } from "./dom.js";
import { read } from "./position.js";
import { losing, mark, worth } from "./words.js";

const GROUPS = [["win", "Winning"], ["draw", "Drawing"], ["loss", "Losing"]];

// More moves of the same worth have no badges.
const ALIKE = 6;

/** True if so many moves draw, or are worth the same, that a sentence and a shade say more than badges. */
export const areAlike = (moves) => moves.length > ALIKE && (moves.every(({ value }) => value === "draw") || new Set(moves.map(mark)).size === 1);

/** The sentence about moves that are alike, of which the first is the best one. */
export function alike(moves) {
  const [best] = moves, shares = moves.map(losing), least = Math.min(...shares);
  if (shares.every((share) => share === shares[0])) return `All ${moves.length} moves are worth the same: each ${worth(best)}.`;
  return `All ${moves.length} moves keep the draw. The darker, the more replies lose: ${losing(best)} % after ${best.text}, ${least} % after ${moves.at(-1).text}.`;
}

/** The number of a move's turn. A turn is a move of each side; `first` made the move of number 0. */
export const turnAt = (first, at) => 1 + ((at + (first === "x" ? 0 : 1)) >> 1);

/** The number in front of a move that begins a turn, or is the first one of its list. */
export const numbered = (first, at, isFirst = at === 0) => (isFirst || (at % 2 === 0) === (first === "x") ? h("span", { class: "number" }, `${turnAt(first, at)}.`) : null);

/**
 * The moves of a position, the first of each set that the symmetries of the position exchange. `others` are the rest of the set.
 */
export function distinct(game, position, moves) {
  const { cells, beside } = read(position);
  // Ages of pieces distinguish cells that look alike.
  const isPlain = /^(\d+\/\d+)?$/.test(beside);
  const kept = isPlain ? game.images.filter((images) => cells.every((letter, at) => cells[images[at]] === letter)) : [];
  const sets = new Map();
  for (const move of moves) {
    const image = (images) => {
      const [from, to, ...taken] = [move.from, move.to, move.take, move.also].map((cell) => images[cell] ?? "");
      return [from, to, ...taken.sort()].join();
    };
    const least = kept.length > 0 ? kept.map(image).sort()[0] : move.text;
    if (sets.has(least)) sets.get(least).others.push(move);
    else sets.set(least, { ...move, others: [] });
  }
  return [...sets.values()];
}

/** Lists moves, the best first. `best` are the texts of the perfect moves; `play` is called with a chosen move, `point` with a move under the pointer. */
export function groups(moves, best, { play, point }) {
  return GROUPS.map(([value, title]) => {
    const listed = moves.filter((move) => move.value === value);
    return listed.length === 0 ? null : h("div", { class: `group ${value}` },
      h("h3", {}, title, h("span", { class: "quiet" }, ` ${listed.reduce((sum, { others = [] }) => sum + 1 + others.length, 0)}${listed.some(losing) ? ", and how many replies lose" : ""}`)),
      h("ol", {}, listed.map((move) => h("li", {}, entry(move, best.has(move.text), play, point)))));
  }).filter(Boolean);
}

function entry(move, isBest, play, point) {
  const { others = [] } = move;
  const same = others.length > 0 ? `; by symmetry also ${others.map(({ text }) => text).join(", ")}` : "";
  const words = `${worth(move)}${isBest ? ", perfect" : ""}${same}`;
  return h("button", {
    type: "button", class: `move ${move.value}${isBest ? " best" : ""}`, "data-move": move.text, title: words,
    onclick: () => play(move.text),
    onpointerenter: () => point(move), onpointerleave: () => point(null), onfocus: () => point(move), onblur: () => point(null),
  }, h("span", { class: "name" }, move.text), same && h("span", { class: "times", "aria-hidden": "true" }, `×${others.length + 1}`), h("span", { class: "mark", "aria-hidden": "true" }, losing(move) === null ? mark(move) : `${losing(move)}\u00a0%`), h("span", { class: "unseen" }, words));
}

/** Explains the badges on the board in one line; for a table with distances or only values. */
export function legend(hasDistances) {
  const part = (kind, text, words) => h("span", {}, h("span", { class: `badge ${kind}`, "aria-hidden": "true" }, text), ` ${words}`);
  const [win, loss, wins, loses] = hasDistances ? ["+5", "−4", "wins in 5 plies", "loses in 4"] : ["+", "−", "wins", "loses"];
  return h("p", { class: "legend", title: "A ply is one move of one side." }, part("win", win, wins), part("draw", "=50", "draws; half of the replies lose"), part("loss", loss, loses), part("win best", win, "perfect"));
}
