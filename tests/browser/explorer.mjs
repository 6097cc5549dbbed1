// Drives the explorer behind its server, and an export behind a server of files; run by tests/outside/browser.rs.
// EXPORT is a folder made by `morpion serve --export`.

import assert from "node:assert/strict";
import { createReadStream, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { address, cell, centre, choose, exported, finish, focused, held, heldWorkers, picture, play, position, press, referee, scene, shown, sorted, stalled, strike, tab, turn, verdict, watchedWorkers, worth } from "./scenes.mjs";

const OWN = `#own?rules=${encodeURIComponent('name = "own"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3')}`;

await scene("cards show the games and their values", {}, "#/", async (page) => {
  await page.locator(".card", { hasText: "Tic-tac-toe" }).first().waitFor();
  assert.deepEqual(await page.locator(".family-group h2").allTextContents(), ["Tic-tac-toe", "Three men’s morris and kin", "Mills", "Pushes and vanishing marks", "More games", "Heaps and dominoes"]);
  await page.locator('.card[href="#/tapatan"] .pill', { hasText: "X wins in 9 plies" }).waitFor();
  // A board in the middle of a game, with the values of its moves.
  for (const value of ["win", "draw", "loss"]) await page.locator(`.card[href="#/classic"] .chip.${value}`).first().waitFor();
  // The tables of these are too large to be loaded for a card.
  for (const game of ["classic4", "six-mens-morris", "quixo4", "teeko"]) await page.locator(`.card[href="#/${game}"] .preview .chip`).first().waitFor();
  await page.locator('.card[href="#/rota"] .preview circle.base').first().waitFor();
  const titles = await page.locator(".card strong").allTextContents();
  assert.equal(new Set(titles).size, titles.length, "no two cards share a title");
  await page.locator('.variants a[href="#/nine-holes-any"]', { hasText: "anywhere" }).waitFor();
  await picture(page, "cards");
  await page.locator('.card[href="#/classic"]').click();
  await verdict(page, "Draw: with perfect play nobody wins");
});

await scene("a full game is won", {}, "#/classic", async (page) => {
  await play(page, ["a1", "b1", "b2", "a2"]);
  await verdict(page, "X wins in 1 ply");
  assert.equal(await worth(page, "c3").locator(".chip.best text").textContent(), "+1");
  await page.locator('.group.win .move.best[data-move="c3"]', { hasText: "wins in 1 ply, perfect" }).waitFor();
  await cell(page, "c3").click();
  await verdict(page, "X has made a line and wins");
  assert.equal(await page.locator(".cell.made").count(), 3);
  await page.locator(".moves", { hasText: "the game is over" }).waitFor();
  await picture(page, "won");
  // Undo and redo lead back and forth; so does the browser.
  await press(page, "Undo");
  await verdict(page, "X wins in 1 ply");
  await press(page, "Redo");
  await verdict(page, "X has made a line");
  await page.goBack();
  await verdict(page, "X wins in 1 ply");
  await page.keyboard.press("Control+z");
  await turn(page, "O to move");
  await page.keyboard.press("Control+y");
  await turn(page, "X to move");
});

await scene("symmetric moves are listed once", {}, "#/classic", async (page) => {
  await page.locator('.move[data-move="a1"]', { hasText: "×4" }).waitFor();
  assert.equal(await page.locator(".moves .move").count(), 3);
  await page.locator(".group h3", { hasText: "Drawing 9" }).waitFor();
  await page.locator('.move[data-move="b1"]').hover();
  assert.equal(await page.locator(".cell.pointed").count(), 4, "all of them are marked on the board");
  await play(page, ["b2", "a1"]);
  await page.locator('.move[data-move="b1"]', { hasText: "×2" }).waitFor();
  await page.locator('.move[data-move="c3"]:not(:has(.times))').waitFor();
});

await scene("a board fills the screen", { viewport: { width: 1600, height: 900 } }, "#/tapatan", async (page) => {
  await verdict(page, "X wins in 9 plies");
  await press(page, "Full screen");
  await page.waitForFunction(() => document.fullscreenElement && document.querySelector(".board").getBoundingClientRect().height > 600);
  await play(page, ["b2"]);
  await page.getByLabel("Show what moves are worth").uncheck();
  assert.equal(await page.locator(".chip").count(), 0);
  await page.getByLabel("Show what moves are worth").check();
  await picture(page, "full-screen");
  await press(page, "Full screen");
  await page.waitForFunction(() => !document.fullscreenElement);
});

await scene("the buttons of a game are in one row", { viewport: { width: 1280, height: 800 } }, "#/picaria?moves=b1+b2+a3+a1+c3", async (page) => {
  await page.getByRole("link", { name: "Lesson" }).waitFor();
  const tops = await page.locator(".controls > :visible").evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
  assert.ok(tops.length > 5 && new Set(tops).size === 1, `${tops}`);
});

// generator/serve/web/screenshot.png in README.md is the picture of this scene.
await scene("values, pieces and lines are seen at once", { viewport: { width: 1120, height: 640 } }, "#/six-mens-morris?position=.%23O%23./%23..O%23/O.%23X./%23...%23/X%23X%23X+x+2/2", async (page) => {
  await verdict(page, "X wins in 15 plies");
  for (const seen of [".chip", ".piece", ".links > *"]) assert.ok(await page.locator(`.board ${seen}`).count() > 0, seen);
  const clip = { x: 10, y: 44, width: 1100, height: 508 };
  assert.ok((await page.screenshot({ clip })).length < 100_000, "a picture of at most 100 KB");
  await picture(page, "screenshot", { clip });
});

await scene("a game is printed in colours and without buttons", { colorScheme: "dark" }, "#/tapatan?moves=b2+a1+b1+b3+c3+a3", async (page) => {
  await page.locator(".graph").waitFor();
  await page.emulateMedia({ media: "print" });
  for (const hidden of [".controls", ".playbar", ".top", ".foot", ".tray"]) assert.ok(!(await page.locator(hidden).first().isVisible()), hidden);
  for (const visible of [".board", ".moves .move", ".history .x", ".verdict"]) assert.ok(await page.locator(visible).first().isVisible(), visible);
  const colours = await page.evaluate(() => [getComputedStyle(document.body), getComputedStyle(document.querySelector(".mark"))].map(({ backgroundColor, printColorAdjust }) => [backgroundColor, printColorAdjust]));
  assert.deepEqual(colours, [["rgb(255, 255, 255)", "exact"], ["rgb(28, 122, 76)", "exact"]]);
  await picture(page, "printed");
});

await scene("a repeated position is a draw", {}, "#/swap", async (page) => {
  await play(page, ["a1", "b1", "c1", "a2", "b2", "c3"]);
  await shown(page, "XOX/OX./..O");
  await play(page, ["b2-c2", "c3-b3", "c2-b2", "b3-c3"]);
  await referee(page, "for the second time");
  await play(page, ["b2-c2", "c3-b3", "c2-b2", "b3-c3"]);
  await referee(page, "the referee calls a draw");
  await verdict(page, "Draw by repetition");
  await turn(page, "The game is over");
  assert.equal(await page.locator(".cell.movable").count(), 0);
  await picture(page, "repetition");
  await press(page, "Undo");
  await turn(page, "O to move");
});

await scene("an illegal position is explained", {}, "#/classic", async (page) => {
  page.expected = true;
  await press(page, "Set up");
  const message = page.locator("#setup-message");
  for (const name of ["a1", "b1", "c1"]) await cell(page, name).click();
  await page.locator("#setup-message.wrong", { hasText: "3 X and 0 O do not occur in this game" }).waitFor();
  assert.ok(await page.getByRole("button", { name: "Play from here" }).isDisabled());
  await picture(page, "illegal");
  for (const name of ["a2", "a2", "b2", "b2", "c2", "c2"]) await cell(page, name).click();
  await page.locator("#setup-message.wrong", { hasText: "both sides have a line" }).waitFor();
  await page.locator("#setup-text").fill("hello");
  await page.locator("#setup-message.wrong", { hasText: "is not a cell" }).waitFor();
  await page.locator("#setup-text").fill("(1,0,0,0,2,0,0,0,1)");
  await page.locator("#setup-message:not(.wrong)", { hasText: "Legal; O to move" }).waitFor();
  assert.equal(await page.locator(".board .piece").count(), 3);
  await press(page, "Show");
  await position(page, "X../.O./..X o");
  assert.ok(!(await message.isVisible()));
  await press(page, "Set up");
  await page.keyboard.press("Escape");
  await turn(page, "O to move");
});

await scene("a link leads to its position", {}, "#/swap?position=X.O/.XO/XO.+x", async (page) => {
  await verdict(page, "X wins in 1 ply");
  assert.equal(await page.title(), "swap · X wins in 1 ply");
  await page.goto(`${address}#/swap?position=X../.O./..X+o`);
  await verdict(page, "Draw: neither side can force an end");
  await page.goto(`${address}#/tapatan`);
  await verdict(page, "X wins in 9 plies");
});

await scene("a wrong link is explained", {}, "#/classic?position=XXX", async (page) => {
  page.troubles.length = 0;
  page.expected = true;
  await page.locator(".notice", { hasText: "3 cells, expected 9" }).waitFor();
  await page.getByRole("link", { name: "All games", exact: true }).click();
  await page.locator(".card").first().waitFor();
  page.troubles = page.troubles.filter((text) => !/status of 4(00|04|22)/.test(text));
});

await scene("everything works from the keyboard", {}, "#/tapatan", async (page) => {
  await tab(page, '[data-name="a1"]');
  const type = async (keys, move) => {
    await strike(page, ...keys);
    await page.locator(".history [aria-current]", { hasText: move }).waitFor();
  };
  // A move can be typed when the answer to the position has come, and the focus is where it was.
  const place = async (keys, cell, next) => {
    await type(keys, cell);
    await turn(page, `${next} to move`);
    await page.waitForFunction((name) => document.activeElement.dataset.name === name, cell);
  };
  await place(["ArrowRight", "ArrowDown", "Enter"], "b2", "O");
  await place(["ArrowUp", "ArrowLeft", "Enter"], "a1", "X");
  await place(["ArrowRight", " "], "b1", "O");
  await place(["ArrowDown", "ArrowDown", " "], "b3", "X");
  await place(["ArrowRight", "Enter"], "c3", "O");
  await place(["ArrowLeft", "ArrowLeft", "Enter"], "a3", "X");
  await strike(page, "ArrowRight", "ArrowRight");
  assert.ok(await focused(page, '[data-name="c3"]'));
  await page.keyboard.press("Enter");
  assert.equal(await cell(page, "c3").getAttribute("aria-pressed"), "true");
  assert.match(await cell(page, "c2").getAttribute("aria-label"), /^c2, empty, move here, (wins|loses|keeps)/);
  await picture(page, "keyboard");
  await page.keyboard.press("Escape");
  assert.equal(await cell(page, "c3").getAttribute("aria-pressed"), "false");
  await type(["Enter", "ArrowUp", "Enter"], "c3-c2");
  await page.locator("#status", { hasText: "X played c3-c2" }).waitFor({ state: "attached" });
});

await scene("pieces are dragged", {}, "#/swap?position=X.O/.XO/XO.+x", async (page) => {
  const drag = async (from, to) => {
    await page.mouse.move(...(await centre(from)));
    await page.mouse.down();
    await page.mouse.move(...(await centre(to)), { steps: 6 });
    assert.equal(await page.locator(".ghost").count(), 1);
    await page.mouse.up();
  };
  await drag(cell(page, "b2").locator(".base"), cell(page, "b3").locator(".base"));
  await turn(page, "X to move");
  assert.equal(await page.locator(".history li").count(), 1, "no move onto another piece");
  await drag(cell(page, "b2").locator(".base"), cell(page, "a2").locator(".base"));
  await verdict(page, "X has made a line and wins");
  await choose(page, "a friend");
  await press(page, "From the start");
  await turn(page, "X to move");
  await drag(page.locator(".tray.ready"), cell(page, "c3").locator(".base"));
  await page.locator(".history [aria-current]", { hasText: "c3" }).waitFor();
});

await scene("a drawn board", {}, "#/rota", async (page) => {
  assert.equal(await page.locator(".board .links line").count(), 8, "the spokes");
  assert.equal(await page.locator(".board .links circle").count(), 1, "the rim");
  await play(page, ["b2", "a1", "b1", "b3", "c3", "a2"]);
  await cell(page, "c3").click();
  await picture(page, "rota");
  assert.deepEqual(await page.locator(".cell.target").evaluateAll((cells) => cells.map((each) => each.dataset.name)), ["c2"]);
});

await scene("links that leave the board or pass by a cell are drawn and told", {}, "#/torus", async (page) => {
  const links = page.locator(".board .links");
  assert.equal(await links.locator("line:not(.around)").count(), 24, "between neighbours");
  assert.equal(await links.locator("line.around").count(), 16, "both ends of the eight that lead to the opposite edge");
  assert.equal(await links.locator("path").count(), 1, "a bow from a1 to c3, past b2");
  const [board, ends] = [await page.locator("svg.board").boundingBox(), await links.boundingBox()];
  assert.ok(ends.x >= board.x && ends.x + ends.width <= board.x + board.width, "within the picture");
  await page.locator(".about", { hasText: "leaves the board and comes in again on the opposite side: a1–d1" }).waitFor();
  await page.locator(".about", { hasText: "passes by the cells between its ends: a1–c3" }).waitFor();
  await play(page, ["a1", "b1", "b2", "c2"]);
  await cell(page, "a1").click();
  assert.deepEqual(await page.locator(".cell.target").evaluateAll((cells) => cells.map((each) => each.dataset.name).sort()), ["a2", "a4", "c3", "d1"]);
  assert.equal(await links.locator(".lit").count(), 7, "the links of the piece that is picked up");
  await picture(page, "torus");
  await cell(page, "d1").click();
  await page.locator(".history [aria-current]", { hasText: "a1-d1" }).waitFor();
});

await scene("a board with holes is played around them", {}, "#/holes", async (page) => {
  assert.equal(await page.locator(".cell").count(), 14);
  assert.equal(await cell(page, "b2").count(), 0);
  assert.equal((await page.locator(".board .labels").textContent()).length, 8, "four letters, four numbers");
  await verdict(page, "X wins in 13 plies");
  await play(page, ["b3", "a1", "c2", "d1"]);
  await verdict(page, "X wins in ");
  await page.keyboard.press("Tab");
  await cell(page, "b1").focus();
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.name), "b3", "over the hole");
});

await scene("an opponent answers, and the address holds the game", {}, "#/classic", async (page) => {
  await choose(page, "perfect play");
  await press(page, "Play");
  await cell(page, "a1").click();
  await page.locator(".history [aria-current]", { hasText: /^O b2$/ }).waitFor();
  await turn(page, "X to move: you");
  assert.equal(await page.locator(".chip").count(), 0, "nothing is told while one plays");
  await cell(page, "c3").click();
  await page.locator(".history li").nth(4).waitFor();
  await turn(page, "X to move: you");
  const played = await page.locator(".history").textContent();
  await page.reload();
  await turn(page, "X to move: you");
  assert.equal(await page.locator(".history").textContent(), played, "reload keeps the moves");
  assert.ok(await page.getByRole("radio", { name: "perfect play" }).isChecked(), "and the opponent");
  // Undo returns only to the player's own turns, and the opponent then plays the same move again.
  await press(page, "Undo");
  await turn(page, "X to move: you");
  assert.equal(await page.locator(".board .piece").count(), 2, "both moves are taken back");
  await press(page, "Undo");
  await page.locator(".history [aria-current]", { hasText: "Start" }).waitFor();
  assert.ok(await page.getByRole("button", { name: "Undo", exact: true }).isDisabled());
  await press(page, "Redo");
  await press(page, "Redo");
  await turn(page, "X to move: you");
  assert.equal(await page.locator(".history").textContent(), played, "Redo plays the opponent's moves too");
  // The browser's Back button takes a move and its answer back; the same move gets the same answer.
  await page.goBack();
  await shown(page, "X../.O./...");
  await turn(page, "X to move: you");
  await cell(page, "c3").click();
  await page.locator(".history li").nth(4).waitFor();
  assert.equal(await page.locator(".history").textContent(), played);
  // A link lets programs play either side.
  await page.goto(page.url().replace("?", "?x=perfect:random&"));
  await verdict(page, "a draw");
});

await scene("a record without moves is explained", {}, "#/classic", async (page) => {
  const text = JSON.stringify({ format: "morpion game record", version: 1, game: "classic" });
  await page.locator("input[type=file]").setInputFiles({ name: "game.json", mimeType: "application/json", buffer: Buffer.from(text) });
  await referee(page, "this record lacks its game, its start or its moves");
});

await scene("a game is played on from the position on the board", {}, "#/classic?moves=a1+b2+c1+b1+c2&o=club&hints=off&seed=1", async (page) => {
  await verdict(page, "You lost: O has made a line");
  const lost = page.url();
  // In review: the moves up to the position stay, and the others go.
  await page.locator(".history button", { hasText: "O b1" }).click();
  await choose(page, "perfect play");
  await press(page, "Play from here");
  await shown(page, "XOX/.O./...");
  await page.locator(".history li").nth(5).waitFor({ state: "detached" });
  await turn(page, "X to move: you");
  assert.equal(await page.locator(".chip").count(), 0, "nothing is told while one plays");
  await cell(page, "b3").click();
  await page.locator(".history li").nth(6).waitFor();
  await turn(page, "X to move: you");
  // In a branch, and with the other side.
  await page.goto(lost.replace("seed=1", "seed=1&from=4&branch=b3&at=4"));
  await page.locator(".branch", { hasText: "X b3" }).waitFor();
  await page.locator(".branch .history button").first().click();
  await page.locator(".branch .history li").nth(1).waitFor();
  await choose(page, "O, second");
  await press(page, "Play from here");
  await page.locator(".branch").waitFor({ state: "hidden" });
  await turn(page, "O to move: you");
  // Against the same opponent from the start, when the game is over and before.
  await page.goto(lost);
  await verdict(page, "You lost");
  await press(page, "Play again");
  await shown(page, ".../.../...");
  await turn(page, "X to move: you");
  assert.ok(!(await page.getByRole("button", { name: "From the start" }).isVisible()));
  // In set-up.
  await press(page, "Set up");
  await page.locator("#setup-text").fill("XO./.../... x");
  await page.locator("#setup-message", { hasText: "Legal; X to move." }).waitFor();
  await press(page, "Play from here");
  await turn(page, "X to move: you");
  await cell(page, "c3").click();
  await page.locator(".history li").nth(2).waitFor();
  await press(page, "From the start");
  await shown(page, ".../.../...");
});

await scene("hints come one at a time", {}, "#/classic?o=perfect&hints=off", async (page) => {
  const hints = page.locator(".hints");
  assert.ok(!(await hints.isVisible()));
  await press(page, "Hint");
  assert.equal(await hints.textContent(), "Every move keeps the draw. After the best, 88 % of replies lose.");
  assert.equal(await page.locator(".pointed").count(), 0);
  await press(page, "Hint");
  assert.match(await hints.textContent(), /lose\. Place a piece on a1\.$/);
  assert.ok(await page.getByRole("button", { name: "Hint" }).isDisabled(), "the cell is the move");
  assert.equal(await page.locator(".pointed").getAttribute("data-name"), "a1");
  await page.locator("#status", { hasText: "Place a piece on a1." }).waitFor({ state: "attached" });
  await picture(page, "hints");
  await press(page, "Set up");
  await press(page, "Cancel");
  assert.match(await hints.textContent(), /lose\. Place a piece on a1\.$/);
  await cell(page, "a1").click();
  await page.locator(".history li").nth(2).waitFor();
  await turn(page, "X to move: you");
  assert.ok(!(await hints.isVisible()), "hints are for one position");
  await page.goto(`${address}#/swap?position=X.O/.XO/XO.+x&hints=off`);
  await page.waitForFunction(() => document.title.startsWith("swap"));
  for (const expected of ["There is a win in 1 ply.", " Move the piece on b2.", " Play b2-a2."]) {
    await press(page, "Hint");
    assert.ok((await hints.textContent()).endsWith(expected), expected);
  }
  await page.getByLabel("Show what moves are worth").check();
  assert.ok(!(await hints.isVisible()) && !(await page.getByRole("button", { name: "Hint" }).isVisible()), "values tell more");
});

await scene("an opponent who begins leaves no turn to take back to", {}, "#/swap", async (page) => {
  await choose(page, "a club player");
  await choose(page, "O, second");
  await press(page, "Play");
  await turn(page, "O to move: you");
  assert.ok(await page.getByRole("button", { name: "Undo", exact: true }).isDisabled());
  await page.locator(".cell.target").first().click();
  await page.locator(".history li").nth(3).waitFor();
  await press(page, "Undo");
  await turn(page, "O to move: you");
  assert.equal(await page.locator(".board .piece").count(), 1);
});

await scene("a game is reviewed", {}, "#/classic", async (page) => {
  await page.getByLabel("Show what moves are worth").uncheck();
  await play(page, ["a1", "b1", "b2"]);
  assert.equal(await page.locator(".graph").count(), 0, "nothing is told before the end");
  await play(page, ["a2", "c3"]);
  await verdict(page, "X has made a line and wins");
  await page.locator(".review", { hasText: "O let the result slip once." }).waitFor();
  assert.deepEqual(await page.locator(".history .fault").allTextContents(), [" ?", " ?!"], "the draw, and the longer way to lose");
  assert.equal(await page.locator("circle.fault").count(), 1);
  await picture(page, "review");
  assert.deepEqual(await page.locator(".signs dt").allTextContents(), ["??", "?", "?!"], "the signs are explained");
  // A mistake and its refutation, which can be stepped through.
  const moves = page.locator(".history").first();
  await page.locator(".faults button", { hasText: "1. O b1?loses in 6 plies" }).click();
  await shown(page, "XO./.../...");
  await page.locator(".branch", { hasText: "Branch after 1. O b1:" }).waitFor();
  await verdict(page, "X wins in 5 plies");
  for (let plies = 4; plies >= 1; plies -= 1) {
    await page.keyboard.press("ArrowRight");
    await verdict(page, `X wins in ${plies} `);
  }
  await picture(page, "refutation");
  assert.equal(await moves.locator("li").count(), 6, "the game stays as it was played");
  // The address contains the branch.
  const branch = await page.locator(".branch .history").textContent();
  await page.reload();
  await page.locator(".branch", { hasText: branch }).waitFor();
  await press(page, "Back to the game");
  await page.locator(".branch").waitFor({ state: "hidden" });
  await shown(page, "XO./.../...");
  // The better move, and any other move, begins a branch too.
  assert.ok(await page.locator(".faults .answer").isHidden(), "the better move is not told");
  await press(page, "Show it");
  await page.locator(".faults .answer", { hasText: "b2 keeps the draw" }).waitFor();
  await shown(page, "X../.O./...");
  await verdict(page, "Draw");
  await cell(page, "c1").click();
  await shown(page, "X.X/.O./...");
  await page.locator(".branch", { hasText: "1.O b22.X c1" }).waitFor();
  await moves.locator("button", { hasText: "X c3" }).click();
  await verdict(page, "X has made a line and wins");
  await page.locator(".graph").click({ position: { x: 20, y: 20 } });
  await shown(page, ".../.../...");
  await cell(page, "c3").click();
  await page.locator(".branch", { hasText: "Branch after the start:" }).waitFor();
  assert.equal(await moves.locator("li").count(), 6);
});

await scene("a better move is found", {}, "#/classic?moves=a1+b1+b2+a2+c3", async (page) => {
  const [remark, answer] = [page.locator(".referee"), page.locator(".faults .answer")];
  await page.locator(".faults").waitFor();
  assert.deepEqual(await page.locator(".history .number").allTextContents(), ["1.", "2.", "3."], "turns are numbered");
  await press(page, "Find it");
  await verdict(page, "Find a better move than b1");
  await shown(page, "X../.../...");
  assert.equal(await page.locator(".chip, .shaded").count(), 0, "nothing is told");
  await page.locator(".moves", { hasText: "Hidden until you find a better move." }).waitFor();
  await cell(page, "a2").click();
  await referee(page, "a2 loses in 6 plies. Try again.");
  await shown(page, "X../.../...");
  assert.ok(await answer.isHidden());
  await picture(page, "wrong-again", {});
  await cell(page, "b2").click();
  await referee(page, /^Right: b2 keeps the draw/);
  assert.match(await remark.getAttribute("class"), /right/);
  await shown(page, "X../.O./...");
  assert.ok(await answer.isVisible());
  await page.locator(".branch", { hasText: "Branch after 1. X a1:" }).waitFor();
  await page.locator(".chip, .shaded").first().waitFor();
  // Whoever gives up is shown the move, and whoever goes elsewhere looks for it no longer.
  await press(page, "Find it");
  await verdict(page, "Find a better move than b1");
  await press(page, "Show it");
  await shown(page, "X../.O./...");
  await press(page, "Find it");
  await press(page, "Set up");
  await press(page, "Cancel");
  await verdict(page, "Find a better move than b1");
  assert.equal(await page.locator(".chip, .shaded").count(), 0, "setting up a position tells nothing");
  await page.keyboard.press("ArrowLeft");
  await verdict(page, "Draw: with perfect play nobody wins");
});

await scene("who has lost is told so, and sees why", {}, "#/classic?moves=a1+b2+c1+b1+c2&o=perfect&hints=off", async (page) => {
  await verdict(page, "You lost: O has made a line");
  await page.locator(".faults button", { hasText: "3. X c2" }).waitFor();
  assert.ok(await page.getByLabel("Show what moves are worth").isChecked());
  // Every position of the game shows its values, and the opponent answers only to what is tried instead.
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await turn(page, "X to move");
  await page.locator(".chip").first().waitFor();
  await cell(page, "b3").click();
  await page.locator(".branch", { hasText: /X b3O \w/ }).waitFor();
  await turn(page, "X to move: you");
  assert.equal(await page.locator(".history").first().locator("li").count(), 7, "the game stays as it was played");
  // Undo takes the answer back too.
  await press(page, "Undo");
  await turn(page, "X to move");
  await shown(page, "XOX/.O./...");
  await page.locator(".branch").waitFor();
  await page.locator(".faults button", { hasText: "3. X c2" }).click();
  await page.locator("section", { hasText: "A perfect line: 1 ply to the end." }).first().waitFor();
});

await scene("a game is downloaded, and opened again", {}, "#/swap?moves=a1+b1+c1&o=perfect&seed=3&at=3", async (page) => {
  await page.locator(".history li").nth(4).waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), press(page, "Download the game")]);
  assert.equal(file.suggestedFilename(), "swap.json");
  const record = JSON.parse(readFileSync(await file.path(), "utf8"));
  assert.deepEqual([record.format, record.version, record.x, record.o, record.seed, record.result], ["morpion game record", 1, "human", "perfect:random", 3, null]);
  assert.equal(record.moves.length, 4);
  const open = (contents) => page.locator("input[type=file]").setInputFiles({ name: "game.json", mimeType: "application/json", buffer: Buffer.from(contents) });
  await page.goto(`${address}#/classic`);
  await turn(page, "X to move");
  await page.waitForFunction(() => document.title.startsWith("classic"));
  await open("{");
  await referee(page, "this file is not JSON");
  await open(JSON.stringify({ ...record, fingerprint: "0000000000000000" }));
  await referee(page, "the rules of swap differ");
  await open(JSON.stringify(record));
  await page.waitForFunction(() => document.title.startsWith("swap"));
  await page.locator(".history [aria-current]", { hasText: record.moves[3] }).waitFor();
});

await scene("an address that has been asked for stays, whatever the page still leaves there", {}, "#/classic?moves=b2", async (page) => {
  await turn(page, "O to move");
  await page.evaluate(() => {
    location.hash = "#/classic?moves=b2+a1+c3";
    document.querySelector(".check input").click();
  });
  await shown(page, "O../.X./..X");
});

await scene("a page that is left while it opens leaves no trace", {}, "#/classic", async (page) => {
  const late = await held(page, /teeko\.morpion$/);
  await Promise.all([page.waitForRequest(/games\/teeko\.json$/), page.goto(`${address}#/teeko`)]);
  await page.goto(`${address}#heaps`);
  await page.locator(".card").first().waitFor();
  const title = await page.title();
  await late();
  assert.deepEqual([new URL(page.url()).hash, await page.title()], ["#heaps", title]);
  await page.goto(`${address}#/`);
  await page.locator('.card[href="#/teeko"]').click();
  await turn(page, "X to move");
});

await scene("pages that were left end nothing that the next page asks", {}, "#heaps", async (page) => {
  const [rules, table] = [await held(page, /tapatan\.toml$/), await held(page, /teeko\.morpion$/)];
  await Promise.all([page.waitForRequest(/tapatan\.toml$/), page.goto(`${address}#editor?from=tapatan`)]);
  await Promise.all([page.waitForRequest(/teeko\.morpion$/), page.goto(`${address}#/teeko`)]);
  for (const [path, late, sign] of [[OWN, rules, ".board .cell"], ["#lesson?game=tapatan", table, ".lesson details"]]) {
    const answers = await heldWorkers(page);
    await page.goto(address + path);
    await page.evaluate(() => new Promise((next) => setTimeout(next, 300)));
    await late();
    await answers();
    await page.locator(sign).first().waitFor();
  }
});

await scene("a page that was left and opened again has its address for itself", {}, "#/classic", async (page) => {
  const late = await held(page, /teeko\.morpion$/);
  for (const path of ["#/teeko?moves=c3&seed=5", "#/classic", "#/teeko?moves=c3&seed=5"]) await page.goto(address + path);
  await late();
  await turn(page, "O to move");
  await play(page, ["a1"]);
});

await scene("questions about two tables do not end each other", {}, "#/classic", async (page) => {
  await page.getByText("Games of players of four levels").click();
  const [first, beside, counts] = [page.locator(".judgement").first(), page.locator(".judgement").nth(1), page.locator(".about details tr", { hasText: "up to symmetry of the rules" })];
  await first.locator("tbody tr").nth(3).waitFor();
  const answers = await heldWorkers(page);
  await page.getByText("Positions that play can reach", { exact: true }).click();
  await page.getByText("The positions are being counted.").waitFor();
  await page.getByLabel("Beside it:").selectOption({ label: "Swap" });
  await beside.getByText("The players are playing").waitFor();
  await answers();
  await beside.locator("tbody tr").nth(3).waitFor();
  await counts.waitFor();
  // A game that is chosen earlier and found later replaces nothing.
  const late = await held(page, /games\/picaria\.json$/);
  await page.getByLabel("Beside it:").selectOption({ label: "Picaria" });
  await page.getByLabel("Beside it:").selectOption({ label: "Rota" });
  await beside.locator("h3", { hasText: "Rota" }).waitFor();
  await beside.locator("tbody tr").nth(3).waitFor();
  await late();
  await beside.locator("tbody tr").nth(3).waitFor();
  assert.equal(await beside.locator("h3").first().textContent(), "Rota");
  // The players of a game that is no longer chosen stop.
  const stopped = await watchedWorkers(page);
  const never = await heldWorkers(page);
  await page.getByLabel("Beside it:").selectOption({ label: "Swap" });
  await beside.getByText("The players are playing").waitFor();
  await page.getByLabel("Beside it:").selectOption("");
  await stopped();
  await never();
});

await scene("a section asks once at a time, and again after an error", {}, "#/classic", async (page) => {
  const [players, counts] = [page.getByText("Games of players of four levels"), page.getByText("Positions that play can reach", { exact: true })];
  await page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = () => { throw new Error("not today"); };
    window.mend = () => { Worker.prototype.postMessage = post; };
  });
  for (const section of [players, counts]) {
    await section.click();
    await page.locator("details[open] .message.wrong", { hasText: "not today" }).waitFor();
    await section.click();
  }
  await page.evaluate(() => window.mend());
  await counts.click();
  await page.locator("details tr", { hasText: "up to symmetry of the rules" }).waitFor();
  await page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    window.judged = 0;
    Worker.prototype.postMessage = function (message) {
      if (message.question?.ask === "judge") window.judged += 1;
      post.call(this, message);
    };
  });
  const answers = await heldWorkers(page);
  for (let click = 0; click < 3; click += 1) await players.click();
  await answers();
  await page.locator(".judgement tbody tr").nth(3).waitFor();
  assert.equal(await page.evaluate(() => window.judged), 1);
  await page.locator("#beside option", { hasText: "Rota" }).waitFor({ state: "attached" });
  assert.equal(await page.locator("#beside option", { hasText: "Rota" }).count(), 1);
  // Whoever leaves is not told that the players stop.
  await page.goto(`${address}#/tapatan`);
  await verdict(page, "X wins in 9 plies");
  const never = await heldWorkers(page);
  await players.click();
  await page.getByRole("link", { name: "Games", exact: true }).click();
  await page.locator(".card").first().waitFor();
  await never();
  assert.notEqual(await page.locator("#status").textContent(), "stopped");
});

await scene("a position is set up while answers are on their way", {}, "#/classic", async (page) => {
  let answers = await stalled(page, "moves");
  await cell(page, "a1").click();
  await press(page, "Set up");
  await press(page, "Cancel");
  await answers();
  await turn(page, "O to move");
  await shown(page, "X../.../...");
  await press(page, "Set up");
  await page.locator("#setup-message", { hasText: "Legal" }).waitFor();
  answers = await stalled(page, "moves");
  await page.locator("#setup-text").fill("XO./.../...");
  await press(page, "Show");
  await answers();
  await position(page, "XO./.../... x");
  // Who leaves meanwhile finds the next board as usual.
  await press(page, "Set up");
  await page.goto(`${address}#/swap`);
  await page.locator(".count", { hasText: "3 in hand" }).first().waitFor();
});

await scene("a perfect line is stepped through", {}, "#/nine-holes-diagonals", async (page) => {
  await press(page, "Perfect line");
  await page.locator("section", { hasText: "A perfect line: 9 plies to the end" }).first().waitFor();
  assert.equal(await page.locator(".history .ahead").count(), 9);
  for (let plies = 8; plies >= 1; plies -= 1) {
    await press(page, "Redo");
    await verdict(page, `X wins in ${plies} `);
  }
  await press(page, "Redo");
  await verdict(page, "X has made a line and wins");
  await page.goto(`${address}#/swap`);
  await verdict(page, "neither side");
  await press(page, "Perfect line");
  await page.locator("section", { hasText: "and so on forever" }).first().waitFor();
});

await scene("an answer that comes late changes nothing", {}, "#/nine-holes-diagonals", async (page) => {
  const line = await stalled(page, "line");
  await press(page, "Perfect line");
  await play(page, ["a1", "b1"]);
  const history = () => page.locator(".history li").allTextContents();
  const played = await history();
  assert.equal(played.length, 3);
  await line();
  assert.deepEqual(await history(), played, "what was played stays");
  const loaded = await stalled(page, "moves");
  await page.evaluate(() => (location.hash = "#/nine-holes-diagonals?moves=c3+b2"));
  await press(page, "Undo");
  await turn(page, "O to move");
  await loaded();
  assert.deepEqual(await history(), played);
  await turn(page, "O to move");
  await shown(page, "X../.../...");
});

await scene("a game has the name of a section of the page", {}, "#/puzzle", async (page) => {
  await verdict(page, "X wins in 3 plies");
  await page.goto(`${address}#puzzle`);
  await verdict(page, "find the only move");
  await page.goto(`${address}#/puzzle`);
  await verdict(page, "X wins in 3 plies");
});

await scene("values can be hidden", {}, "#/classic", async (page) => {
  assert.equal(await page.locator(".cell.shaded").count(), 9);
  await page.getByLabel("Show what moves are worth").uncheck();
  assert.equal(await page.locator(".cell.shaded").count(), 0);
  await page.locator(".moves", { hasText: "Hidden" }).waitFor();
});

await scene("a game is judged by players of four levels", {}, "#/classic", async (page) => {
  const { levels, choices, remedies } = await page.evaluate(async () => (await (await import("./source.js")).facts("classic")).judge());
  const panel = page.locator(".judgement").first();
  assert.equal(await panel.textContent(), "", "nothing is asked before it is opened");
  await page.getByText("Games of players of four levels").click();
  await panel.locator("tbody tr").nth(3).waitFor();
  const rows = await panel.locator("tbody tr").allTextContents();
  const percent = (part, all) => `${((100 * part) / all).toFixed(0)}\u00a0%`;
  levels.forEach(({ x_wins: x, draws, o_wins: o }, at) => {
    const shares = [x, draws, o].map((count) => percent(count, x + draws + o)).join("");
    assert.ok(rows[at].includes(shares), `${rows[at]}: ${shares}`);
  });
  await panel.getByText(`In ${percent(choices.only_moves, choices.choices)} of these`).waitFor();
  assert.ok(remedies.length > 0);
  for (const remedy of remedies) await panel.getByText(remedy).waitFor();
  assert.deepEqual(await panel.locator(".first").allTextContents(), ["a1 (4 alike) keeps the draw; 88 % of replies lose", "b2 keeps the draw; 50 % of replies lose", "b1 (4 alike) keeps the draw; 50 % of replies lose"]);
  await page.getByLabel("Beside it:").selectOption({ label: "Swap" });
  const beside = page.locator(".judgement").nth(1);
  await beside.locator("tbody tr").nth(3).waitFor();
  assert.equal(await beside.locator("h3").first().textContent(), "Swap");
  await picture(page, "judged");
  await panel.getByRole("link", { name: "b2", exact: true }).click();
  await shown(page, ".../.X./...");
});

await scene("a game of one's own is judged", {}, OWN, async (page) => {
  await page.getByText("Games of players of four levels").click();
  await page.locator(".judgement tbody tr", { hasText: "a club player" }).waitFor();
  await page.locator(".judgement").first().getByRole("link", { name: "b2", exact: true }).click();
  await shown(page, ".../.X./...");
  assert.ok(page.url().includes("#own?rules="), page.url());
});

await scene("the census is plotted", {}, "#/swap", async (page) => {
  assert.equal(await page.locator(".plot .bar").count(), 6);
  await page.getByText("As a table").click();
  const { census } = await (await page.request.get(`${address}api/v1/games/swap`)).json();
  const lost = census.layers.reduce((sum, layer) => sum + (layer.losses[0] ?? 0), 0);
  await page.locator(".census tbody tr").first().locator("td").last().getByText(String(lost)).waitFor();
  await page.getByRole("link", { name: "5 plies" }).click();
  await verdict(page, "X wins in 5 plies");
});

await scene("the skip link keeps the address", {}, "#/swap", async (page) => {
  await turn(page, "X to move");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.id === "main");
  assert.equal(new URL(page.url()).hash, "#/swap");
  await page.reload();
  await turn(page, "X to move");
});

await scene("a game is played, looked back on and reviewed by keyboard alone", {}, "#/classic", async (page) => {
  await tab(page, "input[name=rival]");
  assert.equal(await page.locator("input[name=rival]:checked").count(), 0, "nobody is chosen before a game");
  await page.keyboard.press("Space");
  await tab(page, ".playbar .primary");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.dataset.name === "a1");
  // A move with its side: the note on a fault also contains moves.
  const put = async (keys, move) => {
    await strike(page, ...keys);
    await page.locator(".history [aria-current]", { hasText: move }).waitFor();
  };
  await put(["Enter"], "X a1");
  await put(["ArrowRight", "Enter"], "O b1");
  await put(["ArrowDown", "Enter"], "X b2");
  await put(["ArrowLeft", "Enter"], "O a2");
  await put(["ArrowRight", "ArrowRight", "ArrowDown", "Enter"], "X c3");
  await verdict(page, "X has made a line and wins");
  await tab(page, ".faults button");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.textContent === "Redo");
  await page.keyboard.press("ArrowRight");
  await verdict(page, "X wins in 4 plies");
  await page.keyboard.press("ArrowLeft");
  await verdict(page, "X wins in 5 plies");
  await tab(page, ".branch > button");
  await page.keyboard.press("Enter");
  await page.locator(".branch").waitFor({ state: "hidden" });
});

await scene("a key is ignored while a position is being loaded", {}, "#/classic", async (page) => {
  const answer = await stalled(page, "moves");
  await cell(page, "a1").focus();
  await strike(page, "Enter", "ArrowRight", "Enter");
  await answer();
  await turn(page, "O to move");
  await page.keyboard.press("Enter");
  await page.locator(".history [aria-current]", { hasText: "O b1" }).waitFor();
  const table = await held(page, /teeko\.morpion$/);
  await Promise.all([page.waitForRequest(/teeko\.morpion$/), page.goto(`${address}#/teeko`)]);
  await strike(page, "z");
  await table();
  await page.waitForFunction(() => document.title.startsWith("teeko"));
  await turn(page, "X to move");
});

await scene("what one needs is above the fold", { viewport: { width: 1280, height: 800 } }, "#/", async (page) => {
  for (const game of ["classic", "tapatan", "rota", "teeko"]) {
    await page.goto(`${address}#/${game}`);
    await page.waitForFunction((wanted) => document.title.startsWith(wanted), game);
    for (const [what, locator] of [["Undo", page.getByRole("button", { name: "Undo", exact: true })], ["Redo", page.getByRole("button", { name: "Redo", exact: true })], ["the legend", page.locator(".told")]]) {
      const { y, height } = await locator.boundingBox();
      assert.ok(y + height <= 800, `${game}: ${what} ends at ${y + height}`);
    }
  }
});

await scene("the focus stays where one is", {}, "#/classic", async (page) => {
  await page.locator(".moves .move").first().focus();
  await page.keyboard.press("Enter");
  await turn(page, "O to move");
  assert.ok(await focused(page, ".moves *"), "in the list of moves");
  await page.locator(".history button").first().focus();
  await page.keyboard.press("Enter");
  await turn(page, "X to move");
  assert.ok(await focused(page, ".history [aria-current]"), "in the history");
});

// The export, behind a server that serves only files.
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".json": "application/json", ".toml": "text/plain" };
const files = createServer((request, response) => {
  const path = new URL(request.url, "http://files").pathname;
  const file = join(exported, normalize(path.endsWith("/") ? `${path}index.html` : path));
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return response.writeHead(404).end();
  response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" });
  return createReadStream(file).pipe(response);
});
await new Promise((ready) => files.listen(0, "127.0.0.1", ready));
const origin = `http://127.0.0.1:${files.address().port}/`;

await scene("export: a game is won against an opponent", { origin }, "#/", async (page) => {
  await page.locator('.card[href="#/tapatan"] .pill', { hasText: "X wins in 9 plies" }).waitFor();
  await page.locator('.card[href="#/tapatan"]').click();
  await choose(page, "perfect play");
  await press(page, "Play");
  await page.getByLabel("Show what moves are worth").check();
  for (let plies = 9; plies >= 1; plies -= 2) {
    await verdict(page, `X wins in ${plies} `);
    await page.locator(".move.best").first().click();
  }
  await verdict(page, "You won: you have made a line");
});

await scene("export: every position is worth what the server says", { origin }, "#/swap", async (page) => {
  for (const [game, text] of [["classic", "X../.O./..X o"], ["swap", "X.O/.XO/XO. x"], ["swap-pass", "X.O/.XO/XO. o"], ["shisima", "XXX/.../OOO x"], ["achi", "XOX/OXO/.XO x"]]) {
    const [here, there] = await page.evaluate(async ([name, position]) => {
      const source = await import("./source.js");
      const facts = await source.facts(name);
      return [await facts.position(position), await facts.line(position)];
    }, [game, text]).then(async ([answer, line]) => {
      const get = async (what) => (await page.request.get(`${address}api/v1/games/${game}/${what}?position=${text.replace(" ", "+")}`)).json();
      return [{ answer, line: { ...line, moves: line.moves.length, positions: line.positions.length } }, { answer: await get("position"), line: await get("line") }];
    });
    assert.deepEqual(sorted(here.answer), sorted(there.answer));
    // A line may choose among equal moves, but all endings take equally long.
    assert.equal(here.line.over, there.line.over);
    if (there.answer.plies !== null) assert.equal(here.line.moves, there.line.moves.length);
  }
});

await scene("export: a game is judged", { origin }, "#/tapatan", async (page) => {
  await page.getByText("Games of players of four levels").click();
  await page.locator(".judgement tbody tr", { hasText: "a club player" }).waitFor();
});

await scene("export: an illegal position and a wrong name are explained", { origin }, "#/classic", async (page) => {
  await press(page, "Set up");
  await page.locator("#setup-text").fill("XXX/.../...");
  await page.locator("#setup-message.wrong", { hasText: "3 X" }).waitFor();
  await press(page, "Cancel");
  await page.goto(`${origin}#/..%2f..`);
  await page.locator(".notice", { hasText: "no game" }).waitFor();
});

await scene("export: a puzzle is solved", { origin }, "#puzzle?day=2026-11-22", async (page) => {
  await page.locator(".verdict", { hasText: "find the only move" }).waitFor();
  while (await page.getByRole("button", { name: "Show the move" }).isVisible()) {
    const played = await page.locator("[aria-labelledby=h-solution] .history li").count();
    await press(page, "Show the move");
    await page.locator("[aria-labelledby=h-solution] .history li").nth(played).waitFor();
  }
  await page.locator(".said", { hasText: "Solved, with help." }).waitFor();
  await page.getByRole("link", { name: "Play it out" }).click();
  await turn(page, "to move: you");
});

await scene("export: it has all sections, and asks for files only", { origin }, "#/tapatan", async (page) => {
  const paths = new Set();
  page.on("request", (request) => paths.add(`${request.method()} ${new URL(request.url()).pathname}`));
  assert.deepEqual(await page.locator("#nav a").allTextContents(), ["Games", "Puzzle", "Editor", "Heaps"]);
  await page.goto(`${origin}#editor`);
  await page.locator("#rules-message", { hasText: "arrangements" }).waitFor();
  await press(page, "Solve and play");
  await page.locator(".chip, .move").first().waitFor();
  await page.goto(`${origin}#heaps/kayles?heaps=9+14`);
  await verdict(page, "The side to move");
  await page.goto(`${origin}#cram/3x4`);
  await verdict(page, "The side to move");
  assert.ok([...paths].every((path) => /^(GET|HEAD) [/](icon[.]svg|data[/]games[^?]*|(solver[/])?\w+[.](js|wasm))$/.test(path)), [...paths].join("\n"));
  await page.goto(`${origin}#/tapatan`);
  await verdict(page, "X wins in 9 plies");
  assert.deepEqual(await page.locator(".more a").allTextContents(), ["Board to print", "Sheet for a class", "Rule file", "Change the rules", "Table"]);
  await page.getByRole("link", { name: "Rule file", exact: true }).click();
  await page.waitForURL(/data\/games\/tapatan\.toml$/);
});

files.close();
await finish();
