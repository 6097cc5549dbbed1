// Opponents of three strengths. Each knows the worth of moves, but only up to a distance.

import { made, preference, read } from "./position.js";

/** `sees`: number of half-moves. Later ends are all equal to this opponent. */
export const LEVELS = [
  { level: "child", title: "a child", sees: 1, about: "takes a win at hand, and else plays anywhere" },
  { level: "club", title: "a club player", sees: 3, about: "makes threats and blocks them, and looks no further" },
  { level: "perfect", title: "perfect play", sees: Infinity, about: "never errs; where all is lost, it holds out longest" },
];

/** True if a player is one of these opponents. */
export const isLevel = (player) => LEVELS.some(({ level }) => level === player);

// Chance that a player of limited sight finds the right move if the table has no distances.
const LUCK = 0.75;

/** The move that an opponent of this level makes, fixed by the seed. */
export function choose(level, game, answer, seed) {
  const { sees } = LEVELS.find((each) => each.level === level);
  const random = generator(`${seed} ${answer.position}`);
  if (sees === Infinity) return pick(answer.best, random);
  const finds = sees > 1 && random() < LUCK;
  const rated = answer.moves.map((move) => ({ move: move.move, worth: seen(game, answer.position, move, sees, finds) }));
  const most = Math.max(...rated.map((each) => each.worth));
  return pick(rated.filter((each) => each.worth === most).map((each) => each.move), random);
}

function seen(game, position, move, sees, finds) {
  if (move.value === "draw") return 0;
  const far = move.plies === null ? distance(game, position, move) > sees && !finds : move.plies > sees;
  return far ? 0 : preference(move);
}

/** 1 if the move ends the game by a line; the distance of other ends is unknown here. */
function distance(game, position, move) {
  if (game.mills) return Infinity;
  const { side } = read(position);
  return made(game, read(move.position).cells, side).length ? 1 : Infinity;
}

const pick = (items, random) => items[Math.floor(random() * items.length)];

/** Numbers from 0 to 1 that follow from a text: FNV-1a for the beginning, mulberry32 for the rest. */
function generator(text) {
  let state = 0x811c9dc5;
  for (const letter of text) state = Math.imul(state ^ letter.codePointAt(0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
