// The games to choose from: a card for each family, with its variants.

import { h, s } from "./dom.js";
import { preview } from "./board.js";
import { read } from "./position.js";
import { GROUPS, UNSERVED } from "./families.js";
import { pill, titled } from "./words.js";
import * as source from "./source.js";

export async function showCards(main, held) {
  const games = await source.games();
  held.title("morpion");
  const served = new Map(games.map((game) => [game.game, game]));
  const groups = GROUPS.map(([title, about, families]) => [title, about, families.map((family) => familyCard(family, served)).filter(Boolean)]);
  const known = new Set(GROUPS.flatMap(([, , families]) => families).flatMap((family) => family.games.map(([name]) => name)));
  const others = games.filter(({ game }) => !known.has(game)).map(otherCard);
  groups.push(["More games", "Other tables that are served here.", others]);
  main.replaceChildren(
    h("section", { class: "hero" },
      h("h1", {}, "Every move, and what it is worth"),
      h("p", {}, "These games are solved. From any position the page knows who wins, how soon, and which moves are perfect: ", h("b", { class: "win" }, "green"), " wins, ", h("b", { class: "draw" }, "grey"), " draws, ", h("b", { class: "loss" }, "red"), " loses. Play against it, or look."),
      h("p", { class: "more" }, h("a", { class: "button primary", href: "#puzzle" }, "The puzzle of the day"), h("a", { class: "button", href: "#editor" }, "A game of your own"))),
    ...groups.filter(([, , cards]) => cards.length > 0).map(([title, about, cards]) => h("section", { class: "family-group" }, h("h2", {}, title), h("p", { class: "quiet" }, about), h("ul", { class: "cards" }, cards))),
    heapCard());
}

/** A card for a family, which shows the first of its games that is served. */
function familyCard({ title, about, at, games }, served) {
  const unserved = UNSERVED.get(games[0][0]);
  if (unserved && !served.has(games[0][0])) served.set(games[0][0], { game: games[0][0], start: unserved.start, at: unserved.at });
  const [[name] = [], ...variants] = games.filter(([game]) => served.has(game));
  if (!name) return null;
  const isFirst = name === games[0][0];
  const game = served.get(name);
  const links = [games.find(([each]) => each === name), ...variants].filter(([, label]) => label);
  return card(game, isFirst ? at : null, isFirst ? title : titled(game)[0], about, links);
}

const otherCard = (game) => card(game, null, ...titled(game), []);

function card(game, at, title, about, variants) {
  const picture = s("svg", { class: "preview", "aria-hidden": "true", viewBox: "-0.7 -0.7 3.4 3.4" });
  if (game.at) preview(picture, boardOf(game.at), { cells: read(game.at).cells });
  else draw(picture, game.game, at).catch(() => {});
  return h("li", {},
    h("a", { class: "card", href: `#/${game.game}` }, picture,
      h("strong", {}, title), about ? h("span", { class: "quiet" }, about) : null, h("span", { class: `pill ${game.start.value}` }, pill(game.start))),
    variants.length > 1 ? h("p", { class: "variants" }, variants.map(([name, label]) => h("a", { href: `#/${name}` }, label))) : null);
}

/** Draws a position with the values of its moves, or the start. */
async function draw(picture, name, at) {
  const description = await source.game(name);
  preview(picture, description, at ? { cells: read(at).cells } : {});
  const answer = at && (await source.onCard(description, at));
  if (answer) preview(picture, description, { answer });
}

/** The board of a game of mills by a position's text: links join neighbours in a row or column, but not across the middle. */
function boardOf(text) {
  const rows = text.split(" ")[0].split("/"), middle = (rows.length - 1) / 2;
  const cells = rows.flatMap((row, y) => [...row].flatMap((letter, x) => (letter === "#" ? [] : [{ name: `${x} ${y}`, x, y }])));
  const joined = (along, across) => cells.flatMap((cell, one) => {
    const after = cells.filter((each) => each[across] === cell[across] && each[along] > cell[along]).sort((a, b) => a[along] - b[along])[0];
    return !after || (cell[across] === middle && cell[along] < middle && after[along] > middle) ? [] : [[one, cells.indexOf(after)]];
  });
  const links = [...joined("x", "y"), ...joined("y", "x")];
  return { board: { rows: rows.length, columns: rows[0].length, cells }, links, wraps: links.map(() => null), lines: [], start: { position: text } };
}

/** The entry of the games that are not played on a board in a row. */
function heapCard() {
  return h("section", { class: "family-group" }, h("h2", {}, "Heaps and dominoes"),
    h("p", { class: "quiet" }, "Games in which both sides have the same moves, and whoever cannot move has lost: taking counters from heaps, as in nim and kayles, and placing dominoes, as in cram. Every position is worth a number. ", h("a", { href: "#heaps" }, "All of them")));
}
