// The games to choose from.

import { h, s } from "./dom.js";
import { menuTitles, pill, titled } from "./words.js";
import { preview } from "./board.js";
import * as source from "./source.js";

export async function showCards(main, held) {
  const games = await source.games();
  held.title("morpion");
  const titles = menuTitles(games);
  const cards = games.map((game, at) => {
    const picture = s("svg", { class: "preview", "aria-hidden": "true", viewBox: "-0.7 -0.7 3.4 3.4" });
    source.game(game.game).then((description) => preview(picture, description), () => {});
    const [, rest] = titled(game);
    return h("li", {}, h("a", { class: "card", href: `#/${game.game}` },
      picture,
      h("span", { class: "card-text" },
        h("strong", {}, titles[at]),
        rest ? h("span", { class: "quiet" }, rest) : null,
        h("span", { class: "facts" },
          h("span", { class: `pill ${game.start.value}` }, pill(game.start)),
          h("code", { title: "The name on the command line" }, game.game)))));
  });
  main.replaceChildren(
    h("section", { class: "hero" },
      h("h1", {}, "Every move, and what it is worth"),
      h("p", {}, "These games are solved: from any position, the page knows who wins, how fast, and which moves are perfect. Play against it, or look."),
      h("p", { class: "more" }, h("a", { href: "#/puzzle" }, "The puzzle of the day"), source.own ? h("a", { href: "#/editor" }, "A game of your own") : null)),
    h("ul", { class: "cards" }, cards));
}
