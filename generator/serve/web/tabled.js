// Answers from a table in the browser, in the form of the interface, without `hands`, `ages`, `take`, `also` and `push`: the page reads them from
// the texts of positions and moves.

import { MorpionError } from "./reader/error.js";
import { Table } from "./reader/table.js";
import { other } from "./words.js";

/** Worth of a position with moves: the worth of its best move. A draw can continue forever if a move that keeps it can. */
function worth(moves) {
  const [{ value, plies }] = moves;
  const draws = moves.filter((move) => move.value === "draw");
  return { value, plies, draw: value === "draw" ? (draws.some(({ draw }) => draw === "cycle") ? "cycle" : "end") : null };
}

/** Adds to each drawing move how hard it is to answer, counted as `Trap` of the interface. */
async function trapped(table, at, moves) {
  if (moves[0]?.value !== "draw") return moves;
  return Promise.all(moves.map(async (move) => {
    if (move.value !== "draw") return move;
    const trap = { replies: 0, losing: 0, own_moves: 0, own_losing: 0 };
    const after = at.after(move.move);
    for (const reply of await table.moves(after)) {
      trap.replies += 1;
      if (reply.value !== "draw") {
        trap.losing += 1;
        continue;
      }
      const own = await table.moves(after.after(reply.move));
      trap.own_moves += own.length;
      trap.own_losing += own.filter(({ value }) => value !== own[0].value).length;
    }
    return { ...move, trap };
  }));
}

async function answer(table, text) {
  const at = table.position(text), position = String(at);
  const after = new Map(table.successors(at).map((next) => [next.move, table.format(next.position, other(at.side))]));
  const over = table.over(position), found = await table.moves(position);
  // From a remote table, each reply would have to be fetched.
  const moves = table instanceof Table ? await trapped(table, at, found) : found;
  // The moves are one row of the table; the position itself is in another row, which would have to be fetched too.
  const { value, plies, draw } = moves.length > 0 ? worth(moves) : await table.probe(position);
  return {
    game: table.name, position, value, plies, ...(draw && { draw }), ...(over && { over }),
    best: await table.best(position),
    moves: moves.map(({ move, value, plies, draw, trap }) => ({ move, value, plies, ...(draw && { draw }), position: after.get(move), ...(trap && { trap }) })),
  };
}

async function line(table, text) {
  const { positions, moves, over, cycle } = await table.line(text);
  return { game: table.name, positions: positions.map(String), moves, ...(over ? { over } : { cycle }) };
}

/** The facts about a game, answered from `open`, which gives its table or promises it. */
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
    replay: async (text, moves) => {
      const table = await open(), answers = [];
      let at = table.position(text);
      for (const move of moves) {
        if (!at.legalMoves.some((each) => each.move === move)) return [...answers, { error: "not a legal move here", input: move }];
        at = at.after(move);
        answers.push(await answer(table, String(at)));
      }
      return answers;
    },
    line: async (text) => line(await open(), text),
    // Only the server has players that search.
    players: [],
  };
}

/** The facts from the bytes of a table, in Base64. */
export function solved(game, base64) {
  const table = new Table(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
  return factsOf(game, () => table);
}
