// A plot of the won, lost and drawn positions by distance to the end, on a logarithmic scale.

import { h, s, table, unfolding } from "./dom.js";
import { grouped } from "./words.js";

const WIDTH = 640;
const HEIGHT = 190;
const FOOT = 24;
// The least distance between the numbers below the bars.
const TICK = 26;

/** The counts of all layers together. */
function total(game) {
  const sum = { wins: [], losses: [], draws_end: 0, draws_cycle: 0 };
  for (const layer of game.census.layers) {
    for (const key of ["wins", "losses"]) layer[key].forEach((count, at) => { sum[key][at] = (sum[key][at] ?? 0) + count; });
    sum.draws_end += layer.draws_end;
    sum.draws_cycle += layer.draws_cycle;
  }
  return sum;
}

const added = (counts) => counts.reduce((sum, count) => sum + count, 0);

/** A section with the numbers of positions. `addressOf` is the address of some fields of the game. */
export function census(game, addressOf) {
  const { wins, losses, draws_end: ends, draws_cycle: cycles } = total(game);
  const summary = [`${grouped(added(wins))} won`, `${grouped(added(losses))} lost`];
  if (cycles || !ends) summary.push(`${grouped(cycles)} drawn by cycle`);
  if (ends) summary.push(`${grouped(ends)} drawn with an end`);
  const { longest_win: longest } = game.census;
  const hasDistances = game.encoding !== "wdl" && wins.length + losses.length > 0;
  return h("div", { class: "census" },
    h("p", {}, `For the side to move: ${summary.join(", ")}. `,
      longest ? ["The longest win takes ", h("a", { href: addressOf({ position: longest.position }) }, `${longest.plies} plies`), "."] : null),
    hasDistances ? plot(wins, losses) : null,
    hasDistances ? h("details", {}, h("summary", {}, "As a table"), numbers(wins, losses)) : null);
}

function plot(wins, losses) {
  const length = Math.max(wins.length, losses.length, 1);
  const most = Math.log10(Math.max(10, ...wins.map((count) => count ?? 0), ...losses.map((count) => count ?? 0)));
  // The last number is wider than its bar.
  const step = (WIDTH - 56) / length;
  const every = [1, 2, 5, 10, 20, 50, 100].find((count) => count * step >= TICK) ?? 200;
  const height = (count) => (count ? ((Math.log10(count) + 0.25) / (most + 0.25)) * (HEIGHT - FOOT - 12) : 0);
  const bars = [];
  for (let at = 0; at < length; at += 1) {
    const shown = [["win", wins[at] ?? 0], ["loss", losses[at] ?? 0]].filter(([, count]) => count);
    shown.forEach(([kind, count], place) => {
      const width = Math.max(2, (step * 0.76) / shown.length);
      const x = 44 + at * step + step * 0.12 + place * width;
      bars.push(s("rect", { class: `bar ${kind}`, x, y: HEIGHT - FOOT - height(count), width, height: height(count), rx: Math.min(3, width / 3) },
        s("title", {}, `${grouped(count)} positions: ${kind === "win" ? "won" : "lost"} in ${at} plies`)));
    });
    if (at % every === 0) bars.push(s("text", { class: "tick", x: 44 + (at + 0.5) * step, y: HEIGHT - 6 }, String(at)));
  }
  const grid = [];
  for (let power = 0; power <= most; power += Math.ceil(most / 5)) {
    const y = HEIGHT - FOOT - height(10 ** power);
    grid.push(s("line", { class: "grid", x1: 44, x2: WIDTH, y1: y, y2: y }), s("text", { class: "tick end", x: 38, y: y + 4 }, short(10 ** power)));
  }
  return h("figure", {},
    s("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "Positions by plies to the end, on a logarithmic scale; the table below has the numbers" }, grid, bars),
    h("figcaption", { class: "quiet" }, h("span", { class: "key win" }), " won, ", h("span", { class: "key loss" }), " lost for the side to move, by plies to the end; logarithmic scale"));
}

const short = (count) => (count >= 1e9 ? `${count / 1e9}G` : count >= 1e6 ? `${count / 1e6}M` : count >= 1e3 ? `${count / 1e3}k` : String(count));

function numbers(wins, losses) {
  const rows = Array.from({ length: Math.max(wins.length, losses.length) }, (_, at) => [at, grouped(wins[at] ?? 0), grouped(losses[at] ?? 0)]);
  return table(["Plies", "Won", "Lost"], rows);
}

/** A section that counts the positions that play can reach when it is opened first; `count` promises the numbers, given a symmetry. */
export const counted = (count) => unfolding("Positions that play can reach", null, async (show) => {
  show(h("p", { class: "quiet" }, "The positions are being counted."));
  const all = [];
  for (const [symmetry, title] of [["none", "all"], ["board", "up to symmetry of the board"], ["rules", "up to symmetry of the rules"]]) {
    const { win, loss, draw, positions } = await count(symmetry);
    all.push([title, ...[win, loss, draw, positions].map(grouped)]);
  }
  show(table(["Positions", "Won", "Lost", "Drawn", "Total"], all));
});
