// One game: the board, what the table says of it, and everything that can be done.

import { announce, h, refill } from "./dom.js";
import { Board } from "./board.js";
import { census } from "./census.js";
import { Setup } from "./setup.js";
import { Timeline } from "./timeline.js";
import { address, after, parse, preference, read } from "./position.js";
import { ending, name, other, rules, titled, verdict, worth } from "./words.js";
import * as source from "./source.js";

// The referee of the course: a position that occurs for the third time is a draw.
const REPETITIONS = 3;
// How long an opponent seems to think, in milliseconds.
const PAUSE = 450;

export class Explorer {
  static async open(main, gameName, position) {
    const [game, players] = await Promise.all([source.game(gameName), source.players()]);
    const explorer = new Explorer(game, players);
    const first = await source.position(gameName, position);
    explorer.timeline = new Timeline(first.position);
    explorer.answer = first;
    explorer.build(main);
    explorer.render();
    explorer.leave();
    explorer.opponent();
    return explorer;
  }

  constructor(game, players) {
    this.game = game;
    this.players = players;
    this.controllers = { x: "you", o: "you" };
    this.selected = null;
    this.values = true;
    this.paused = false;
    this.turn = 0;
    this.shortcuts = (event) => this.shortcut(event);
    addEventListener("keydown", this.shortcuts);
  }

  close() {
    this.turn += 1;
    removeEventListener("keydown", this.shortcuts);
  }

  build(main) {
    const { game } = this;
    this.board = new Board(game, { chosen: (cell, keep) => this.choose(cell, keep), dropped: (from, to) => this.drop(from, to) });
    this.trays = { x: this.board.tray("X"), o: this.board.tray("O") };
    this.setup = new Setup(game, { board: this.board, leave: (position) => this.leaveSetup(position) });
    const button = (label, action, title) => h("button", { type: "button", onclick: action, title }, label);
    this.parts = {
      verdict: h("p", { class: "verdict", id: "verdict" }),
      turn: h("p", { class: "turn" }),
      notice: h("p", { class: "referee", hidden: true }),
      moves: h("ol", { class: "moves" }),
      history: h("ol", { class: "history" }),
      undo: button("Undo", () => this.undo(), "Ctrl+Z"),
      redo: button("Redo", () => this.redo(), "Ctrl+Y"),
      pass: button("Pass", () => this.play("pass")),
      resume: button("Go on", () => this.resume()),
      again: button("New game", () => this.restart(this.game.start.position)),
      line: button("Perfect line", () => this.follow(), "One perfect way to go on from here; step through it with Redo"),
      setup: button("Set up", () => this.enterSetup()),
      note: h("p", { class: "quiet", hidden: true }),
    };
    const { parts } = this;
    const [title, rest] = titled(game.title);
    const show = h("label", { class: "check" }, h("input", { type: "checkbox", checked: true, onchange: (event) => { this.values = event.target.checked; this.render(); } }), "Show what moves are worth");
    const choose = (side) => h("label", {}, `${name(side)} is`, h("select", { "data-side": side, onchange: (event) => this.control(side, event.target.value) },
      h("option", { value: "you" }, "you"), this.players.map((player) => h("option", { value: player.player, title: player.title }, player.player))));
    this.resting = [];
    const resting = (...all) => this.resting[this.resting.push(h(...all)) - 1];
    main.replaceChildren(
      h("div", { class: "game" },
        h("div", { class: "heading" }, h("h1", {}, title), rest ? h("p", { class: "quiet" }, rest) : null),
        h("section", { class: "table", "aria-label": "Game" },
          h("div", { class: "state" }, parts.turn, parts.verdict, parts.notice),
          h("div", { class: "arena" }, this.trays.x, this.board.svg, this.trays.o),
          resting("div", { class: "controls" }, parts.undo, parts.redo, parts.pass, parts.resume, parts.again, parts.line, parts.setup),
          this.setup.panel,
          resting("div", { class: "players" }, choose("x"), choose("o"), show)),
        resting("div", { class: "side" },
          h("section", { "aria-labelledby": "h-moves" }, h("h2", { id: "h-moves" }, "Moves"), parts.moves),
          h("section", { "aria-labelledby": "h-history" }, h("h2", { id: "h-history" }, "History"), parts.note, parts.history)),
        h("section", { class: "about", "aria-labelledby": "h-rules" }, h("h2", { id: "h-rules" }, "Rules"), h("p", {}, rules(game)),
          h("details", {}, h("summary", {}, "Keys"), h("p", {}, "Arrow keys walk over the board. Enter or Space places a piece, picks one up, or puts it down; Escape lets go of it. Ctrl+Z takes a move back, Ctrl+Y plays it again."))),
        h("section", { class: "about", "aria-labelledby": "h-census" }, h("h2", { id: "h-census" }, "All positions"), census(game))));
  }

  get side() {
    return read(this.timeline.position).side;
  }

  /** Whether the referee has called a draw. */
  get repeated() {
    return this.game.moves !== null && this.timeline.occurrences >= REPETITIONS;
  }

  get over() {
    return Boolean(this.answer.over) || this.repeated;
  }

  get ranked() {
    return [...this.answer.moves].sort((one, two) => preference(two) - preference(one));
  }

  render() {
    if (this.setup.open) return;
    const { answer, timeline, parts, side, game } = this;
    const { cells } = read(timeline.position);
    const legal = this.over ? [] : this.ranked.map((move) => ({ ...move, ...parse(game, move.move) }));
    const best = new Set(answer.best);
    const previous = timeline.moves[timeline.cursor - 1];
    this.board.draw({
      cells, moves: legal, best, selected: this.selected, values: this.values,
      made: answer.over === "line" ? this.line(cells, other(side).toUpperCase()) : [],
      last: previous ? parse(game, previous) : null,
    });
    this.words();
    parts.turn.textContent = this.over ? "The game is over" : `${name(side)} to move`;
    parts.turn.className = `turn ${this.over ? "" : side}`;
    for (const each of ["x", "o"]) {
      const placing = legal.some((move) => move.from === null && move.to !== null);
      this.trays[each].classList.toggle("ready", placing && each === side);
      this.trays[each].classList.toggle("waiting", this.over || each !== side);
    }
    parts.undo.disabled = timeline.cursor === 0;
    parts.redo.disabled = timeline.atEnd;
    parts.pass.hidden = !legal.some((move) => move.text === "pass");
    parts.resume.hidden = this.over || this.controllers[side] === "you" || !this.paused;
    parts.line.disabled = this.over;
    const listed = this.values ? legal.map((move) => this.entry(move, best.has(move.text))) : [h("li", { class: "quiet" }, "Hidden while you play.")];
    refill(parts.moves, legal.length ? listed : [h("li", { class: "quiet" }, "None: the game is over.")]);
    this.renderHistory();
    document.title = `${game.game} · ${parts.verdict.textContent}`;
  }

  /** Verdict and referee, on the page and for those who hear it. */
  words() {
    const { answer, parts, side, timeline } = this;
    parts.verdict.textContent = answer.over ? ending(answer, side, this.game.misere) : verdict(answer, side);
    const winner = { win: side, loss: other(side), draw: "draw" }[answer.value];
    parts.verdict.className = `verdict ${winner}`;
    if (!this.values && !answer.over) parts.verdict.textContent = "";
    if (this.repeated) {
      parts.verdict.textContent = "Draw by repetition";
      parts.verdict.className = "verdict draw";
    }
    const { occurrences } = timeline;
    parts.notice.hidden = !(this.game.moves && occurrences >= 2);
    parts.notice.textContent = this.repeated
      ? "This position for the third time: the referee calls a draw."
      : occurrences === 2 ? "This position for the second time. A third makes it a draw." : "";
    const played = timeline.moves[timeline.cursor - 1];
    const said = [played ? `${name(other(side))} played ${played}.` : "", this.over ? "" : `${name(side)} to move.`, `${parts.verdict.textContent}.`, parts.notice.textContent];
    announce(said.filter(Boolean).join(" "));
  }

  entry(move, isBest) {
    return h("li", {}, h("button", {
      type: "button", class: `move ${move.value}${isBest ? " best" : ""}`, "data-move": move.text,
      onclick: () => this.play(move.text),
      onpointerenter: () => this.board.point(move), onpointerleave: () => this.board.point(null),
      onfocus: () => this.board.point(move), onblur: () => this.board.point(null),
    }, h("span", { class: "name" }, move.text), h("span", {}, worth(move)), isBest ? h("span", { class: "star" }, h("span", { "aria-hidden": "true" }, "★ "), "perfect") : null));
  }

  renderHistory() {
    const { timeline, parts } = this;
    let { side } = read(timeline.positions[0]);
    const entries = timeline.moves.map((move, at) => {
      const mover = side;
      side = other(side);
      const here = at + 1 === timeline.cursor;
      const ahead = at + 1 > timeline.cursor;
      const perfect = timeline.line && at >= timeline.line.from;
      return h("li", { class: `${mover}${ahead ? " ahead" : ""}${perfect ? " perfect" : ""}` },
        h("button", { type: "button", "aria-current": here ? "step" : null, onclick: () => this.jump(at + 1) }, `${name(mover)} ${move}`));
    });
    const begin = h("li", {}, h("button", { type: "button", "aria-current": timeline.cursor === 0 ? "step" : null, onclick: () => this.jump(0) }, "Start"));
    refill(parts.history, [begin, ...entries]);
    parts.note.hidden = !timeline.line;
    parts.note.textContent = timeline.line?.note ?? "";
  }

  /** The cells of the lines a side has made. */
  line(cells, letter) {
    return this.game.lines.filter((line) => line.every((cell) => cells[cell] === letter)).flat();
  }

  /** A cell was clicked, or null: let go. `keep` picks up without letting go again. */
  choose(cell, keep = false) {
    if (this.setup.open) {
      if (cell !== null) this.setup.change(cell);
      return;
    }
    if (this.over) return;
    const legal = this.answer.moves.map((move) => parse(this.game, move.move));
    const played = cell === null ? null : legal.find((move) => move.to === cell && move.from === this.selected);
    if (played) return void this.play(played.text);
    const own = cell !== null && legal.some((move) => move.from === cell);
    this.selected = own && (keep || this.selected !== cell) ? cell : null;
    this.render();
    if (this.selected !== null) announce(`${this.game.board.cells[cell].name} picked up.`);
  }

  drop(from, to) {
    if (this.setup.open || this.over) return;
    const move = this.answer.moves.map((each) => parse(this.game, each.move)).find((each) => each.from === from && each.to === to && to !== null);
    if (move) this.play(move.text);
    else {
      this.selected = null;
      this.render();
    }
  }

  async play(move) {
    if (this.over || !this.answer.moves.some((each) => each.move === move)) return;
    this.paused = false;
    this.timeline.play(move, after(this.game, this.timeline.position, move));
    await this.arrive();
    this.opponent();
  }

  /** Asks about the position where the history now stands, and shows it. */
  async arrive(push = true) {
    this.selected = null;
    const turn = (this.turn += 1);
    try {
      const answer = await source.position(this.game.game, this.timeline.position);
      if (turn !== this.turn) return;
      this.answer = answer;
      this.render();
      this.leave(push);
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error) {
    this.parts.notice.hidden = false;
    this.parts.notice.textContent = error.message;
    announce(error.message);
  }

  /** Leaves the position in the address. */
  leave(push = false) {
    const next = address(this.game.game, this.timeline.position);
    if (location.hash === next) return;
    if (push) history.pushState(null, "", next);
    else history.replaceState(null, "", next);
  }

  /** The address has changed: to a neighbour in the history (the browser's Back), or to somewhere else. */
  async openPosition(position) {
    const { timeline } = this;
    const near = [timeline.cursor - 1, timeline.cursor + 1].find((at) => timeline.positions[at] === position);
    if (near !== undefined) {
      this.paused = true;
      timeline.go(near);
      await this.arrive(false);
    } else if (position !== timeline.position) {
      const answer = await source.position(this.game.game, position);
      this.restart(answer.position, false);
    }
  }

  open(position) {
    if (this.setup.open) {
      this.setup.close();
      this.setAside(false);
      this.render();
    }
    return this.openPosition(position ?? this.game.start.position);
  }

  async restart(position, push = true) {
    this.timeline = new Timeline(position);
    this.paused = false;
    await this.arrive(push);
    this.opponent();
  }

  async jump(cursor) {
    this.paused = true;
    this.timeline.go(cursor);
    await this.arrive();
  }

  /** Takes back to where the same person is to move again. */
  undo() {
    let at = this.timeline.cursor - 1;
    const human = (cursor) => this.controllers[read(this.timeline.positions[cursor]).side] === "you";
    if (Object.values(this.controllers).includes("you")) while (at > 0 && !human(at)) at -= 1;
    return this.jump(at);
  }

  redo() {
    return this.jump(this.timeline.cursor + 1);
  }

  resume() {
    this.paused = false;
    this.render();
    this.opponent();
  }

  control(side, player) {
    this.controllers[side] = player;
    this.paused = false;
    this.render();
    this.opponent();
  }

  /** Lets the opponent move, where it is its turn. */
  async opponent() {
    const player = this.controllers[this.side];
    if (player === "you" || this.over || this.paused || this.setup.open) return;
    const turn = (this.turn += 1);
    try {
      const wait = new Promise((resolve) => setTimeout(resolve, PAUSE));
      const [{ move }] = await Promise.all([source.move(this.game.game, this.timeline.position, player), wait]);
      if (turn === this.turn && !this.paused && this.controllers[this.side] === player) await this.play(move);
    } catch (error) {
      if (turn === this.turn) this.fail(error);
    }
  }

  /** Puts one perfect line behind this position. */
  async follow() {
    try {
      const { positions, moves, cycle } = await source.line(this.game.game, this.timeline.position);
      const at = this.timeline.cursor;
      const step = cycle === undefined || cycle === null ? `${moves.length} plies to the end` : `after ${moves.length} plies it is back where it was after ${cycle}, and so on for ever`;
      this.timeline.follow(moves, positions.slice(1), `A perfect line: ${step}. Step through it with Redo.`);
      this.timeline.go(at);
      this.paused = true;
      this.render();
      this.parts.redo.focus();
      announce(this.parts.note.textContent);
    } catch (error) {
      this.fail(error);
    }
  }

  enterSetup() {
    this.turn += 1;
    this.paused = true;
    this.setAside(true);
    this.setup.enter(this.timeline.position);
  }

  /** Everything but the board rests while a position is set up. */
  setAside(aside) {
    for (const part of this.resting) part.inert = aside;
    if (aside) {
      this.parts.turn.textContent = "";
      this.parts.verdict.textContent = "Set up a position";
      this.parts.verdict.className = "verdict";
      this.parts.notice.hidden = true;
    }
  }

  leaveSetup(position) {
    this.setAside(false);
    if (position && position !== this.timeline.position) this.restart(position);
    else this.render();
    this.parts.setup.focus();
  }

  shortcut(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.matches?.("input, textarea, select") || this.setup.open) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey && this.timeline.cursor > 0) this.undo();
    else if ((key === "y" || key === "z") && !this.timeline.atEnd) this.redo();
    else return;
    event.preventDefault();
  }
}
