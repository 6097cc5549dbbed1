// Drives an export behind a real server of files, with tables that are loaded whole and one that is fetched in parts.
// Run by tests/outside/browser.rs. EXPORT is its address, ADDRESS is the address of `morpion serve` with the same tables.

import assert from "node:assert/strict";
import { address, exported as origin, finish, picture, scene, sorted, verdict } from "./scenes.mjs";

/** Records the requests of a page for tables. */
function traffic(page) {
  const parts = [];
  page.on("response", (response) => {
    if (/\.morpion$/.test(response.url()) && response.request().method() === "GET") parts.push({ game: response.url().match(/(\w+)\.morpion$/)[1], status: response.status(), bytes: Number(response.headers()["content-length"]) });
  });
  return parts;
}

/** Compares the page's answers with the server's along a game with good and bad moves. */
async function compare(page, game, plies, isWhole) {
  const answers = await page.evaluate(async ([name, plies]) => {
    const source = await import("./source.js");
    const facts = await source.facts(name), answers = [];
    let text;
    for (let ply = 0; ply < plies; ply++) {
      const answer = await facts.position(text);
      answers.push(answer);
      if (answer.moves.length === 0) break;
      text = answer.moves[(7 * ply) % answer.moves.length].position;
    }
    return answers;
  }, [game, plies]);
  for (const here of answers) {
    const query = `position=${encodeURIComponent(here.position)}`;
    const there = await (await page.request.get(`${address}api/v1/games/${game}/position?${query}`)).json();
    // To rank drawing moves, the page would have to load a part of a large table for each reply.
    if (!isWhole) for (const move of there.moves) delete move.trap;
    assert.deepEqual(sorted(here), sorted(there), `${game} ${here.position}`);
  }
  return answers.length;
}

/** Lets a page take the table of a game for a large one. */
const enlarge = (page, game) => page.route(`**/data/games/${game}.json`, async (route) => {
  const response = await route.fetch();
  await route.fulfill({ response, json: { ...(await response.json()), bytes: 1e9 } });
});

await scene("export: all cards are there, and only small tables are loaded for them", { origin }, "#/", async (page) => {
  const parts = traffic(page);
  await page.reload();
  for (const game of ["swap4", "teeko"]) await page.locator(`.card[href="#/${game}"] .preview circle, .card[href="#/${game}"] .preview rect`).first().waitFor();
  assert.ok(parts.every(({ status, bytes }) => status === 206 || bytes <= 1 << 18), JSON.stringify(parts));
  await picture(page, "exported-cards");
});

// The page for the editor loads no table, and the puzzle of a day loads one of any game.
await scene("export: a table is loaded whole, once", { origin }, "#own", async (page) => {
  for (const game of ["swap4", "teeko"]) {
    const parts = traffic(page);
    assert.ok(await compare(page, game, 12, true) > 5);
    assert.deepEqual(parts.filter((part) => part.game === game).map(({ status }) => status), [200]);
  }
});

await scene("export: rules of one table never meet values of another", { origin }, "#own", async (page) => {
  await page.route("**/data/games/teeko.morpion", async (route) => route.fulfill({ response: await route.fetch({ url: `${origin}data/games/swap4.morpion` }) }));
  const error = await page.evaluate(async () => {
    const { position } = await (await import("./source.js")).facts("teeko");
    return position().catch(({ message }) => message);
  });
  assert.equal(error, "teeko has been replaced by a game of other rules: load this page again");
});

await scene("export: a large table is asked for in parts", { origin }, "#/", async (page) => {
  const parts = traffic(page);
  await enlarge(page, "teeko");
  const length = Number((await page.request.head(`${origin}data/games/teeko.morpion`)).headers()["content-length"]);
  const positions = await compare(page, "teeko", 12, false);
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  assert.ok(positions === 12 && bytes < length / 2, `${bytes} bytes of ${length} for ${positions} positions`);
  assert.ok(parts.every(({ status }) => status === 206), "parts only");
  assert.ok(parts.length > 2 && parts.length <= 2 + 2 * positions, `${parts.length} requests for ${positions} positions`);
});

await scene("export: a game with a large table is played on the page", { origin }, "#/", async (page) => {
  await enlarge(page, "teeko");
  await page.goto(`${origin}#/teeko`);
  await verdict(page, "neither side");
  await page.locator(".table", { hasText: "All 25 moves are worth the same: each keeps the draw" }).waitFor();
  for (let ply = 1; ply <= 10; ply++) {
    const before = page.url();
    await page.locator(".moves .move").first().click();
    await page.waitForFunction((old) => location.href !== old, before);
    await page.locator(".history [aria-current]").waitFor();
    await verdict(page, "neither side");
  }
  await picture(page, "exported-teeko");
});

await finish();
