// What a table that the browser has itself says, in the form in which the interface says it.

import { MorpionError } from "./reader/morpion.js";

/** What a position with moves is worth: what its best move is. A draw can go on for ever where a move that keeps it can. */
function worth(moves) {
  const [{ value, plies }] = moves;
  const draws = moves.filter((move) => move.value === "draw");
  return { value, plies, draw: value === "draw" ? (draws.some(({ draw }) => draw === "cycle") ? "cycle" : "end") : null };
}

/** The text of a position in its strict form; without one, the start. */
function strict(table, text) {
  if (text === undefined) return table.start;
  const { side, ...position } = table.parse(text);
  return table.format(position, side);
}

async function answer(table, text) {
  const position = strict(table, text);
  const over = table.over(position), moves = await table.moves(position);
  // The moves are one row of the table; the position itself would be another one, to be fetched as well.
  const { value, plies, draw } = moves.length > 0 ? worth(moves) : await table.probe(position);
  return {
    game: table.name, position, value, plies, ...(draw && { draw }), ...(over && { over }),
    best: await table.best(position),
    moves: moves.map((move) => ({ move: move.move, value: move.value, plies: move.plies })),
  };
}

async function line(table, text) {
  const positions = [strict(table, text)];
  const moves = [];
  for (;;) {
    const at = positions.at(-1);
    const before = positions.indexOf(at);
    if (before < positions.length - 1) return { game: table.name, positions, moves, cycle: before };
    const [best] = await table.best(at);
    if (best === undefined) return { game: table.name, positions, moves, over: table.over(at) };
    moves.push(best);
    positions.push(table.after(at, best));
  }
}

/** What a page asks about a game, answered from `open`, which gives its table or promises it. */
export function factsOf(game, open) {
  return {
    game,
    position: async (text) => answer(await open(), text),
    positions: async (texts) => {
      const table = await open(), answers = [];
      for (const text of texts) {
        answers.push(await answer(table, text).catch((error) => {
          if (error instanceof MorpionError) return { error: error.message, input: text };
          throw error;
        }));
      }
      return answers;
    },
    line: async (text) => line(await open(), text),
    // Players that search are the server's.
    players: [],
  };
}
