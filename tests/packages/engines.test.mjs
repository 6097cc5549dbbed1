// Asks engines for tic-tac-toe from npm for a move in every position that play can reach. No move is worth less than the table's value
// of the position.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { builtin } from "../../lookup/js/index.js";

const require = createRequire(import.meta.url);
const classic = await builtin("classic");

/** Every open position with at least this many pieces, with the contents of its cells: X, O or nothing. */
function* positions(pieces) {
  const known = new Set(), open = [classic.position()];
  while (open.length > 0) {
    const position = open.pop();
    if (known.has(`${position}`) || position.isOver) continue;
    known.add(`${position}`);
    open.push(...position.legalMoves.map((move) => position.after(move)));
    const cells = position.cells.map((mark) => ["", "X", "O"][mark]);
    if (cells.join("").length >= pieces) yield { position, cells, side: position.side.toUpperCase() };
  }
}

/** Compares each cell that an engine chooses with the table; returns the number of choices. */
function hold(choose, pieces = 0) {
  let count = 0;
  for (const { position, cells, side } of positions(pieces)) {
    const cell = choose(cells, side), chosen = classic.moves(position).find(({ to }) => to === cell);
    assert.equal(chosen?.value, classic.probe(position).value, `${position}: cell ${cell}`);
    count++;
  }
  return count;
}

test("tic-tac-toe-minimax", () => {
  const { ComputerMove } = require("tic-tac-toe-minimax").default;
  const choose = (cells, side) => {
    const symbols = { aiPlayer: side, huPlayer: side === "X" ? "O" : "X" };
    return ComputerMove(cells.map((mark, cell) => mark || cell), symbols, "Hard");
  };
  assert.equal(hold(choose), 4520);
});

test("tictactoe-ai", () => {
  const { TicTacToeAIPlayer, TicTacToeBoard } = require("tictactoe-ai");
  const choose = (cells, side) => {
    const player = new TicTacToeAIPlayer();
    player.initialize(side, new TicTacToeBoard(cells));
    const { x, y } = player.makeMove();
    return x + 3 * y;
  };
  // It searches to the end and caches nothing: the first two moves of a game take as long as all others.
  assert.equal(hold(choose, 2), 4510);
});
