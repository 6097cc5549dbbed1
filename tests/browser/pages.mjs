// Checks every page: nothing overflows the screen of a phone, dark mode is dark, and axe finds no fault. Run by
// tests/outside/browser.rs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cell, finish, picture, press, scene, verdict } from "./scenes.mjs";

/** Waits until a condition holds on the page. */
async function until(what, isTrue) {
  const end = Date.now() + 30_000;
  while (!(await isTrue())) {
    assert.ok(Date.now() < end, what);
    await new Promise((next) => setTimeout(next, 30));
  }
}

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const [PHONE, DESK] = [{ width: 390, height: 844 }, { width: 1280, height: 900 }];

/** Faults that axe finds, as rule and element. It runs from outside, since the page's policy forbids other scripts. */
async function violations(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate("axe.run()");
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`));
}

// Each page with an element that shows that it is complete, and the actions before the check.
const PAGES = [
  ["games", "#/", ".card .preview circle"],
  ["swap", "#/swap?position=X.O/.XO/XO.+x", ".chip"],
  ["tapatan", "#/tapatan?moves=b2+a1+b1+b3+c3+a3", ".graph"],
  ["rota", "#/rota", ".shaded"],
  ["torus", "#/torus?moves=a1+b1+b2+c2", ".chip"],
  ["cube", "#/cube?moves=b5+a1+a4", ".chip"],
  ["holes", "#/holes?moves=b3+a1", ".chip"],
  ["star", `#own?rules=${encodeURIComponent('name = "star"\n[board]\nlayout = """\n  n\nw hub e\n  s"""\n[lines]\nsets = [["w", "hub"], ["n", "s", "hub"]]\n[pieces]\neach = 2\n[moves]\nto = "edges"\nedges = [["hub", "n"], ["hub", "e"], ["hub", "s"], ["hub", "w"]]')}`, ".chip"],
  ["teeko", "#/teeko?moves=c3+c2+b3+d3+b2+d4+c4+a3", ".chip"],
  ["against", "#/classic?moves=b2+a1&o=club&hints=off", ".move, .moves .quiet"],
  ["reviewed", "#/classic?moves=a1+b1+b2+a2+c3&o=child", ".faults button"],
  ["finding", "#/classic?moves=a1+b1+b2+a2+c3", ".faults", async (page) => {
    await press(page, "Find it");
    await cell(page, "a2").click();
    await page.locator(".referee", { hasText: "Try again" }).waitFor();
  }],
  ["refuted", "#/classic?moves=a1+b1+b2+a2+c3&from=2&branch=a2+a3+b2+c1+c2&at=3&o=child", ".branch button"],
  ["setting-up", "#/tapatan?moves=b2+a1", ".chip", (page) => press(page, "Set up")],
  ["puzzle", "#puzzle?day=2026-11-22", ".cell .piece"],
  ["puzzle-solved", "#puzzle?day=2026-11-22", ".cell .piece", (page) => press(page, "Show the move")],
  ["editor", "#editor?from=tapatan", ".outline .preview"],
  ["editor-wrong", "#editor?from=tapatan", ".outline .preview", async (page) => {
    page.expected = true;
    await page.locator("#rules").fill(`${await page.locator("#rules").inputValue()}\nrows = 3 =`);
    await page.locator(".numbers .wrong").waitFor({ state: "attached" });
  }],
  ["variants", "#editor?from=tapatan", ".outline .preview", async (page) => {
    await page.getByText("Compare variants").click();
    await press(page, "Compare");
    await page.locator(".vary td.wrong").waitFor();
  }],
  ["own", `#own?rules=${encodeURIComponent('name = "own"\n[board]\nrows = 2\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 2\n[moves]\nto = "any"')}`, ".chip"],
  ["lesson", "#lesson?game=tapatan", ".lesson details"],
  ["unsolved", `#own?rules=${encodeURIComponent('name = "large"\n[board]\nrows = 6\ncolumns = 6\n[lines]\nlength = 4')}`, ".solving"],
  ["judged", "#/tapatan", ".chip", async (page) => {
    await page.getByText("Games of players of four levels").click();
    await page.locator(".judgement tbody tr").first().waitFor();
  }],
  ["heap-games", "#heaps", ".card"],
  ["heaps", "#heaps/kayles?heaps=20+7+1", ".counter"],
  ["cram", "#cram/4x5?position=X..../X.XX./...../.....", ".domino"],
  ["wrong", "#/nothing", ".notice", (page) => { page.troubles.length = 0; }],
  ["atlas", "about/atlas.html", "table"],
  ["rules", "about/rules.html", "pre"],
  ["format", "about/format.html", "table"],
  ["using", "about/explorer.html", "table"],
  ["interface", "about/interface.html", "table"],
];

for (const [name, path, sign, act = () => {}] of PAGES) {
  await scene(`looked at: ${name}`, { viewport: PHONE }, path, async (page) => {
    await page.locator(sign).first().waitFor();
    await act(page);
    for (const [size, viewport] of [["phone", PHONE], ["desk", DESK]]) {
      await page.setViewportSize(viewport);
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${size}: nothing hangs over the edge, but for ${wide} pixels`);
        const isDark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).every((part) => part < 60));
        assert.equal(isDark, colorScheme === "dark", "the paper is dark in the dark");
        await picture(page, `${name}-${size}-${colorScheme}`);
        assert.deepEqual(await violations(page), [], `${size}, ${colorScheme}`);
      }
    }
  });
}

await scene("names stand beside their cells, and large enough to be read", { viewport: PHONE }, "#/", async (page) => {
  const base = page.url().split("#")[0];
  for (const name of ["star", "rota", "cube", "holes", "torus"]) {
    await page.goto(base + PAGES.find(([named]) => named === name)[1]);
    await page.waitForFunction((wanted) => document.title.startsWith(wanted), name);
    const { names, cells } = await page.locator("svg.board").evaluate((svg) => {
      const boxes = (selector) => [...svg.querySelectorAll(selector)].map((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return { left, right, top, bottom, text: each.textContent };
      });
      return { names: boxes(".labels text"), cells: boxes(".base") };
    });
    const over = (one, two) => Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1 && Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 1;
    // A name may be in the corner of a round cell's box.
    const core = ({ left, right, top, bottom }) => ({ left: left + 0.15 * (right - left), right: right - 0.15 * (right - left), top: top + 0.15 * (bottom - top), bottom: bottom - 0.15 * (bottom - top) });
    for (const one of names) {
      assert.ok(one.bottom - one.top >= 10, `${name}: ${one.text} is ${one.bottom - one.top} pixels high`);
      assert.ok(!cells.some((cell) => over(one, core(cell))), `${name}: ${one.text} lies on a cell`);
      assert.ok(!names.some((two) => two !== one && over(one, two)), `${name}: ${one.text} lies on another name`);
      assert.ok(one.left >= 0 && one.right <= PHONE.width, `${name}: ${one.text} hangs over the edge`);
    }
    assert.ok(cells.every(({ left, right }) => right - left >= 24), `${name}: every cell can be touched`);
  }
});

await scene("narrow: a small phone holds every page", { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }, "#/", async (page) => {
  const base = page.url().split("#")[0];
  for (const [name, path, sign] of PAGES) {
    await page.goto(base + path);
    await page.locator(sign).first().waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${name}: nothing hangs over the edge, but for ${wide} pixels`);
  }
  page.troubles = page.troubles.filter((text) => !/status of 404/.test(text));
});

await scene("touch: a piece is moved by two taps", { viewport: PHONE, hasTouch: true, isMobile: true }, "#/swap?position=X.O/.XO/XO.+x", async (page) => {
  await cell(page, "b2").tap();
  await cell(page, "a2").tap();
  await verdict(page, "X has made a line and wins");
});

await scene("touch: the choice of a new game makes room for the one that is played", { viewport: PHONE, hasTouch: true, isMobile: true }, "#/classic", async (page) => {
  const again = page.getByRole("button", { name: "New game …" });
  assert.ok(!(await again.isVisible()));
  await press(page, "Play");
  await again.waitFor();
  await until("the focus is on the board", () => page.evaluate(() => document.activeElement.classList.contains("cell")));
  await until("the board is in sight", () => page.locator("svg.board").evaluate((board) => board.getBoundingClientRect().bottom <= innerHeight));
  await again.tap();
  await page.getByRole("radio", { name: "a child" }).check();
  await press(page, "Play");
  await again.waitFor();
});

await scene("touch: the next game is where the thumb is", { viewport: PHONE, hasTouch: true, isMobile: true }, "#/classic?moves=a1+b2+c1+b1+c2+b3&o=perfect", async (page) => {
  await verdict(page, "You lost");
  const again = page.getByRole("button", { name: "Play again" });
  const { y, height } = await again.boundingBox();
  assert.ok(y > PHONE.height / 2 && y + height <= PHONE.height, `between ${y} and ${y + height}`);
  await again.tap();
  await page.locator(".board .piece").first().waitFor({ state: "detached" });
  await page.locator(".turn", { hasText: "X to move: you" }).waitFor();
  assert.ok(!(await again.isVisible()));
});

await scene("touch: a hint comes into sight", { viewport: PHONE, hasTouch: true, isMobile: true }, "#/swap?position=X.O/.XO/XO.+x&hints=off", async (page) => {
  const hint = page.getByRole("button", { name: "Hint" });
  await hint.evaluate((button) => button.scrollIntoView({ block: "start" }));
  await hint.tap();
  const hints = page.locator(".hints", { hasText: "There is a win" });
  await until("the hint is in sight", () => hints.evaluate((element) => element.getBoundingClientRect().top >= 0));
});

await scene("touch: the board stays in sight while a position is set up", { viewport: PHONE, hasTouch: true, isMobile: true }, "#/swap", async (page) => {
  await press(page, "Set up");
  const seen = (selector) => page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  await page.locator("#setup-text").scrollIntoViewIfNeeded();
  assert.ok(await seen("svg.board"), "the board");
  assert.ok(await seen("#setup-text"), "and the text of the position beside it");
  await picture(page, "setup-phone-sight");
  await cell(page, "c3").tap();
  await page.locator("#setup-message", { hasText: "Legal; O to move" }).waitFor();
  await press(page, "Play from here");
  await until("the board is there when it is played on", () => seen("svg.board"));
});

await finish();
