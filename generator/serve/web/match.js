// A game that is played: its positions and moves, its players, and the known facts of each position. The address contains all of it.

import { choose, isLevel } from "./levels.js";
import { read } from "./position.js";
import { Timeline } from "./timeline.js";
import { plies } from "./words.js";

// The referee's rule: a game in which a position occurs for the third time is a draw.
const REPETITIONS = 3;

export class Match {
  /** A match before its first move; `facts` answers questions about the game. */
  constructor(facts) {
    this.facts = facts;
    this.game = facts.game;
    this.known = new Map();
    this.begin(this.game.start.position);
    this.controllers = { x: "you", o: "you" };
  }

  /** A new game from a position. Opponents who choose among equal moves choose anew. */
  begin(position) {
    this.timeline = new Timeline([position]);
    this.seed = 1 + Math.floor(Math.random() * 1e6);
  }

  /** A new game that begins with the moves up to the position on the board. */
  keep() {
    const { positions, moves, cursor } = this.timeline;
    this.begin(positions[0]);
    this.timeline = new Timeline(positions.slice(0, cursor + 1), moves.slice(0, cursor));
  }

  /** Reads timeline, controllers and seed of a match from the fields of an address. Nothing changes before they are taken over. */
  async read(fields) {
    const listed = (field) => (fields.get(field) ?? "").split(" ").filter(Boolean);
    const [played, branch] = [listed("moves"), listed("branch")];
    const from = Math.max(0, Math.min(played.length, Number(fields.get("from")) || 0));
    // In links of the program, a level may have parameters: `perfect:random`.
    const player = (side) => (fields.get(side) ?? "you").split(":")[0];
    const controllers = { x: player("x"), o: player("o") };
    for (const player of Object.values(controllers)) {
      if (player !== "you" && !isLevel(player)) throw new Error(`no opponent ${JSON.stringify(player)} here`);
    }
    const first = await this.learn(fields.get("position") ?? this.game.start.position);
    this.known.set(first.position, first);
    const timeline = new Timeline([first.position, ...(await this.replay(first.position, played))], played);
    if (branch.length) {
      timeline.go(from);
      timeline.replaceFuture(branch, await this.replay(timeline.position, branch, from), true);
    }
    timeline.go(fields.has("at") ? Number(fields.get("at")) || 0 : timeline.moves.length);
    return { timeline, controllers, seed: Number(fields.get("seed")) || this.seed };
  }

  /** The positions after each of some moves from a known position; a move that is not legal is an error, which counts the moves `before` them too. */
  async replay(position, moves, before = 0) {
    const positions = [];
    for (const [at, move] of moves.entries()) {
      const next = this.known.get(position).moves.find((each) => each.move === move);
      if (!next) throw new Error(`move ${before + at + 1} of this game, ${JSON.stringify(move)}, is not legal in ${position}`);
      position = next.position;
      positions.push(position);
      await this.learn(position);
    }
    return positions;
  }

  /** The position after a legal move in a position whose answer is known. */
  after(position, move) {
    return this.known.get(position).moves.find((each) => each.move === move).position;
  }

  /** The fields from which the same game is loaded. */
  get fields() {
    const { timeline, played, controllers } = this;
    const [begin] = timeline.positions;
    const { trunk } = timeline;
    const machine = (side) => (controllers[side] === "you" ? null : controllers[side]);
    return {
      position: begin === this.game.start.position ? null : begin,
      moves: played.moves.join(" "),
      from: trunk && trunk.from, branch: trunk && timeline.moves.slice(trunk.from).join(" "),
      at: timeline.atEnd ? null : timeline.cursor,
      x: machine("x"), o: machine("o"), seed: machine("x") || machine("o") ? this.seed : null,
    };
  }

  /** The answer about a position. */
  async learn(position) {
    if (!this.known.has(position)) this.known.set(position, await this.facts.answer(position));
    return this.known.get(position);
  }

  /** Ranks the drawing moves of the position on the board; returns true if they were not ranked before. */
  async rank() {
    const { answer } = this;
    if (answer.isRanked) return false;
    this.known.set(answer.position, { ...(await this.facts.ranked(answer)), isRanked: true });
    return true;
  }

  /** The game without a branch that leaves it: its positions and moves. */
  get played() {
    return this.timeline.trunk ?? this.timeline;
  }

  /** The answers about all positions of the game; null if one is not known. */
  get answers() {
    const answers = this.played.positions.map((position) => this.known.get(position));
    if (this.facts.isUntabled) return null;
    return answers.every(Boolean) ? answers : null;
  }

  /** The answer about the position at the cursor; undefined while it is being asked for. */
  get answer() {
    return this.known.get(this.timeline.position);
  }

  get side() {
    return read(this.timeline.position).side;
  }

  isRepeated(at, positions) {
    return this.game.moving && this.timeline.occurrences(at, positions) >= REPETITIONS;
  }

  /** True if the referee has called a draw. */
  get repeated() {
    return this.isRepeated(this.timeline.cursor);
  }

  get over() {
    return Boolean(this.answer?.over) || this.repeated;
  }

  /** The reason why the game has ended, as in an answer, or `repetition`; null while it continues. A branch of the game does not count. */
  get outcome() {
    const { positions, moves } = this.played;
    return this.known.get(positions.at(-1))?.over ?? (this.isRepeated(moves.length, positions) ? "repetition" : null);
  }

  /** True if the game is being reviewed: it has ended, or a branch has left it. */
  get finished() {
    const { line, trunk } = this.timeline;
    return trunk !== null || (!line && this.outcome !== null);
  }

  /** True if the opponent answers in a branch of the game. A perfect line is only stepped through. */
  get isAnswered() {
    const { trunk, line } = this.timeline;
    return trunk !== null && !line && this.isAgainst;
  }

  /** True if an opponent is to move now. In the past of a game moves are made by hand. */
  get thinking() {
    return this.answer !== undefined && this.controllers[this.side] !== "you" && this.timeline.atEnd && !this.over && (!this.timeline.trunk || this.isAnswered);
  }

  /** True if one side is a person and the other is not. */
  get isAgainst() {
    return Object.values(this.controllers).filter((player) => player === "you").length === 1;
  }

  play(move) {
    this.timeline.play(move, this.after(this.timeline.position, move), this.finished);
  }

  /** The move of the opponent who is to move: the same one in the same game. */
  async opponentsMove() {
    const player = this.controllers[this.side];
    return this.facts.isUntabled ? this.facts.move(this.timeline.position, player, this.seed) : choose(player, this.game, this.answer, this.seed);
  }

  /** One perfect line from a position, as `Timeline.follow` takes it: moves, positions after them, and a note on its length. */
  async line(position = this.timeline.position) {
    const { positions, moves, cycle } = await this.facts.line(position);
    for (const each of positions) await this.learn(each);
    const step = cycle === undefined || cycle === null ? `${plies(moves.length)} to the end` : `after ${plies(moves.length)} the position after ${cycle} comes back, and so on forever`;
    return [moves, positions.slice(1), `A perfect line: ${step}. Step through it with Redo.`];
  }

  /** A perfect line after a move of the game, or after a `better` move in its place, as `Timeline.follow` takes it. */
  async consequence(at, better) {
    const move = better ?? this.played.moves[at];
    const next = this.after(this.played.positions[at], move);
    const [moves, positions, note] = await this.line(next);
    return better ? [[move, ...moves], [next, ...positions], note] : [moves, positions, note];
  }

  isPersons(cursor) {
    const isReviewed = this.finished && !(this.isAnswered && cursor > this.timeline.trunk.from);
    return isReviewed || !Object.values(this.controllers).includes("you") || this.controllers[read(this.timeline.positions[cursor]).side] === "you";
  }

  /** Target of Undo: the last place where the same person was to move, or null. */
  get earlier() {
    for (let at = this.timeline.cursor - 1; at >= 0; at -= 1) if (this.isPersons(at)) return at;
    return null;
  }

  /** Target of Redo: the next place where a person is to move, or the end. */
  get later() {
    const { cursor, moves } = this.timeline;
    for (let at = cursor + 1; at <= moves.length; at += 1) if (at === moves.length || this.isPersons(at)) return at;
    return null;
  }
}
