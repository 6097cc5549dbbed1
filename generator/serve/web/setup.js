// Setting up any position by hand; illegal ones are explained.

import { announce, h } from "./dom.js";
import { read, write } from "./position.js";
import { verdict } from "./words.js";

const NEXT = { ".": "X", X: "O", O: "." };

export class Setup {
  constructor(facts, { board, leave }) {
    this.facts = facts;
    this.game = facts.game;
    this.board = board;
    this.leave = leave;
    this.open = false;
    this.asked = 0;
    this.text = h("input", { type: "text", id: "setup-text", spellcheck: "false", autocomplete: "off", oninput: () => this.typed(), "aria-describedby": "setup-message" });
    this.sides = ["", "x", "o"].map((side) => h("input", { type: "radio", name: "setup-side", value: side, onchange: () => this.changed() }));
    this.message = h("p", { id: "setup-message", class: "message", role: "status" });
    this.use = h("button", { type: "button", class: "primary", onclick: () => this.finish(this.legal) }, "Show");
    this.play = h("button", { type: "button", onclick: () => this.finish(this.legal, true) }, "Play from here");
    const labels = ["by count", "X", "O"];
    this.panel = h("section", { class: "setup", hidden: true, "aria-label": "Set up a position" },
      h("p", {}, "Click cells to change them: empty, X, O. Or write the position."),
      h("label", { for: "setup-text" }, "Position"), this.text,
      h("fieldset", {}, h("legend", {}, "To move"), this.sides.map((input, at) => h("label", {}, input, labels[at]))),
      this.message,
      h("div", { class: "controls" }, this.use, this.play,
        h("button", { type: "button", onclick: () => this.show(this.cells.map(() => "."), "") }, "Clear"),
        h("button", { type: "button", onclick: () => this.finish(null) }, "Cancel")));
    this.panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.finish(null);
      if (event.key === "Enter" && event.target === this.text && this.legal) this.finish(this.legal);
    });
  }

  enter(position) {
    this.open = true;
    this.panel.hidden = false;
    document.body.classList.add("setting-up");
    const { cells, side } = read(position);
    const placed = cells.filter((cell) => cell !== ".").length;
    const told = !this.game.moves || placed < 2 * this.game.pieces;
    this.show(cells, told ? "" : side);
    this.text.focus({ preventScroll: true });
  }

  close() {
    this.open = false;
    this.panel.hidden = true;
    document.body.classList.remove("setting-up");
    this.asked += 1;
  }

  /** Leaves with a position, to be looked at or played from; null leaves the board as it was. */
  finish(position, plays = false) {
    this.close();
    this.leave(position, plays);
  }

  get side() {
    return this.sides.find((input) => input.checked)?.value ?? "";
  }

  show(cells, side) {
    this.cells = cells;
    for (const input of this.sides) input.checked = input.value === side;
    this.changed();
  }

  change(cell) {
    this.cells[cell] = NEXT[this.cells[cell]];
    this.changed();
  }

  changed() {
    this.text.value = write(this.game, this.cells, this.side);
    this.draw();
    this.check();
  }

  async typed() {
    const answer = await this.check();
    if (!answer) return;
    const { cells, side } = read(answer.position);
    this.cells = cells;
    if (this.side) for (const input of this.sides) input.checked = input.value === side;
    this.draw();
  }

  draw() {
    this.board.draw({ cells: this.cells, moves: [], best: new Set(), editing: true });
  }

  /** Checks that the game has the position, and shows the reason if not. */
  async check() {
    const asked = (this.asked += 1);
    const say = (text, legal, over) => {
      this.legal = legal;
      this.use.disabled = !legal;
      this.play.disabled = !legal || Boolean(over);
      this.message.textContent = text;
      this.message.classList.toggle("wrong", !legal);
      this.text.setAttribute("aria-invalid", String(!legal));
    };
    try {
      const answer = await this.facts.position(this.text.value);
      if (asked !== this.asked) return null;
      const { side } = read(answer.position);
      say(answer.over ? "Legal; the game is over here." : `Legal; ${side.toUpperCase()} to move. ${verdict(answer, side)}.`, answer.position, answer.over);
      return answer;
    } catch (error) {
      if (asked === this.asked) {
        say(`Not possible: ${error.message}.`, null);
        announce(this.message.textContent);
      }
      return null;
    }
  }
}
