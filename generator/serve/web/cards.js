// The games to choose from.

import { h, s } from "./dom.js";
import { pill, titled } from "./words.js";
import { preview } from "./board.js";
import * as source from "./source.js";

export async function showCards(main, held) {
  const games = await source.games();
  held.title("morpion");
  const cards = games.map((game) => {
    const picture = s("svg", { class: "preview", "aria-hidden": "true", viewBox: "-0.7 -0.7 3.4 3.4" });
    source.game(game.game).then((description) => preview(picture, description), () => {});
    const [title, rest] = titled(game.title);
    return h("li", {}, h("a", { class: "card", href: `#/${game.game}` },
      picture,
      h("span", { class: "card-text" },
        h("strong", {}, title),
        h("span", { class: "quiet" }, rest),
        h("span", { class: `pill ${beginner(game.start)}` }, pill(game.start)))));
  });
  main.replaceChildren(
    h("section", { class: "hero" },
      h("h1", {}, "Every move, and what it is worth"),
      h("p", {}, "These games are solved: from any position, the page knows who wins, how fast, and which moves are perfect. Play against it, or look."),
      h("p", { class: "more" }, h("a", { href: "#/puzzle" }, "The puzzle of the day"), source.own ? h("a", { href: "#/editor" }, "A game of your own") : null)),
    h("ul", { class: "cards" }, cards));
}

const beginner = (start) => start.value;
