// Values in words. A value belongs to the side to move; people think in colours.

import { read } from "./position.js";

export const other = (side) => (side === "x" ? "o" : "x");
export const name = (side) => side.toUpperCase();

export const plies = (count) => (count === 1 ? "1 ply" : `${count} plies`);
const inPlies = (count) => (count === null || count === undefined ? "" : ` in ${plies(count)}`);

/** `X wins in 5 plies`, `Draw: neither side can force an end`; `score` has value, plies and, for a draw, draw. */
export function verdict(score, side) {
  if (score.value === "win") return `${name(side)} wins${inPlies(score.plies)}`;
  if (score.value === "loss") return `${name(other(side))} wins${inPlies(score.plies)}`;
  if (score.draw === "end") return "Draw: with perfect play nobody wins";
  return "Draw: neither side can force an end";
}

/** The end of a game. */
export function ending(answer, side, misere) {
  const maker = name(other(side));
  if (answer.over === "line") {
    return misere ? `${maker} has made a line and loses: ${name(side)} wins` : `${maker} has made a line and wins`;
  }
  return `${reason(answer.over, name(side))}: ${{ win: `${name(side)} wins`, loss: `${maker} wins`, draw: "a draw" }[answer.value]}`;
}

/** The reason why a game is over, other than a line of the side that moved last. `who` is the side to move, or `you`. */
function reason(over, who) {
  const have = who === "you" ? "have" : "has";
  return { "own-line": `${who} ${have} a line`, few: `${who} ${have} too few pieces`, full: "Nothing can be placed any more", stuck: `${who} cannot move` }[over];
}

/** The end of a game in words for the person who played `own` against an opponent. */
export function personalEnding(answer, side, own) {
  if (answer.value === "draw") return ending(answer, side, false);
  const winner = answer.value === "win" ? side : other(side);
  const who = (each) => (each === own ? "you" : name(each));
  const how = answer.over === "line" ? `${who(other(side))} ${other(side) === own ? "have" : "has"} made a line` : reason(answer.over, who(side));
  return `You ${winner === own ? "won" : "lost"}: ${how}`;
}

/** The share of replies to a drawing move that lose, in percent; null if the move ends the game or is not ranked. */
export const losing = ({ trap }) => (trap?.replies ? Math.round((100 * trap.losing) / trap.replies) : null);

/** A move's worth for the side that makes it. */
export function worth(move) {
  if (move.value === "draw") return losing(move) === null ? "keeps the draw" : `keeps the draw; ${losing(move)} % of replies lose`;
  return `${move.value === "win" ? "wins" : "loses"}${inPlies(move.plies)}`;
}

/** A move's worth in a few characters: `+5`, `−4`, `=`; `=50` if 50 % of the replies to a drawing move lose. */
export function mark(move) {
  if (move.value === "draw") return `=${losing(move) ?? ""}`;
  return (move.value === "win" ? "+" : "−") + (move.plies ?? "");
}

/** The value of a start on a card. */
export function pill(start) {
  if (start.value === "draw") return start.draw === "cycle" ? "Draw by cycle" : "Draw";
  return verdict(start, read(start.position).side);
}

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
export const number = (count) => NUMBERS[count] ?? String(count);

/** A game's short title, and the title as its explanation, without the words that both share. */
export function titled({ title, short_title: short }) {
  return [short, title.startsWith(short) ? title.slice(short.length).replace(/^[:,]? /, "") : title];
}

/** The short titles of a list of games, all distinct: the name on the command line distinguishes equal ones. */
export function menuTitles(games) {
  const shared = (text) => games.filter((game) => game.short_title === text).length > 1;
  return games.map(({ game, short_title: short }) => (shared(short) ? `${short} (${game})` : short));
}

/** Name and rest of the title of a game of heaps, whose title may also be its rules alone. */
export function heapTitled({ game, title }) {
  const [, name, rest] = title.match(/^(\p{Lu}.*?): (.*)$/u) ?? [];
  return name ? [name, rest] : [game[0].toUpperCase() + game.slice(1), title];
}

/** 1234567 as `1,234,567`. */
export const grouped = (count) => count.toLocaleString("en");
