// Files that go to the visitor's disk and come from it.

import { h } from "./dom.js";

/** Saves a text or bytes as a file. */
export function download(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  h("a", { href: url, download: name }).click();
  // The browser reads the content after this task.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A button that lets the visitor choose a file; `read` is called with it. */
export function opener(label, accept, read) {
  const input = h("input", {
    type: "file", accept, class: "unseen", tabindex: "-1", "aria-hidden": "true",
    onchange: async () => {
      const [file] = input.files;
      input.value = "";
      if (file) await read(file);
    },
  });
  return [h("button", { type: "button", onclick: () => input.click() }, label), input];
}

/** Calls `read` with each file that is dropped on an element. */
export function acceptFiles(element, read) {
  const isFile = ({ dataTransfer }) => dataTransfer?.types.includes("Files");
  element.addEventListener("dragover", (event) => isFile(event) && event.preventDefault());
  element.addEventListener("drop", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    for (const file of event.dataTransfer.files) read(file);
  });
}
