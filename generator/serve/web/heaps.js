// Games of heaps: nim, Kayles, treblecross and their like, whose sums are answered by Grundy values.

import { h, refill, s } from "./dom.js";
import { heapTitled } from "./words.js";
import * as source from "./source.js";

// The largest heap whose counters are drawn one by one; a larger one is a number.
const DRAWN = 24;
// The most moves of a heap that are listed.
const LISTED = 60;
const START = "3 5 7";

export async function open(main, { item, fields }, held) {
  if (!item) return showHeapGames(main, held);
  const page = new HeapPage(main, await source.heapGame(item), held);
  await page.follow(fields);
  return page;
}

/** The games to choose from. */
async function showHeapGames(main, held) {
  const games = await source.heapGames();
  held.title("Games of heaps · morpion");
  main.replaceChildren(
    h("section", { class: "hero" }, h("h1", {}, "Games of heaps"),
      h("p", {}, "Both sides move the same counters; whoever makes the last move wins. Each heap has a value, and a sum of heaps is lost exactly when the values xor to 0.")),
    h("ul", { class: "cards" },
      games.map((game) => card(`#heaps/${game.game}`, ...heapTitled(game), game.code)),
      card("#cram/4x5", "Cram", "a domino on two free cells of a board, whose regions add up like heaps", "a board")));
}

const card = (href, title, text, pill) => h("li", {}, h("a", { class: "card", href }, h("span", { class: "card-text" },
  h("strong", {}, title), h("span", { class: "quiet" }, text), h("span", { class: "pill" }, pill))));

const read = (text) => text.split(/[\s,+]+/).filter(Boolean);
const write = (heaps) => heaps.join(" ");
const say = (move) => `${move.take ? `take ${move.take}` : "split"} of ${move.heap}${move.leave.length ? `, leave ${move.leave.join(" and ")}` : ""}`;

/** The moves that the code allows on one heap; only the first if there are many. */
function movesOf(game, heap) {
  const digit = (take) => game.closed ? (take > 0 ? 3 : game.closed === "lasker" ? 4 : 0) : game.digits[take] ?? 0;
  const last = game.closed ? heap : Math.min(heap, game.digits.length - 1);
  const found = [];
  for (let take = 0; take <= last && found.length <= LISTED; take += 1) {
    const left = heap - take;
    if (digit(take) & 1 && left === 0) found.push({ heap, take, leave: [] });
    if (digit(take) & 2 && left > 0) found.push({ heap, take, leave: [left] });
    if (digit(take) & 4) for (let part = 1; part <= left / 2 && found.length <= LISTED; part += 1) found.push({ heap, take, leave: [part, left - part] });
  }
  return found;
}

class HeapPage {
  constructor(main, game, held) {
    this.game = game;
    this.held = held;
    this.picked = null;
    const [title, rest] = heapTitled(game);
    this.input = h("input", { type: "text", id: "heaps", inputmode: "numeric", autocomplete: "off" });
    this.parts = { verdict: h("p", { class: "verdict" }), sum: h("p", { class: "quiet" }), error: h("p", { class: "referee", role: "alert" }), heaps: h("ol", { class: "heaps" }), moves: h("ol", { class: "moves" }) };
    const form = h("form", { class: "heap-form", onsubmit: (event) => { event.preventDefault(); this.go(read(this.input.value)); } },
      h("label", { for: "heaps" }, "Heaps"), this.input, h("button", { type: "submit", class: "primary" }, "Show"), h("button", { type: "button", onclick: () => history.back() }, "Back"));
    const repeats = game.period ? `The values repeat from heap ${game.preperiod} on, with period ${game.period}: any heap is answered.` : game.closed ? "Any heap is answered." : `No period is known; heaps up to ${game.heaps.toLocaleString("en")} are answered.`;
    main.replaceChildren(h("div", { class: "game" },
      h("div", { class: "heading" }, h("h1", {}, title), h("p", { class: "quiet" }, `${rest} (code ${game.code})`)),
      h("section", { class: "table", "aria-label": "Heaps" },
        h("div", { class: "state" }, this.parts.verdict, this.parts.sum, this.parts.error), this.parts.heaps, form),
      h("div", { class: "side" }, h("section", {}, h("h2", {}, "Winning moves"), this.parts.moves)),
      h("section", { class: "about" }, h("h2", {}, "Values"), h("p", {}, repeats), plot(game.values))));
  }

  isAt({ section, item }) {
    return section === "heaps" && item === this.game.game;
  }

  follow(fields) {
    return this.show(fields.get("heaps") ?? undefined);
  }

  /** Puts a sum into the address, which shows it. */
  go(heaps) {
    const next = `#heaps/${this.game.game}?heaps=${heaps.join("+")}`;
    if (location.hash === next) this.show(write(heaps));
    else location.hash = next;
  }

  async show(text = START) {
    const { held, parts } = this;
    const heaps = read(text);
    this.input.value = write(heaps);
    try {
      const odd = heaps.find((heap) => !/^\d+$/.test(heap));
      if (odd) throw new Error(`heap ${JSON.stringify(odd)}, expected a number of counters`);
      if (heaps.some((heap) => Number(heap) > Number.MAX_SAFE_INTEGER)) throw new Error("this page counts to 9,007,199,254,740,991; the command line counts further");
      const answer = await source.heaps(this.game.game, heaps.map(Number));
      if (!held.isOwn) return;
      this.answer = answer;
      this.picked = null;
      parts.error.textContent = "";
      this.render();
    } catch (error) {
      if (!held.isOwn) return;
      for (const part of Object.values(parts)) part.replaceChildren();
      parts.error.textContent = error.message;
    }
  }

  render() {
    const { answer, parts } = this;
    const over = answer.heaps.every((heap) => movesOf(this.game, heap).length === 0);
    parts.verdict.textContent = over ? "No move is left: the side to move has lost" : answer.outcome === "win" ? "The side to move wins" : "The side to move loses against perfect play";
    parts.verdict.className = `verdict ${answer.outcome}`;
    parts.sum.textContent = answer.heaps.length ? `${answer.values.join(" ⊕ ")} = ${answer.value}` : "";
    refill(parts.heaps, answer.heaps.map((heap, at) => this.heap(heap, at)));
    const moves = answer.moves.map((move) => h("li", {}, h("button", { type: "button", class: "move win best", onclick: () => this.play(move) }, h("span", {}, say(move)))));
    if (answer.more) moves.push(h("li", { class: "quiet" }, "… and others"));
    refill(parts.moves, moves.length ? moves : [h("li", { class: "quiet" }, over ? "None." : "None: every move loses.")]);
    this.held.title(`${this.game.game} ${write(answer.heaps)} · ${parts.verdict.textContent}`);
    this.held.announce(`Heaps ${answer.heaps.join(", ")}. ${parts.verdict.textContent}.`);
  }

  heap(heap, at) {
    const { answer } = this;
    const open = this.picked === at;
    const winning = answer.moves.filter((move) => move.heap === heap).map(say);
    const counters = heap <= DRAWN ? Array.from({ length: heap }, () => h("i", { class: "counter" })) : h("b", {}, heap.toLocaleString("en"));
    const listed = open ? movesOf(this.game, heap) : [];
    return h("li", {},
      h("button", { type: "button", class: `heap${winning.length ? " good" : ""}`, "aria-expanded": String(open), "aria-label": `Heap of ${heap}, value ${answer.values[at]}${winning.length ? ", has a winning move" : ""}`, onclick: () => { this.picked = open ? null : at; this.render(); this.parts.heaps.querySelectorAll(".heap")[at].focus(); } },
        h("span", { class: "counters", "aria-hidden": "true" }, counters), h("span", { class: "value", "aria-hidden": "true" }, answer.values[at])),
      open ? h("div", { class: "heap-moves" }, listed.slice(0, LISTED).map((move) => h("button", { type: "button", class: winning.includes(say(move)) ? "good" : "", onclick: () => this.play(move) }, say(move).replace(` of ${heap}`, ""))),
        listed.length > LISTED ? h("span", { class: "quiet" }, "…") : null, listed.length ? null : h("span", { class: "quiet" }, "No move on this heap.")) : null);
  }

  play(move) {
    const heaps = [...this.answer.heaps];
    heaps.splice(heaps.indexOf(move.heap), 1, ...move.leave);
    this.go(heaps.filter(Boolean));
  }
}

/** The values of the first heaps as bars. */
function plot(values) {
  const [width, height, foot] = [640, 130, 22];
  const most = Math.max(1, ...values);
  const step = width / values.length;
  const bars = values.map((value, heap) => {
    const tall = (value / most) * (height - foot - 8);
    return s("rect", { class: "bar draw", x: heap * step + step * 0.14, y: height - foot - Math.max(tall, 1), width: step * 0.72, height: Math.max(tall, 1), rx: 1.5 }, s("title", {}, `heap ${heap}: ${value}`));
  });
  const ticks = values.map((_, heap) => (heap % 8 === 0 ? s("text", { class: "tick", x: (heap + 0.5) * step, y: height - 5 }, String(heap)) : null)).filter(Boolean);
  return h("figure", {}, s("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Values of the heaps 0 to ${values.length - 1}: ${values.join(", ")}` }, bars, ticks), h("figcaption", { class: "quiet" }, "Grundy value by size of the heap"));
}
