// A text field with line numbers. Lines can be marked.

import { h } from "./dom.js";

export class LinedText {
  /** Takes the attributes of the text area. */
  constructor(attributes) {
    this.text = h("textarea", { wrap: "off", ...attributes, onscroll: () => this.scroll() });
    this.numbers = h("div", { class: "numbers", "aria-hidden": "true" });
    this.element = h("div", { class: "lined" }, this.numbers, this.text);
    this.text.addEventListener("input", () => this.mark([]));
    this.mark([]);
  }

  get value() {
    return this.text.value;
  }

  set value(text) {
    this.text.value = text;
    this.mark([]);
  }

  /** Marks these lines, counted from 1. */
  mark(marked) {
    const lines = this.text.value.split("\n").length;
    this.numbers.replaceChildren(...Array.from({ length: lines }, (_, at) => h("div", { class: marked.includes(at + 1) ? "wrong" : null }, at + 1)));
    this.scroll();
  }

  scroll() {
    this.numbers.scrollTop = this.text.scrollTop;
  }
}
