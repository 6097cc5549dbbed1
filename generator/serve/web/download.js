// Files that go to the visitor's disk and come from it.

import { h } from "./dom.js";

/** Saves a text as a file. */
export function download(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  // The browser reads the text after this task.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A button that lets the visitor choose a file; `read` is called with its text. */
export function opener(label, accept, read) {
  const input = h("input", {
    type: "file", accept, class: "unseen", tabindex: "-1", "aria-hidden": "true",
    onchange: async () => {
      const [file] = input.files;
      input.value = "";
      if (file) await read(await file.text());
    },
  });
  return [h("button", { type: "button", onclick: () => input.click() }, label), input];
}
