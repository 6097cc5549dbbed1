// Plays scenes on pages of the explorer in a real browser; explorer.mjs and exported.mjs contain the scenes.
//
//   node SCRIPT ADDRESS EXPORT CHROMIUM [SCREENSHOTS]
//
// Prints a line for each scene; the exit status is 1 if a scene failed. MORPION_SCENE=TEXT plays only the scenes whose name
// contains TEXT.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

/** Addresses of the server and of the export. */
export const [address, exported] = process.argv.slice(2, 4);
const [executablePath, pictures = ""] = process.argv.slice(4);
const only = process.env.MORPION_SCENE ?? "";
const ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"];
if (pictures) mkdirSync(pictures, { recursive: true });

// A page that hangs ends this program, and the browser with it: `evaluate` and `close` wait without a limit.
setTimeout(() => {
  console.log("FAILED: not over after twenty minutes");
  process.exit(1);
}, 1_200_000).unref();

const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
let failed = 0;

/** A page that records its errors. `waits` wait for the page and not for the clock. */
async function open(path, { origin = address, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, reducedMotion: "reduce", serviceWorkers: "block", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.troubles = [];
  // Set-up requests illegal positions on purpose, and the browser logs each of these answers.
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !message.text().startsWith("Service Worker registration blocked") && !(page.expected && /status of 4(00|04|22)/.test(message.text())) && page.troubles.push(message.text()));
  page.on("pageerror", (error) => page.troubles.push(error.message));
  page.on("request", (request) => !request.url().startsWith(origin) && page.troubles.push(`a request to ${request.url()}`));
  await page.goto(origin + path);
  await page.locator("main > *").first().waitFor();
  return page;
}

/** Opens a page, runs the actions, and reports success if the page recorded no error. */
export async function scene(name, options, path, act) {
  if (!name.includes(only)) return;
  let page;
  try {
    page = await open(path, options);
    await act(page);
    assert.deepEqual(page.troubles, [], "no trouble on the console");
    console.log(`ok ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}: ${error.stack}`);
  } finally {
    await page?.context().close();
  }
}

export const cell = (page, name) => page.locator(`.cell[data-name="${name}"]`);
/** The badges of a cell, which lie above all cells. */
export const worth = (page, name) => page.locator(`.worth[data-name="${name}"]`);
export const verdict = (page, text) => page.locator(".verdict", { hasText: text }).waitFor();
export const turn = (page, text) => page.locator(".turn", { hasText: text }).waitFor();
export const referee = (page, text) => page.locator(".referee", { hasText: text }).waitFor();
export const position = (page, text) => page.waitForFunction((expected) => decodeURIComponent(location.hash).replace("+", " ").endsWith(`position=${expected}`), text);

/** Waits for the board to show these cells, row by row. */
export const shown = (page, text) => page.waitForFunction((expected) => [...document.querySelectorAll(".cell")].map((each) => (each.querySelector(".piece.x") ? "X" : each.querySelector(".piece.o") ? "O" : ".")).join("") === expected, text.replace(/[^XO.]/g, ""));
export const choose = (page, name) => page.getByRole("radio", { name, exact: true }).check();
export const press = (page, name) => page.getByRole("button", { name, exact: true }).click();

/** Tells whether the focus is on an element that matches. */
export const focused = (page, selector) => page.evaluate((wanted) => document.activeElement.matches(wanted), selector);

/** Presses Tab until an element that matches has the focus. */
export async function tab(page, selector) {
  for (let step = 0; step < 80 && !(await focused(page, selector)); step += 1) await page.keyboard.press("Tab");
  assert.ok(await focused(page, selector), selector);
}

/** Presses keys one after the other. */
export async function strike(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

/** Delays the answers of a path; the result releases them, and waits until they have arrived. */
export async function held(page, path) {
  let release;
  const gate = new Promise((ready) => (release = ready));
  const asked = page.waitForRequest(path);
  await page.route(path, async (route) => {
    await gate;
    await route.continue();
  });
  return async () => {
    const response = (await asked).response();
    release();
    await (await response).finished();
    await page.unroute(path);
    // The page has handled the answer before a timer set now fires.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
  };
}

/** Delays the messages to workers; the result releases them. */
export async function heldWorkers(page) {
  await page.evaluate(() => {
    const post = Worker.prototype.postMessage, gate = new Promise((ready) => { window.release = ready; });
    Worker.prototype.postMessage = function (...message) { gate.then(() => post.apply(this, message)); };
  });
  return async () => {
    await page.evaluate(() => window.release());
    await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  };
}

/** Watches the workers from now on; the result waits until one of them has ended. */
export async function watchedWorkers(page) {
  await page.evaluate(() => {
    const end = Worker.prototype.terminate;
    Worker.prototype.terminate = function () {
      end.call(this);
      window.isEnded = true;
    };
  });
  return () => page.waitForFunction(() => window.isEnded);
}

/** The puzzle of a number, as the page finds it; `wanted` may name a game and a grade. */
export const puzzle = (page, number, wanted) => page.evaluate(async ([number, wanted]) => (await import("./source.js")).puzzle(number, wanted), [number, wanted]);

/** Delays the answers that a method of tables in memory gives; the result releases them, and waits until the page has them. */
export async function stalled(page, method) {
  await page.evaluate(async (name) => {
    const { Table } = await import("./reader/table.js");
    const gate = new Promise((ready) => { window.release = ready; });
    Table.prototype[name] = async function (...questions) {
      await gate;
      return Object.getPrototypeOf(Table.prototype)[name].apply(this, questions);
    };
  }, method);
  return () => page.evaluate(async (name) => {
    const { Table } = await import("./reader/table.js");
    delete Table.prototype[name];
    window.release();
    await new Promise((done) => setTimeout(done, 100));
  }, method);
}

export async function centre(locator) {
  const { x, y, width, height } = await locator.boundingBox();
  return [x + width / 2, y + height / 2];
}

export async function picture(page, name, options = { fullPage: true }) {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), ...options });
}

/** Plays moves by clicking; waits for the address to follow each. */
export async function play(page, moves) {
  for (const move of moves) {
    const before = page.url();
    for (const name of move.split(/[->]|(?<=\d)x/)) await cell(page, name).click();
    await page.waitForFunction((old) => location.href !== old, before);
    await page.locator(".history [aria-current]", { hasText: move }).waitFor();
  }
}

/** An answer with its moves in an order that does not depend on the source. */
export const sorted = (answer) => ({ ...answer, best: [...answer.best].sort(), moves: [...answer.moves].sort((one, two) => one.move.localeCompare(two.move)) });

/** Ends the browser and this program. */
export async function finish() {
  await browser.close();
  process.exit(failed ? 1 : 0);
}
