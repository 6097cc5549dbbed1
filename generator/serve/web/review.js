// The review of a game: which moves let the result slip, what was better, and how the value went up and down.

import { h, s } from "./dom.js";
import { turnAt } from "./moves.js";
import { read } from "./position.js";
import * as source from "./source.js";
import { name, verdict, worth } from "./words.js";

const [WIDTH, HEIGHT, SIDE] = [340, 120, 22];

// The most better moves that are named.
const NAMED = 3;

/**
 * The errors of a game, which the module counts: `steps` by which each `chosen` move lowers the value or, if it keeps the value, `plies`
 * by which it is slower than the `best` one; and the numbers of moves of X and of O that lower the value.
 */
export async function judged(answers, played) {
  const compared = played.map((text, at) => {
    const answer = answers[at];
    const find = (text) => answer.moves.find(({ move }) => move === text);
    return { side: read(answer.position).side, chosen: find(text), best: find(answer.best[0]), all: answer.best };
  });
  const { moves, thrown } = await source.review(compared);
  return { moves: compared.map((each, at) => ({ ...each, ...moves[at] })), thrown };
}

const SIGNS = [["??", "a win turned into a loss"], ["?", "a win turned into a draw, or a draw into a loss"], ["?!", "the same result, but a longer win or a quicker loss"]];

/** The sign of a fault, one of `SIGNS`; empty for a perfect move. */
export const sign = ({ steps, plies }) => (steps ? "?".repeat(steps) : plies > 0 ? "?!" : "");

/** Describes a move that lowers the value. */
export const slip = (move) => (move.value === "draw" ? "lets the win slip" : worth(move));

/** Describes the fault of a move. */
export const fault = ({ chosen, best, steps }) => (steps ? slip(chosen) : `${worth(chosen)} instead of ${best.plies}`);

/** Names the moves that were better. */
const better = ({ best, all }) => `${listed(all)} ${worth({ ...best, trap: null })}`;

/** The first of some moves, and how many others there are. */
function listed(moves) {
  const [named, more] = [moves.slice(0, NAMED), moves.length - NAMED];
  if (more > 0) return `${named.join(", ")} or ${more} more`;
  return named.length > 1 ? `${named.slice(0, -1).join(", ")} or ${named.at(-1)}` : named[0];
}

/** Worth of a position for X: 0 if drawn, up to 1 if won, down to −1 if lost; the nearer the end, the farther from 0. */
function height(answer) {
  if (answer.value === "draw") return 0;
  const far = answer.plies === null ? 0.7 : 0.35 + 0.65 / (1 + answer.plies / 6);
  return (answer.value === "win") === (read(answer.position).side === "x") ? far : -far;
}

/** The value over the game. `cursor` is null in a branch; `jump` is called with the number of a position that is clicked. */
function graph(answers, errors, cursor, jump) {
  const steps = Math.max(answers.length - 1, 1);
  const x = (at) => SIDE + (at / steps) * (WIDTH - 2 * SIDE);
  const y = (answer) => HEIGHT / 2 - height(answer) * (HEIGHT / 2 - 8);
  const points = answers.map((answer, at) => [x(at), y(answer)]);
  const text = points.map(([left, top]) => `${left} ${top}`).join("L");
  const area = (kind) => s("path", { class: `area ${kind}`, "clip-path": `url(#clip-${kind})`, d: `M${x(0)} ${HEIGHT / 2}L${text}L${x(answers.length - 1)} ${HEIGHT / 2}Z` });
  const clip = (kind, top) => s("clipPath", { id: `clip-${kind}` }, s("rect", { x: 0, y: top, width: WIDTH, height: HEIGHT / 2 }));
  const faults = errors.map((each, at) => (each.steps ? s("circle", { class: "fault", cx: points[at + 1][0], cy: points[at + 1][1], r: 5 }, s("title", {}, fault(each))) : null));
  const label = `The value over the game, above the middle for X, below for O. ${answers.map((answer, at) => `${at}: ${verdict(answer, read(answer.position).side)}`).join(". ")}`;
  return s("svg", {
    class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label,
    onclick: (event) => {
      const box = event.currentTarget.getBoundingClientRect();
      jump(Math.round((((event.clientX - box.left) / box.width) * WIDTH - SIDE) / (WIDTH - 2 * SIDE) * steps));
    },
  }, s("defs", {}, clip("x", 0), clip("o", HEIGHT / 2)), area("x"), area("o"),
    s("line", { class: "zero", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    s("path", { class: "course", d: `M${text}`, fill: "none" }),
    cursor === null ? null : s("line", { class: "now", x1: x(cursor), x2: x(cursor), y1: 2, y2: HEIGHT - 2 }),
    faults,
    s("text", { class: "who x", x: 6, y: 15 }, "X"), s("text", { class: "who o", x: 6, y: HEIGHT - 6 }, "O"));
}

/**
 * The review: a sentence, the graph, and each move that gave something away. `refute(at)` shows what perfect play makes of a
 * mistake, `find(at)` lets the visitor look for a better move, and `improve(at, move)` shows what perfect play makes of one. Better moves
 * are named only at the places that are `revealed`, and on paper.
 */
export function review(answers, { moves, thrown }, cursor, revealed, { jump, refute, find, improve }) {
  const faults = moves.map((each, at) => ({ ...each, at })).filter(({ steps }) => steps);
  const times = ["x", "o"].filter((side) => thrown[side]).map((side) => `${name(side)} let the result slip ${["", "once", "twice"][thrown[side]] ?? `${thrown[side]} times`}`);
  const sentence = `${times.join(", ") || "Nobody let the result slip"}.`;
  const button = (label, action, title) => h("button", { type: "button", class: "better", onclick: action, title }, label);
  const entry = (each) => h("li", { class: revealed.has(each.at) ? "revealed" : null },
    h("button", { type: "button", onclick: () => refute(each.at), title: "Show this move and its refutation" },
      h("b", { class: each.side }, `${turnAt(moves[0].side, each.at)}. ${name(each.side)} ${each.chosen.move}`), h("span", { class: "fault" }, sign(each)), h("span", {}, fault(each), h("span", { class: "answer" }, `; ${better(each)}`))),
    button("Find it", () => find(each.at), "Look for a better move on the board"), button("Show it", () => improve(each.at, each.best.move), "Play the best move instead, beside the game"));
  return [
    h("p", {}, sentence),
    graph(answers, moves, cursor, jump),
    faults.length === 0 ? null : h("ol", { class: "faults" }, faults.map(entry)),
    moves.some(sign) ? h("dl", { class: "signs", "aria-label": "What the signs mean" },
      SIGNS.map(([sign, meaning]) => h("div", {}, h("dt", { class: "fault" }, sign), h("dd", {}, meaning)))) : null,
  ];
}
