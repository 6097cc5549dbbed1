// What is shown follows the address behind the `#`.

import { h } from "./dom.js";
import { showCards } from "./cards.js";
import { Explorer } from "./explorer.js";

const main = document.getElementById("main");
let explorer = null;

/** `#/swap?position=…` as its parts. */
function where() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { parts: path.split("/").filter(Boolean).map(decode), fields: new URLSearchParams(query) };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function show() {
  const { parts, fields } = where();
  const [name] = parts;
  const position = fields.get("position") ?? undefined;
  try {
    if (name && explorer?.game.game === name) {
      await explorer.open(position);
      return;
    }
    explorer?.close();
    explorer = null;
    if (!name) await showCards(main);
    else {
      explorer = await Explorer.open(main, name, position);
      window.scrollTo(0, 0);
    }
  } catch (error) {
    explorer = null;
    main.replaceChildren(
      h("section", { class: "notice", role: "alert" }, h("h1", {}, "This does not work"), h("p", {}, error.message), h("p", {}, h("a", { href: "#/" }, "All games"))),
    );
    document.title = "morpion";
  }
}

// A second `#` on the page, the skip link, is none of ours.
addEventListener("hashchange", () => location.hash !== "#main" && show());
show();
