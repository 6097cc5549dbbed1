// Records a visit of an export below a path of a server of files: home, a game, a new game that is solved and judged, a lesson, a print,
// and the same without a network. Prints the bytes loaded (not packed) and the seconds of each step, and the longest time in which the page did not
// answer. Run by tests/outside/browser.rs.
//
//   node recorded.mjs ADDRESS CHROMIUM

import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const [address, executablePath] = process.argv.slice(2);
const KNIGHTS = 'name = "knights"\n[board]\nrows = 4\ncolumns = 5\n[lines]\nlength = 4\n[pieces]\neach = 5\n[moves]\nto = "steps"\nsteps = [[1, 2]]\n';

// A page that hangs ends this program, and the browser with it: `evaluate` and `close` wait without a limit.
setTimeout(() => {
  console.log("FAILED: not over after twenty minutes");
  process.exit(1);
}, 1_200_000).unref();

const browser = await chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
const context = await browser.newContext({ viewport: { width: 1366, height: 768 } });
const page = await context.newPage();
page.setDefaultTimeout(120_000);
const troubles = [], loaded = new Set();
let isOffline = false;
page.on("console", (message) => ["error", "warning"].includes(message.type()) && troubles.push(message.text()));
page.on("pageerror", (error) => troubles.push(error.message));
page.on("request", (request) => loaded.add(request.url()));
// The page measures by a timer how long it did not answer.
await page.addInitScript(() => {
  let last = performance.now();
  window.longest = 0;
  setInterval(() => { const now = performance.now(); window.longest = Math.max(window.longest, now - last - 10); last = now; }, 10);
});

const sum = () => page.evaluate(() => performance.getEntriesByType("resource").reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0));

async function step(name, act) {
  const began = performance.now(), before = await sum();
  await page.evaluate(() => { window.longest = 0; });
  await act();
  const seconds = ((performance.now() - began) / 1000).toFixed(1), longest = Math.round(await page.evaluate(() => window.longest));
  const size = isOffline ? "nothing" : `${(await sum()) - before} bytes`;
  assert.deepEqual(troubles, [], name);
  console.log(`ok ${name}: ${size}, ${seconds} s, not answering for ${longest} ms at most`);
}

const press = (name) => page.getByRole("button", { name, exact: true }).click();
const verdict = (text) => page.locator(".verdict", { hasText: text }).waitFor();

await step("home", async () => {
  await page.goto(address);
  await page.locator('.card[href="#/tapatan"] .preview circle').first().waitFor();
});
await step("a game", async () => {
  await page.locator('.card[href="#/tapatan"]').click();
  await verdict("X wins in 9 plies");
});
assert.ok(![...loaded].some((url) => url.endsWith(".wasm")), "the module is not loaded before something needs it");
await step("lesson", async () => {
  await page.getByRole("link", { name: "Lesson" }).click();
  await page.locator(".lesson details").first().waitFor();
});
await step("print", async () => {
  await page.emulateMedia({ media: "print" });
  const pdf = await page.pdf({ format: "A4" });
  assert.ok(pdf.length > 10_000, `${pdf.length} bytes of PDF`);
  assert.ok(await page.locator(".lesson .tools").first().isHidden());
  await page.emulateMedia({ media: "screen" });
});
await step("editor", async () => {
  await page.getByRole("link", { name: "Editor", exact: true }).click();
  await page.locator("#rules").fill(KNIGHTS);
  await page.locator("#rules-message", { hasText: "20,456,365 entries" }).waitFor();
});
await step("solve 20 million entries", async () => {
  await press("Solve and play");
  await page.locator(".chip, .move").first().waitFor();
});
await step("judge", async () => {
  await page.getByText("Games of players of four levels").click();
  await page.locator(".judgement tbody tr").nth(3).waitFor();
});
await step("reload offline", async () => {
  await page.goto(`${address}#/tapatan`);
  await verdict("X wins in 9 plies");
  // Also the files that were loaded before the service worker was there are kept at last.
  await page.waitForFunction(async () => {
    const kept = await caches.open("morpion");
    const files = [location.href, ...performance.getEntriesByType("resource").map(({ name }) => name)].map((file) => file.split("#")[0]);
    return (await Promise.all(files.map((file) => kept.match(file)))).every(Boolean);
  });
  await context.setOffline(isOffline = true);
  await page.reload();
  await verdict("X wins in 9 plies");
  await page.goto(`${address}#editor`);
  await page.locator("#rules-message", { hasText: "arrangements" }).waitFor();
  await press("Solve and play");
  await page.locator(".chip, .move").first().waitFor();
});
await browser.close();
