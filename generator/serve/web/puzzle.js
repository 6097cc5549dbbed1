// A puzzle: a position in which only one move wins, or keeps the draw. The address names it.

import { address } from "./address.js";
import { Board } from "./board.js";
import { fullScreen, h, refill } from "./dom.js";
import { Hand } from "./hand.js";
import { hints } from "./hint.js";
import { groups, legend, numbered } from "./moves.js";
import { ages, going, inHand, parse, preference, ranked, read } from "./position.js";
import { slip } from "./review.js";
import { sentences } from "./rules.js";
import { Streak } from "./streak.js";
import { menuTitles, name, other, titled } from "./words.js";
import * as source from "./source.js";

const DAY = 86_400_000;
const GRADES = { 1: "1, easy", 5: "5, hard" }, ALL_GRADES = [1, 2, 3, 4, 5];
// The most moves to find, and the most moves of a refutation that are shown.
const LONGEST = 5;
const SHOWN = 12;

/** Today in the visitor's time zone, as text of the address. */
const today = () => new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10);

/** The number of a day's puzzle: days since 1970. */
const numberOf = (day) => Math.floor(Date.parse(`${day}T00:00:00Z`) / DAY);

const inWords = (day) => new Date(`${day}T12:00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

/** The move that alone wins, or alone keeps the draw; undefined if there is none, and the puzzle ends. */
function rightMove({ value, moves }) {
  const keeping = moves.filter((move) => move.value === value);
  return value !== "loss" && moves.length > 1 && keeping.length === 1 ? keeping[0].move : undefined;
}

/** The reply that resists longest: the longest loss, or the drawing move that is hardest to answer. */
const resistance = ({ moves, best }) =>
  moves.filter((move) => best.includes(move.move)).reduce((hardest, move) => (preference(move) > preference(hardest) ? move : hardest)).move;

/** The position after a legal move of an answer. */
const positionAfter = ({ moves }, text) => moves.find((each) => each.move === text).position;

/** A puzzle with a random number. If a grade is rare, some numbers have no puzzle, so others are tried. */
async function anyPuzzle(chosen, tries = chosen.grade ? 12 : 1) {
  const puzzle = source.puzzle(Math.floor(Math.random() * 1e6), chosen);
  return puzzle.catch((error) => {
    if (tries === 1 || error.name === "AbortError") throw error;
    return anyPuzzle(chosen, tries - 1);
  });
}

/** The game and the grade that were chosen last. */
const chosen = { game: "", grade: "" };

/** Opens the puzzle that the fields of the address name, otherwise the puzzle of a day, by default today. */
export async function open(room, { fields }, held) {
  let [game, position, day, grade] = ["game", "position", "day", "grade"].map((field) => fields.get(field));
  if (!game || !position) {
    day ??= today();
    // Also false for NaN.
    if (!(numberOf(day) >= 0)) throw new Error(`${JSON.stringify(day)} is not a day from 1970 on: write it like ${today()}`);
    // Reports a wrong name.
    if (game) await source.facts(game);
    if (!held.isOwn) return null;
    ({ game, position, grade } = await source.puzzle(numberOf(day), { game, grade }));
    held.leave(address("puzzle", { game, position, day, grade }));
  }
  const [facts, games] = await Promise.all([source.facts(game), source.games()]);
  const page = new PuzzlePage(facts, await facts.position(position), { day, grade }, held);
  page.build(room, games);
  page.render();
  page.offerGrades();
  return page;
}

class PuzzlePage {
  constructor(facts, answer, { day, grade }, held) {
    if (!rightMove(answer)) throw new Error(`${answer.position}: not a puzzle; choose a position in which one move alone wins, or keeps the draw`);
    this.facts = facts;
    this.game = facts.game;
    this.begin = answer;
    this.answer = answer;
    this.day = day;
    this.grade = grade;
    this.held = held;
    this.hand = new Hand({ legal: () => this.legal, play: (move) => this.play(move.text), show: () => this.render() });
    this.streak = new Streak();
    this.moves = [];
    this.found = 0;
    this.helped = false;
    // A wrong move with its refutation: positions, the moves between them, and the place that is shown.
    this.refutation = null;
    this.solved = false;
    this.busy = false;
    this.said = "";
  }

  isAt() {
    return location.hash === address("puzzle", { game: this.game.game, position: this.begin.position, day: this.day, grade: this.grade });
  }

  build(room, games) {
    const { game, begin } = this;
    const { side } = read(begin.position);
    this.side = side;
    const titles = menuTitles(games);
    const button = (label, action) => h("button", { type: "button", onclick: action }, label);
    this.board = new Board(game, this.hand);
    const select = (field) => h("select", { id: `other-${field}`, onchange: (event) => { chosen[field] = event.target.value; if (field === "game") this.offerGrades(); } });
    const labelled = (label, list) => h("span", {}, h("label", { for: list.id }, label), " ", list);
    this.parts = {
      turn: h("p", { class: `turn ${side}` }),
      verdict: h("p", { class: `verdict ${side}` }),
      said: h("p", { class: "said" }),
      hands: h("p", { class: "quiet" }),
      streak: h("p", { class: "quiet" }),
      legend: legend(game.encoding !== "wdl"),
      pass: button("Pass", () => this.play("pass")),
      retry: h("button", { type: "button", class: "primary", onclick: () => this.retry() }, "Try again"),
      hint: button("Hint", () => this.hint()),
      show: button("Show the move", () => this.show()),
      next: h("button", { type: "button", class: "primary", onclick: () => this.another() }, "Next puzzle"),
      game: select("game"),
      grade: select("grade"),
      notice: h("p", { class: "quiet" }),
      played: h("ol", { class: "history" }),
      refutation: h("div", { class: "branch", hidden: true }),
      moves: h("div", { class: "moves" }),
      playOut: h("a", { class: "button" }, "Play it out against perfect play"),
    };
    const { parts } = this;
    const [title, rest] = titled(game);
    this.title = this.day ? `Puzzle of ${inWords(this.day)}` : "Puzzle";
    room.replaceChildren(h("div", { class: "game" },
      h("div", { class: "heading" }, h("h1", {}, this.title), h("p", { class: "quiet" }, h("a", { href: address(`/${game.game}`) }, title), rest ? `: ${rest}` : "", this.grade ? `. Grade\u00a0${this.grade}\u00a0of\u00a05` : "")),
      h("section", { class: "table", "aria-label": "Board" },
        h("div", { class: "stage" }, h("div", { class: "state" }, parts.verdict, parts.turn, parts.said), h("div", { class: "field" }, this.board.svg)), parts.hands,
        h("div", { class: "controls" }, parts.pass, parts.retry, parts.next, parts.hint, parts.show, button("Copy the address", () => this.copy()), fullScreen()), parts.notice,
        parts.legend),
      h("div", { class: "side" },
        h("section", { "aria-labelledby": "h-solution" }, h("h2", { id: "h-solution" }, "Solution"), parts.streak, parts.played, parts.refutation),
        h("section", { "aria-labelledby": "h-moves" }, h("h2", { id: "h-moves" }, "Moves"), parts.moves, h("p", { class: "more" }, parts.playOut)),
        h("fieldset", { class: "filter" }, h("legend", {}, "Other puzzles"),
          labelled("Game", parts.game), labelled("Grade", parts.grade),
          button("Another puzzle", () => this.another()), button("A sheet to print", () => this.print())),
        h("section", { "aria-labelledby": "h-rules" }, h("h2", { id: "h-rules" }, "Rules"), h("p", { class: "rules" }, sentences(game))))));
    this.fill("game", games.map(({ game }, at) => [game, titles[at]]));
  }

  /** Offers the grades that puzzles of the chosen game have; none is known before its table is loaded. */
  async offerGrades() {
    const { game } = chosen, grades = game ? await source.puzzleGrades(game).catch(() => []) : ALL_GRADES;
    if (game !== chosen.game || !this.held.isOwn) return;
    if (!grades.includes(Number(chosen.grade))) chosen.grade = "";
    this.fill("grade", grades.map((grade) => [String(grade), GRADES[grade] ?? grade]));
  }

  fill(field, options) {
    this.parts[field].replaceChildren(...[["", "any"], ...options].map(([value, text]) => h("option", { value, selected: chosen[field] === value }, text)));
  }

  /** The hint that names the piece of the right move; null if the piece is new, since that would be the move. */
  get pieceHint() {
    const right = rightMove(this.answer);
    const all = hints(this.game, ranked(this.game, this.answer).filter(({ move }) => move === right));
    return all.length > 2 ? all[1] : null;
  }

  /** The task in words. */
  get task() {
    const { answer, side } = this;
    return `${name(side)} ${answer.value === "win" ? `wins${answer.plies === null ? "" : ` in ${answer.plies}`}` : "can keep the draw"}: find the only move`;
  }

  render() {
    const { game, begin, answer, parts, solved, refutation, side } = this;
    const focused = document.activeElement;
    const shown = refutation ? refutation.positions[refutation.at] : answer.position;
    const move = refutation ? refutation.moves[refutation.at - 1] : this.moves.at(-1);
    // Once solved, the first position is the one whose moves are listed.
    const listed = ranked(game, solved ? begin : answer), open = refutation || solved ? [] : listed;
    const best = new Set(begin.best);
    parts.turn.textContent = solved ? "Solved" : refutation ? `A wrong move: ${name(read(shown).side)} to move` : `${name(side)} to move`;
    parts.verdict.textContent = solved ? `${this.moves[0]} was the only move that ${begin.value === "win" ? "wins" : "keeps the draw"}` : this.task;
    parts.said.textContent = this.said;
    parts.said.classList.toggle("wrong", Boolean(refutation));
    this.board.draw({ cells: read(shown).cells, moves: open, best, side: read(shown).side, path: this.hand.path, values: false, last: move ? parse(game, move) : null, ages: ages(game, shown), going: going(game, shown) });
    const left = inHand(game, shown);
    parts.hands.textContent = left ? `In hand: X ${left.x}, O ${left.o}.` : "";
    const { prompt } = this.hand;
    if (prompt) parts.turn.textContent += `: ${prompt}`;
    for (const part of [parts.legend, parts.playOut]) part.hidden = !solved;
    parts.show.hidden = solved;
    parts.next.hidden = !solved;
    parts.hint.hidden = open.length === 0 || !this.pieceHint;
    parts.hint.disabled = this.said === this.pieceHint?.words;
    parts.retry.hidden = !refutation;
    parts.pass.hidden = !open.some((each) => each.move === "pass");
    parts.streak.textContent = this.streak.words;
    refill(parts.played, this.moves.map((text, at) => this.entry(text, at, (words) => h("span", {}, words))));
    this.renderRefutation();
    if (solved) parts.playOut.href = address(`/${game.game}`, { position: begin.position, moves: this.moves[0], [other(side)]: "perfect", hints: "off" });
    refill(parts.moves, solved
      ? groups(listed, best, { play: () => {}, point: (each) => this.board.point(each) })
      : [h("p", { class: "quiet" }, "Moves appear once you solve it.")]);
    // A button that disappears leaves its focus to the board.
    if (focused.hidden) this.board.focus();
    this.held.title(`${this.title} · morpion`);
  }

  renderRefutation() {
    const { parts, refutation } = this;
    parts.refutation.hidden = !refutation;
    refill(parts.refutation, refutation ? [
      h("p", {}, "Your move and its refutation, to step through:"),
      h("ol", { class: "history" }, refutation.moves.map((text, at) => this.entry(text, at, (words) =>
        h("button", { type: "button", "aria-current": refutation.at === at + 1 ? "step" : null, onclick: () => this.step(at + 1) }, words)))),
    ] : []);
  }

  /** An entry of a list of moves, the first of which is the visitor's; `shown` shows the words. */
  entry(text, at, shown) {
    const mover = at % 2 ? other(this.side) : this.side;
    return h("li", { class: mover }, numbered(this.side, at), shown(`${name(mover)} ${text}`));
  }

  get legal() {
    return this.solved || this.refutation || this.busy ? [] : ranked(this.game, this.answer);
  }

  /** Plays a move: the right one, which is answered, or a wrong one, which is refuted. */
  play(text) {
    this.hand.clear();
    const isRight = text === rightMove(this.answer);
    return this.work(() => (isRight ? this.advance(text) : this.refute(text)));
  }

  /** Waits for the facts that a move needs; nothing else can be played meanwhile. */
  async work(act) {
    if (this.busy) return;
    this.busy = true;
    try {
      await act();
      if (this.said) this.held.announce(this.said);
    } catch (error) {
      this.tell(error.message);
    } finally {
      this.busy = false;
      this.render();
    }
  }

  async advance(text) {
    const waiting = await this.facts.position(positionAfter(this.answer, text));
    const reply = waiting.over ? null : resistance(waiting);
    const answer = reply ? await this.facts.position(positionAfter(waiting, reply)) : waiting;
    if (!this.held.isOwn) return;
    this.refutation = null;
    this.found += 1;
    this.moves.push(text);
    this.answer = waiting;
    const isDone = !reply || !rightMove(answer) || this.found >= LONGEST;
    if (isDone) return this.finish();
    this.moves.push(reply);
    this.answer = answer;
    this.said = `Right: ${text}. ${name(other(this.side))} answers ${reply}.`;
  }

  finish() {
    this.solved = true;
    if (!this.helped) this.streak.add(`${this.game.game} ${this.begin.position}`);
    this.said = this.helped ? "Solved, with help." : "Solved without a wrong move.";
  }

  /** Shows a wrong move and how it is answered. */
  async refute(text) {
    const { answer } = this;
    const next = positionAfter(answer, text);
    const { positions, moves } = await this.facts.line(next);
    if (!this.held.isOwn) return;
    this.miss();
    this.said = `${text} ${slip(answer.moves.find(({ move }) => move === text))}.`;
    this.refutation = { positions: [answer.position, next, ...positions.slice(1, SHOWN)], moves: [text, ...moves.slice(0, SHOWN - 1)], at: 1 };
  }

  /** Notes that help was needed. */
  miss() {
    this.helped = true;
    this.streak.end();
  }

  step(at) {
    this.refutation.at = at;
    this.render();
  }

  retry() {
    this.refutation = null;
    this.said = "";
    this.render();
  }

  hint() {
    this.miss();
    this.said = this.pieceHint.words;
    this.held.announce(this.said);
    this.render();
    this.board.focus();
  }

  /** Plays the right move on the board. */
  show() {
    this.miss();
    const right = rightMove(this.answer);
    return this.work(async () => {
      await this.advance(right);
      if (!this.solved) this.said = this.said.replace("Right:", "The move is");
    });
  }

  async another() {
    try {
      const { game, position, grade } = await anyPuzzle(chosen);
      this.held.go(address("puzzle", { game, position, grade }));
    } catch (error) {
      this.tell(error.message);
    }
  }

  /** Opens a sheet of the chosen game, or of this one, and of the chosen grade. */
  print() {
    location.hash = address("print", { game: chosen.game || this.game.game, sheet: 1 + Math.floor(Math.random() * 1e6), grade: chosen.grade });
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.tell("Copied.");
    } catch {
      this.tell("Not copied: the address is in the address bar.");
    }
  }

  /** Shows a message below the buttons, and announces it to screen readers. */
  tell(text) {
    this.parts.notice.textContent = text;
    this.held.announce(text);
  }

  follow() {}
}
