// Facts by which to judge a game: results of players of several levels, first moves, positions in which one move alone is good.

import { address } from "./address.js";
import { announce, answered, h, s, table, unfolding } from "./dom.js";
import { LEVELS } from "./levels.js";
import * as source from "./source.js";
import { grouped, menuTitles, plies, titled, worth } from "./words.js";

const WIDTH = 120;

/** A section that asks for the facts when it is opened first, and shows another game in a second column. `addressOf` is the address of some fields of the game. */
export function judgement(facts, addressOf) {
  const beside = h("div", { class: "judgement" });
  const others = h("select", { id: "beside", onchange: ({ target }) => compare(target.selectedOptions[0]) }, h("option", { value: "" }, "another game …"));
  let comparing = new AbortController();
  const compare = ({ value, text }) => {
    comparing.abort();
    comparing = new AbortController();
    const { signal } = comparing, room = h("div", { class: "judgement" });
    beside.replaceChildren(...(value ? [h("h3", {}, text), room] : []));
    if (value) answered(room, async (show) => {
      const game = await source.facts(value);
      if (!game.judge) throw new Error("The table of this game has no distances, or is too large to be loaded.");
      if (room.isConnected) await judge(show, game, (fields) => address(`/${value}`, fields), signal);
    });
  };
  return unfolding("Games of players of four levels, and what the table says", "judgement", async (show) => {
    const title = h("h3", {}, titled(facts.game)[0]);
    // Without the list, no game can be chosen beside this one.
    const listed = source.games().catch(() => []);
    await judge((...content) => show(title, ...content), facts, addressOf);
    const games = await listed, titles = menuTitles(games);
    others.append(...games.map(({ game }, at) => (game === facts.game.game ? "" : h("option", { value: game }, titles[at]))));
  }, h("p", { class: "beside" }, h("label", { for: "beside" }, "Beside it: "), others), beside);
}

/** Shows the progress of the players of a game, then the judgement. `signal` ends the games. */
async function judge(show, { judge }, addressOf, signal) {
  const words = h("p", { class: "quiet" }, "The players are playing.");
  show(words);
  const onProgress = (done, whole) => { if (whole) words.textContent = `The players are playing: ${Math.floor((100 * done) / whole)}\u00a0%.`; };
  if (show(...shown(await judge({ onProgress, signal }), addressOf))) announce("The game is judged.");
}

export const percent = (part, all) => (all ? `${((100 * part) / all).toFixed(0)}\u00a0%` : "–");

function shown(facts, addressOf) {
  const { choices, levels, first_moves: first } = facts;
  const link = (text, fields) => h("a", { href: addressOf(fields) }, text);
  const which = choices.sampled ? `a sample of ${grouped(choices.positions)} positions` : "all positions that play can reach";
  return [
    h("p", { class: "judged" }, facts.verdict),
    facts.remedies.map((remedy) => h("p", {}, remedy)),
    h("h3", {}, "First moves"),
    h("ul", {}, first.map((each) => h("li", { class: "first" },
      link(each.moves[0], { moves: each.moves[0] }), each.moves.length > 1 ? ` (${each.moves.length} alike)` : "", ` ${worth(each)}`))),
    h("h3", {}, "Positions"),
    h("p", {}, `Among ${which}, ${grouped(choices.choices)} are won or drawn and leave a choice. In ${percent(choices.only_moves, choices.choices)} of these, one move alone is good.`),
    facts.longest_win ? h("p", {}, "The longest forced win takes ", link(plies(facts.longest_win.plies), { position: facts.longest_win.position }), ".") : null,
    h("h3", {}, "Each level against itself"),
    h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": "Results" },
      table(["Level", h("span", { class: "unseen" }, "Shares"), "X", "Draw", "O", "Plies", "Draws lost"], levels.map((level) => row(level, facts.value === "draw")))),
    h("p", { class: "quiet" }, `${grouped(facts.games)} games of each pair with each colour. X, draw, O: who won. Plies: the mean length. Draws lost: games against perfect play in which the player had a drawn position, and lost, if the game is a draw.${levels.some((level) => level.broken_off) ? " Games of 200 plies are declared drawn." : ""}`),
  ].flat().filter(Boolean);
}

function row({ player, x_wins: x, draws, o_wins: o, length, against_perfect: others }, isDraw) {
  const all = x + draws + o;
  const title = LEVELS.find(({ level }) => level === player.split(":")[0])?.title ?? "any move";
  return [title, bar([["x", x], ["draw", draws], ["o", o]], all), ...[x, draws, o].map((count) => percent(count, all)), length.mean.toFixed(1),
    others && isDraw ? percent(others.draws_lost, others.drawn) : "–"];
}

function bar(parts, all) {
  let at = 0;
  return s("svg", { class: "shares", viewBox: `0 0 ${WIDTH} 12`, "aria-hidden": "true" }, parts.map(([kind, count]) => {
    const width = (WIDTH * count) / Math.max(all, 1);
    at += width;
    return s("rect", { class: `share ${kind}`, x: at - width, width, height: 12 });
  }));
}
