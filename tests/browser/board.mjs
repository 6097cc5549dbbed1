// Drives the board of the explorer: in view on every screen, its badges and arrows, pieces that are dragged, and paper. Run by
// tests/outside/browser.rs.

import assert from "node:assert/strict";
import { address, cell, centre, finish, picture, play, press, scene, shown, tab, turn, verdict, worth } from "./scenes.mjs";

const TAPATAN = "#/tapatan?moves=b2+a1+b1+b3+c3+a3";
const rulesOf = (steps) => `#own?rules=${encodeURIComponent(`name = "steps"\n[board]\nrows = 4\ncolumns = 4\n[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\nto = "steps"\nsteps = ${steps}`)}`;

/** The share of the window's height that the board has, and true if the whole board is in the window. */
const inView = (page) => page.locator("svg.board").evaluate((board) => {
  const { top, bottom, height } = board.getBoundingClientRect();
  return { share: height / innerHeight, isWhole: top >= 0 && bottom <= innerHeight };
});

for (const [width, height, least] of [[1366, 768, 0.6], [1280, 800, 0.6], [1920, 1080, 0.65], [390, 844, 0.4]]) {
  await scene(`the board stays in view: ${width} by ${height}`, { viewport: { width, height } }, TAPATAN, async (page) => {
    await page.locator(".graph").waitFor();
    const found = page.locator(".faults button").last();
    for (const locator of [found, page.locator(".signs"), page.locator(".about").last()]) {
      await locator.evaluate((element) => element.scrollIntoView({ block: "end" }));
      const { share, isWhole } = await inView(page);
      assert.ok(isWhole, "the whole board is in the window");
      assert.ok(share >= least, `the board has ${share} of the height`);
    }
    await found.scrollIntoViewIfNeeded();
    await page.locator(".faults button").first().click();
    await page.locator(".branch").waitFor();
    assert.ok((await inView(page)).isWhole, "a click in the review shows the board");
    await picture(page, `in-view-${width}`, {});
  });
}

await scene("arrow keys step through the game after clicks with the mouse", {}, "#/classic", async (page) => {
  await play(page, ["a1", "b1", "b2"]);
  const step = async (key, text) => {
    await page.keyboard.press(key);
    await shown(page, text);
  };
  // After a click on a cell.
  await step("ArrowLeft", "XO./.../...");
  await step("ArrowLeft", "X../.../...");
  await step("ArrowRight", "XO./.../...");
  // After a click on a move of the list, on one of the game, and on the box of values.
  await page.locator('.move[data-move="c3"]').click();
  await shown(page, "XO./.../..X");
  await step("ArrowLeft", "XO./.../...");
  await page.locator(".history button", { hasText: "X a1" }).click();
  await step("ArrowRight", "XO./.../...");
  await page.getByLabel("Show what moves are worth").click();
  await step("ArrowLeft", "X../.../...");
  // With the keyboard on the board, arrow keys go from cell to cell.
  await tab(page, ".cell");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.name), "a2");
  await shown(page, "X../.../...");
});

await scene("a drawn start is a sentence and a shade", {}, "#/teeko", async (page) => {
  await page.locator(".told", { hasText: "All 25 moves keep the draw. The darker, the more replies lose: 83 % after c3, 0 % after" }).waitFor();
  assert.deepEqual([await page.locator(".chip").count(), await page.locator(".cell.shaded").count()], [0, 25]);
  const fill = (name) => cell(page, name).locator(".base").evaluate((base) => getComputedStyle(base).fill);
  assert.notEqual(await fill("c3"), await fill("a1"), "the shade shows the share");
  assert.ok(await page.locator(".legend").isHidden());
  assert.equal(await page.locator('.move[data-move="c3"] .mark').textContent(), "83\u00a0%");
  await page.locator(".group h3", { hasText: "Drawing 25, and how many replies lose" }).waitFor();
  await play(page, ["c3", "b2"]);
  await page.locator(".legend", { hasText: "=50 draws; half of the replies lose" }).waitFor();
});

await scene("the arrow of a move lies below its number", {}, TAPATAN, async (page) => {
  await page.locator('.move[data-move="b2-c1"]').hover();
  const ends = await page.locator(".arrow.loss").evaluate((arrow) => {
    const { left, right, top, bottom } = arrow.getBoundingClientRect();
    return [left < right, top < bottom];
  });
  assert.deepEqual(ends, [true, true]);
  assert.ok(await worth(page, "b2").locator(".chip").evaluate((chip) => Boolean(document.querySelector(".arrow").compareDocumentPosition(chip) & Node.DOCUMENT_POSITION_FOLLOWING)), "the badge is drawn above the arrow");
  await picture(page, "arrow", {});
  await page.locator('.move[data-move="b2-c2"]').hover();
  await page.locator(".arrow.win").waitFor({ state: "attached" });
});

for (const [width, height] of [[1366, 768], [1280, 800], [840, 700], [390, 844], [320, 640]]) {
  await scene(`the opponents are in one row: ${width} wide`, { viewport: { width, height } }, "#/tapatan", async (page) => {
    const boxes = await page.locator(".playbar fieldset").first().locator(".choice span").evaluateAll((all) => all.map((each) => each.getBoundingClientRect()).map(({ top, right, height }) => [Math.round(top), Math.ceil(right), Math.round(height)]));
    assert.equal(boxes.length, 4);
    assert.equal(new Set(boxes.map(([top]) => top)).size, 1, `${boxes}`);
    assert.ok(boxes.every(([, right, high]) => right <= width && high < 50), `${boxes}`);
  });
}

await scene("setting up leaves no hole", { viewport: { width: 1366, height: 768 } }, "#/teeko", async (page) => {
  await press(page, "Set up");
  const [heading, form, lines] = await Promise.all([".heading", ".setup", ".about"].map((each) => page.locator(each).first().boundingBox()));
  assert.ok(heading.y < 100 && form.y - (heading.y + heading.height) < 40, "the form is below the heading");
  assert.ok(lines.y - (form.y + form.height) < 60, "and the rest below the form");
  assert.ok(Math.abs(heading.x - form.x) < 2);
  await picture(page, "set-up", {});
});

await scene("a dragged piece leaves its cell", { reducedMotion: "no-preference" }, "#/swap?position=X.O/.XO/XO.+x", async (page) => {
  const isVisible = (name) => cell(page, name).locator(".piece").evaluate((piece) => getComputedStyle(piece).visibility === "visible");
  await page.mouse.move(...(await centre(cell(page, "b2").locator(".base"))));
  await page.mouse.down();
  await page.mouse.move(...(await centre(cell(page, "c1").locator(".base"))), { steps: 6 });
  assert.ok(!(await isVisible("b2")), "the piece is below the pointer");
  await page.mouse.up();
  assert.ok(await isVisible("b2"), "and back where it cannot go");
  await page.mouse.down();
  await page.mouse.up();
  await page.mouse.move(...(await centre(cell(page, "b2").locator(".base"))));
  await page.mouse.down();
  await page.mouse.move(...(await centre(cell(page, "a2").locator(".base"))), { steps: 6 });
  await page.mouse.up();
  await verdict(page, "X has made a line and wins");
  const moving = await cell(page, "a2").locator(".piece").evaluate((piece) => piece.getAnimations().length);
  assert.equal(moving, 0, "it does not slide from its old cell again");
});

await scene("long steps are squares without links, and named", {}, rulesOf("[[1, 2]]"), async (page) => {
  for (const [steps, words] of [["[[1, 2]]", "Pieces move like a knight in chess, and leap over others."], ["[[1, 0], [1, 2]]", "Pieces move one cell across or down, or like a knight in chess, and leap over others."], ["[[2, 2], [0, 3]]", "Pieces move three cells across or down, or two cells diagonally, and leap over others."]]) {
    await page.goto(`${address}${rulesOf(steps)}`);
    await page.locator(".about", { hasText: words }).first().waitFor();
    assert.deepEqual([await page.locator(".board .links > *").count(), await page.locator(".board rect.base").count()], [0, 16], steps);
  }
  await page.goto(`${address}${rulesOf("[[1, 0], [1, 1]]")}`);
  await page.locator(".board .links > *").first().waitFor({ state: "attached" });
});

await scene("paper has no headings without content", {}, "#/tapatan?moves=b2+a1+b1&hints=off", async (page) => {
  await turn(page, "O to move");
  const headings = () => page.locator("h2:visible").allTextContents();
  await page.emulateMedia({ media: "print" });
  assert.deepEqual(await headings(), ["Game", "Rules", "Lines"]);
  assert.ok(await page.getByText("Hidden").isHidden());
  assert.deepEqual(await page.locator(".reserve:visible .count").allTextContents(), ["1 in hand", "2 in hand"]);
  await page.emulateMedia({ media: "screen" });
  await page.goto(`${address}#/tapatan`);
  await verdict(page, "X wins in 9 plies");
  await page.emulateMedia({ media: "print" });
  assert.deepEqual(await headings(), ["Moves", "Rules", "Lines"]);
  await page.emulateMedia({ media: "screen" });
  await page.goto(`${address}${TAPATAN}`);
  await page.locator(".faults .answer").first().waitFor({ state: "attached" });
  await page.emulateMedia({ media: "print" });
  await page.locator(".faults .answer", { hasText: "c2 or b3 wins in 7 plies" }).waitFor();
});

await finish();
