// The games to choose from: a card for each family, with its variants.

import { h, s } from "./dom.js";
import { preview } from "./board.js";
import { read } from "./position.js";
import { GROUPS, UNSERVED } from "./families.js";
import { pill, titled } from "./words.js";
import * as source from "./source.js";

export async function showCards(main, held) {
  const [games, server] = await Promise.all([source.games(), source.hasServer()]);
  held.title("morpion");
  const served = new Map(games.map((game) => [game.game, game]));
  const groups = GROUPS.map(([title, about, families]) => [title, about, families.map((family) => familyCard(family, served, server)).filter(Boolean)]);
  const known = new Set(GROUPS.flatMap(([, , families]) => families).flatMap((family) => family.games.map(([name]) => name)));
  const others = games.filter(({ game }) => !known.has(game)).map(otherCard);
  groups.push(["More games", "Other tables that are served here.", others]);
  main.replaceChildren(
    h("section", { class: "hero" },
      h("h1", {}, "Every move, and what it is worth"),
      h("p", {}, "These games are solved. From any position the page knows who wins, how soon, and which moves are perfect: ", h("b", { class: "win" }, "green"), " wins, ", h("b", { class: "draw" }, "grey"), " draws, ", h("b", { class: "loss" }, "red"), " loses. Play against it, or look."),
      h("p", { class: "more" }, h("a", { class: "button primary", href: "#puzzle" }, "The puzzle of the day"), server ? h("a", { class: "button", href: "#editor" }, "A game of your own") : null)),
    ...groups.filter(([, , cards]) => cards.length > 0).map(([title, about, cards]) => h("section", { class: "family-group" }, h("h2", {}, title), h("p", { class: "quiet" }, about), h("ul", { class: "cards" }, cards))),
    await heapCard());
}

/** A card for a family, which shows the first of its games that is served. */
function familyCard({ title, about, at, games }, served, server) {
  const unserved = server ? UNSERVED.get(games[0][0]) : null;
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
  (game.at ? source.untabled(game.game).then((facts) => preview(picture, facts.game, { cells: read(game.at).cells })) : draw(picture, game.game, at)).catch(() => {});
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

/** The entry of the games that are not played on a board in a row. */
async function heapCard() {
  const heaps = await source.heapGames().catch(() => []);
  return heaps.length === 0 ? "" : h("section", { class: "family-group" }, h("h2", {}, "Heaps and dominoes"),
    h("p", { class: "quiet" }, "Games in which both sides have the same moves, and whoever cannot move has lost: taking counters from heaps, as in nim and kayles, and placing dominoes, as in cram. Every position is worth a number. ", h("a", { href: "#heaps" }, "All of them")));
}
