// A sheet to print, which the module writes: puzzles of a game with their answers, or its board with the pieces.

import { address } from "./address.js";
import { h } from "./dom.js";
import * as source from "./source.js";

/** Shows puzzles from the number `sheet` of the address on, or the board. The sheet has its own style, for itself alone. */
export async function open(room, { fields }, held, factsOf) {
  const facts = await factsOf(fields.get("game"), fields.get("rules")), { game, rules } = facts, number = fields.get("sheet");
  if (number && !facts.sheet) throw new Error(`${game.game} is too large for puzzles here`);
  const html = await (number ? facts.sheet(Number(number), Number(fields.get("grade")) || undefined) : source.board(rules ?? (await source.rules(game.game))));
  // The style is applied by itself, since the server allows no styles inside pages.
  const [style, text] = html.match(/<style>(.*?)<\/style>/s), rest = html.replace(style, "");
  const host = h("div"), own = new CSSStyleSheet();
  own.replaceSync(text);
  Object.assign(host.attachShadow({ mode: "open" }), { adoptedStyleSheets: [own] }).append(new DOMParser().parseFromString(rest, "text/html").querySelector("article"));
  room.replaceChildren(h("p", { class: "more" }, h("a", { class: "button", href: rules ? address("own", { rules }) : address(`/${game.game}`) }, "← Play"), h("button", { type: "button", class: "primary", onclick: () => print() }, "Print")), host);
  held.title(`${game.game} · to print`);
}
