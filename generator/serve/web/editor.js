// The editor: the rules of one's own game as text, what they describe, and ways to play and keep it.

import { address } from "./address.js";
import { preview } from "./board.js";
import { h, s } from "./dom.js";
import { download, opener } from "./download.js";
import { LinedText } from "./lined.js";
import { rules } from "./rules.js";
import { beyond, cost, want } from "./solving.js";
import { keep, kept } from "./storage.js";
import { grouped, menuTitles } from "./words.js";
import * as source from "./source.js";
import { Variants } from "./variants.js";

// Pause in typing after which the rules are read, in milliseconds.
const PAUSE = 250;

// Where the browser keeps the saved games, as an object of rules by name.
const SAVED = "morpion rules";

/** Rules on a board of three rows and three columns. `tables` are the texts of all other tables. */
const starter = (about, ...tables) => [`name = "mine"
title = "My game: ${about}"
`, `[board]
rows = 3
columns = 3
`, ...tables].join("\n");

const LINES = `[lines]
length = 3
`;

const PIECES = `[pieces]
each = 3
`;

// Rules to begin with, by title.
const STARTERS = {
  "pieces that move": starter("three pieces each, moved to any empty cell", LINES, PIECES, `[moves]
to = "any"
`),
  "pieces that age": starter("three pieces each, and the oldest goes", LINES, PIECES, `[moves]
oldest = "before-lines"
`),
  "lines that take": starter("four pieces each, and a row or column takes a piece", `[lines]
sets = [
    ["a1", "b1", "c1"], ["a2", "b2", "c2"], ["a3", "b3", "c3"],
    ["a1", "a2", "a3"], ["b1", "b2", "b3"], ["c1", "c2", "c3"],
]

[pieces]
each = 4

[moves]
to = "orthogonal"

[mills]
takes = "any"  # or "outside", "outside-first"
least = 3      # a side with fewer pieces has lost
fly = 3        # a side with at most so many moves to any empty cell
`),
  "rows that slide": starter("take a cube from the border and push it in", LINES, `[moves]
to = "push"
`),
};

/** A message of the module with its places as words. */
function lined(message) {
  return message.replace(/^rules:(\d+): /gm, "Line $1: ");
}

/** Opens the rules in the address, the rules of a game, or a game to begin with. */
export async function open(room, { fields }, held) {
  const games = (await source.games()).filter((game) => game.rule_file);
  const page = new EditorPage(room, games, held);
  await page.take(fields.get("rules") ?? (fields.get("from") ? await source.rules(fields.get("from")) : Object.values(STARTERS)[0]));
  return page;
}

class EditorPage {
  constructor(room, games, held) {
    this.held = held;
    // Aborted when the visitor does something else.
    this.asking = new AbortController();
    this.variants = new Variants(() => this.text.value);
    // What the last valid rules describe.
    this.game = null;
    const titles = menuTitles(games);
    this.text = new LinedText({ id: "rules", rows: 22, spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-describedby": "rules-message", oninput: () => this.typed() });
    this.message = h("p", { id: "rules-message", class: "message", role: "status" });
    this.use = h("button", { type: "button", class: "primary", onclick: () => this.play() }, "Solve and play");
    this.outline = h("div", { class: "outline" });
    this.outdated = h("p", { class: "outdated-note", hidden: true }, "The preview shows the last valid rules.");
    this.keep = h("button", { type: "button", onclick: () => this.save(), title: "Keep the rules in this browser; find them under Begin with" }, "Save");
    this.export = h("button", { type: "button", onclick: () => this.download() }, "Download");
    this.mine = h("optgroup", { label: "saved in this browser" });
    this.from = h("select", { id: "from", onchange: (event) => this.begin(event.target.value) },
      h("option", { value: "" }, "a game …"), h("optgroup", { label: "kinds of games" }, Object.keys(STARTERS).map((title) => h("option", { value: `kind ${title}` }, title))), this.mine, h("optgroup", { label: "standard games" }, games.map((game, at) => h("option", { value: game.game }, titles[at]))));
    this.listSaved();
    this.held.title("Your own game · morpion");
    room.replaceChildren(h("div", { class: "game" },
      h("div", { class: "heading" }, h("h1", {}, "Your own game"),
        h("p", { class: "quiet" }, "Write the rules, see the board, and play it: it is solved on your machine. The link contains the rules; share it. ", h("a", { href: "about/rules.html" }, "Rule file reference"))),
      h("section", { class: "editor", "aria-label": "Rules" },
        h("div", { class: "with-toggle" }, h("label", { for: "rules" }, "Rule file"), h("span", {}, h("label", { for: "from" }, "Begin with "), this.from)),
        this.text.element, this.message, h("div", { class: "controls" }, this.use, this.keep, this.export, opener("Open a file …", ".toml", async (file) => this.take(await file.text())), opener("Open a table …", ".morpion,.zst", (file) => this.openTable(file))), this.variants.element),
      h("section", { class: "side", "aria-label": "What the rules describe" }, this.outdated, this.outline)));
  }

  close() {
    this.ask();
    this.variants.close();
  }

  /** Gives up what is being asked. Returns the signal of the next question. */
  ask() {
    clearTimeout(this.timer);
    this.asking.abort();
    this.asking = new AbortController();
    return this.asking.signal;
  }

  /** Replaces the rules in the text field. */
  take(text) {
    this.text.value = text;
    return this.read();
  }

  /** Plays the game, whose page solves it if that is possible. */
  play() {
    want(this.text.value);
    location.hash = address("own", { rules: this.text.value });
  }

  /** Plays the game of a table file. */
  async openTable(file) {
    try {
      this.held.go(address("own", { rules: await source.opened(file) }));
    } catch (error) {
      this.say(error.message, !this.use.disabled);
      this.held.announce(error.message);
    }
  }

  async download() {
    if (await this.settle()) download(`${this.game.game}.toml`, this.text.value, "application/toml");
  }

  async save() {
    if (!(await this.settle())) return;
    const { game } = this.game;
    const isSaved = keep(SAVED, { ...kept(SAVED), [game]: this.text.value });
    this.listSaved();
    this.say(isSaved ? `Saved ${game} in this browser.` : "This browser stores nothing for this page; use Download instead.", !this.use.disabled);
    this.held.announce(this.message.textContent);
  }

  listSaved() {
    const names = Object.keys(kept(SAVED)).sort();
    this.mine.hidden = names.length === 0;
    this.mine.replaceChildren(...names.map((name) => h("option", { value: `saved ${name}` }, name)));
  }

  async begin(game) {
    if (!game) return;
    const signal = this.ask();
    try {
      const text = await this.rulesOf(game);
      if (!signal.aborted) await this.take(text);
    } catch (error) {
      if (!signal.aborted) this.say(error.message, false);
    }
  }

  /** The rules of an entry of the menu. */
  rulesOf(entry) {
    const [, kind, name] = entry.match(/^(?:(saved|kind) )?(.*)$/);
    return { saved: kept(SAVED)[name], kind: STARTERS[name] }[kind] ?? source.rules(name);
  }

  typed() {
    // A reply on its way would replace it.
    this.ask();
    this.outdate(true);
    this.timer = setTimeout(() => this.read(), PAUSE);
  }

  /** Shows what the rules describe, or what is wrong with them. */
  async read() {
    const signal = this.ask();
    const text = this.text.value;
    try {
      const game = await source.outline(text, signal);
      if (signal.aborted) return;
      this.show(game);
      this.outdate(false);
      const entries = game.unsolved ? "" : `${grouped(game.entries)} entries for `;
      const size = `${entries}${grouped(game.arrangements)} arrangements`;
      const words = game.isSolvable ? `${size}: ${cost(game)}.` : `${size}. ${beyond(game)}. Here it is played without values.`;
      this.use.textContent = game.isSolvable ? "Solve and play" : "Play without values";
      this.say(lined([words, ...game.warnings].join("\n")), true);
      this.held.leave(address("editor", { rules: text }));
    } catch (error) {
      if (signal.aborted) return;
      this.say(lined(error.message), false);
      this.outdate(true);
      this.keep.disabled = this.export.disabled = true;
      this.text.mark(Array.from(error.message.matchAll(/^rules:(\d+): /gm), (match) => Number(match[1])));
    }
  }

  /** Reads the typed text; returns true if the rules are valid. */
  async settle() {
    await this.read();
    return this.outdated.hidden;
  }

  /** Dims the preview while it shows older rules than the text field. */
  outdate(isOutdated) {
    this.outline.inert = isOutdated;
    this.outdated.hidden = !isOutdated || !this.game;
  }

  say(text, isUsable) {
    this.message.textContent = text;
    this.message.classList.toggle("wrong", !isUsable);
    this.text.text.setAttribute("aria-invalid", String(!isUsable));
    this.use.disabled = !isUsable;
    if (!isUsable) this.held.announce(text);
  }

  show(game) {
    this.game = game;
    this.keep.disabled = this.export.disabled = false;
    const board = s("svg", { class: "preview", role: "img", "aria-label": "The board at the start" });
    preview(board, game);
    this.outline.replaceChildren(h("h2", {}, game.title), board, h("p", {}, game.sentences), ...rules(game).filter(Boolean));
  }
}
