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
  const [{ parts, fields }, held] = [where(), new Held()];
  const [name, second] = parts;
  mark(name);
  try {
    if (name === "heaps" && second) {
      const heaps = fields.get("heaps") ?? undefined;
      if (open?.game.game === second && open instanceof HeapPage) await again(held).show(heaps);
      else await change((room) => HeapPage.open(room, second, heaps, held));
    } else if (name === "cram") {
      const position = fields.get("position") ?? undefined;
      if (open instanceof CramPage && open.name === second) await again(held).show(position);
      else await change((room) => CramPage.open(room, second, position, held));
    } else if (name === "heaps") await change((room) => showHeapGames(room, held));
    else if (name === "puzzle" && fields.has("sheet")) await change((room) => showSheet(room, fields, held));
    else if (name === "puzzle") {
      if (!(open instanceof PuzzlePage && open.shown)) await change((room) => PuzzlePage.open(room, fields, held));
    } else if (name === "editor") await change((room) => EditorPage.open(room, fields, held));
    else if (name) {
      const at = name === "own" ? { path: name, fields: { rules: fields.get("rules") } } : { path: name, fields: {} };
      if (open instanceof Explorer && address(open.at.path, open.at.fields) === address(at.path, at.fields)) await again(held).load(fields);
      else await change(async (room) => Explorer.open(room, await factsOf(at), at, fields, moreOf, held));
    } else await change((room) => showCards(room, held));
  } catch (error) {
    open?.close();
    open = null;
    turns += 1;
    const editor = name === "own" && source.own ? h("a", { href: address("editor", { rules: fields.get("rules") }) }, "Change the rules") : null;
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

/** The facts about a game: by its name, or by its rules, which are then solved. */
async function factsOf({ path, fields: { rules } }) {
  if (path !== "own") return UNSERVED.has(path) && source.untabled && !(await source.games()).some(({ game }) => game === path) ? source.untabled(path) : source.facts(path);
  if (!source.own) throw new Error("games of one's own are solved by morpion serve: plain files cannot");
  announce("The game is being solved.");
  const [{ description, table }, { solved }] = await Promise.all([source.own.solve(rules ?? ""), import("./tabled.js")]);
  return { ...solved(description, table), judge: () => source.own.judge(rules) };
}

/** Links to other pages about a game. */
function moreOf({ path, fields }, game) {
  const file = path !== "own" && game.rule_file ? [["Rule file", source.ruleFile(game.game)]] : [];
  const editor = !source.own ? [] : path === "own" ? [["Change the rules", address("editor", fields)]] : game.rule_file ? [["Change the rules", address("editor", { from: path })]] : [];
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
function mark(name) {
  const sections = { heaps: "#/heaps", cram: "#/heaps", puzzle: "#/puzzle", editor: "#/editor", own: "#/editor" };
  for (const link of document.querySelectorAll("#nav a")) {
    if (link.hash === (sections[name] ?? "#/")) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** Adds a link to a section that not every server has: one's own games, games of heaps. */
function section(text, href) {
  document.getElementById("nav").append(h("a", { href }, text));
  mark(where().parts[0]);
}
if (source.own) section("Editor", "#/editor");
source.heapGames().then((games) => games.length && section("Heaps", "#/heaps"), () => {});

// The address belongs to the page that is shown, so the skip link moves only the focus.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", show);
show();
