// What is shown follows the address behind the `#`.

import { where } from "./address.js";
import { h } from "./dom.js";
import { showCards } from "./cards.js";
import { CramPage } from "./cram.js";
import { Explorer } from "./explorer.js";
import { HeapPage, showHeapGames } from "./heaps.js";
import * as source from "./source.js";

const main = document.getElementById("main");
// What is open: an explorer, a page of heaps, or a board of cram.
let open = null;
// How many pages have been asked for.
let turns = 0;

async function show() {
  const { parts, fields } = where();
  const [name, second] = parts;
  mark(name);
  try {
    if (name === "heaps" && second) {
      const heaps = fields.get("heaps") ?? undefined;
      if (open?.game.game === second && open instanceof HeapPage) await open.show(heaps);
      else await change((room) => HeapPage.open(room, second, heaps));
    } else if (name === "cram") {
      const position = fields.get("position") ?? undefined;
      if (open instanceof CramPage && open.name === second) await open.show(position);
      else await change((room) => CramPage.open(room, second, position));
    } else if (name === "heaps") await change((room) => showHeapGames(room));
    else if (name) {
      const at = { path: name, fields: {} };
      if (open instanceof Explorer && open.at.path === name) await open.load(fields);
      else await change(async (room) => Explorer.open(room, await source.facts(name), at, fields));
    } else await change((room) => showCards(room));
  } catch (error) {
    open?.close();
    open = null;
    turns += 1;
    main.replaceChildren(
      h("section", { class: "notice", role: "alert" }, h("h1", {}, "This does not work"), h("p", {}, error.message), h("p", {}, h("a", { href: "#/" }, "All games"))),
    );
    document.title = "morpion";
  }
}

/** Shows another page in place of the one that is open, unless yet another has been asked for before it is there. */
async function change(show) {
  open?.close();
  open = null;
  const turn = (turns += 1);
  const room = h("div");
  const page = (await show(room)) ?? null;
  if (turn !== turns) return void page?.close();
  open = page;
  main.replaceChildren(room);
  window.scrollTo(0, 0);
}

/** Tells which section of the page is open. */
function mark(name) {
  for (const link of document.querySelectorAll("#nav a")) {
    const here = (link.hash === "#/heaps") === ["heaps", "cram"].includes(name);
    if (here) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** A way to the games of heaps, where there are any. */
source.heapGames().then((games) => {
  if (games.length) document.getElementById("nav").append(h("a", { href: "#/heaps" }, "Heaps"));
  mark(where().parts[0]);
}, () => {});

// A second `#` on the page, the skip link, is none of ours.
addEventListener("hashchange", () => location.hash !== "#main" && show());
show();
