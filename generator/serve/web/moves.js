// The moves of a position, in groups: those that win, that draw, that lose.

import { h } from "./dom.js";
import { read } from "./position.js";
import { mark, worth } from "./words.js";

const GROUPS = [["win", "Winning"], ["draw", "Drawing"], ["loss", "Losing"]];

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
      h("h3", {}, title, h("span", { class: "quiet" }, ` ${listed.reduce((sum, { others = [] }) => sum + 1 + others.length, 0)}`)),
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
  }, h("span", { class: "name" }, move.text), same && h("span", { class: "times", "aria-hidden": "true" }, `×${others.length + 1}`), h("span", { class: "mark", "aria-hidden": "true" }, mark(move)), h("span", { class: "unseen" }, words));
}

/** Explains the badges on the board and in the list in one line, which unfolds; for a table with distances or only values. */
export function legend(hasDistances) {
  const badge = (kind, text) => h("span", { class: `badge ${kind}`, "aria-hidden": "true" }, text);
  const [win, loss] = hasDistances ? ["+5", "−4"] : ["+", "−"];
  const part = (kind, text, words) => h("span", {}, badge(kind, text), ` ${words}`);
  return h("details", { class: "legend" },
    h("summary", {}, part("win", win, "wins"), part("draw", "=50", "draws; half of the replies lose"), part("loss", loss, "loses"), part("win best", win, "perfect")),
    h("p", {}, hasDistances
      ? "+5 wins in 5 plies, −4 loses in 4; a ply is one move of one side. =50 keeps the draw, and 50 % of the replies to it lose. Filled badges are perfect moves."
      : "+ wins, − loses; the table of this game knows who wins, not how soon. =50 keeps the draw, and 50 % of the replies to it lose. Filled badges are perfect moves."));
}
