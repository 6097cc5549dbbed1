// Who plays: an opponent for a new game.

import { h } from "./dom.js";
import { LEVELS } from "./levels.js";
import { name, other } from "./words.js";

/** A player's name in a sentence. */
export const called = (player) => (player === "you" ? "you" : LEVELS.find((level) => level.level === player)?.title ?? player);

export class PlayBar {
  /**
   * `play(controllers)` plays on from the position on the board, `start(controllers)` from the start of the game. An opponent is
   * highlighted once it is chosen.
   */
  constructor({ play, start, isUntabled }) {
    const choice = (group, value, label, title) => h("label", { class: "choice", title }, h("input", { type: "radio", name: group, value }), h("span", {}, label));
    this.rivals = [choice("rival", "you", "a friend", "both sides on this screen"), LEVELS.filter(({ level }) => !(isUntabled && level === "perfect")).map(({ level, title, about }) => choice("rival", level, title, about))].flat();
    this.sides = ["x", "o"].map((side) => choice("side", side, side === "x" ? "X, first" : "O, second"));
    this.play = h("button", { type: "submit", class: "primary" }, "Play");
    // These two belong below the board. The second is the way back to this form on a phone.
    this.start = h("button", { type: "button", onclick: () => start(this.chosen()) }, "From the start");
    this.again = h("button", { type: "button", class: "again", onclick: () => { this.fold(false); this.element.querySelector("input").focus(); } }, "New game …");
    this.element = h("form", { class: "playbar", "aria-label": "New game", onsubmit: (event) => { event.preventDefault(); play(this.chosen()); } },
      h("fieldset", {}, h("legend", {}, "Play against"), h("div", { class: "choices" }, this.rivals)),
      h("fieldset", {}, h("legend", {}, "as"), h("div", { class: "choices" }, this.sides)),
      this.play);
    this.pick("side", "x");
  }

  /** On a phone, hides the choice of a new game while a game is played. */
  fold(folded) {
    const held = this.element.contains(document.activeElement);
    this.element.classList.toggle("folded", folded);
    if (held && document.activeElement.offsetParent === null) this.again.focus({ preventScroll: true });
  }

  /** Names the buttons for the position on the board: whether the game is over there, and whether it is played from the start. */
  offer(over, isStart) {
    this.play.textContent = over ? "Play again" : isStart ? "Play" : "Play from here";
    this.start.hidden = isStart;
  }

  pick(group, value) {
    for (const input of this.element.querySelectorAll(`input[name=${group}]`)) input.checked = input.value === value;
  }

  /** The chosen players, by side. */
  chosen() {
    const value = (group) => this.element.querySelector(`input[name=${group}]:checked`)?.value;
    const side = value("side") ?? "x";
    return { [side]: "you", [other(side)]: value("rival") ?? "club" };
  }

  /** Shows the players of the open game. */
  show(controllers) {
    const machine = ["x", "o"].find((side) => controllers[side] !== "you");
    if (!machine) return;
    this.pick("rival", controllers[machine]);
    this.pick("side", other(machine));
  }
}

/** The side to move, and its player if a side has an opponent. */
export function toMove(controllers, side) {
  const plain = Object.values(controllers).every((player) => player === "you");
  return `${name(side)} to move${plain ? "" : `: ${called(controllers[side])}`}`;
}
