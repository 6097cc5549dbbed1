// Cram: a domino on two free neighbouring cells of a board; every winning domino is marked.

import { Board } from "./board.js";
import { h, refill, s } from "./dom.js";
import { Hand, begun } from "./hand.js";
import * as source from "./source.js";

const RULES = "Both sides lay the same dominoes, each on two free neighbouring cells. Whoever cannot lay one has lost.";
const START = "4x5";
// Boards of 2 to 20 cells that are not higher than wide, small ones first.
const SIZES = Array.from({ length: 19 }, (_, at) => at + 2).flatMap((cells) => {
  const rows = Array.from({ length: Math.floor(Math.sqrt(cells)) }, (_, at) => at + 1);
  return rows.filter((each) => cells % each === 0).map((each) => `${each}x${cells / each}`);
});

/** The cells of a position: `#` taken, `.` free. */
const read = (position) => [...position.replaceAll("/", "").replaceAll("X", "#")];

/** A board in the form that the picture needs; cell 0 is at the top left. */
function geometry(rows, columns) {
  const cells = Array.from({ length: rows * columns }, (_, at) => ({ name: name(at % columns, Math.floor(at / columns)), x: at % columns, y: Math.floor(at / columns) }));
  return { board: { rows, columns, cells }, links: null, lines: [] };
}

const name = (column, row) => `${String.fromCharCode(97 + column)}${row + 1}`;

class Cells extends Board {
  label(at, letter, { target, own, selected }) {
    const state = letter === "." ? "free" : "taken";
    const text = target ? "end of the domino here" : at === selected ? "picked" : own ? "a domino can lie here" : "";
    const worth = target ?? (at === selected ? null : own);
    return [this.game.board.cells[at].name, state, text, worth?.value === "win" ? "wins" : ""].filter(Boolean).join(", ");
  }

  /** Marks the winning dominoes across the edge between their cells. */
  mark(moves, play) {
    this.svg.querySelector(".dominoes")?.remove();
    const cells = this.game.board.cells;
    this.svg.append(s("g", { class: "dominoes", "aria-hidden": "true" }, moves.map((move) => {
      const [one, two] = [cells[move.from], cells[move.to]];
      const [width, height] = one.y === two.y ? [74, 30] : [30, 74];
      return s("rect", { class: "domino", x: 50 * (one.x + two.x) - width / 2, y: 50 * (one.y + two.y) - height / 2, width, height, rx: 15, "data-move": move.text, onclick: () => play(move) }, s("title", {}, `${move.text} wins`));
    })));
  }
}

export async function open(main, { item, fields }, held) {
  const answer = await source.cram(item || START, fields.get("position") ?? undefined);
  const page = new CramPage(main, answer.board, held);
  page.render(answer);
  return page;
}

class CramPage {
  constructor(main, name, held) {
    this.name = name;
    this.held = held;
    this.game = geometry(...name.split("x").map(Number));
    this.edited = false;
    this.hand = new Hand({ legal: () => this.moves, play: (move) => this.play(move), show: () => this.showPicked() });
    const go = (board) => { location.hash = `#cram/${board}`; };
    const names = [...new Set([...SIZES, this.name])];
    this.board = new Cells(this.game, this.hand);
    this.input = h("input", { type: "text", id: "cells", autocomplete: "off", spellcheck: "false", oninput: () => { this.edited = true; } });
    this.parts = { verdict: h("p", { class: "verdict" }), value: h("p", { class: "quiet" }), error: h("p", { class: "referee", role: "alert" }), moves: h("ol", { class: "moves" }) };
    const select = h("select", { id: "size", onchange: (event) => go(event.target.value) }, names.map((each) => h("option", { value: each, selected: each === this.name }, each.replace("x", " × "))));
    main.replaceChildren(h("div", { class: "game" },
      h("div", { class: "heading" }, h("h1", {}, "Cram"), h("p", { class: "quiet" }, RULES)),
      h("section", { class: "table", "aria-label": "Board" },
        h("div", { class: "stage" }, h("div", { class: "state" }, this.parts.verdict, this.parts.value, this.parts.error), h("div", { class: "field" }, this.board.svg)),
        h("div", { class: "controls" }, h("label", {}, "Size ", select), h("button", { type: "button", onclick: () => history.back() }, "Back"), h("button", { type: "button", onclick: () => this.go() }, "Empty board")),
        h("form", { class: "heap-form", onsubmit: (event) => { event.preventDefault(); this.go(this.input.value); } },
          h("label", { for: "cells" }, "Position"), this.input, h("button", { type: "submit", class: "primary" }, "Show"))),
      h("div", { class: "side" }, h("section", {}, h("h2", {}, "Winning moves"), this.parts.moves))));
  }

  isAt({ section, item }) {
    return section === "cram" && item === this.name;
  }

  follow(fields) {
    return this.show(fields.get("position") ?? undefined);
  }

  /** Puts a position into the address, which shows it. */
  go(position) {
    const next = `#cram/${this.name}${position ? `?position=${position}` : ""}`;
    this.edited = false;
    if (location.hash === next) this.show(position);
    else location.hash = next;
  }

  async show(position) {
    const { held } = this;
    try {
      const answer = await source.cram(this.name, position);
      if (held.isOwn) this.render(answer);
    } catch (error) {
      if (held.isOwn) this.parts.error.textContent = error.message;
    }
  }

  render(answer) {
    const { parts } = this;
    const { cells: places, columns } = this.game.board;
    const cells = read(answer.position);
    const winning = new Set(answer.moves.map((move) => move.join("-")));
    const domino = (from, to) => {
      const text = `${places[Math.min(from, to)].name}-${places[Math.max(from, to)].name}`;
      return { from, to, text, value: winning.has(text) ? "win" : "loss", plies: null };
    };
    const free = (from, to) => to < cells.length && cells[from] === "." && cells[to] === ".";
    this.dominoes = cells.flatMap((_, at) => [at % columns + 1 < columns ? at + 1 : Infinity, at + columns].filter((to) => free(at, to)).map((to) => domino(at, to)));
    this.position = answer.position;
    this.cells = cells;
    this.hand.clear();
    parts.error.textContent = "";
    const over = this.dominoes.length === 0;
    parts.verdict.textContent = over ? "No domino fits: the side to move has lost" : answer.outcome === "win" ? "The side to move wins" : "The side to move loses against perfect play";
    parts.verdict.className = `verdict ${answer.outcome}`;
    parts.value.textContent = `Grundy value ${answer.value}`;
    // Text that is being entered is kept.
    if (!this.edited) this.input.value = answer.position;
    const best = this.dominoes.filter((move) => move.value === "win");
    const listed = best.map((move) => h("li", {}, h("button", {
      type: "button", class: "move win best", "data-move": move.text, onclick: () => this.play(move),
      onpointerenter: () => this.board.point(move), onpointerleave: () => this.board.point(null), onfocus: () => this.board.point(move), onblur: () => this.board.point(null),
    }, h("span", { class: "name" }, move.text))));
    refill(parts.moves, best.length ? listed : [h("li", { class: "quiet" }, over ? "None." : "None: every move loses.")]);
    this.draw();
    this.held.title(`Cram ${this.name} · ${parts.verdict.textContent}`);
    this.held.announce(`${parts.verdict.textContent}. ${best.length} winning dominoes.`);
  }

  /** The dominoes as moves in both directions, the winning ones first. */
  get moves() {
    const both = this.dominoes.map((move) => ({ ...move, take: null, also: null })).flatMap((move) => [move, { ...move, from: move.to, to: move.from }]);
    return both.sort((one, two) => (two.value === "win") - (one.value === "win"));
  }

  draw() {
    const { path } = this.hand;
    this.board.draw({ cells: this.cells, moves: begun(this.moves, path), best: new Set(), path, values: false });
    this.board.mark(this.dominoes.filter((move) => move.value === "win"), (move) => this.play(move));
  }

  /** Shows the board after a click that completes no domino, and announces a cell that is picked. */
  showPicked() {
    this.draw();
    const [picked] = this.hand.path;
    if (picked !== undefined) this.held.announce(`${this.game.board.cells[picked].name} picked.`);
  }

  /** Lays a domino at once; the values follow with the answer. */
  play({ from, to }) {
    const { rows, columns } = this.game.board;
    this.cells = this.cells.map((cell, at) => (at === from || at === to ? "#" : cell));
    this.dominoes = this.dominoes.filter((move) => ![move.from, move.to].some((at) => this.cells[at] === "#")).map((move) => ({ ...move, value: null }));
    this.hand.clear();
    this.draw();
    const letters = this.cells.map((cell) => (cell === "#" ? "X" : "."));
    this.go(Array.from({ length: rows }, (_, row) => letters.slice(row * columns, (row + 1) * columns).join("")).join("/"));
  }
}
