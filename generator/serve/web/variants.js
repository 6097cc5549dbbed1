// Variants of a game: one key of its rules with other values, and the facts of each solved game.

import { address } from "./address.js";
import { announce, h } from "./dom.js";
import { percent } from "./judge.js";
import * as source from "./source.js";
import { pill } from "./words.js";

/** The most variants. */
const MOST = 24;

/** The values that are written as `3..5`, or as `3, 4`. */
function valuesOf(text) {
  const [, from, to] = text.match(/^\s*(\d+)\s*\.\.\s*(\d+)\s*$/) ?? [];
  if (from === undefined) return text.split(",").map((value) => value.trim()).filter(Boolean);
  return Array.from({ length: Math.max(0, Math.min(MOST, to - from) + 1) }, (_, at) => String(Number(from) + at));
}

/** The keys of a rule file with a value that is a number, a word or a truth. */
function keysOf(rules) {
  let table = "";
  return rules.split("\n").flatMap((line) => {
    const [, head, key] = line.match(/^\s*(?:\[(\w+)\]|(\w+)\s*=\s*(?:\d+|"[^"]*"|true|false)\s*(?:#.*)?$)/) ?? [];
    if (head) table = head;
    return key && table ? [`${table}.${key}`] : [];
  });
}

/** A form that asks for a key and values, with the rows below it; `rules` returns the rule file. */
export class Variants {
  constructor(rules) {
    this.rules = rules;
    this.keys = h("datalist", { id: "vary-keys" });
    this.key = h("input", { type: "text", id: "vary-key", list: "vary-keys", value: "pieces.each", required: true, spellcheck: "false", autocapitalize: "off" });
    this.values = h("input", { type: "text", id: "vary-values", value: "3..5", required: true, spellcheck: "false", autocapitalize: "off" });
    this.button = h("button", { type: "submit" }, "Compare");
    this.said = h("p", { class: "quiet", role: "status" });
    this.rows = h("tbody");
    this.table = h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": "Variants", hidden: true }, h("table", {},
      h("thead", {}, h("tr", {}, ["Value", "Start", "Longest win", "One good move", "Club: X, draw, O"].map((title) => h("th", { scope: "col" }, title)))), this.rows));
    this.element = h("details", { ontoggle: () => this.offer() }, h("summary", {}, "Compare variants"), h("div", { class: "vary" },
      h("form", { class: "heap-form", onsubmit: (event) => { event.preventDefault(); this.compare(); } },
        h("label", { for: "vary-key" }, "Key"), this.key, this.keys, h("label", { for: "vary-values" }, "Values"), this.values, this.button),
      this.said, this.table));
  }

  /** Offers the keys that the rules have. */
  offer() {
    this.keys.replaceChildren(...keysOf(this.rules()).map((value) => h("option", { value })));
  }

  /** Solves and judges the variants one after the other; a second click stops. */
  async compare() {
    if (this.stop) return this.close();
    const values = valuesOf(this.values.value);
    if (values.length === 0 || values.length > MOST) return this.say(`Write up to ${MOST} values, such as 3..5 or 3, 4.`);
    const [stop, rules, key] = [new AbortController(), this.rules(), this.key.value.trim()];
    this.stop = stop;
    this.button.textContent = "Stop";
    this.rows.replaceChildren();
    this.table.hidden = false;
    for (const value of values) {
      this.say(`${key} = ${value} is being solved.`);
      const row = await this.row(rules, key, value, stop.signal);
      if (stop.signal.aborted) return;
      this.rows.append(h("tr", {}, h("th", { scope: "row" }, value), row));
    }
    this.close();
    announce("The variants are compared.");
  }

  /** The cells of the row of a variant, or the reason why it is refused. */
  async row(rules, key, value, signal) {
    try {
      const { variant, description: { start }, facts: { longest_win: longest, choices, levels } } = await source.variant(rules, key, value, signal);
      const club = levels.find(({ player }) => player === "club"), all = club.x_wins + club.draws + club.o_wins;
      return [h("a", { href: address("own", { rules: variant }) }, pill(start)), longest?.plies ?? "–", percent(choices.only_moves, choices.choices), [club.x_wins, club.draws, club.o_wins].map((part) => percent(part, all)).join(", ")].map((cell) => h("td", {}, cell));
    } catch (error) {
      return h("td", { colspan: 4, class: "message wrong" }, error.message.replace(/^rules:\d+: /gm, ""));
    }
  }

  say(text) {
    this.said.textContent = text;
  }

  close() {
    this.stop?.abort();
    this.stop = null;
    this.button.textContent = "Compare";
    this.say("");
  }
}
