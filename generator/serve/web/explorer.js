// One game on the page: the board, its values, and all actions.

import { address } from "./address.js";
import { Board } from "./board.js";
import { census, counted } from "./census.js";
import { fullScreen, h, refill } from "./dom.js";
import { download, opener } from "./download.js";
import { Hand } from "./hand.js";
import { hints } from "./hint.js";
import { judgement } from "./judge.js";
import { Match } from "./match.js";
import { alike, areAlike, distinct, groups, legend, numbered, turnAt } from "./moves.js";
import { PlayBar, toMove } from "./playbar.js";
import { ages, going, inHand, made, parse, ranked, read } from "./position.js";
import { opened, record } from "./record.js";
import { fault, judged, review, sign, slip } from "./review.js";
import { rules, sentences } from "./rules.js";
import { Setup } from "./setup.js";
import { Solving } from "./solving.js";
import { UNSERVED, sentence } from "./families.js";
import { ending, name, other, personalEnding, titled, verdict, worth } from "./words.js";

// Time before an opponent's move, in milliseconds.
const PAUSE = 450;

export class Explorer {
  /**
   * Opens a game. `facts` answers what is asked of it; `at` is its address without what is played, as path and fields;
   * `beside` has `more` pages about it, as texts and addresses, and its function `solved` is called when the game is solved; `held` holds the address.
   */
  static async open(main, facts, at, fields, beside, held) {
    const explorer = new Explorer(facts, at, held);
    Object.assign(explorer.match, await explorer.match.read(fields));
    explorer.build(main, beside);
    await explorer.show(fields);
    return explorer;
  }

  constructor(facts, at, held) {
    this.match = new Match(facts);
    this.game = facts.game;
    this.at = at;
    this.held = held;
    this.hand = new Hand({ legal: () => this.legal, play: (move) => this.play(move.text, true), show: () => this.showPicked() });
    this.turn = 0;
    // Number of hints at the position on the board.
    this.hinted = 0;
    // The place of the mistake for which a better move is being looked for, or null; and the remark on the last try: its text, and if it was right.
    this.quest = this.remark = null;
    // The places of the mistakes whose better moves are shown.
    this.revealed = new Set();
    // The errors of a game, with the texts of its positions as `game`; or null.
    this.errors = null;
    // The game whose errors were asked for last.
    this.judging = null;
    this.shortcuts = (event) => this.shortcut(event);
  }

  close() {
    this.turn += 1;
    removeEventListener("keydown", this.shortcuts);
    this.solving?.close();
  }

  build(main, { more, solved }) {
    const { game } = this;
    const { facts } = this.match;
    this.board = new Board(game, {
      chosen: (cell, keep) => (this.setup.open ? this.setup.change(cell) : this.hand.chosen(cell, keep)),
      dropped: (from, to) => {
        if (!this.setup.open) this.hand.dropped(from, to);
      },
    });
    this.trays = { x: this.board.tray("X"), o: this.board.tray("O") };
    this.counts = { x: h("span", { class: "count" }), o: h("span", { class: "count" }) };
    this.setup = new Setup(facts, { board: this.board, leave: (position, plays) => this.leaveSetup(position, plays) });
    this.bar = new PlayBar({ play: (controllers) => this.begin(controllers), start: (controllers) => this.begin(controllers, this.game.start.position), isUntabled: facts.isUntabled });
    const button = (label, action, title) => h("button", { type: "button", onclick: action, title }, label);
    this.parts = {
      verdict: h("p", { class: "verdict", id: "verdict" }),
      turn: h("p", { class: "turn" }),
      notice: h("p", { class: "referee" }),
      hints: h("p", { class: "hints" }),
      legend: legend(game.encoding !== "wdl"),
      equal: h("p", { class: "quiet" }),
      moves: h("div", { class: "moves" }),
      history: h("ol", { class: "history" }),
      branch: h("div", { class: "branch", hidden: true }),
      review: h("div", { class: "review" }),
      undo: button("Undo", () => this.jump(this.match.earlier), "Ctrl+Z"),
      redo: button("Redo", () => this.jump(this.match.later), "Ctrl+Y"),
      pass: button("Pass", () => this.play("pass", true)),
      hint: button("Hint", () => this.giveHint(), "One hint at a time: what can be reached, a cell, the move"),
      again: h("button", { type: "button", class: "primary again", onclick: () => this.begin(this.match.controllers) }, "Play again"),
      line: button("Perfect line", () => this.followPerfectPlay(), "One perfect way to continue from here; step through it with Redo"),
      setup: button("Set up", () => this.enterSetup()),
      note: h("p", { class: "quiet" }),
      values: h("input", { type: "checkbox", onchange: () => { this.render(); this.leave(); } }),
    };
    const { parts } = this;
    const [title, rest] = titled(game);
    parts.setup.hidden = Boolean(facts.isUntabled);
    if (facts.isUntabled) this.solving = new Solving(facts, solved);
    this.resting = [this.bar.element];
    const valuesBox = facts.isUntabled ? null : h("label", { class: "check" }, parts.values, "Show what moves are worth");
    const resting = (...all) => this.resting[this.resting.push(h(...all)) - 1];
    main.replaceChildren(
      h("div", { class: "game" },
        h("div", { class: "heading" }, h("h1", {}, title), h("p", { class: "quiet" }, rest ? `${rest[0].toUpperCase()}${rest.slice(1)}.` : sentence(game.game))),
        this.bar.element,
        h("section", { class: "table", "aria-label": "Board" },
          h("div", { class: "stage" },
            h("div", { class: "state" }, parts.verdict, parts.turn, parts.hints, parts.notice),
            h("div", { class: "arena" }, this.reserve("x"), this.board.svg, this.reserve("o"))),
          resting("div", { class: "controls" }, parts.undo, parts.redo, parts.pass, parts.hint, parts.line, parts.setup, this.bar.start, parts.again, this.bar.again, facts.page ? h("a", { class: "button", href: address("lesson", facts.lesson) }, "Lesson") : null, fullScreen()),
          resting("div", { class: "told" }, valuesBox, parts.legend, parts.equal)),
        this.setup.panel,
        resting("div", { class: "side" },
          h("section", { "aria-labelledby": "h-moves" },
            h("h2", { id: "h-moves" }, "Moves"), parts.moves),
          h("section", { "aria-labelledby": "h-history" }, h("h2", { id: "h-history" }, "Game"), parts.note, parts.history, parts.branch, parts.review,
            h("div", { class: "more" }, h("button", { type: "button", onclick: () => this.download() }, "Download the game"), opener("Open a game …", ".json,application/json", async (file) => this.openRecord(await file.text())))),
          facts.isUntabled ? howToSolve(UNSERVED.get(game.game)) ?? this.solving.element : null,
          h("section", { "aria-labelledby": "h-rules" }, h("h2", { id: "h-rules" }, "Rules"), h("p", { class: "rules" }, sentences(game)))),
        h("section", { class: "about", "aria-labelledby": "h-lines" }, h("h2", { id: "h-lines" }, "Lines"), rules(game),
          h("p", { class: "more" }, more.map(([text, href]) => h("a", { href }, text)), facts.rules && facts.bytes ? h("button", { type: "button", onclick: () => this.downloadTable() }, "Download the table") : null)),
        facts.isUntabled ? null : h("section", { class: "about", "aria-labelledby": "h-census" }, h("h2", { id: "h-census" }, "All positions"), census(game, this.addressOf), facts.isWhole ? counted(facts.count) : h("p", { class: "quiet" }, "This table is too large to be loaded whole: draws are not ranked, and there is no lesson, no judgement and no count of reachable positions.")),
        facts.judge ? h("section", { class: "about", "aria-labelledby": "h-judge" }, h("h2", { id: "h-judge" }, "Is it a good game?"), judgement(facts, this.addressOf)) : null));
    addEventListener("keydown", this.shortcuts);
  }

  /** The tray of a side, from which pieces are dragged, and the number of its pieces in hand. */
  reserve(side) {
    return h("div", { class: "reserve" }, this.trays[side], this.counts[side]);
  }

  /** True if values were asked for. */
  get isTold() {
    return this.parts.values.checked && !this.match.facts.isUntabled;
  }

  /** True if values are shown: not while a better move is being looked for. */
  get values() {
    return this.isTold && this.quest === null;
  }

  isAt({ section, item, fields }) {
    return item ? this.at.path === `/${item}` : this.at.path === section && this.at.fields.rules === fields.get("rules");
  }

  async follow(fields) {
    const turn = (this.turn += 1);
    const loaded = await this.match.read(fields).catch((error) => {
      if (turn === this.turn) throw error;
    });
    if (turn !== this.turn) return;
    Object.assign(this.match, loaded);
    if (this.setup.open) {
      this.setup.close();
      this.setAside(false);
    }
    await this.show(fields);
  }

  async show(fields) {
    this.parts.values.checked = fields.get("hints") !== "off";
    this.bar.show(this.match.controllers);
    this.bar.fold(this.match.timeline.moves.length > 0);
    await this.arrive();
  }

  /** Shows the position at the cursor, if its answer has arrived. */
  render() {
    if (this.setup.open || !this.match.answer) return;
    const { parts, game, match } = this;
    const { answer, timeline, side, over, thinking } = match;
    const { cells } = read(timeline.position);
    const left = inHand(game, timeline.position);
    const moves = ranked(game, answer), open = over || thinking ? [] : moves;
    const best = new Set(answer.best);
    const previous = timeline.moves[timeline.cursor - 1];
    this.board.draw({
      cells, side, moves: open, best, path: this.hand.path, values: this.values,
      made: answer.over === "line" ? made(game, cells, other(side)) : answer.over === "own-line" ? made(game, cells, side) : [],
      last: previous ? parse(game, previous) : null,
      ages: ages(game, timeline.position), going: over ? null : going(game, timeline.position),
    });
    this.words();
    parts.turn.textContent = over ? "The game is over" : [toMove(match.finished && !match.isAnswered ? {} : match.controllers, side), this.hand.prompt].filter(Boolean).join(": ");
    parts.turn.className = `turn ${over ? "" : side}`;
    for (const each of ["x", "o"]) {
      const placing = open.some((move) => move.from === null && move.to !== null);
      this.trays[each].classList.toggle("ready", placing && each === side);
      this.trays[each].classList.toggle("waiting", over || each !== side);
      this.counts[each].textContent = left ? `${left[each]} in hand` : "";
    }
    parts.undo.disabled = match.earlier === null;
    parts.redo.disabled = match.later === null;
    parts.pass.hidden = !open.some((move) => move.text === "pass");
    this.renderHints(moves);
    parts.line.disabled = over || thinking;
    parts.line.hidden = !this.values;
    parts.legend.hidden = !this.values || open.length === 0 || areAlike(open);
    parts.equal.textContent = this.values && areAlike(open) ? alike(open) : "";
    const quiet = over ? "None: the game is over." : thinking ? "The opponent is to move." : this.values ? "" : match.facts.isUntabled ? "There is no table here: moves have no values." : this.quest === null ? "Hidden. The box below the board shows them." : "Hidden until you find a better move.";
    refill(parts.moves, quiet ? [h("p", { class: "quiet" }, quiet)] : groups(distinct(game, timeline.position, open), best, { play: (move) => this.play(move, true), point: (move) => this.board.point(move) }));
    parts.again.hidden = !over;
    const isFirst = over || timeline.cursor === 0;
    this.bar.offer(over, isFirst && timeline.positions[0] === game.start.position);
    this.renderGame();
    this.held.title(`${game.game} · ${parts.verdict.textContent || parts.turn.textContent}`);
  }

  /** Shows the hints that were asked for, and marks the cell of the last one. */
  renderHints(moves) {
    const { parts, match } = this;
    const isOffered = !this.values && !match.over && !match.facts.isUntabled;
    const all = isOffered && !match.thinking ? hints(this.game, moves) : [];
    const given = all.slice(0, this.hinted);
    parts.hint.hidden = !isOffered;
    parts.hint.disabled = given.length === all.length;
    parts.hints.textContent = given.map(({ words }) => words).join(" ");
    const cell = given.at(-1)?.cell ?? null;
    if (cell !== null) this.board.point({ from: null, to: cell, take: null, also: null });
  }

  giveHint() {
    this.hinted += 1;
    this.render();
    // On a phone the button is below the board, and the hint above it.
    this.parts.hints.scrollIntoView({ block: "nearest" });
    this.held.announce(this.parts.hints.textContent);
    if (this.parts.hint.disabled) this.board.focus();
  }

  /** Shows verdict and referee, and announces them to screen readers. */
  words() {
    const { parts } = this;
    const { answer, side, timeline, over, repeated } = this.match;
    parts.verdict.textContent = repeated ? "Draw by repetition" : this.quest !== null ? `Find a better move than ${timeline.moves[this.quest]}` : answer.over ? this.ended() : this.values ? verdict(answer, side) : "";
    parts.verdict.className = `verdict ${repeated ? "draw" : { win: side, loss: other(side), draw: "draw" }[answer.value]}`;
    const occurrences = timeline.occurrences();
    const notice = this.remark ? this.remark.text : this.game.moving && occurrences >= 2
      ? (repeated ? "This position for the third time: the referee calls a draw." : "This position for the second time. A third makes it a draw.")
      : this.match.controllers[side] !== "you" && !timeline.atEnd && !over && !this.match.finished ? "An earlier position, with the opponent to move: Redo continues." : "";
    parts.notice.textContent = notice;
    parts.notice.classList.toggle("right", Boolean(this.remark?.isRight));
    const played = timeline.moves[timeline.cursor - 1];
    const words = [played ? `${name(other(side))} played ${played}.` : "", over ? "" : `${name(side)} to move.`, parts.verdict.textContent && `${parts.verdict.textContent}.`, notice];
    this.held.announce(words.filter(Boolean).join(" "));
  }

  /** The end of the game in words, addressed to a person who played against an opponent. */
  ended() {
    const { answer, side, controllers, isAgainst, timeline } = this.match;
    const own = isAgainst && (!timeline.trunk || this.match.isAnswered) ? (controllers.x === "you" ? "x" : "o") : null;
    return own ? personalEnding(answer, side, own) : ending(answer, side, this.game.misere);
  }

  /** The moves of the game, the branch that leaves it, and the review if values are shown. */
  renderGame() {
    const { parts, match } = this;
    const { timeline, played } = match;
    const { trunk, cursor } = timeline;
    const answers = played.moves.length > 0 && (this.isTold || match.finished) ? match.answers : null;
    const first = read(played.positions[0]).side;
    const game = played.positions.join(), isJudged = this.errors?.game === game;
    if (answers && this.judging !== game) this.judge(game, answers, played.moves);
    const shared = trunk ? trunk.from : played.moves.length;
    const current = (at, isOn) => (isOn && at === cursor ? "step" : null);
    const begin = h("li", { class: "begin" }, h("button", { type: "button", "aria-current": current(0, true), onclick: () => this.rejoin(0) }, "Start"));
    const entries = played.moves.map((move, at) => {
      const mover = read(played.positions[at]).side;
      const error = answers ? this.errors?.moves[at] : null;
      // The errors may belong to the game before the last change.
      const isOfMove = error?.chosen.move === move && error.chosen.position === played.positions[at + 1];
      const mark = isOfMove ? sign(error) : "";
      const words = mark ? fault(error) : null;
      return h("li", { class: this.entryClass(mover, at, at + 1 > cursor || at >= shared, !trunk) }, numbered(first, at),
        h("button", { type: "button", "aria-current": current(at + 1, at < shared), onclick: () => this.rejoin(at + 1), title: words },
          `${name(mover)} ${move}`, mark ? [h("span", { class: "fault", "aria-hidden": "true" }, ` ${mark}`), h("span", { class: "unseen" }, `, ${words}`)] : null));
    });
    refill(parts.history, [begin, ...entries]);
    parts.branch.hidden = !trunk;
    refill(parts.branch, trunk ? [
      h("p", {}, `Branch after ${trunk.from ? `${turnAt(first, trunk.from - 1)}. ${name(read(trunk.positions[trunk.from - 1]).side)} ${trunk.moves[trunk.from - 1]}` : "the start"}:`),
      h("ol", { class: "history" }, timeline.moves.map((move, at) => ({ move, at })).slice(trunk.from).map(({ move, at }) => {
        const mover = read(timeline.positions[at]).side;
        return h("li", { class: this.entryClass(mover, at, at + 1 > cursor, true) }, numbered(first, at, at === trunk.from),
          h("button", { type: "button", "aria-current": current(at + 1, true), onclick: () => this.jump(at + 1) }, `${name(mover)} ${move}`));
      })),
      h("button", { type: "button", onclick: () => this.rejoin(trunk.from) }, "Back to the game"),
    ] : []);
    const place = trunk && cursor > shared ? null : cursor;
    if (isJudged || !answers) refill(parts.review, answers ? review(answers, this.errors, place, this.revealed, { jump: (at) => this.rejoin(at), refute: (at) => this.showFault(at), find: (at) => this.seek(at), improve: (at, move) => this.showFault(at, move) }) : []);
    parts.note.textContent = timeline.line?.note ?? "";
  }

  /** Asks for the errors of a game, and shows them unless the errors of another game have been asked for meanwhile. */
  async judge(game, answers, moves) {
    this.judging = game;
    try {
      const errors = await judged(answers, moves);
      if (this.judging !== game) return;
      this.errors = { game, ...errors };
      this.renderGame();
    } catch (error) {
      if (this.judging !== game) return;
      // The next move or step asks again.
      this.judging = null;
      refill(this.parts.review, [h("p", { class: "message wrong" }, error.message)]);
    }
  }

  entryClass(mover, at, isAhead, isOnLine) {
    const { line } = this.match.timeline;
    return [mover, isAhead && "ahead", isOnLine && line && at >= line.from && "perfect"].filter(Boolean).join(" ");
  }

  /** The moves that can be made by hand now. */
  get legal() {
    const { match } = this;
    return !match.answer || match.over || match.thinking ? [] : ranked(this.game, match.answer);
  }

  /** Shows the board after a click that completes no move, and announces a piece that is picked up. */
  showPicked() {
    this.render();
    const picked = this.hand.path.at(-1);
    if (picked !== undefined) this.held.announce(`${this.game.board.cells[picked].name} picked up. ${this.hand.prompt}`.trim());
  }

  /** Plays a move. The browser's Back takes back a move played by hand. */
  async play(move, byHand = false) {
    if (this.match.over || !this.match.answer?.moves.some((each) => each.move === move)) return;
    if (this.quest !== null) return this.attempt(move);
    const wasFinished = this.match.finished;
    this.match.play(move);
    await this.arrive(byHand, !wasFinished);
  }

  /** Drops the hints and the search for a better move, then refreshes. */
  arrive(push, reviews) {
    this.hinted = 0;
    this.quest = this.remark = null;
    return this.refresh(push, reviews);
  }

  /** Asks about the position at the cursor, shows it, and lets an opponent move. With `reviews`, the values are shown if the game is finished now. */
  async refresh(push = false, reviews = false) {
    this.hand.clear();
    await this.latest(() => this.match.learn(this.match.timeline.position), () => {
      if (reviews && this.match.finished) this.parts.values.checked = true;
      this.render();
      this.leave(push);
      this.rank();
    });
    this.think();
  }

  /** Waits for an answer, and shows it unless the visitor has gone on meanwhile; returns true if it is shown. Shows an error, too. */
  async latest(asked, show) {
    const turn = (this.turn += 1);
    try {
      const found = await asked();
      if (turn === this.turn) await show(found);
      return turn === this.turn;
    } catch (error) {
      if (turn === this.turn) this.fail(error);
      return false;
    }
  }

  /** Shows how hard the drawing moves are to answer, once that is counted. */
  async rank() {
    const { position } = this.match.timeline;
    const isNew = await this.match.rank().catch(() => false);
    if (isNew && position === this.match.timeline.position) this.render();
  }

  fail(error) {
    this.parts.notice.textContent = error.message;
    this.held.announce(error.message);
  }

  /** The address of some fields of this game. */
  addressOf = (fields) => address(this.at.path, { ...this.at.fields, ...fields });

  /** Leaves the game in the address. */
  leave(push = false) {
    this.held.leave(this.addressOf({ ...this.match.fields, hints: this.parts.values.checked ? null : "off" }), push);
  }

  /**
   * A new game, by default from the position on the board, or from its first position if the game is over. Against an opponent
   * values are hidden until they are asked for.
   */
  begin(controllers, position = this.match.over ? this.match.timeline.positions[0] : null) {
    this.match.controllers = controllers;
    if (this.match.isAgainst) this.parts.values.checked = false;
    this.bar.fold(true);
    this.board.focus();
    return this.restart(position);
  }

  /** Starts a game from a position; null keeps the moves up to the position on the board. */
  async restart(position) {
    if (position === null) this.match.keep();
    else this.match.begin(position);
    this.bar.show(this.match.controllers);
    await this.arrive(true);
  }

  jump(cursor) {
    this.match.timeline.go(cursor);
    return this.arrive();
  }

  /** Goes to a place in the game, and leaves a branch. */
  rejoin(cursor) {
    this.match.timeline.rejoin(cursor);
    this.board.show();
    return this.jump(cursor);
  }

  /** Lets the opponent move if it is its turn. */
  async think() {
    if (!this.match.thinking || this.setup.open) return;
    const wait = new Promise((resolve) => setTimeout(resolve, PAUSE));
    await this.latest(() => Promise.all([this.match.opponentsMove(), wait]), ([move]) => this.play(move));
  }

  followPerfectPlay() {
    return this.latest(() => this.match.line(), (line) => {
      const { timeline, finished, isAgainst } = this.match;
      timeline.follow(...line, finished || !timeline.atEnd || isAgainst);
      this.showLine();
    });
  }

  showLine(push) {
    this.render();
    this.board.show();
    this.rank();
    this.leave(push);
    if (!this.parts.redo.disabled) this.parts.redo.focus({ preventScroll: true });
    this.held.announce(this.parts.note.textContent);
  }

  /** Shows the position before a mistake without values, until a better move is found or shown. */
  async seek(at) {
    await this.rejoin(at);
    this.quest = at;
    this.render();
    this.board.focus();
  }

  /** Judges a try to find a better move: a right one is followed by perfect play, a wrong one can be tried again. */
  async attempt(move) {
    const { quest, match: { answer } } = this;
    const tried = answer.moves.find((each) => each.move === move);
    const isRight = tried.value === answer.value;
    this.hand.clear();
    if (isRight && !(await this.showFault(quest, move))) return;
    this.remark = { isRight, text: isRight ? `Right: ${move} ${worth(tried)}.` : `${move} ${slip(tried)}. Try again.` };
    this.render();
  }

  /** Shows perfect play after a move of the game, or after a better move in its place, as a branch; returns true if it is shown. */
  showFault(at, better) {
    this.quest = this.remark = null;
    if (better) this.revealed.add(at);
    return this.latest(() => this.match.consequence(at, better), (line) => {
      const { timeline } = this.match;
      timeline.rejoin(better ? at : at + 1);
      if (line[0].length) timeline.follow(...line, true);
      timeline.go(at + 1);
      this.hand.clear();
      this.showLine(true);
    });
  }

  download() {
    const { game } = this;
    download(`${game.game}.json`, `${JSON.stringify(record(this.match), null, 2)}\n`, "application/json");
  }

  async downloadTable() {
    download(`${this.game.game}.morpion`, await this.match.facts.bytes(), "application/octet-stream");
  }

  /** Opens a game that was saved here or by the program. */
  openRecord(text) {
    return this.latest(() => opened(text, this.game), ({ game, fields }) => {
      this.held.go(game ? address(`/${game}`, fields) : this.addressOf(fields));
    });
  }

  enterSetup() {
    this.turn += 1;
    this.setAside(true);
    this.setup.enter(this.match.timeline.position);
  }

  /** Disables everything except the board while a position is set up. */
  setAside(aside) {
    for (const part of this.resting) part.inert = aside;
    this.setup.panel.parentElement.classList.toggle("setting-up", aside);
    if (aside) {
      for (const part of ["turn", "notice", "hints"]) this.parts[part].textContent = "";
      this.parts.verdict.textContent = "Set up a position";
      this.parts.verdict.className = "verdict";
    }
  }

  async leaveSetup(position, plays) {
    this.setAside(false);
    this.parts.setup.focus({ preventScroll: true });
    const isOther = position && position !== this.match.timeline.position;
    if (plays) await this.begin(this.bar.chosen(), isOther ? position : null);
    else if (isOther) {
      // The position is looked at first.
      this.match.controllers = { x: "you", o: "you" };
      await this.restart(position);
    } else await this.refresh();
    this.board.show();
  }

  shortcut(event) {
    if (event.altKey || event.defaultPrevented || this.setup.open || event.target.matches?.("input:not([type=checkbox]), textarea, select")) return;
    const key = event.key.toLowerCase();
    const isControl = event.ctrlKey || event.metaKey;
    const isBack = isControl ? key === "z" && !event.shiftKey : key === "arrowleft" && !event.shiftKey;
    const isOn = isControl ? key === "y" || key === "z" : key === "arrowright" && !event.shiftKey;
    const to = isBack ? this.match.earlier : isOn ? this.match.later : null;
    if (to === null) return;
    this.jump(to);
    event.preventDefault();
  }
}

/** Facts about a game without a table, and the commands that build the table. */
const howToSolve = (game) => game && h("div", { class: "known" }, h("p", {}, game.known), h("pre", {}, game.build.join("\n")), h("p", {}, game.cost));
