// Shows the page that the address behind the `#` names.

import { Held, address, where } from "./address.js";
import { announce, h } from "./dom.js";
import { acceptFiles } from "./download.js";
import { showCards } from "./cards.js";
import { Explorer } from "./explorer.js";
import { UNSERVED } from "./families.js";
import { workOffline } from "./offline.js";
import * as source from "./source.js";

const main = document.getElementById("main");
// Pages that need the module, by section; each is loaded when it is opened first.
const PAGES = new Map(["cram", "editor", "heaps", "lesson", "print", "puzzle"].map((name) => [name, () => import(`./${name}.js`)]));
// The open page, if it has an object. It follows the addresses that it `isAt` by itself.
let open = null;
// Number of requested pages.
let turns = 0;
// Number of pages and files that the visitor has chosen. A page that is opened again does not count.
let choices = 0;
// True if the open page shows less than is known by now.
let isOutdated = false;

async function show() {
  const [at, held] = [where(), new Held()];
  mark(at.section);
  try {
    if (!isOutdated && open?.isAt?.(at)) {
      open.held = held;
      await open.follow(at.fields);
    } else await change((room) => opened(room, at, held));
  } catch (error) {
    close();
    turns += 1;
    const editor = at.section === "own" ? h("a", { href: address("editor", { rules: at.fields.get("rules") }) }, "Change the rules") : null;
    fill(
      h("section", { class: "notice", role: "alert" }, h("h1", {}, "This does not work"), h("p", {}, error.message), h("p", { class: "more" }, editor, h("a", { href: "#/" }, "All games"))),
    );
    document.title = "morpion";
  }
}

/** Opens the page of an address. */
async function opened(room, { section, item, fields }, held) {
  const load = PAGES.get(section);
  if (load) return (await load()).open(room, { item, fields }, held, factsOf);
  if (section !== "own" && !item) return showCards(room, held);
  const at = item ? { path: `/${item}`, fields: {} } : { path: section, fields: { rules: fields.get("rules") } };
  const facts = await factsOf(item, at.fields.rules);
  return Explorer.open(room, facts, at, fields, { more: moreOf(at, item, facts), solved: renew }, held);
}

/** Opens the page again, since its game is solved now. */
function renew() {
  isOutdated = true;
  show();
}

/** The facts about a game: by its name, or by the rules of a game of one's own or without a table here. A small one is solved at once. */
async function factsOf(name, given) {
  if (name && !(UNSERVED.has(name) && !(await source.games()).some(({ game }) => game === name))) return source.facts(name);
  const rules = name ? await source.rules(name) : given ?? "", known = source.solved(rules);
  if (known) return known;
  const outline = await source.outline(rules);
  if (!outline.isAtOnce) return source.unsolved(rules, outline);
  announce("The game is being solved.");
  return source.solve(rules);
}

/** Links to other pages about a game. */
function moreOf({ fields }, name, { game, rules, file, sheet }) {
  const editor = name ? (game.rule_file ? { from: name } : null) : fields;
  const own = name ? { game: name } : fields;
  return [
    rules || game.rule_file ? ["Board to print", address("print", own)] : null,
    sheet ? ["Sheet for a class", address("print", { ...own, sheet: 1 })] : null,
    name && game.rule_file ? ["Rule file", source.ruleFile(name)] : null,
    editor ? ["Change the rules", address("editor", editor)] : null,
    file ? ["Table", file] : null,
  ].filter(Boolean);
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

/** Closes the open page, and ends what it or a page that is still being loaded asks. */
function close() {
  open?.close?.();
  open = null;
  source.rest();
}

/** Replaces the open page, unless a third page has been requested before this one is loaded. */
async function change(show) {
  close();
  if (!isOutdated) choices += 1;
  isOutdated = false;
  const turn = (turns += 1);
  const room = h("div");
  const page = (await show(room).catch((error) => { if (turn === turns) throw error; })) ?? null;
  // This page was never shown, and `rest` would end the questions of the next page.
  if (turn !== turns) return void page?.close?.();
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

/** Opens a file of the visitor that is dropped anywhere: the table of a game, or rules. */
acceptFiles(document.body, async (file) => {
  const choice = (choices += 1);
  try {
    const next = file.name.endsWith(".toml") ? address("editor", { rules: await file.text() }) : address("own", { rules: await source.opened(file) });
    // A visitor who has left the page or dropped another file is not moved.
    if (choice !== choices) return;
    isOutdated = true;
    if (location.hash === next) show();
    else location.hash = next;
  } catch (error) {
    if (choice === choices) announce(error.message);
  }
});

// The address belongs to the page that is shown, so the skip link moves only the focus.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", show);
show().then(workOffline).catch(() => {});
