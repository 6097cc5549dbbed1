// Positions, moves, lines and levels as objects; built-in tables; wrong types.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { modules } from "../builtin/make.js";
import { MorpionError, Position, Table, builtin, builtinNames, errorKinds, open, openRemote } from "../index.js";
import { reachable } from "../reach.js";
import { plain } from "./vectors.js";

const tables = new Map(await Promise.all(builtinNames().map(async (name) => [name, await builtin(name)])));
const classic = tables.get("classic"), swap = tables.get("swap");

/** Some positions of a game, reached by good and bad moves. */
function* some(table) {
  for (let seed = 1; seed <= 12; seed++) {
    let position = table.position(), number = seed;
    for (let ply = 0; ply < 14; ply++) {
      yield position;
      const moves = position.legalMoves;
      if (moves.length === 0) break;
      number = (number * 48271) % 2147483647;
      position = position.after(moves[number % moves.length]);
    }
  }
}

test("the built-in tables equal those of the library", async () => {
  const written = modules();
  assert.deepEqual([...written.keys()].sort(), builtinNames().sort());
  for (const [name, text] of written) {
    assert.equal(readFileSync(new URL(`../builtin/${name}.js`, import.meta.url), "utf8"), text, `${name}: run node builtin/make.js`);
    tables.get(name).checkSums();
    assert.equal(tables.get(name).fingerprint, new Table(readFileSync(plain.get(name))).fingerprint);
  }
});

/** The number of positions that play can reach in each game, as other programs have counted them. */
function counted() {
  const lines = readFileSync(new URL("../../../tests/facts/games.csv", import.meta.url), "utf8").split("\n").filter((line) => line && !line.startsWith("#"));
  const columns = lines[0].split(","), number = columns.indexOf("positions");
  return new Map(lines.slice(1).map((line) => line.split(",")).filter((row) => row[number]).map((row) => [row[0], Number(row[number])]));
}

test("the positions of a game are those that moves reach, each once", () => {
  const facts = counted(), masks = ({ mover, waiter }) => `${mover} ${waiter}`;
  assert.ok([...tables.keys()].filter((name) => facts.has(name)).length > 5);
  // The variants of disappearing number their positions as that game does.
  const walked = [...tables].filter(([name]) => !name.startsWith("disappearing-"));
  for (const [name, table] of [...walked, ["mill", new Table(readFileSync(plain.get("mill")))]]) {
    const start = table.position(), byMoves = new Map([[`${masks(start)} ${start.side}`, start]]);
    for (const { side, ...words } of byMoves.values()) for (const { position } of table.successors(words)) {
      const turn = side === "x" ? "o" : "x", key = `${masks(position)} ${turn}`;
      if (!byMoves.has(key)) byMoves.set(key, { ...position, side: turn });
    }
    const found = [...table.positions()];
    assert.equal(new Set(found.map(masks)).size, found.length, name);
    assert.deepEqual(new Set(found.map(masks)), new Set(Array.from(byMoves.values(), masks)), name);
    assert.ok(found.every((position) => byMoves.has(`${masks(position)} ${position.side}`)), `${name}: a side that cannot be to move`);
    if (facts.has(name)) assert.equal(found.length, facts.get(name), name);
  }
});

test("positions come in the order of play", () => {
  const found = [...classic.positions()];
  assert.deepEqual(found.slice(0, 3).map(String), [".../.../... x", "X../.../... o", ".X./.../... o"]);
  const pieces = found.map(({ cells }) => cells.filter((cell) => cell > 0).length);
  assert.deepEqual(pieces, [...pieces].sort((a, b) => a - b));
  const winners = { x: 0, o: 0, null: 0 };
  for (const { isOver, winner } of found) if (isOver) winners[winner] += 1;
  assert.deepEqual(winners, { x: 626, o: 316, null: 16 });
  const huge = { mover: 12, waiter: 12, orders: [1, 1], next: null }, game = { cells: 36, position: () => classic.position() };
  const graph = { layers: [huge], index: new Map([[0, 0]]) };
  assert.throws(() => reachable(game, graph).next(), { kind: "memory" });
});

test("positions are made from every form that pages and notebooks use", () => {
  const expected = classic.position("X../.O./... x");
  const cells = [1, 0, 0, 0, 2, 0, 0, 0, 0];
  const forms = [expected, { mover: 1n, waiter: 16n }, cells, [[1, 0, 0], [0, 2, 0], [0, 0, 0]], ["X..", ".O.", "..."], Uint8Array.from(cells), Float64Array.from(cells), expected.cells, "(1,0,0,0,2,0,0,0,0)"];
  for (const form of forms) {
    assert.ok(classic.position(form).equals(expected), `${form}`);
    assert.deepEqual(classic.probe(form), classic.probe("X../.O./... x"));
    assert.deepEqual(classic.best(form), classic.best("X../.O./... x"));
    assert.equal(classic.over(form), null);
  }
  assert.equal(`${classic.position()}`, classic.start);
  assert.equal(JSON.stringify({ at: expected }), '{"at":"X../.O./... x"}');
  const placed = [[1, 1, 0], [2, 2, 0], [1, 2, 0]];
  for (const side of ["x", "o"]) assert.equal(`${swap.position(placed, side)}`, `XX./OO./XO. ${side}`);
  assert.equal(swap.position({ mover: 0b1000011n, waiter: 0b10011000n }).side, "x");
  assert.equal(`${swap.position({ mover: 0b10011000n, waiter: 0b1000011n }, "o")}`, "XX./OO./XO. o");
  assert.throws(() => expected.side = "o", TypeError);
});

test("objects and texts answer alike, to the end of the game", () => {
  for (const table of tables.values()) {
    for (const position of some(table)) {
      const text = `${position}`;
      assert.ok(table.position(text).equals(position));
      assert.equal(position.over, table.over(text));
      assert.equal(position.isOver, position.over !== null);
      assert.deepEqual(table.moves(position), table.moves(text));
      assert.deepEqual(position.legalMoves.map(({ move }) => move).sort(), table.moves(text).map(({ move }) => move).sort());
      for (const { move, from, to, push } of table.moves(position)) {
        const after = position.after(move);
        assert.equal(`${after}`, table.after(text, move));
        assert.ok(table.after(position, { move }).equals(after));
        if (to !== null) assert.equal(after.cells[to], position.side === "x" ? 1 : 2);
        if (from !== null && !push) assert.deepEqual([position.cells[from], after.cells[from]], [position.side === "x" ? 1 : 2, 0]);
      }
    }
  }
});

test("the winner is the side with the line, or without it in misère", () => {
  assert.equal(classic.winner("XXX/OO./... o"), "x");
  assert.equal(tables.get("misere").winner("XXX/OO./... o"), "o");
  assert.equal(classic.position("XOX/XOO/OXX o").winner, null);
  assert.equal(classic.position().winner, null);
  const achi = tables.get("achi");
  const stuck = [...some(achi)].filter(({ over }) => over === "stuck");
  for (const position of stuck) assert.equal(position.winner, position.side === "x" ? "o" : "x");
});

test("symmetric forms share the score and the first form", () => {
  for (const table of tables.values()) {
    for (const position of [...some(table)].slice(0, 40)) {
      const orbit = position.orbit();
      assert.ok(orbit.some((form) => form.equals(position)) && new Set(orbit.map(String)).size === orbit.length);
      assert.equal(table.symmetries % orbit.length, 0);
      for (const form of orbit) {
        assert.deepEqual(table.probe(form), table.probe(position));
        assert.ok(form.orbit()[0].equals(orbit[0]));
      }
    }
  }
  assert.deepEqual(classic.position("X../.../...").orbit().map(String), ["X../.../... o", "..X/.../... o", ".../.../X.. o", ".../.../..X o"]);
});

test("a line is perfect to its end", () => {
  for (const table of tables.values()) {
    const { positions, moves, over, cycle } = table.line();
    assert.equal(positions.length, moves.length + 1);
    moves.forEach((move, i) => {
      assert.equal(move, table.moves(positions[i])[0].move);
      assert.ok(positions[i].after(move).equals(positions[i + 1]));
    });
    assert.equal(positions.at(-1).over, over);
    assert.equal(over === null, cycle !== null);
    if (cycle !== null) assert.ok(positions[cycle].equals(positions.at(-1)));
    const { plies } = table.probe(table.start);
    if (plies !== null) assert.equal(moves.length, plies);
  }
  assert.deepEqual(tables.get("tapatan").line().moves, ["b2", "a1", "c2", "a2", "a3", "c1", "b2-b3", "a1-b1", "c2-c3"]);
  assert.equal(classic.line("XXX/OO./... o").over, "line");
});

test("a level errs with the given probability", () => {
  const position = classic.position("X../.../...");
  for (const errors of [0, 0.25, 1]) {
    let perfect = 0;
    for (let i = 0; i < 1000; i++) if (classic.choose(position, { errors, random: () => i / 1000 }) === "b2") perfect += 1;
    assert.equal(perfect, 1000 * (1 - errors));
  }
  assert.equal(classic.choose("XXX/OO./... o"), null);
  assert.equal(classic.choose("XOX/OX./OXO x", { errors: 1 }), "c2");
  assert.ok(position.legalMoves.some(({ move }) => move === classic.choose(position)));
  // As in the example of the Rust library: the number decides both whether to err and which move to make.
  assert.equal(classic.choose(position, { errors: 0.25, random: () => 0.2499 }), classic.moves(position)[7].move);
});

test("a batch has the same answers as single questions", () => {
  for (const table of tables.values()) {
    const positions = [...some(table)];
    const { value, plies, draw } = table.probeMany(BigUint64Array.from(positions, ({ mover }) => mover), BigUint64Array.from(positions, ({ waiter }) => waiter));
    positions.forEach((position, i) => {
      const score = table.probe(position);
      assert.deepEqual(
        [value[i], plies[i], draw[i]],
        [{ win: 1, draw: 0, loss: -1 }[score.value], score.plies ?? -1, { end: 1, cycle: 2 }[score.draw] ?? 0]);
    });
  }
  assert.equal(classic.probeMany(new BigUint64Array(0), new BigUint64Array(0)).value.length, 0);
  const long = new BigUint64Array(10_000);
  assert.ok(classic.probeMany(long, long).draw.every((kind) => kind === 1));
  // Invalid rows have an error, and the others their score.
  const masks = [[0n, 0n], [1n, 1n], [3n, 24n], [1n << 63n, 0n], [1n, 0n], [7n, 56n]];
  const mixed = classic.probeMany(BigUint64Array.from(masks, ([mover]) => mover), BigUint64Array.from(masks, ([, waiter]) => waiter));
  assert.deepEqual(Array.from(mixed.error, (error) => errorKinds[error] ?? ""), ["", "overlap", "", "off-the-board", "counts", "both-lines"]);
  assert.deepEqual([...mixed.value], [0, 0, 1, 0, 0, 0]);
  assert.deepEqual([...mixed.plies], [-1, -1, 1, -1, -1, -1]);
  assert.deepEqual([...mixed.draw], [1, 0, 0, 0, 0, 0]);
  assert.equal(errorKinds[classic.probeMany(BigInt64Array.of(-1n), BigInt64Array.of(0n)).error[0]], "off-the-board");
  const quixo = tables.get("quixo3");
  for (const above of [1n << 36n, 1n << 52n, 1n << 62n, -1n << 63n, -256n << 36n]) {
    assert.equal(errorKinds[quixo.probeMany(BigInt64Array.of(above | 1n), BigInt64Array.of(2n)).error[0]], "off-the-board");
  }
  assert.throws(() => classic.probeMany(BigUint64Array.of(0n), new BigUint64Array(0)), { kind: "size" });
});

test("every error is a MorpionError with a code, also for wrong types", async () => {
  const type = [3, null, undefined, {}, Symbol("x"), () => 1, { mover: 0, waiter: 0 }, new Map(), true, 7n];
  for (const wrong of type) {
    const asks = [
      () => classic.probe(wrong), () => classic.moves(wrong), () => classic.best(wrong), () => classic.over(wrong),
      () => classic.choose(wrong), () => classic.after(wrong, "a1"), () => classic.after(classic.start, wrong),
      () => classic.position().after(wrong), () => classic.parse(wrong), () => classic.probeMany(wrong, new BigUint64Array(1)),
      () => classic.probeMany(new BigUint64Array(1), wrong), () => new Table(wrong), () => classic.choose(classic.start, { random: wrong ?? 0 }),
    ];
    for (const ask of asks) {
      // A function is a valid `random`.
      if (typeof wrong === "function" && `${ask}`.includes("random")) continue;
      assert.throws(ask, (error) => error instanceof MorpionError && error.kind === "type" && error.code === "type", `${String(wrong)} ${ask}`);
    }
    await assert.rejects(open(wrong), { name: "MorpionError", code: "type" });
    await assert.rejects(openRemote(wrong), { name: "MorpionError", code: "type" });
    await assert.rejects(builtin(wrong), { name: "MorpionError", code: "type" });
  }
  const kinds = [
    [() => classic.after(classic.start, "a1-b2"), "move"],
    [() => classic.after("XXX/OO./... o", "c3"), "move"],
    [() => classic.position([3, 0, 0, 0, 0, 0, 0, 0, 0]), "character"],
    [() => classic.position(new Array(1e6).fill(0)), "size"],
    [() => classic.position([0, 0]), "size"],
    [() => classic.position(classic.start, "white"), "side"],
    [() => classic.position(classic.position(), "o"), "side"],
    [() => classic.position({ mover: 0n, waiter: 0n }, "o"), "side"],
    [() => classic.position({ mover: 1n, waiter: 1n }), "overlap"],
    [() => classic.position(swap.position()), "other-rules"],
    [() => swap.position([[1, 1, 0], [2, 2, 0], [1, 2, 0]]), "side-missing"],
    [() => classic.choose(classic.start, { errors: 2 }), "level"],
    [() => classic.choose(classic.start, { errors: NaN }), "level"],
    [() => classic.choose(classic.start, { random: () => 1 }), "level"],
    [() => classic.format({ mover: 0n, waiter: 0n }, "white"), "side"],
  ];
  for (const [ask, kind] of kinds) assert.throws(ask, { name: "MorpionError", kind, code: kind }, `${ask}`);
  await assert.rejects(builtin("chess"), { kind: "name", message: /classic, misere/ });
  await assert.rejects(builtin("constructor"), { kind: "name" });
  await assert.rejects(openRemote("http://127.0.0.1:1/none", { cache: "much" }), { kind: "type" });
  assert.equal(await open(new Uint16Array(new Uint8Array(readFileSync(plain.get("swap"))).buffer)).then(({ name }) => name), "swap");
});

test("positions of two copies of a table belong to the same game", async () => {
  const again = await builtin("classic");
  assert.ok(again.position("X../.../...").equals(classic.position("X../.../...")));
  assert.ok(!swap.position("X../.../...").equals(classic.position("X../.../...")));
  assert.ok(!classic.position().equals(classic.start) && classic.position() instanceof Position);
  assert.equal(classic.probe(again.position()).value, "draw");
});

test("a text that is not a move is told what a move looks like, and a move that is not legal is not", async () => {
  const told = { swap: "a cell like b2, a move like a1-b3, or pass", fano: "a cell like 4, a move like 0-5, or pass", wheel: "a cell by its name, a move from cell to cell like A-B, or pass" };
  const legal = { swap: "b2", fano: "4", wheel: "hub" };
  for (const [name, expected] of Object.entries(told)) {
    const table = await open(readFileSync(plain.get(name)));
    for (const text of ["zz", "", "a1-", "a1-b2-c3"]) {
      assert.throws(() => table.after(table.start, text), { code: "move", message: `${JSON.stringify(text)} is not a move: expected ${expected}` });
    }
    assert.throws(() => table.after(table.start, `${legal[name]}-${legal[name]}`), { code: "move", message: /is not a legal move here$/ });
  }
});

test("an error names the value and its type", async () => {
  const table = await builtin("classic"), circle = {};
  circle.circle = circle;
  const of = [
    (value) => table.probe(value), (value) => table.moves([value, 0, 0, 0, 0, 0, 0, 0, 0]), (value) => table.after(".../.../...", value),
    (value) => table.position().after(value), (value) => table.over(value), (value) => table.format(value, "x"), (value) => table.parse(value),
    (value) => table.choose(".../.../...", { errors: value }), (value) => table.choose(".../.../...", { random: value }), (value) => table.probeMany(value, value),
    (value) => builtin(value), (value) => open(value), (value) => openRemote(value), (value) => openRemote("x", { cache: typeof value === "number" ? -value : value }), (value) => openRemote("x", { fetch: value }),
  ];
  for (const [value, expected] of [[null, "null"], [Symbol("a"), "Symbol(a) (symbol)"], [3.5, ".5 (number)"], [circle, "… (Object)"], [{ x: 1n }, '{"x":"1n"} (Object)']]) {
    for (const ask of of) {
      const isCell = `${ask}`.includes("[value") && value === null;
      if (!isCell) await assert.rejects(async () => ask(value), (error) => error.name === "MorpionError" && error.message.includes(expected), `${ask} ${expected}`);
    }
  }
  for (const ask of [() => table.probe(undefined), () => table.moves([undefined, 0, 0, 0, 0, 0, 0, 0, 0]), () => table.after(".../.../...")]) {
    assert.throws(ask, { name: "MorpionError", message: /undefined/ });
  }
  await assert.rejects(openRemote("x", null), { code: "type", message: /options is null/ });
  assert.throws(() => table.choose(".../.../...", null), { code: "type", message: /level is null/ });
});
