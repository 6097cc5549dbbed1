// Shows the page that the address behind the `#` names.

import { Held, address, where } from "./address.js";
import { announce, h } from "./dom.js";
import { showCards } from "./cards.js";
import { CramPage } from "./cram.js";
import { EditorPage } from "./editor.js";
import { Explorer } from "./explorer.js";
import { UNSERVED } from "./families.js";
import { HeapPage, showHeapGames } from "./heaps.js";
import { PuzzlePage } from "./puzzle.js";
import { showSheet } from "./sheet.js";
import * as source from "./source.js";

const main = document.getElementById("main");
// The open page, if it follows the address by itself.
let open = null;
// Number of requested pages.
let turns = 0;

async function show() {
  const [{ section, item, fields }, held] = [where(), new Held()];
  mark(section);
  try {
    if (section === "heaps" && item) {
      const heaps = fields.get("heaps") ?? undefined;
      if (open?.game.game === item && open instanceof HeapPage) await again(held).show(heaps);
      else await change((room) => HeapPage.open(room, item, heaps, held));
    } else if (section === "cram") {
      const position = fields.get("position") ?? undefined;
      if (open instanceof CramPage && open.name === item) await again(held).show(position);
      else await change((room) => CramPage.open(room, item || undefined, position, held));
    } else if (section === "heaps") await change((room) => showHeapGames(room, held));
    else if (section === "puzzle" && fields.has("sheet")) await change((room) => showSheet(room, fields, held));
    else if (section === "puzzle") {
      if (!(open instanceof PuzzlePage && open.shown)) await change((room) => PuzzlePage.open(room, fields, held));
    } else if (section === "editor") await change((room) => EditorPage.open(room, fields, held));
    else if (section === "own" || item) {
      const at = item ? { path: `/${item}`, fields: {} } : { path: section, fields: { rules: fields.get("rules") } };
      if (open instanceof Explorer && address(open.at.path, open.at.fields) === address(at.path, at.fields)) await again(held).load(fields);
      else {
        await change(async (room) => {
          const [facts, server] = await Promise.all([factsOf(item, at.fields.rules), source.hasServer()]);
          return Explorer.open(room, facts, at, fields, { more: moreOf(at, item, facts.game, server), lesson: server && item ? source.lesson(item) : null }, held);
        });
      }
    } else await change((room) => showCards(room, held));
  } catch (error) {
    open?.close();
    open = null;
    turns += 1;
    const editor = section === "own" && (await source.hasServer().catch(() => false)) ? h("a", { href: address("editor", { rules: fields.get("rules") }) }, "Change the rules") : null;
    fill(
      h("section", { class: "notice", role: "alert" }, h("h1", {}, "This does not work"), h("p", {}, error.message), h("p", { class: "more" }, editor, h("a", { href: "#/" }, "All games"))),
    );
    document.title = "morpion";
  }
}

/** The page that is open, which follows another address of its own. */
function again(held) {
  open.held = held;
  return open;
}

/** The facts about a game: by its name, or by the rules of a game of one's own, which is then solved. */
async function factsOf(name, rules) {
  const server = await source.hasServer();
  if (name) return server && UNSERVED.has(name) && !(await source.games()).some(({ game }) => game === name) ? source.untabled(name) : source.facts(name);
  if (!server) throw new Error("games of one's own are solved by morpion serve: plain files cannot");
  announce("The game is being solved.");
  return source.solved(rules ?? "");
}

/** Links to other pages about a game. */
function moreOf({ fields }, name, game, server) {
  const file = name && game.rule_file ? [["Rule file", source.ruleFile(name)]] : [];
  const editor = !server ? [] : !name ? [["Change the rules", address("editor", fields)]] : game.rule_file ? [["Change the rules", address("editor", { from: name })]] : [];
  return [...file, ...editor];
}

/**
 * Replaces the content of the window. If the focus was inside, it goes to the new element of the same id, or to the whole content,
 * where Tab continues.
 */
function fill(content) {
  const focused = main.contains(document.activeElement) ? document.activeElement : null;
  main.replaceChildren(content);
  if (focused) (document.getElementById(focused.id) ?? main).focus({ preventScroll: true });
}

/** Replaces the open page, unless a third page has been requested before this one is loaded. */
async function change(show) {
  open?.close();
  open = null;
  const turn = (turns += 1);
  const room = h("div");
  const page = (await show(room).catch((error) => { if (turn === turns) throw error; })) ?? null;
  if (turn !== turns) return void page?.close();
  open = page;
  fill(room);
  window.scrollTo(0, 0);
}

/** Marks the open section of the page. */
function mark(open) {
  const sections = { heaps: "#heaps", cram: "#heaps", puzzle: "#puzzle", editor: "#editor", own: "#editor" };
  for (const link of document.querySelectorAll("#nav a")) {
    if (link.hash === (sections[open] ?? "#/")) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** Adds a link to a section that not every server has: one's own games, games of heaps. */
function offer(text, href) {
  document.getElementById("nav").append(h("a", { href }, text));
  mark(where().section);
}
source.hasServer().then(async (server) => {
  if (server) offer("Editor", "#editor");
  if ((await source.heapGames()).length) offer("Heaps", "#heaps");
}).catch(() => {});

// The address belongs to the page that is shown, so the skip link moves only the focus.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", show);
show();
