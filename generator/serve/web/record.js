// Games as records: the JSON files of `morpion play --save` and `--load`.

import { isLevel } from "./levels.js";
import { read } from "./position.js";
import { other } from "./words.js";
import * as source from "./source.js";

const [FORMAT, VERSION] = ["morpion game record", 1];

/** Writes the game of a match as a record. */
export function record(match) {
  const { game, played, controllers } = match;
  const who = (side) => {
    const player = controllers[side];
    if (player === "perfect") return "perfect:random";
    return player === "you" ? "human" : player;
  };
  return {
    format: FORMAT, version: VERSION, game: game.game, fingerprint: game.fingerprint,
    x: who("x"), o: who("o"), seed: match.seed,
    start: played.positions[0], moves: played.moves, result: result(match),
  };
}

/** The result of the game; null while it continues. */
function result({ outcome, played, known }) {
  if (!outcome) return null;
  const { position, value } = known.get(played.positions.at(-1));
  const { side } = read(position);
  return { winner: outcome === "repetition" ? null : { win: side, loss: other(side), draw: null }[value], ending: outcome };
}

/**
 * Reads a record and returns the name of its game and the fields of its address. `here` describes the game on the page, which
 * may be a game of one's own.
 */
export async function opened(text, here) {
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Error("this file is not JSON; choose one that was saved by `Download the game` or by `morpion play --save`");
  }
  if (found?.format !== FORMAT || found.version !== VERSION) throw new Error(`this file is not a ${FORMAT} of version ${VERSION}`);
  if (!Array.isArray(found.moves) || ![found.game, found.start, ...found.moves].every((text) => typeof text === "string")) throw new Error("this record lacks its game, its start or its moves; save the game again");
  const isHere = found.fingerprint === here.fingerprint;
  const game = isHere ? here : await source.game(found.game);
  if (found.fingerprint !== game.fingerprint) throw new Error(`the rules of ${found.game} differ from those that the record was played by`);
  const machine = (player) => [player?.split(":")[0]].find(isLevel) ?? null;
  return { game: isHere ? null : game.game, fields: { position: found.start, moves: found.moves.join(" "), x: machine(found.x), o: machine(found.o), seed: found.seed } };
}
