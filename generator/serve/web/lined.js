// A text field with line numbers. One line can be marked.

import { h } from "./dom.js";

export class LinedText {
  /** Takes the attributes of the text area. */
  constructor(attributes) {
    this.text = h("textarea", { wrap: "off", ...attributes, onscroll: () => this.scroll() });
    this.numbers = h("div", { class: "numbers", "aria-hidden": "true" });
    this.element = h("div", { class: "lined" }, this.numbers, this.text);
    this.text.addEventListener("input", () => this.mark(null));
    this.mark(null);
  }

  get value() {
    return this.text.value;
  }

  set value(text) {
    this.text.value = text;
    this.mark(null);
  }

  /** Marks a line, counted from 1; null marks none. */
  mark(line) {
    const lines = this.text.value.split("\n").length;
    this.numbers.replaceChildren(...Array.from({ length: lines }, (_, at) => h("div", { class: at + 1 === line ? "wrong" : null }, at + 1)));
    this.scroll();
  }

  scroll() {
    this.numbers.scrollTop = this.text.scrollTop;
  }
}
