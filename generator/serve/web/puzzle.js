// A puzzle: a position in which one move wins, to be found. The address holds it.

import { address } from "./address.js";
import { Board } from "./board.js";
import { h, refill } from "./dom.js";
import { Hand } from "./hand.js";
import { groups, legend } from "./moves.js";
import { parse, preference, read } from "./position.js";
import { sentences } from "./rules.js";
import { name, other, titled, worth } from "./words.js";
import * as source from "./source.js";

const DAY = 86_400_000;

/** The day here, as the text that stands in the address. */
const today = () => new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10);

/** The number of a day's puzzle: days since 1970. */
const numberOf = (day) => Math.floor(Date.parse(`${day}T00:00:00Z`) / DAY);

const inWords = (day) => new Date(`${day}T12:00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

export class PuzzlePage {
  /** The puzzle that the fields of the address name, else that of a day, else of today. */
  static async open(room, fields, held) {
    let [game, position, day] = ["game", "position", "day"].map((field) => fields.get(field));
    if (!game || !position) {
      day ??= today();
      // False where it is no number, too.
      if (!(numberOf(day) >= 0)) throw new Error(`day ${JSON.stringify(day)}: expected one like ${today()}, from 1970 on`);
      ({ game, position } = await source.puzzle(numberOf(day)));
      held.leave(address("puzzle", { game, position, day }));
    }
    const facts = await source.facts(game);
    const page = new PuzzlePage(facts, await facts.position(position), day, held);
    page.build(room);
    page.render();
    return page;
  }

  constructor(facts, answer, day, held) {
    if (answer.value !== "win" || answer.moves.length === 0) throw new Error(`${answer.position}: no puzzle, expected a position that the side to move wins`);
    this.game = facts.game;
    this.answer = answer;
    this.day = day;
    this.held = held;
    this.hand = new Hand();
    this.wins = answer.moves.filter((move) => move.value === "win").map((move) => move.move);
    this.solution = null;
    this.said = "";
    this.closed = false;
  }

  get shown() {
    return location.hash === address("puzzle", { game: this.game.game, position: this.answer.position, day: this.day });
  }

  build(room) {
    const { game, answer } = this;
    const { side } = read(answer.position);
    const button = (label, action) => h("button", { type: "button", onclick: action }, label);
    this.board = new Board(game, { chosen: (cell, keep) => this.choose(cell, keep), dropped: (from, to) => this.drop(from, to) });
    this.parts = {
      verdict: h("p", { class: `verdict ${side}` }),
      said: h("p", { class: "said" }),
      legend: legend(game.encoding !== "wdl"),
      pass: button("Pass", () => this.play("pass")),
      show: button("Show the move", () => this.solve(this.wins[0], "The move is")),
      notice: h("p", { class: "quiet" }),
      moves: h("div", { class: "moves" }),
      playOut: h("a", { class: "button primary" }, "Play it out against perfect play"),
    };
    const { parts } = this;
    const [title, rest] = titled(game.title);
    this.title = this.day ? `Puzzle of ${inWords(this.day)}` : "Puzzle";
    room.replaceChildren(h("div", { class: "game" },
      h("div", { class: "heading" }, h("h1", {}, this.title), h("p", { class: "quiet" }, h("a", { href: `#/${game.game}` }, title), rest ? `: ${rest}` : "")),
      h("section", { class: "table", "aria-label": "Board" },
        h("div", { class: "state" }, h("p", { class: `turn ${side}` }, `${name(side)} to move`), parts.verdict, parts.said),
        h("div", { class: "field" }, this.board.svg),
        h("div", { class: "controls" }, parts.pass, parts.show, button("Another puzzle", () => this.another()), button("Copy the address", () => this.copy())), parts.notice,
        parts.legend),
      h("div", { class: "side" },
        h("section", { "aria-labelledby": "h-moves" }, h("h2", { id: "h-moves" }, "Moves"), parts.moves, h("p", { class: "more" }, parts.playOut)),
        h("section", { "aria-labelledby": "h-rules" }, h("h2", { id: "h-rules" }, "Rules"), h("p", {}, sentences(game))))));
  }

  render() {
    const { game, answer, parts, solution } = this;
    const { cells, side } = read(answer.position);
    const [many, plies] = [this.wins.length === 1 ? "the only move" : "a winning move", answer.plies];
    parts.verdict.textContent = solution ? this.said : `${name(side)} wins${plies === null ? "" : ` in ${plies}`}: find ${many}`;
    parts.said.textContent = solution ? "" : this.said;
    const ranked = [...answer.moves].sort((one, two) => preference(two) - preference(one)).map((move) => ({ ...move, ...parse(game, move.move) }));
    const best = new Set(answer.best);
    this.board.draw({ cells, moves: ranked, best, selected: this.hand.picked, values: Boolean(solution) });
    for (const part of [parts.legend, parts.playOut]) part.hidden = !solution;
    parts.show.hidden = Boolean(solution);
    parts.pass.hidden = !ranked.some((move) => move.text === "pass") || Boolean(solution);
    if (solution) parts.playOut.href = address(game.game, { position: answer.position, moves: solution, [other(side)]: "perfect", hints: "off" });
    refill(parts.moves, solution
      ? groups(ranked, best, { play: () => {}, point: (move) => this.board.point(move) })
      : [h("p", { class: "quiet" }, "They are listed once the move is found.")]);
    this.held.title(`${this.title} · morpion`);
  }

  get legal() {
    return this.solution ? [] : this.answer.moves.map((move) => parse(this.game, move.move));
  }

  choose(cell, keep) {
    const move = this.hand.choose(this.legal, cell, keep);
    if (move) this.play(move.text);
    else this.render();
  }

  drop(from, to) {
    const move = this.hand.drop(this.legal, from, to);
    if (move) this.play(move.text);
    else this.render();
  }

  play(text) {
    if (this.wins.includes(text)) return this.solve(text, "Right:");
    const move = this.answer.moves.find((each) => each.move === text);
    this.said = `${text} ${move.value === "draw" ? "lets the win go" : worth(move)}. Try another move.`;
    this.render();
    this.held.announce(this.said);
  }

  solve(text, how) {
    this.solution = text;
    this.hand.picked = null;
    this.said = `${how} ${text}${this.wins.length === 1 ? ", the only move that wins" : " wins"}`;
    this.render();
    this.held.announce(this.said);
  }

  async another() {
    try {
      const { game, position } = await source.puzzle(Math.floor(Math.random() * 1e6));
      if (!this.closed) location.hash = address("puzzle", { game, position });
    } catch (error) {
      if (!this.closed) this.tell(error.message);
    }
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.tell("Copied.");
    } catch {
      this.tell("Not copied: the address is in the address bar.");
    }
  }

  /** Says something below the buttons, and for those who hear it. */
  tell(text) {
    this.parts.notice.textContent = text;
    this.held.announce(text);
  }

  close() {
    this.closed = true;
  }
}
