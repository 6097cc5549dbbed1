// A lesson for one side of a game, which the module writes. It unfolds on a screen, and is printed unfolded.

import { address } from "./address.js";
import { h } from "./dom.js";
import { read } from "./position.js";
import { other } from "./words.js";

/** Opens the lesson for the side in the address or, without one, for the side that wins, or is to move in a draw. */
export async function open(room, { fields }, held, factsOf) {
  const facts = await factsOf(fields.get("game"), fields.get("rules")), { game } = facts;
  if (!facts.page) throw new Error("the table of this game is too large for a lesson here; morpion strategy writes it");
  const position = fields.get("position") ?? game.start.position;
  const { value, position: text } = await facts.position(position), { side } = read(text);
  // A lesson may take a while, and nobody waits for this one any more.
  if (!held.isOwn) return;
  const html = await facts.page(fields.get("for") ?? (value === "loss" ? other(side) : side), position);
  const page = new DOMParser().parseFromString(html, "text/html");
  const lesson = h("article", { class: "lesson" }, h("p", { class: "tools" }, h("a", { href: facts.rules ? address("own", { rules: facts.rules }) : address(`/${game.game}`) }, "← Play"), h("button", { type: "button", onclick: () => print() }, "Print")));
  lesson.append(...page.querySelector("header").children, h("div", { class: "tree" }, ...page.querySelector("main").children));
  room.replaceChildren(lesson);
  held.title(`${game.game} · lesson`);
  listen(lesson);
}

/** Unfolds and folds a lesson, and follows the links inside it. */
function listen(lesson) {
  const all = [...lesson.querySelectorAll("details")], fold = (isOpen) => all.forEach((each) => { each.open = isOpen; });
  lesson.querySelector("#unfold").addEventListener("click", () => fold(true));
  lesson.querySelector("#fold").addEventListener("click", () => fold(false));
  // The address belongs to the page, so that links inside a lesson only open what they lead to.
  lesson.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#s"]'), target = link && lesson.querySelector(link.getAttribute("href"));
    if (!target) return;
    event.preventDefault();
    for (let at = target; at !== lesson; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    lesson.querySelector(".found")?.classList.remove("found");
    target.classList.add("found");
    target.scrollIntoView({ block: "center" });
  });
}
