// A game of one's own: its rules as text, what they describe beside it, and the way to play it.

import { address } from "./address.js";
import { preview } from "./board.js";
import { h, s } from "./dom.js";
import { rules } from "./rules.js";
import { grouped } from "./words.js";
import * as source from "./source.js";

// How long nothing is typed before the rules are read, in milliseconds.
const PAUSE = 250;

const STARTER = `name = "mine"
title = "My game: three pieces each, moved to any empty cell"

[board]
rows = 3
columns = 3

[lines]
length = 3

[pieces]
each = 3

[moves]
to = "any"
`;

export class EditorPage {
  /** The rules that the address holds, those of a game, or a game to begin with. */
  static async open(room, fields, held) {
    if (!source.own) throw new Error("games of one's own are solved by morpion serve: plain files cannot");
    const games = (await source.games()).filter((game) => game.rule_file);
    const page = new EditorPage(held);
    page.build(room, games);
    page.text.value = fields.get("rules") ?? (fields.get("from") ? await page.fetched(fields.get("from")) : STARTER);
    await page.read();
    return page;
  }

  constructor(held) {
    this.held = held;
    this.asked = 0;
  }

  close() {
    this.asked += 1;
    clearTimeout(this.timer);
  }

  async fetched(game) {
    const response = await fetch(source.ruleFile(game));
    if (!response.ok) throw new Error((await response.json()).error);
    return response.text();
  }

  build(room, games) {
    this.text = h("textarea", { id: "rules", rows: 24, spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-describedby": "rules-message", oninput: () => this.typed() });
    this.message = h("p", { id: "rules-message", class: "message", role: "status" });
    this.use = h("button", { type: "button", class: "primary", onclick: () => { location.hash = address("own", { rules: this.text.value }); } }, "Solve and play");
    this.outline = h("div", { class: "outline" });
    const from = h("select", { id: "from", onchange: (event) => this.begin(event.target.value) },
      h("option", { value: "" }, "a game …"), games.map((game) => h("option", { value: game.game }, game.game)));
    this.held.title("Your own game · morpion");
    room.replaceChildren(h("div", { class: "game" },
      h("div", { class: "heading" }, h("h1", {}, "Your own game"),
        h("p", { class: "quiet" }, "Write the rules, see the board, and play it: small games are solved at once. The address holds the rules. ", h("a", { href: "about/rules.html" }, "What can be written"))),
      h("section", { class: "editor", "aria-label": "Rules" },
        h("div", { class: "with-toggle" }, h("label", { for: "rules" }, "Rule file"), h("span", {}, h("label", { for: "from" }, "Begin with "), from)),
        this.text, this.message, h("div", { class: "controls" }, this.use)),
      h("section", { class: "side", "aria-label": "What the rules describe" }, this.outline)));
  }

  async begin(game) {
    if (!game) return;
    const asked = (this.asked += 1);
    try {
      const text = await this.fetched(game);
      if (asked !== this.asked) return;
      this.text.value = text;
      await this.read();
    } catch (error) {
      if (asked === this.asked) this.say(error.message, false);
    }
  }

  typed() {
    // What is on its way would be put in its place.
    this.asked += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.read(), PAUSE);
  }

  /** Shows what the rules describe, or what is wrong with them. */
  async read() {
    const asked = (this.asked += 1);
    const text = this.text.value;
    try {
      const game = await source.own.outline(text);
      if (asked !== this.asked) return;
      this.show(game);
      this.say(game.small ? `${grouped(game.arrangements)} arrangements.` : `${grouped(game.arrangements)} arrangements: too many to be solved here. Save the rules and use morpion build --rules.`, game.small);
      this.held.leave(address("editor", { rules: text }));
    } catch (error) {
      if (asked === this.asked) this.say(error.message, false);
    }
  }

  say(text, isUsable) {
    this.message.textContent = text;
    this.message.classList.toggle("wrong", !isUsable);
    this.text.setAttribute("aria-invalid", String(!isUsable));
    this.use.disabled = !isUsable;
    if (!isUsable) this.held.announce(text);
  }

  show(game) {
    const board = s("svg", { class: "preview", role: "img", "aria-label": "The board at the start" });
    preview(board, game);
    this.outline.replaceChildren(h("h2", {}, game.title), board, ...rules(game).flat().filter(Boolean));
  }
}
