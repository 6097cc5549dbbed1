// A bot for boardgame.io that plays from a table. Needs boardgame.io, and this repository's package.
//
//   import { Local } from "boardgame.io/multiplayer";
//   Client({ game: TicTacToe, multiplayer: Local({ bots: { 1: perfectBot(await builtin("classic")) } }) });

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/** Tic-tac-toe of boardgame.io's tutorial: `cells` contains "0", "1" or null. */
export const TicTacToe = {
  name: "tic-tac-toe",
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    clickCell: ({ G, playerID }, cell) => {
      if (G.cells[cell] !== null) return "INVALID_MOVE";
      G.cells[cell] = playerID;
    },
  },
  endIf: ({ G: { cells } }) => {
    const line = LINES.find(([a, b, c]) => cells[a] !== null && cells[a] === cells[b] && cells[b] === cells[c]);
    if (line) return { winner: cells[line[0]] };
    if (!cells.includes(null)) return { draw: true };
  },
  ai: {
    enumerate: ({ cells }) => cells.flatMap((player, cell) => (player === null ? [{ move: "clickCell", args: [cell] }] : [])),
  },
};

/** A bot that plays perfectly, or at a `level` of `table.choose`: with a share of errors, or with its own random numbers. */
export const perfectBot = (table, level) => class PerfectBot {
  async play({ G }, playerID) {
    const position = table.position(G.cells.map((player) => (player === null ? 0 : Number(player) + 1)));
    const chosen = table.choose(position, level);
    const { to } = position.legalMoves.find(({ move }) => move === chosen);
    return { action: { type: "MAKE_MOVE", payload: { type: "clickCell", args: [to], playerID } } };
  }
};
