import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, beforeEach, test } from "node:test";
import { MorpionError, Table, open, openRemote } from "../index.js";
import { unpacked } from "../packed.js";
import { openRemote as openPlain } from "../remote.js";
import { serve } from "./server.js";
import { seekTableLength, stored, virtual } from "./stored.js";
import { checkCensus, checkVectors, packed, plain } from "./vectors.js";

const files = new Map();
for (const [ending, tables] of [["morpion", plain], ["morpion.zst", packed]]) {
  for (const [name, file] of tables) files.set(`/${name}.${ending}`, readFileSync(file));
}
// Opening fetches a small file as a whole. In this long one, each frame of 8 bytes takes 69 bytes.
const six = files.get("/six.morpion");
files.set("/long.zst", stored(six, 8, 60));
// A plain table that is longer than the parts that opening fetches. The module `languages` of the tests from outside builds it.
const built = process.env.MORPION_BUILT_TABLE;
if (built) files.set("/built.morpion", readFileSync(built));

const server = await serve(files);
after(server.close);
beforeEach(() => Object.assign(server, { requests: [], bytes: 0, spoil: (response) => response }));
const remote = (name, options) => openRemote(`${server.address}/${name}`, options);
const local = new Table(six);

/** Positions along a line of play, good moves and bad ones. */
function* line(table) {
  let position = table.start;
  for (let i = 0; i < 20 && !table.over(position); i++) {
    yield position;
    const moves = table.moves(position).map(({ move }) => table.after(position, move));
    position = moves.filter((after) => !table.over(after))[i % 3] ?? moves[0];
  }
}

/** A position whose moves opening has not fetched. */
const deep = [...line(local)][5];

for (const ending of ["morpion", "morpion.zst"]) {
  test(`all vectors are answered from a server, NAME.${ending}`, async () => {
    const tables = new Map(await Promise.all([...packed.keys()].map(async (name) => [name, await remote(`${name}.${ending}`)])));
    await checkVectors(tables);
    await checkCensus(tables);
    assert.equal(server.requests.length, 2 * tables.size, "two requests open a table");
  });
}

test("a move of a long packed file takes a map entry and a row, and the second time nothing", async () => {
  const table = await remote("long.zst");
  assert.equal(server.requests.length, 2);
  assert.deepEqual(await table.moves(deep), local.moves(deep));
  const after = server.requests.length;
  assert.ok(after === 3 || after === 4, `${after} requests`);
  assert.deepEqual(await table.best(deep), local.best(deep));
  assert.equal(server.requests.length, after);
});

test("whatever the size of the cache, answers are those of the table in memory", async () => {
  for (const cache of [0, 1000, 1 << 20]) {
    const table = await remote("long.zst", { cache });
    for (const position of line(local)) {
      assert.deepEqual([await table.probe(position), await table.moves(position)], [local.probe(position), local.moves(position)], position);
    }
  }
});

test("the module of remote tables alone opens plain files by their beginning and census", async () => {
  const table = await openPlain(`${server.address}/six.morpion`);
  assert.equal(server.requests.length, 2);
  assert.ok(server.bytes <= 36 << 10, `${server.bytes} bytes`);
  for (const position of line(local)) assert.deepEqual(await table.moves(position), local.moves(position), position);
  await assert.rejects(openPlain(`${server.address}/six.morpion.zst`), { kind: "magic" });
});

test("a plain file that is longer than the parts that opening fetches", { skip: !built && "MORPION_BUILT_TABLE names none" }, async () => {
  const local = new Table(files.get("/built.morpion")), table = await remote("built.morpion");
  assert.equal(server.requests.length, 2);
  let positions = 0;
  for (const position of line(local)) {
    const before = server.requests.length;
    assert.deepEqual(await table.moves(position), local.moves(position), position);
    assert.ok(server.requests.length <= before + 2, "a map entry and a row");
    positions += 1;
  }
  assert.ok(positions > 5 && server.requests.length > 2, `${server.requests.length} requests`);
  assert.ok(server.bytes < files.get("/built.morpion").length + (64 << 10), "not the file again and again");
});

test("questions at the same time share their requests", async () => {
  const table = await remote("long.zst");
  const answers = await Promise.all([table.moves(deep), table.best(deep), table.moves(deep)]);
  assert.deepEqual(answers, [local.moves(deep), local.best(deep), local.moves(deep)]);
  assert.equal(new Set(server.requests).size, server.requests.length, `${server.requests}`);
});

test("a server without range requests is an error", async () => {
  server.spoil = (_, { url }) => ({ status: 200, headers: {}, body: files.get(url) });
  await assert.rejects(remote("six.morpion"), { name: "MorpionError", kind: "ranges", message: /200.*206/ });
  server.spoil = ({ status, body }) => ({ status, headers: {}, body });
  await assert.rejects(remote("six.morpion"), { kind: "ranges", message: /Content-Range/ });
});

test("a server that does not know the last bytes is asked once more by their offset", async () => {
  const file = files.get("/long.zst");
  const others = {
    first: (last) => ({ status: 206, headers: { "content-range": `bytes 0-${last}/${file.length}`, etag: '"one"' }, body: file.subarray(0, last + 1) }),
    none: () => ({ status: 416, headers: { "content-range": `bytes */${file.length}`, etag: '"one"' }, body: Buffer.alloc(0) }),
  };
  for (const other of Object.values(others)) {
    server.spoil = (response, { headers }) => (headers.range.startsWith("bytes=-") ? other(Number(headers.range.slice(7))) : response);
    const table = await remote("long.zst");
    assert.deepEqual(await table.probe(deep), local.probe(deep));
  }
  server.spoil = () => others.none();
  await assert.rejects(remote("long.zst"), { kind: "io", message: /416/ });
});

test("a file that has changed since it was opened is an error", async () => {
  const changes = {
    etag: (response) => ({ ...response, headers: { ...response.headers, etag: '"two"' } }),
    length: (response) => ({ ...response, headers: { ...response.headers, "content-range": response.headers["content-range"].replace(/\d+$/, "999999999") } }),
    modified: (response) => ({ ...response, headers: { ...response.headers, "last-modified": "Thu, 01 Jan 1970 00:00:00 GMT" } }),
  };
  for (const [what, change] of Object.entries(changes)) {
    const table = await remote("long.zst");
    server.spoil = change;
    await assert.rejects(table.moves(deep), { kind: "changed", message: new RegExp(what) });
    server.spoil = (response) => response;
    assert.deepEqual(await table.moves(deep), local.moves(deep), "and asked again once the file is back");
  }
});

test("responses that are cut short, wrong or missing are errors", async () => {
  const faults = {
    cut: () => null,
    short: ({ status, headers, body }) => ({ status, headers, body: body.subarray(1) }),
    shifted: (response) => ({ ...response, headers: { ...response.headers, "content-range": response.headers["content-range"].replace(/\d+/, (n) => Number(n) + 1) } }),
    missing: () => ({ status: 404, headers: {}, body: Buffer.from("no") }),
    busy: () => ({ status: 503, headers: {}, body: Buffer.from("") }),
  };
  for (const [what, fault] of Object.entries(faults)) {
    const table = await remote("long.zst");
    server.spoil = fault;
    await assert.rejects(table.moves(deep), { name: "MorpionError", kind: "io" }, what);
    await assert.rejects(remote("six.morpion"), { name: "MorpionError", kind: "io" }, what);
    server.spoil = (response) => response;
    assert.deepEqual(await table.moves(deep), local.moves(deep));
  }
  await assert.rejects(openRemote("http://127.0.0.1:1/none"), { kind: "io" });
});

test("a damaged frame is an error of the answers that need it", async () => {
  const table = await remote("long.zst");
  server.spoil = (response) => {
    const body = Buffer.from(response.body);
    body[20] ^= 1;
    return { ...response, body };
  };
  await assert.rejects(table.moves(deep), { name: "MorpionError", kind: "packed" });
  server.spoil = (response) => response;
  assert.deepEqual(await table.moves(deep), local.moves(deep));
});

test("an abort ends pending requests with its reason", async () => {
  const before = AbortSignal.abort();
  await assert.rejects(remote("long.zst", { signal: before }), { name: "AbortError" });
  const control = new AbortController();
  const table = await remote("long.zst", { signal: control.signal });
  // The request has arrived, and never gets an answer.
  server.spoil = () => {
    control.abort(new Error("the page was left"));
    return new Promise(() => {});
  };
  await assert.rejects(table.moves(deep), { message: "the page was left" });
});

test("positions are read, written and played without a request", async () => {
  const table = await remote("six.morpion"), before = server.requests.length;
  const { start } = local;
  assert.equal(table.start, start);
  assert.deepEqual(table.parse(start), local.parse(start));
  const [{ move }] = local.moves(start);
  assert.equal(table.after(start, move), local.after(start, move));
  assert.equal(table.over(start), null);
  for (const field of ["name", "title", "cells", "board", "encoding", "fingerprint", "symmetries", "entries"]) {
    assert.deepEqual(table[field], local[field], field);
  }
  await assert.rejects(table.probe("nonsense"), { kind: "character" });
  assert.equal(server.requests.length, before);
});

test("a long seek table is fetched once", async () => {
  files.set("/many.zst", stored(six, 3, 1));
  const table = await remote("many.zst");
  assert.equal(server.requests.length, 4);
  assert.ok(server.bytes < files.get("/many.zst").length, `${server.bytes} bytes`);
  for (const position of line(local)) assert.deepEqual(await table.moves(position), local.moves(position));
});

/** The table in 61,480 frames: its seek table has 492 kB, and its index 3.9 kB. */
const indexed = (change = () => {}) => stored(six, 1, 1, change);

test("with an index, a long seek table is fetched only in parts", async () => {
  files.set("/indexed.zst", indexed());
  const table = await remote("indexed.zst"), whole = await open(files.get("/indexed.zst"));
  assert.ok(server.requests.length <= 6 && server.bytes < 260_000, `${server.requests}: ${server.bytes} bytes`);
  assert.deepEqual(await table.census(), local.census());
  for (const position of line(local)) {
    const before = server.bytes;
    assert.deepEqual(await table.moves(position), local.moves(position), position);
    assert.deepEqual(whole.moves(position), local.moves(position), position);
    assert.ok(server.bytes < before + 20_000, `${server.bytes - before} bytes`);
  }
  const { length } = server.requests;
  await Promise.all([...line(local)].map((position) => table.best(position)));
  assert.equal(server.requests.length, length);
});

test("a table of more than a million frames is opened by its index alone", async () => {
  const file = readFileSync(new URL("../../../tables/six-mens-morris.morpion.zst", import.meta.url));
  const bytes = await unpacked(file), { size, frames, read } = virtual(bytes, 3);
  let fetched = 0;
  const fetch = async (_, { headers: { Range: range } }) => {
    const [, first, last] = range.match(/^bytes=(\d*)-(\d*)$/), from = first === "" ? size - Number(last) : Number(first);
    const body = read(from, first === "" ? size : Number(last) + 1);
    fetched += body.length;
    return new Response(body, { status: 206, headers: { "content-range": `bytes ${from}-${from + body.length - 1}/${size}` } });
  };
  const local = new Table(bytes), table = await remote("million.zst", { fetch });
  assert.ok(frames > 1e6 && fetched < 320_000, `${frames} frames: ${fetched} of ${size} bytes`);
  for (const position of line(local)) {
    const before = fetched;
    assert.deepEqual(await table.moves(position), local.moves(position), position);
    assert.ok(fetched < before + 65_536, `${fetched - before} bytes`);
  }
});

test("without an index, the seek table of as many frames is fetched", async () => {
  files.set("/unindexed.zst", stored(six, 1, 1));
  const table = await remote("unindexed.zst");
  assert.ok(server.bytes > 492_000);
  for (const position of line(local)) assert.deepEqual(await table.moves(position), local.moves(position), position);
});

test("an index that is damaged or differs from its seek table is an error", async () => {
  const good = indexed(), seekTable = good.length - seekTableLength(good);
  const flipped = (at) => {
    const bytes = Buffer.from(good);
    bytes[at] ^= 1;
    return bytes;
  };
  const changes = [(ends) => (ends[0][0] += 1), (ends) => (ends[0][1] += 1), (ends) => (ends.at(-1)[0] -= 1), (ends) => (ends.at(-1)[1] += 1)];
  const bad = changes.map(indexed);
  for (let at = seekTable - 3872; at < seekTable + 8 + 256 * 8; at += 101) bad.push(flipped(at));
  for (const bytes of bad) {
    files.set("/bad.zst", bytes);
    await assert.rejects(remote("bad.zst"), { name: "MorpionError", kind: /packed|length/ });
    await assert.rejects(open(bytes), { name: "MorpionError", kind: "packed" });
  }
  // Only answers that need a group on either side of a wrong end can see it.
  let refused = 0;
  for (let group = 20; group < 240; group += 10) {
    files.set("/bad.zst", indexed((ends) => (ends[group][1] += 1)));
    const table = await remote("bad.zst");
    for (const position of line(local)) {
      const moves = await table.moves(position).catch((error) => error);
      if (moves instanceof MorpionError && moves.kind === "packed") refused += 1;
      else assert.deepEqual(moves, local.moves(position));
    }
  }
  assert.ok(refused > 3, `${refused} refused`);
});

test("an endless body is read only as far as requested", async () => {
  for (const announced of [32768, 1e15]) {
    let sent = 0;
    const endless = () => new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array((sent += 4096, 4096))) }, { highWaterMark: 0 });
    const headers = { "content-range": `bytes 0-${announced - 1}/${announced + 1}` };
    const fetch = async () => new Response(endless(), { status: 206, headers });
    await assert.rejects(remote("endless.morpion", { fetch }), { name: "MorpionError", kind: "io" });
    assert.ok(sent <= 1 << 17, `${sent} bytes`);
  }
});

test("a file of an absurd size or with an absurd seek table is refused", async () => {
  const table = files.get("/swap.morpion.zst"), tail = Buffer.from(table);
  tail.writeUInt32LE(2 ** 32 - 1, tail.length - 9);
  for (const [size, kind] of [["99999999999999999999", "ranges"], [2 ** 52, "packed"]]) {
    const fetch = async (_, { headers: { Range: range } }) => {
      const length = range.startsWith("bytes=0-") ? 32768 : 69632, first = range.startsWith("bytes=0-") ? 0 : size - length;
      const body = Buffer.alloc(length);
      if (first === 0) table.copy(body);
      else tail.copy(body, length - tail.length);
      return new Response(body, { status: 206, headers: { "content-range": `bytes ${first}-${first + length - 1}/${size}` } });
    };
    await assert.rejects(remote("huge.zst", { fetch }), { name: "MorpionError", kind });
  }
});
