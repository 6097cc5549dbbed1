// Setting up any position by hand; illegal ones are explained.

import { announce, h } from "./dom.js";
import { ages, besideOf, hands, read, write } from "./position.js";
import { verdict } from "./words.js";

const NEXT = { ".": "X", X: "O", O: "." };

export class Setup {
  constructor(facts, { board, leave }) {
    this.facts = facts;
    this.game = facts.game;
    this.board = board;
    this.leave = leave;
    this.text = h("input", { type: "text", id: "setup-text", spellcheck: "false", autocomplete: "off", oninput: () => this.typed(), "aria-describedby": "setup-message" });
    this.sides = ["", "x", "o"].map((side) => h("input", { type: "radio", name: "setup-side", value: side, onchange: () => this.changed() }));
    this.message = h("p", { id: "setup-message", class: "message", role: "status" });
    this.use = h("button", { type: "button", class: "primary", onclick: () => this.leaveWith() }, "Show");
    this.play = h("button", { type: "button", onclick: () => this.leaveWith(true) }, "Play from here");
    const labels = ["by count", "X", "O"];
    this.stock = ["x", "o"].map((side) => h("input", { type: "number", min: 0, max: this.game.pieces, oninput: (event) => this.hold(side, event.target.valueAsNumber) }));
    this.panel = h("section", { class: "setup", hidden: true, "aria-label": "Set up a position" },
      h("p", {}, `Click cells to change them: empty, X, O.${this.game.ages ? " The piece that is put first is the oldest." : ""} Or write the position.`),
      h("label", { for: "setup-text" }, "Position"), this.text,
      h("fieldset", {}, h("legend", {}, "To move"), this.sides.map((input, at) => (this.isAmbiguous && at === 0 ? null : h("label", {}, input, labels[at])))),
      this.game.mills ? h("fieldset", {}, h("legend", {}, "In hand"), this.stock.map((input, at) => h("label", {}, at ? "O" : "X", input))) : null,
      this.message,
      h("div", { class: "controls" }, this.use, this.play,
        h("button", { type: "button", onclick: () => this.clear() }, "Clear"),
        h("button", { type: "button", onclick: () => this.finish(null) }, "Cancel")));
    this.panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.finish(null);
      if (event.key === "Enter" && event.target === this.text) this.leaveWith();
    });
  }

  /** True if the text of a position names the side to move, whatever its number of pieces. */
  get isAmbiguous() {
    return this.game.mills || this.game.ages;
  }

  get open() {
    return !this.panel.hidden;
  }

  enter(position) {
    this.panel.hidden = false;
    this.take(position);
    const placed = this.cells.filter((cell) => cell !== ".").length;
    // The number of pieces determines the side.
    if (!this.isAmbiguous && (!this.game.moving || placed < 2 * this.game.pieces)) this.choose("");
    this.changed();
    this.text.focus({ preventScroll: true });
  }

  close() {
    this.panel.hidden = true;
  }

  /** Leaves with the position in the text field, if it is legal. To play from there, the game must not be over. */
  async leaveWith(plays = false) {
    const answer = await this.check();
    if (answer && !(plays && answer.over)) this.finish(answer.position, plays);
  }

  /** Leaves with a position, to be looked at or played from; null leaves the board as it was. */
  finish(position, plays = false) {
    this.close();
    this.leave(position, plays);
  }

  get side() {
    return this.sides.find((input) => input.checked)?.value ?? "";
  }

  /** Takes over a position from its text. */
  take(position) {
    const { cells, side } = read(position);
    this.cells = cells;
    this.hands = hands(this.game, position);
    this.ages = ages(this.game, position);
    this.stock.forEach((input, at) => { input.value = this.hands?.["xo"[at]] ?? 0; });
    this.choose(side);
  }

  choose(side) {
    for (const input of this.sides) input.checked = input.value === side;
  }

  clear() {
    const { side } = this;
    this.take(write(this.game, this.cells.map(() => "."), "x"));
    this.choose(this.isAmbiguous ? side : "");
    this.changed();
  }

  /** Changes a cell; null changes nothing. */
  change(cell) {
    if (cell === null) return;
    const letter = NEXT[this.cells[cell]];
    this.cells[cell] = letter;
    // A piece that is put on the board is the youngest.
    if (this.ages) {
      for (const side of ["x", "o"]) this.ages[side] = this.ages[side].filter((each) => each !== cell);
      this.ages[letter.toLowerCase()]?.push(cell);
    }
    this.changed();
  }

  hold(side, count) {
    this.hands[side] = count || 0;
    this.changed();
  }

  changed() {
    this.text.value = write(this.game, this.cells, this.side, besideOf(this.game, this));
    this.draw();
    this.check();
  }

  async typed() {
    const answer = await this.check();
    if (!answer) return;
    const { side } = this;
    this.take(answer.position);
    if (!side) this.choose("");
    this.draw();
  }

  draw() {
    this.board.draw({ cells: this.cells, moves: [], best: new Set(), editing: true, ages: this.ages });
  }

  /** Checks that the game has the position, and shows the reason if not. */
  async check() {
    const text = this.text.value, isWanted = () => this.open && this.panel.isConnected && text === this.text.value;
    const say = (text, legal, over) => {
      this.use.disabled = !legal;
      this.play.disabled = !legal || Boolean(over);
      this.message.textContent = text;
      this.message.classList.toggle("wrong", !legal);
      this.text.setAttribute("aria-invalid", String(!legal));
    };
    try {
      const answer = await this.facts.answer(text);
      if (!isWanted()) return null;
      const { side } = read(answer.position);
      say(answer.over ? "Legal; the game is over here." : `Legal; ${side.toUpperCase()} to move. ${verdict(answer, side)}.`, true, answer.over);
      return answer;
    } catch (error) {
      if (isWanted()) {
        say(`Not possible: ${error.message}.`, false);
        announce(this.message.textContent);
      }
      return null;
    }
  }
}
