// Runs the bot of lookup/js/examples in boardgame.io.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { builtin } from "../../lookup/js/index.js";
import { TicTacToe, perfectBot } from "../../lookup/js/examples/boardgame.js";

const require = createRequire(import.meta.url);
const { Client } = require("boardgame.io/client");
const { Local } = require("boardgame.io/multiplayer");
const { RandomBot, Simulate } = require("boardgame.io/ai");
const { InitializeGame } = require("boardgame.io/internal");

const classic = await builtin("classic");

/** Numbers from 0 to below 1, the same in every run (mulberry32). */
function numbers(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Plays a game between two bots; returns the winner, or undefined. */
async function play(bots, seed) {
  const game = { ...TicTacToe, seed };
  const made = bots.map((Bot) => new Bot({ game, enumerate: game.ai.enumerate, seed }));
  const { state } = await Simulate({ game, bots: made, state: InitializeGame({ game }) });
  assert.ok(state.ctx.gameover, JSON.stringify(state.G));
  return state.ctx.gameover.winner;
}

test("a perfect bot never loses, and wins where it is let", async () => {
  const Perfect = perfectBot(classic, { random: numbers(1) }), winners = [];
  for (let seed = 0; seed < 40; seed++) {
    winners.push(await play([Perfect, RandomBot], seed), await play([RandomBot, Perfect], seed));
  }
  winners.forEach((winner, i) => assert.notEqual(winner, `${(i + 1) % 2}`, "the random bot"));
  assert.ok(winners.filter((winner) => winner !== undefined).length > 60, `${winners}`);
  for (let seed = 0; seed < 10; seed++) assert.equal(await play([Perfect, Perfect], seed), undefined, "two perfect bots draw");
});

test("a bot that always errs loses to one that never does", async () => {
  const random = numbers(2), winners = [];
  const bots = [perfectBot(classic, { random }), perfectBot(classic, { errors: 1, random })];
  for (let seed = 0; seed < 20; seed++) winners.push(await play(bots, seed));
  assert.ok(winners.filter((winner) => winner === "0").length > 10 && !winners.includes("1"), `${winners}`);
});

test("a local match against the bot", async () => {
  const client = Client({ game: TicTacToe, numPlayers: 2, playerID: "0", multiplayer: Local({ bots: { 1: perfectBot(classic) } }) });
  client.start();
  try {
    const filled = () => client.getState().G.cells.filter((cell) => cell !== null).length;
    client.moves.clickCell(0);
    for (let wait = 0; filled() < 2 && wait < 1200; wait++) await new Promise((done) => setTimeout(done, 50));
    assert.deepEqual(client.getState().G.cells, ["0", null, null, null, "1", null, null, null, null]);
  } finally {
    client.stop();
  }
});
