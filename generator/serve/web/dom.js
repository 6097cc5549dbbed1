// Making elements, in one expression.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element; attributes that begin with `on` are listeners. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Replaces the children of a list. If the focus was inside, it stays there, or goes to the content if no child can take it. */
export function refill(list, children) {
  const held = list.contains(document.activeElement);
  list.replaceChildren(...children.filter(Boolean));
  if (held) (list.querySelector("[aria-current]") ?? list.querySelector("button") ?? document.getElementById("main")).focus({ preventScroll: true });
}

/** A table with a title for each column. The first cell of a row is the title of the row. */
export function table(titles, rows) {
  return h("table", {}, h("thead", {}, h("tr", {}, titles.map((title) => h("th", { scope: "col" }, title)))),
    h("tbody", {}, rows.map(([title, ...cells]) => h("tr", {}, h("th", { scope: "row" }, title), cells.map((cell) => h("td", {}, cell))))));
}

/**
 * Calls `ask` with a function that fills `room` and returns true if the room is on the page. If `ask` fails, shows its error. A room
 * that has left the page is not filled. Returns true if `ask` succeeded.
 */
export async function answered(room, ask) {
  const show = (...content) => {
    if (room.isConnected) room.replaceChildren(...content);
    return room.isConnected;
  };
  try {
    await ask(show);
    return true;
  } catch (error) {
    if (error.name !== "AbortError" && show(h("p", { class: "message wrong" }, error.message))) announce(error.message);
    return false;
  }
}

/**
 * A section that asks when it is opened, unless it is asking or has an answer. `kind` is the class of the answer, and `more` is
 * below the answer.
 */
export function unfolding(title, kind, ask, ...more) {
  const room = h("div", { class: kind });
  let isAsked = false;
  const open = async () => {
    isAsked = true;
    isAsked = await answered(room, ask);
  };
  return h("details", { ontoggle: ({ target }) => target.open && !isAsked && open() }, h("summary", {}, title), room, more);
}

/** A button that fills the screen with the board and the words around it; null if the browser cannot. */
export function fullScreen() {
  const toggle = (event) => (document.fullscreenElement ? document.exitFullscreen() : event.target.closest(".table").requestFullscreen());
  const corners = s("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, s("path", { d: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4" }));
  return document.fullscreenEnabled ? h("button", { type: "button", class: "screen", "aria-label": "Full screen", title: "Full screen", onclick: toggle }, corners) : null;
}

/** Announces a change to people who use a screen reader. */
export function announce(text) {
  document.getElementById("status").textContent = text;
}
