// The board as a picture that can be clicked, dragged on and walked over with the keyboard.

import { h, s } from "./dom.js";
import { begun, clicks, isTaking } from "./hand.js";
import { BEYOND, labels, letterSize, margins } from "./labels.js";
import { drawLinks, half, isDrawn, leavesBoard, place } from "./links.js";
import { ranked, read } from "./position.js";
import { areAlike } from "./moves.js";
import { losing, mark, worth } from "./words.js";

// How far a pointer goes before a click becomes a drag, in pixels.
const DRAG = 6;

// A board that is more than this many times as wide as high takes the whole width.
const WIDE = 1.8;

// Time in which a row slides, a piece appears or fades, and a line grows, in milliseconds.
const SLIDE = 300;

// True while the visitor uses the mouse: arrow keys then step through the game, although a click gives a cell the focus.
let isByPointer = false;
addEventListener("pointerdown", () => { isByPointer = true; }, true);
addEventListener("keydown", ({ key }) => { isByPointer &&= !["Tab", "Enter", " "].includes(key); }, true);

/** Gives a picture its size: the board, with `before` to its left and top and `after` to its right and bottom. */
function frame(svg, game, [before, after]) {
  const [[left, right], [top, bottom]] = [0, 1].map((axis) => {
    const all = game.board.cells.map((cell) => place(cell)[axis]);
    return [Math.min(...all), Math.max(...all)];
  });
  const [width, height] = [right - left + before + after, bottom - top + before + after];
  svg.setAttribute("viewBox", `${left - before} ${top - before} ${width} ${height}`);
  svg.classList.toggle("wide", width > WIDE * height);
}

function piece(letter, size) {
  if (letter === "#") return s("rect", { class: "piece taken", x: -46, y: -46, width: 92, height: 92, rx: 12 });
  const d = size * 0.86;
  return letter === "X"
    ? s("path", { class: "piece x", d: `M${-d} ${-d}L${d} ${d}M${d} ${-d}L${-d} ${d}` })
    : s("circle", { class: "piece o", r: size });
}

function base(game) {
  if (isDrawn(game)) return s("circle", { class: "base", r: half(game) });
  const edge = half(game);
  return s("rect", { class: "base", x: -edge, y: -edge, width: 2 * edge, height: 2 * edge, rx: 12 });
}

const pieceSize = (game) => (isDrawn(game) ? 16 : 25);

/**
 * Draws a small picture: the start, or other cells, with the cells of a line marked; with an `answer`, its position and what its
 * moves are worth.
 */
export function preview(svg, game, { answer = null, cells = read(answer?.position ?? game.start.position).cells, line = [] } = {}) {
  const edge = leavesBoard(game) ? BEYOND : half(game) + 16;
  frame(svg, game, [edge, edge]);
  const moves = answer ? ranked(game, answer) : [];
  const { movable, targets } = choices(moves, []);
  const [x, y] = corner(game);
  const drawn = game.board.cells.map((cell, at) => {
    const [target, own] = [targets.get(at), movable.get(at)];
    const badge = target ? chip(target, answer.best.includes(target.text), 0, 0, (isDrawn(game) ? 0.8 : 0.64) * half(game)) : own ? chip(own, answer.best.includes(own.text), x, y, 22) : null;
    return s("g", { class: line.includes(at) ? "made" : null, transform: `translate(${place(cell).join(" ")})` }, base(game), cells[at] === "." ? null : piece(cells[at], pieceSize(game)), badge);
  });
  svg.replaceChildren(drawLinks(game), ...drawn);
}

/** The corner of a cell in which a piece has its badge. */
const corner = (game) => (isDrawn(game) ? [25, -25] : [31, -31]);

/** The size of a badge on an empty cell. On a large board, badges fill their cells. */
const chipSize = (game) => Math.min(0.75 * half(game), Math.max(20, 0.9 * letterSize(game)));

// The distance of the arrow of a pushed row from the middle of its cells, below or to the left, away from badges.
const BESIDE = 34;

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** An arrow between the middles of two cells, or `beside` them, in units of the picture. */
function arrow(game, from, to, kind, beside = 0) {
  const [[x1, y1], [x2, y2]] = [from, to].map((cell) => place(game.board.cells[cell]));
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [start, end] = [half(game) * 0.5, length - half(game) * 0.62];
  const away = beside * Math.sign(dx + dy);
  const at = (along, aside) => `${x1 + dx * along - dy * (aside + away)} ${y1 + dy * along + dx * (aside + away)}`;
  return s("path", { class: `arrow ${kind}`, d: `M${at(start, 5)}L${at(end - 20, 5)}L${at(end - 20, 15)}L${at(end, 0)}L${at(end - 20, -15)}L${at(end - 20, -5)}L${at(start, -5)}Z` });
}

export class Board {
  /** `chosen(cell)` is called for a click or the Enter key, `dropped(from, to)` for a drag; `from` is null for a new piece. */
  constructor(game, { chosen, dropped }) {
    this.game = game;
    this.chosen = chosen;
    this.dropped = dropped;
    this.cells = game.board.cells.map((cell, at) => {
      const [x, y] = place(cell);
      const group = s("g", {
        class: "cell", role: "button", tabindex: at === 0 ? 0 : -1, transform: `translate(${x} ${y})`, "data-cell": at, "data-name": cell.name,
        onclick: () => !this.dragged && chosen(at),
        onfocus: () => this.roam(at),
      });
      return group;
    });
    this.svg = s("svg", { class: `board ${isDrawn(game) ? "drawn" : "squares"}`, role: "group", "aria-label": "Board", onkeydown: (event) => this.key(event) },
      drawLinks(game), ...this.cells, labels(game));
    // What lies above the cells: arrows, pieces that fade, and the line that was made; above these, the badges of each cell.
    this.arrows = s("g");
    this.above = s("g", { class: "above", "aria-hidden": "true" });
    this.worths = game.board.cells.map((cell) => s("g", { class: "worth", "data-name": cell.name, transform: `translate(${place(cell).join(" ")})` }));
    this.svg.append(this.above, ...this.worths);
    frame(this.svg, game, margins(game));
    this.svg.addEventListener("pointerdown", (event) => {
      const group = event.target.closest(".cell");
      if (group?.classList.contains("movable")) this.startDrag(event, Number(group.dataset.cell), group.querySelector(".piece"));
    });
  }

  /**
   * Draws a position with `side` to move. `moves` are the legal moves, by cells and with their worth, the best first, `best` the texts of
   * the perfect moves; `path` has the cells that have been clicked of a move. `values` is true if worth is shown, `editing` if cells
   * change by click. `ages` are the pieces of both sides, the oldest first; `going` is the piece that goes with the next one.
   */
  draw({ cells: before, side = "x", moves, best, path = [], values = true, made = [], last = null, editing = false, ages = null, going = null }) {
    const { game } = this;
    const { movable, targets } = choices(moves, path);
    const [first] = path.length > 0 ? begun(moves, path) : [];
    const taking = isTaking(moves, path);
    const cells = taking ? before.map((letter, at) => (at === first.to ? side.toUpperCase() : at === first.from ? "." : letter)) : before;
    const selected = path.at(-1) ?? null;
    const isShaded = values && areAlike(moves), told = values && !isShaded;
    for (const link of this.svg.querySelectorAll(".links > *")) {
      link.classList.toggle("lit", selected !== null && !taking && [link.dataset.from, link.dataset.to].includes(String(selected)));
    }
    this.cells.forEach((group, at) => {
      const letter = cells[at];
      const target = targets.get(at);
      const own = movable.get(at);
      const number = ages === null ? 0 : 1 + Math.max(ages.x.indexOf(at), ages.o.indexOf(at));
      const parts = [base(game)];
      if (letter !== ".") parts.push(piece(letter, pieceSize(game)));
      if (number > 0) parts.push(s("text", { class: `age ${letter.toLowerCase()}`, x: 0.72 * half(game), y: 0.88 * half(game) }, number));
      group.replaceChildren(...parts);
      this.worths[at].replaceChildren(...this.badges({ letter, target, own, taking, values: told, best, isFirst: !first?.push, selected: selected === at }));
      group.style.setProperty("--share", losing(target ?? own ?? {}) / 100);
      const isLeft = last !== null && [last.take, last.also, last.from].includes(at);
      const classes = { movable: own, target, selected: at === selected, made: made.includes(at), last: last?.to === at, left: isLeft, going: at === going, lifted: at === this.lifted, shaded: isShaded && (target ?? own), editing };
      group.setAttribute("class", ["cell", ...Object.keys(classes).filter((name) => classes[name])].join(" "));
      group.setAttribute("aria-label", this.label(at, letter, { target, own, selected, taking, values, best, editing, number, isGoing: at === going }));
      group.setAttribute("aria-disabled", String(!(target || own || editing || at === selected)));
      if (own) group.setAttribute("aria-pressed", String(at === selected));
      else group.removeAttribute("aria-pressed");
    });
    this.last = last;
    this.hint = told && path.length === 0 ? moves.find(({ from, text }) => from !== null && best.has(text)) : null;
    this.above.replaceChildren(this.arrows);
    this.drawArrows();
    if (this.shown !== cells.join("")) this.animate(cells, last, made);
    this.shown = cells.join("");
  }

  /** Draws arrows for the last move, if it pushed, and for another move, if it moves a piece. */
  drawArrows(move = this.hint) {
    const { game, last } = this;
    const pushed = last?.push ? arrow(game, last.to, last.from, "pushed", BESIDE) : "";
    const next = move && move.from !== null ? arrow(game, move.from, move.to, `best ${move.value}`) : "";
    this.arrows.replaceChildren(pushed, next);
  }

  /** The badges of a cell: in the middle of an empty one, in the corner of a piece. */
  badges({ letter, target, own, taking, values, best, isFirst, selected }) {
    const [x, y] = corner(this.game);
    const at = letter === "." ? [0, 0, chipSize(this.game)] : [x, y, 19];
    const parts = [];
    if (values && target) parts.push(chip(target, best.has(target.text), ...at));
    if (values && own && isFirst && !selected) parts.push(chip(own, best.has(own.text), x, y, 15));
    if (!values && target && taking) parts.push(s("g", { class: "chip take", transform: `translate(${x} ${y})` }, s("circle", { class: "disc", r: 19 }), text("×", 19)));
    else if (!values && target && target.from !== null) parts.push(s("circle", { class: "hint", r: 9, cx: at[0], cy: at[1] }));
    return parts;
  }

  label(at, letter, { target, own, selected, taking, values, best, editing, number, isGoing }) {
    const parts = [this.game.board.cells[at].name, letter === "." ? "empty" : letter];
    if (number > 0) parts.push(`number ${number} by age`);
    if (isGoing) parts.push("goes with the next piece");
    if (editing) parts.push("press to change");
    else if (target) {
      parts.push(taking ? "take this piece" : target.push ? "push in here" : target.from === null ? "place here" : "move here");
      if (values) parts.push(worth(target), best.has(target.text) ? "perfect" : "");
    } else if (at === selected) parts.push(taking ? "takes a piece, press to give the move up" : "picked up");
    else if (own) {
      parts.push(own.push ? "can be taken out and pushed in" : "can move");
      if (values) parts.push(`its best move ${worth(own)}`, best.has(own.text) ? "perfect" : "");
    }
    return parts.filter(Boolean).join(", ");
  }

  /** Shows how the position came about, unless the visitor prefers no motion: a row slides, a new piece grows, a taken one fades, a line is drawn. */
  animate(cells, last, made) {
    if (isStill() || !this.shown) return;
    if (last?.push) this.slide(last);
    const before = [...this.shown];
    cells.forEach((letter, at) => {
      const [x, y] = place(this.game.board.cells[at]);
      if (last && !last.push && at === last.to && letter !== "." && before[at] === "." && at !== this.landed) this.arrive(last, at);
      if (before[at] === "." || letter !== "." || at === last?.from) return;
      const gone = s("g", { transform: `translate(${x} ${y})` }, piece(before[at], pieceSize(this.game)));
      this.above.append(gone);
      gone.animate([{ opacity: 0.9 }, { opacity: 0 }], { duration: 2 * SLIDE, easing: "ease-in" }).finished.then(() => gone.remove(), () => {});
    });
    this.landed = null;
    if (made.length > 1) this.strike(made);
  }

  /** Moves a piece from the cell that it left, or lets a new one grow. */
  arrive({ from, to }, at) {
    const [x, y] = from === null ? [0, 0] : [0, 1].map((axis) => place(this.game.board.cells[from])[axis] - place(this.game.board.cells[to])[axis]);
    const start = from === null ? "scale(.4)" : `translate(${x}px, ${y}px)`;
    this.cells[at].querySelector(".piece").animate([{ transform: start }, { transform: "none" }], { duration: SLIDE, easing: "ease-out" });
  }

  /** Draws the line that was made from one end to the other. */
  strike(made) {
    const points = made.map((at) => place(this.game.board.cells[at]));
    const apart = ([x1, y1], [x2, y2]) => Math.hypot(x1 - x2, y1 - y2);
    const [from, to] = points.flatMap((one) => points.map((two) => [one, two])).reduce((far, pair) => (apart(...pair) > apart(...far) ? pair : far));
    const line = s("line", { class: "strike", x1: from[0], y1: from[1], x2: to[0], y2: to[1], pathLength: 1 });
    this.above.append(line);
    line.animate([{ strokeDashoffset: 1 }, { strokeDashoffset: 0 }], { duration: 2 * SLIDE, easing: "ease-out" });
  }

  /** Moves the row of a push from where it was. */
  slide({ from, to }) {
    const [[x1, y1], [x2, y2]] = [from, to].map((cell) => place(this.game.board.cells[cell]));
    const isBetween = (value, one, two) => value >= Math.min(one, two) && value <= Math.max(one, two);
    this.game.board.cells.forEach((cell, at) => {
      const [x, y] = place(cell);
      if (!isBetween(x, x1, x2) || !isBetween(y, y1, y2)) return;
      const start = `translate(${100 * Math.sign(x2 - x1)}px, ${100 * Math.sign(y2 - y1)}px)`;
      this.cells[at].querySelector(".piece")?.animate([{ transform: start }, { transform: "none" }], { duration: SLIDE, easing: "ease-out" });
    });
  }

  /** Marks the cells of a move, and of moves symmetric to it, and draws its arrow while the pointer or the focus is on its entry in a list. */
  point(move) {
    const cells = move ? [move, ...(move.others ?? [])].flatMap(clicks) : [];
    this.cells.forEach((group, at) => group.classList.toggle("pointed", cells.includes(at)));
    this.drawArrows(move ?? undefined);
  }

  /** Moves the focus to the cell that Tab reaches. */
  focus() {
    this.cells.find((group) => group.getAttribute("tabindex") === "0").focus({ preventScroll: true });
    this.show();
  }

  /** Scrolls until the board is in view. */
  show() {
    this.svg.scrollIntoView({ block: "nearest" });
  }

  roam(at) {
    this.cells.forEach((group, other) => group.setAttribute("tabindex", other === at ? 0 : -1));
  }

  key(event) {
    const at = Number(event.target.closest(".cell")?.dataset.cell ?? -1);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (direction && isByPointer) return;
    if (direction) this.cells[this.neighbour(at, direction)].focus();
    else if (event.key === "Enter" || event.key === " ") this.chosen(at);
    else if (event.key === "Escape") this.chosen(null);
    else return;
    event.preventDefault();
  }

  /** The nearest cell in a direction; sideways counts twice. */
  neighbour(at, [right, down]) {
    const [x, y] = place(this.game.board.cells[at]);
    let [nearest, least] = [at, Infinity];
    this.game.board.cells.forEach((cell, other) => {
      const [dx, dy] = [place(cell)[0] - x, place(cell)[1] - y];
      const along = dx * right + dy * down;
      const aside = Math.abs(dx * down) + Math.abs(dy * right);
      if (along > 5 && aside <= along * 1.8 && along + 2 * aside < least) [nearest, least] = [other, along + 2 * aside];
    });
    return nearest;
  }

  /** Moves the piece with the pointer until it is dropped. A new piece comes from the stock, and a cube may have none. */
  startDrag(event, from, picture) {
    if (event.button !== 0) return;
    const begin = [event.clientX, event.clientY];
    let ghost = null;
    this.dragged = false;
    const move = (now) => {
      if (!ghost && Math.hypot(now.clientX - begin[0], now.clientY - begin[1]) < DRAG) return;
      if (!ghost) {
        this.dragged = true;
        this.lifted = from;
        if (from !== null) this.chosen(from, true);
        const width = this.cells[0].querySelector(".base").getBoundingClientRect().width;
        ghost = h("div", { class: "ghost" }, s("svg", { viewBox: "-50 -50 100 100", width, height: width }, picture?.cloneNode(true)));
        document.body.append(ghost);
      }
      now.preventDefault();
      ghost.style.left = `${now.clientX}px`;
      ghost.style.top = `${now.clientY}px`;
    };
    const end = (now) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (!ghost) return;
      ghost.remove();
      const under = now.type === "pointerup" ? document.elementFromPoint(now.clientX, now.clientY)?.closest(".cell") : null;
      this.lifted = null;
      this.landed = under ? Number(under.dataset.cell) : null;
      this.dropped(from, this.landed);
      // The click that follows a drag is ignored.
      setTimeout(() => { this.dragged = false; });
    };
    addEventListener("pointermove", move, { passive: false });
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  /** A piece next to the board that can be dragged onto it. */
  tray(letter) {
    const picture = piece(letter, 25);
    const svg = s("svg", { class: "tray", viewBox: "-50 -50 100 100", "aria-hidden": "true" }, picture);
    svg.addEventListener("pointerdown", (event) => svg.classList.contains("ready") && this.startDrag(event, null, picture));
    return svg;
  }
}

/** The next click of a move: the pieces that can be picked up, and the cells that continue the move, each with its best move. */
function choices(moves, path) {
  const [movable, targets] = [new Map(), new Map()];
  const add = (map, cell, move) => cell !== undefined && !map.has(cell) && map.set(cell, move);
  for (const move of begun(moves, path)) add(path.length === 0 && move.from !== null ? movable : targets, clicks(move)[path.length], move);
  // Another piece can be picked up instead.
  if (path.length > 0 && !isTaking(moves, path)) moves.filter(({ from }) => from !== null).forEach((move) => add(movable, move.from, move));
  return { movable, targets };
}

function chip(move, isBest, x, y, size) {
  return s("g", { class: `chip ${move.value}${isBest ? " best" : ""}`, transform: `translate(${x} ${y})` },
    isBest ? s("circle", { class: "halo", r: size + 4 }) : null,
    s("circle", { class: "disc", r: size }),
    text(mark(move), size));
}

/** The text of a badge; a long one is smaller. */
function text(words, size) {
  const high = size * Math.min(1, 2.2 / words.length);
  return s("text", { y: high * 0.36, "font-size": high }, words);
}
