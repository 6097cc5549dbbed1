// Drives the pages around the games: puzzles, the editor, heaps, cram, documents; run by tests/outside/browser.rs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { address, cell, centre, choose, finish, focused, heldWorkers, picture, play, position, press, puzzle as found, scene, stalled, strike, tab, turn, verdict, watchedWorkers } from "./scenes.mjs";

await scene("a puzzle is solved", {}, "#/", async (page) => {
  await page.getByRole("link", { name: "Puzzle", exact: true }).click();
  await page.locator(".verdict", { hasText: /^[XO] (wins in \d+|can keep the draw): find the only move$/ }).waitFor();
  const day = new URLSearchParams(page.url().split("?")[1]).get("day");
  assert.match(day, /^\d{4}-\d\d-\d\d$/, "the address holds the puzzle, and its day");
  const again = page.url();
  await page.goto(`${address}#/`);
  await page.locator(".card").first().waitFor();
  await page.goto(`${address}#puzzle`);
  await page.waitForFunction((url) => location.href === url, again);
  // A wrong move is refuted; the right move is answered until the end.
  const get = async (path) => (await page.request.get(`${address}api/v1/${path}`)).json();
  const answer = (game, text) => get(`games/${game}/position?position=${text.replace(" ", "+")}`);
  const move = async (name) => {
    for (const each of name.split("-")) await cell(page, each).click();
  };
  const wins = [];
  for (let number = 0; wins.length === 0; number += 1) {
    const puzzle = await found(page, number, { game: "tapatan" });
    if (puzzle.value === "win") wins.push(puzzle);
  }
  const [{ game, position: text, plies, length }] = wins;
  assert.ok(length <= (plies + 1) / 2);
  const { moves, best } = await answer(game, text);
  assert.equal(moves.filter((each) => each.value === "win").length, 1);
  await page.goto(`${address}#puzzle?game=${game}&position=${text.replace(" ", "+")}`);
  await verdict(page, `wins in ${plies}: find the only move`);
  await page.getByText("Solved in a row: 0. Longest row: 0.").waitFor();
  assert.equal(await page.locator(".chip").count(), 0, "nothing is told");
  const wrong = moves.find((each) => each.value !== "win");
  await move(wrong.move);
  await page.locator(".said.wrong", { hasText: `${wrong.move} ${wrong.value === "draw" ? "lets the win slip" : "loses"}` }).waitFor();
  await page.locator(".branch button", { hasText: wrong.move }).first().waitFor();
  const shown = page.locator(".branch [aria-current]");
  assert.equal((await shown.textContent()).slice(2), wrong.move);
  if ((await page.locator(".branch li").count()) > 1) {
    await page.locator(".branch li button").nth(1).click();
    assert.notEqual((await shown.textContent()).slice(2), wrong.move);
  }
  await picture(page, "puzzle-failed");
  await press(page, "Try again");
  // The right moves, each of which alone wins.
  let at = text;
  for (let found = 0; found < length; found += 1) {
    const { best: [right], moves: open } = found === 0 ? { best, moves } : await answer(game, at);
    await move(right);
    await page.locator("[aria-labelledby=h-solution] .history li").nth(2 * found).waitFor();
    if (found + 1 === length) break;
    await page.locator(".said", { hasText: `Right: ${right}.` }).waitFor();
    const reply = (await page.locator("[aria-labelledby=h-solution] > .history li").nth(2 * found + 1).locator("> :last-child").textContent()).slice(2);
    const waiting = await answer(game, open.find((each) => each.move === right).position);
    assert.ok(waiting.best.includes(reply), "the reply resists longest");
    at = waiting.moves.find((each) => each.move === reply).position;
  }
  await verdict(page, `${best[0]} was the only move that wins`);
  await page.locator(".said", { hasText: "Solved, with help." }).waitFor();
  await page.locator(`.group.win .move[data-move="${best[0]}"]`).waitFor();
  await page.locator(".legend", { hasText: "wins in 5 plies" }).waitFor();
  await picture(page, "puzzle-solved");
  // Perfect play from here wins.
  await page.getByRole("link", { name: "Play it out" }).click();
  await page.getByLabel("Show what moves are worth").check();
  for (let left = plies - 2; left > 0; left -= 2) {
    await verdict(page, `wins in ${left} pl`);
    await page.locator(".move.best").first().click();
  }
  await verdict(page, "You won: you have made a line");
});

await scene("a puzzle names the piece before the move", {}, "#/", async (page) => {
  const get = async (path) => (await page.request.get(`${address}api/v1/${path}`)).json();
  for (let number = 0; ; number += 1) {
    const { game, position: text } = await found(page, number, { game: "tapatan" });
    const { best: [right] } = await get(`games/${game}/position?position=${text.replace(" ", "+")}`);
    if (!right.includes("-")) continue;
    await page.goto(`${address}#puzzle?game=${game}&position=${text.replace(" ", "+")}`);
    await press(page, "Hint");
    await page.locator(".said", { hasText: `Move the piece on ${right.split("-")[0]}.` }).waitFor();
    assert.ok(await page.getByRole("button", { name: "Hint" }).isDisabled());
    break;
  }
});

await scene("puzzles solved in a row are counted", {}, "#puzzle", async (page) => {
  const get = async (path) => (await page.request.get(`${address}api/v1/${path}`)).json();
  let row = 0;
  for (let number = 0; row < 2; number += 1) {
    const { game, position: text, length } = await found(page, number, { game: "classic", grade: 1 });
    if (length > 1) continue;
    const { best: [right] } = await get(`games/${game}/position?position=${text.replace(" ", "+")}`);
    // On the way over another page, the puzzle before disappears.
    await page.goto(`${address}#/`);
    await page.locator(".turn").waitFor({ state: "detached" });
    await page.goto(`${address}#puzzle?game=${game}&position=${text.replace(" ", "+")}`);
    await page.locator(".turn", { hasText: "to move" }).waitFor();
    await cell(page, right).click();
    await verdict(page, `${right} was the only move`);
    row += 1;
    await page.getByText(new RegExp(`Solved in a row: [${row}-9]`)).waitFor();
  }
  await press(page, "Next puzzle");
  await page.locator(".verdict", { hasText: "find the only move" }).waitFor();
  await press(page, "Show the move");
  await page.getByText(/Solved in a row: 0. Longest row: [2-9]./).waitFor();
  // Other puzzles can be chosen by game and grade.
  await page.getByLabel("Game", { exact: true }).selectOption({ label: "Swap" });
  await page.waitForFunction((grades) => [...document.querySelectorAll("#other-grade option")].map((each) => each.textContent).join() === grades, "any,1, easy,2,3");
  await page.getByLabel("Grade", { exact: true }).selectOption("2");
  await press(page, "Another puzzle");
  await page.waitForFunction(() => location.hash.includes("game=swap") && location.hash.endsWith("grade=2"));
});

await scene("puzzles of a game are printed with their answers", {}, "#puzzle?day=2026-11-22", async (page) => {
  await page.getByLabel("Game", { exact: true }).selectOption({ label: "Six men's morris" });
  await press(page, "A sheet to print");
  const tasks = page.locator(".tasks figcaption > b"), answers = page.locator(".answers figcaption");
  await tasks.nth(4).waitFor();
  const position = ({ game, position }) => `games/${game}/position?position=${encodeURIComponent(position)}`;
  const get = async (path) => (await page.request.get(`${address}api/v1/${path}`)).json();
  const first = await found(page, Number(new URLSearchParams(page.url().split("?")[1]).get("sheet")), { game: "six-mens-morris" });
  assert.equal(await answers.nth(0).locator("span").nth(0).textContent(), `${first.position.split(" ")[1].toUpperCase()} ${(await get(position(first))).best[0]}`);
  assert.match(await tasks.nth(0).textContent(), /^1\. [XO] to move: (keep the draw|win in [1-5] moves?)\.$/);
  assert.deepEqual([await tasks.count(), await answers.count()], [5, 5]);
  await page.getByText("Does it matter who begins? No: nobody wins, whoever begins.").waitFor();
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.getByRole("button", { name: "Print" }).isHidden());
  await picture(page, "sheet");
});

await scene("a board is printed with its pieces", {}, "#/nine-mens-morris", async (page) => {
  await page.getByRole("link", { name: "Board to print" }).click();
  await page.getByText("Pieces to cut out").waitFor();
  assert.equal(await page.locator(".pieces svg").count(), 18);
  await page.emulateMedia({ media: "print" });
  const places = await page.locator("article svg").first().locator("circle").evaluateAll((all) => all.map((each) => each.getBoundingClientRect()).map(({ left, right }) => [left, right]));
  const length = (25.4 / 96) * (Math.max(...places.map(([, right]) => right)) - Math.min(...places.map(([left]) => left)));
  assert.ok(Math.abs(length - 170) < 1, `${length} mm`);
  await picture(page, "board-to-print");
});

await scene("a puzzle that is none and another puzzle", {}, "#puzzle?game=classic&position=X../.O./..X+o", async (page) => {
  await page.locator(".notice", { hasText: "choose a position in which one move alone wins" }).waitFor();
  for (const day of ["1969-12-31", "tomorrow"]) {
    await page.goto(`${address}#puzzle?day=${day}`);
    await page.locator(".notice", { hasText: new RegExp(`"${day}" is not a day from 1970 on: write it like `) }).waitFor();
  }
  page.expected = true;
  await page.goto(`${address}#puzzle?game=nosuch`);
  await page.locator(".notice", { hasText: 'no game "nosuch" here' }).waitFor();
  await page.goto(`${address}#puzzle?game=swap`);
  await page.waitForFunction(() => /game=swap&position=/.test(location.hash));
  await page.goto(`${address}#puzzle?day=2026-11-22`);
  await page.getByRole("heading", { name: "Puzzle of 22 November 2026" }).waitFor();
  const before = page.url();
  await press(page, "Another puzzle");
  await page.waitForFunction((old) => location.href !== old, before);
  await page.getByRole("heading", { name: "Puzzle", exact: true }).waitFor();
  await press(page, "Show the move");
  await page.locator(".said", { hasText: /The move is|Solved, with help/ }).waitFor();
  await page.goBack();
  await page.waitForFunction((old) => location.href === old, before);
  await page.getByRole("heading", { name: "Puzzle of 22 November 2026" }).waitFor();
});

await scene("a puzzle is missed, solved and followed by another by keyboard alone", {}, "#puzzle?game=classic&position=XX./OO./...+x", async (page) => {
  const named = (name) => focused(page, `[data-name="${name}"]`);
  await verdict(page, "X wins in 1: find the only move");
  await tab(page, ".cell");
  await strike(page, "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "Enter");
  await page.locator(".said.wrong", { hasText: "c3 loses in 2 plies" }).waitFor();
  assert.ok(await named("c3"), "the focus stays on the board");
  await tab(page, ".branch li:nth-child(2) button");
  await strike(page, "Enter");
  assert.equal(await page.locator(".branch [aria-current]").textContent(), "O c2");
  assert.ok(await focused(page, ".branch [aria-current]"), "the focus stays in the refutation");
  await tab(page, ".controls .primary");
  await strike(page, " ");
  assert.ok(await named("c3"), "a new attempt begins on the board");
  await strike(page, "ArrowUp", "ArrowUp", " ");
  await verdict(page, "c1 was the only move that wins");
  await page.locator(".said", { hasText: "Solved, with help." }).waitFor();
  assert.ok(await named("c1"));
  // Another game is chosen by its first letters.
  await tab(page, "#other-game");
  await page.keyboard.type("tap");
  await tab(page, ".filter button");
  await strike(page, "Enter");
  await page.waitForFunction(() => location.hash.includes("game=tapatan"));
  await page.waitForFunction(() => document.activeElement.id === "main");
  const show = ".controls button:nth-child(5)";
  await tab(page, show);
  const moves = page.locator("[aria-labelledby=h-solution] .history li");
  while (await page.locator(show).isVisible()) {
    const played = await moves.count();
    await strike(page, "Enter");
    await moves.nth(played).waitFor();
  }
  await page.locator(".turn", { hasText: "Solved" }).waitFor();
  assert.ok(await focused(page, ".cell"), "a button that disappears leaves the focus to the board");
});

await scene("nine men's morris is played without a table", {}, "#/", async (page) => {
  await page.locator('.card[href="#/nine-mens-morris"] .preview .piece').first().waitFor();
  await page.locator('.card[href="#/nine-mens-morris"]').click();
  await page.locator(".known", { hasText: "morpion build nine-mens-morris --packed" }).waitFor();
  await choose(page, "a child");
  await press(page, "Play");
  await cell(page, "a1").click();
  await page.locator(".history li").nth(2).waitFor();
  await turn(page, "X to move: you");
  await page.locator(".reserve", { hasText: "8 in hand" }).first().waitFor();
  assert.equal(await page.locator(".chip").count(), 0, "no move has a value");
  const played = await page.locator(".history").textContent();
  await page.reload();
  await page.locator(".history li").nth(2).waitFor();
  assert.equal(await page.locator(".history").textContent(), played);
  await picture(page, "nine-mens-morris");
});

await scene("a lesson unfolds", {}, "#/tapatan", async (page) => {
  await page.getByRole("link", { name: "Lesson" }).click();
  await page.locator(".lesson", { hasText: "X wins against any play, in 5 moves at most." }).waitFor();
  await page.getByRole("button", { name: "Unfold all" }).click();
  await page.locator("details[open] details[open]").first().waitFor();
  await picture(page, "lesson");
  await page.getByRole("link", { name: "Play" }).click();
  await page.locator(".cell").first().waitFor();
  assert.ok(page.url().endsWith("#/tapatan"), page.url());
});

await scene("boards of a lesson follow dark mode, are large, and have letters", { colorScheme: "dark", viewport: { width: 1920, height: 1080 } }, "#lesson?game=tapatan", async (page) => {
  const board = page.locator(".lesson summary svg").first();
  await board.waitFor();
  assert.ok((await board.boundingBox()).width >= 200);
  for (const name of ["a", "b", "c", "1", "2", "3"]) await board.locator("text", { hasText: name }).waitFor();
  // No colour for paper is left: every shape is dark, or light enough to be seen on it.
  const colours = await page.evaluate(() => {
    const own = ["--card", "--quiet", "--link", "--line", "--next", "--win-soft", "--x", "--o", "--ink", "--loss"].map((name) => Object.assign(document.body.appendChild(document.createElement("i")), { style: `color: var(${name})` })).map((each) => getComputedStyle(each).color);
    const drawn = [...document.querySelectorAll(".lesson svg *")].flatMap((each) => ["fill", "stroke"].filter((name) => each.hasAttribute(name)).map((name) => getComputedStyle(each)[name]));
    return [...new Set(drawn)].filter((colour) => colour !== "none" && !own.includes(colour));
  });
  assert.deepEqual(colours, []);
  await picture(page, "lesson-dark", {});
});

await scene("rules are written, mended and played by keyboard alone", {}, "#editor", async (page) => {
  page.expected = true;
  await page.locator("#rules-message", { hasText: "arrangements" }).waitFor();
  const tops = await page.locator(".heading, .editor").evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
  assert.equal(tops[0], tops[1], "the text is beside the heading");
  await tab(page, "#rules");
  await strike(page, "Control+End");
  await page.keyboard.type("[goal]\nmisere = maybe");
  await page.locator("#rules-message.wrong", { hasText: "Line 17: TOML, column 10" }).waitFor();
  assert.deepEqual(await page.locator(".numbers .wrong").allTextContents(), ["17"]);
  assert.ok(await focused(page, "#rules[aria-invalid=true]"), "the focus stays in the text");
  await strike(page, "Control+Shift+ArrowLeft");
  await page.keyboard.type("true");
  await page.locator(".outline", { hasText: "Whoever makes a line loses." }).waitFor();
  assert.equal(await page.locator(".numbers .wrong").count(), 0);
  await tab(page, ".editor .primary");
  await strike(page, "Enter");
  await turn(page, "X to move");
  await tab(page, ".cell");
  await strike(page, "ArrowRight", "ArrowDown", "Enter");
  await page.locator(".history [aria-current]", { hasText: "X b2" }).waitFor();
});

await scene("a game of one's own is written, solved and played", {}, "#editor", async (page) => {
  page.expected = true;
  await page.locator("#rules-message", { hasText: "arrangements" }).waitFor();
  const rules = page.locator("#rules");
  await rules.fill("name = 3");
  await page.locator("#rules-message.wrong", { hasText: "Line 1: name: wrong value" }).waitFor();
  await page.locator("#rules-message.wrong", { hasText: "Line 1: board: missing" }).waitFor();
  assert.ok(await page.getByRole("button", { name: "Solve and play" }).isDisabled());
  assert.deepEqual(await page.locator(".numbers .wrong").allTextContents(), ["1"], "the line of the error is marked");
  assert.ok(await page.locator(".outline").evaluate((outline) => outline.inert), "the preview of other rules is dimmed");
  await page.getByText("The preview shows the last valid rules.").waitFor();
  await page.getByLabel("Begin with").selectOption("tapatan");
  await page.locator("#rules-message:not(.wrong)", { hasText: "arrangements" }).waitFor();
  assert.equal(await page.locator(".numbers .wrong").count(), 0);
  assert.ok(!(await page.locator(".outline").evaluate((outline) => outline.inert)));
  await rules.fill((await rules.inputValue()).replace("length = 3", "length = 3\n[goal]\nmisere = true"));
  await page.locator(".outline", { hasText: "Whoever makes a line loses." }).waitFor();
  await picture(page, "editor");
  await press(page, "Solve and play");
  await turn(page, "X to move");
  const value = await page.locator(".verdict").textContent();
  await page.locator(".table", { hasText: "All 9 moves are worth the same: each keeps the draw" }).waitFor();
  await play(page, ["b2", "a1"]);
  await page.locator(".table", { hasText: "All 7 moves are worth the same: each keeps the draw" }).waitFor();
  await picture(page, "own");
  // The address is enough to solve the game again.
  await page.reload();
  await page.locator(".history [aria-current]", { hasText: "O a1" }).waitFor();
  await press(page, "Undo");
  await press(page, "Undo");
  assert.equal(await page.locator(".verdict").textContent(), value);
  await page.getByLabel("Show what moves are worth").uncheck();
  await page.getByRole("radio", { name: "a child" }).check();
  await press(page, "Play");
  await cell(page, "a1").click();
  await page.locator(".history li").nth(2).waitFor();
  await page.getByRole("link", { name: "Change the rules" }).click();
  await page.locator("#rules").waitFor();
  assert.match(await page.locator("#rules").inputValue(), /misere = true/);
  await page.locator("#rules").fill('name = "large"\n[board]\nrows = 6\ncolumns = 6\n[lines]\nlength = 4');
  await page.locator("#rules-message", { hasText: "use: morpion build FILE.toml. Here it is played without values." }).waitFor();
  await press(page, "Play without values");
  await page.locator(".solving", { hasText: "morpion build FILE.toml" }).waitFor();
  await cell(page, "a1").click();
  await turn(page, "O to move");
});

await scene("variants are compared in the editor", {}, "#editor?from=tapatan", async (page) => {
  await page.locator("#rules-message", { hasText: "arrangements" }).waitFor();
  await page.getByText("Compare variants").click();
  assert.deepEqual(await page.locator("#vary-keys option").evaluateAll((all) => all.map((each) => each.value)), ["board.rows", "board.columns", "lines.length", "pieces.each", "moves.to"]);
  const row = (at) => page.locator(".vary tbody tr").nth(at);
  await page.getByLabel("Values").fill("2..5");
  await press(page, "Compare");
  await row(3).waitFor();
  // As `morpion judge tapatan --vary pieces.each=2..5` has them.
  assert.match(await row(0).textContent(), /^2Draw by cycle–0\u00a0%/);
  assert.match(await row(1).textContent(), /^3X wins in 9 plies953\u00a0%/);
  assert.match(await row(2).textContent(), /^4X wins in 11 plies1150\u00a0%/);
  assert.match(await row(3).textContent(), /^5pieces.each: 5; write at least 1/);
  await picture(page, "variants", {});
  await page.getByLabel("Key", { exact: true }).fill("pieces.eac");
  await page.getByLabel("Values").fill("3");
  await press(page, "Compare");
  await row(0).getByText("write pieces.each").waitFor();
  // A word is a value, too, and a row leads to its game.
  await page.getByLabel("Key", { exact: true }).fill("moves.to");
  await page.getByLabel("Values").fill("any, king");
  await press(page, "Compare");
  await row(1).getByRole("link").click();
  await page.locator(".rules", { hasText: "links" }).waitFor();
  assert.match(new URLSearchParams(page.url().split("?")[1]).get("rules"), /to = "king"/);
});

await scene("rules are saved in the browser, downloaded and opened", {}, "#editor", async (page) => {
  await page.locator("#rules-message", { hasText: "arrangements" }).waitFor();
  const rules = page.locator("#rules");
  const text = (await rules.inputValue()).replace('name = "mine"', 'name = "kept"');
  await rules.fill(text);
  await page.locator("#rules-message:not(.wrong)", { hasText: "arrangements" }).waitFor();
  await press(page, "Save");
  await page.locator("#rules-message", { hasText: "Saved kept in this browser." }).waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), press(page, "Download")]);
  assert.equal(file.suggestedFilename(), "kept.toml");
  assert.equal(readFileSync(await file.path(), "utf8"), text);
  await page.goto(`${address}#/`);
  await page.goto(`${address}#editor`);
  await page.waitForFunction(() => document.querySelector("#rules")?.value.includes("mine"));
  await page.getByLabel("Begin with").selectOption({ label: "kept" });
  await page.waitForFunction((expected) => document.querySelector("#rules").value === expected, text);
  await page.locator("input[type=file]").first().setInputFiles({ name: "other.toml", mimeType: "application/toml", buffer: Buffer.from(text.replace("kept", "other")) });
  await page.waitForFunction(() => document.querySelector("#rules").value.includes("other"));
});

await scene("a cube is written, solved and played on three boards", {}, "#editor", async (page) => {
  const text = readFileSync(new URL("cube.toml", import.meta.url), "utf8");
  await page.locator("#rules").fill(text);
  await page.locator(".outline", { hasText: "27 cells, 49 lines." }).waitFor();
  await page.locator(".outline figcaption", { hasText: "three, one on each board, in the same place × 9" }).waitFor();
  await page.locator(".outline figcaption", { hasText: /^three, one on each board × 16$/ }).waitFor();
  await press(page, "Solve and play");
  await verdict(page, "X wins in 7 plies");
  assert.equal(await page.locator(".board .labels").textContent(), "abc123abc456abc789");
  const [[left], [right], [other]] = await Promise.all(["b1", "c1", "a4"].map((name) => centre(cell(page, name))));
  const [[, high], [, low]] = await Promise.all(["a1", "a2"].map((name) => centre(cell(page, name))));
  assert.ok(Math.abs(right - left - (low - high)) < 1, "cells as wide as high");
  assert.ok(other - right > 1.5 * (right - left), "and a gap between the boards");
  await play(page, ["b5", "a1", "a4"]);
  await verdict(page, "X wins in 4 plies");
  await picture(page, "cube");
});

await scene("what cannot be answered is told", {}, "#editor", async (page) => {
  page.expected = true;
  await page.locator("#rules-message", { hasText: "arrangements" }).waitFor();
  const refuse = (route) => route.fulfill({ status: 404, contentType: "application/json", body: '{"error":"not today"}' });
  await page.route(/\/games\/tapatan\.toml$/, refuse);
  await page.getByLabel("Begin with").selectOption("tapatan");
  await page.locator("#rules-message.wrong", { hasText: "no file data/games/tapatan.toml here" }).waitFor();
  await page.goto(`${address}#puzzle?day=2026-11-22`);
  await page.getByRole("heading", { name: "Puzzle of 22 November 2026" }).waitFor();
  // A visitor who has left the page is not moved back.
  const late = await heldWorkers(page);
  await press(page, "Another puzzle");
  await page.getByRole("link", { name: "Games", exact: true }).click();
  await page.locator(".card").first().waitFor();
  await late();
  assert.ok(!page.url().includes("puzzle"), page.url());
  await page.goto(`${address}#puzzle?day=2026-11-22`);
  await page.getByRole("heading", { name: "Puzzle of 22 November 2026" }).waitFor();
  await page.evaluate(() => { Worker.prototype.postMessage = () => { throw new Error("not today"); }; });
  await press(page, "Another puzzle");
  await page.locator(".quiet", { hasText: "not today" }).waitFor();
});

await scene("a puzzle page that is left ends no answer and keeps what was chosen", {}, "#puzzle?game=classic&position=XX./OO./...+x", async (page) => {
  const grade = page.getByLabel("Grade", { exact: true }), puzzle = `${address}#puzzle?game=classic&position=XX./OO./...+x`;
  await page.getByLabel("Game", { exact: true }).selectOption({ label: "Swap" });
  await page.waitForFunction(() => document.querySelectorAll("#other-grade option").length === 4);
  await grade.selectOption("3");
  let answers = await heldWorkers(page);
  await press(page, "Another puzzle");
  await page.goto(`${address}#lesson?game=tapatan`);
  await answers();
  await page.locator(".lesson details").first().waitFor();
  answers = await heldWorkers(page);
  await page.goto(puzzle);
  await page.locator(".cell").first().waitFor();
  await page.goto(`${address}#/`);
  await page.locator(".card").first().waitFor();
  await answers();
  await page.goto(puzzle);
  await page.waitForFunction(() => document.querySelectorAll("#other-grade option").length === 4);
  assert.equal(await grade.inputValue(), "3");
});

await scene("a refutation is stepped through while the move is awaited", {}, "#puzzle?game=classic&position=XX./OO./...+x", async (page) => {
  await cell(page, "c3").click();
  await page.locator(".branch li:nth-child(2)").waitFor();
  const answers = await stalled(page, "moves");
  await press(page, "Show the move");
  await page.locator(".branch li:nth-child(2) button").click();
  assert.equal(await page.locator(".branch [aria-current]").textContent(), "O c2");
  await answers();
  await verdict(page, "c1 was the only move that wins");
  assert.ok(await page.locator(".branch").isHidden());
});

await scene("an answer that fails is asked for again", {}, "#/nine-mens-morris", async (page) => {
  await turn(page, "X to move");
  await page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = () => {
      Worker.prototype.postMessage = post;
      throw new Error("not today");
    };
  });
  await cell(page, "a1").click();
  await page.locator(".referee", { hasText: "not today" }).waitFor();
  await page.keyboard.press("Control+z");
  await page.locator(".referee").waitFor({ state: "hidden" });
  await turn(page, "X to move");
  await page.keyboard.press("Control+y");
  await turn(page, "O to move");
});

await scene("files that are still being read move nobody who has left", {}, "#editor", async (page) => {
  const table = { name: "achi.morpion", mimeType: "application/octet-stream", buffer: await (await page.request.get(`${address}data/games/achi.morpion`)).body() };
  await page.locator("#rules-message", { hasText: "arrangements" }).waitFor();
  const read = await watchedWorkers(page);
  const answers = await heldWorkers(page);
  await page.locator("input[type=file]").nth(1).setInputFiles(table);
  await page.goto(`${address}#/`);
  await page.locator(".card").first().waitFor();
  await answers();
  await read();
  assert.equal(new URL(page.url()).hash, "#/");
  // So it is with a game in a file.
  await page.goto(`${address}#/classic`);
  await turn(page, "X to move");
  const fingerprint = await page.evaluate(async () => {
    const gate = new Promise((ready) => { window.release = ready; });
    File.prototype.text = async function () {
      await gate;
      return Blob.prototype.text.call(this);
    };
    return (await (await import("./source.js")).game("classic")).fingerprint;
  });
  const record = { format: "morpion game record", version: 1, game: "classic", fingerprint, start: ".../.../... x", moves: ["a1"] };
  await page.locator("input[type=file]").setInputFiles({ name: "game.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(record)) });
  await page.goto(`${address}#/`);
  await page.locator(".card").first().waitFor();
  await page.evaluate(async () => {
    window.release();
    await new Promise((next) => setTimeout(next, 100));
  });
  assert.equal(new URL(page.url()).hash, "#/");
});

await scene("a worker that does not start is told", {}, "#/", async (page) => {
  let release;
  const gate = new Promise((ready) => { release = ready; });
  await page.route(/solver\/worker\.js$/, (route) => route.abort());
  await page.route(/morpion\.wasm$/, async (route) => {
    await gate;
    await route.continue();
  });
  await Promise.all([page.waitForEvent("requestfailed"), page.goto(`${address}#cram/2x3`)]);
  await page.evaluate(() => new Promise((next) => setTimeout(next, 300)));
  release();
  await page.locator(".notice", { hasText: "the worker does not start" }).waitFor();
  page.troubles = page.troubles.filter((text) => !text.includes("ERR_FAILED"));
});

await scene("a large game is solved in the page, which can be stopped, and its table is downloaded", {}, "#editor?from=teeko", async (page) => {
  await page.locator("#rules-message", { hasText: "12,896,757 entries" }).waitFor();
  await page.goto(`${address}#own?rules=${encodeURIComponent(await page.locator("#rules").inputValue())}`);
  await page.locator(".solving", { hasText: "This game is not solved yet" }).waitFor();
  assert.equal(await page.locator(".chip").count(), 0);
  await choose(page, "a child");
  await press(page, "Play");
  await cell(page, "c3").click();
  await page.locator(".history li").nth(2).waitFor();
  await press(page, "Solve");
  await page.locator(".solving progress").waitFor();
  await press(page, "Cancel");
  await page.locator(".solving", { hasText: "Solving was stopped." }).waitFor();
  await press(page, "Solve");
  const download = page.getByRole("button", { name: "Download the table" });
  await download.waitFor();
  assert.equal(await page.locator(".history li").count(), 3, "the game goes on");
  await page.getByLabel("Show what moves are worth").check();
  await page.locator(".chip, .shaded").first().waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), download.click()]);
  const served = await (await page.request.get(`${address}data/games/teeko.morpion`)).body();
  assert.ok(readFileSync(await file.path()).equals(served), "the bytes of the program");
});

await scene("a table that is dropped on the page is played", {}, "#/", async (page) => {
  const drop = (name, bytes) => page.evaluate(([name, bytes]) => {
    const files = new DataTransfer();
    files.items.add(new File([Uint8Array.from(bytes)], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
  }, [name, [...bytes]]);
  await drop("achi.morpion", await (await page.request.get(`${address}data/games/achi.morpion`)).body());
  await page.getByRole("heading", { name: "Achi", exact: true }).waitFor();
  await verdict(page, "X wins in 11 plies");
  // The link is enough to solve the game again.
  await page.reload();
  await verdict(page, "X wins in 11 plies");
  const answers = await heldWorkers(page);
  await drop("rota.morpion", await (await page.request.get(`${address}data/games/rota.morpion`)).body());
  await page.goto(`${address}#/`);
  await page.locator(".card").first().waitFor();
  await answers();
  assert.equal(new URL(page.url()).hash, "#/", "whoever leaves meanwhile is not moved");
  // Of two files, the last one is shown, even if it is read first.
  const last = await heldWorkers(page);
  await drop("rota.morpion", await (await page.request.get(`${address}data/games/rota.morpion`)).body());
  await drop("mine.toml", Buffer.from('name = "mine"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3'));
  await page.waitForFunction(() => location.hash.startsWith("#editor"));
  await last();
  await page.locator("#rules-message", { hasText: "arrangements" }).waitFor();
  assert.match(page.url(), /#editor/);
});

await scene("the rules of one's own game are wrong in the address", {}, "#own?rules=name", async (page) => {
  page.troubles.length = 0;
  page.expected = true;
  await page.locator(".notice", { hasText: "TOML" }).waitFor();
  page.troubles = page.troubles.filter((text) => !/status of 4(00|04|22)/.test(text));
});

await scene("documents can be read", {}, "#/", async (page) => {
  await page.getByRole("link", { name: "Atlas of all games" }).click();
  await page.getByRole("heading", { name: "Atlas of the morpion family" }).waitFor();
  await page.getByRole("link", { name: "morpion" }).first().click();
  await page.locator(".card").first().waitFor();
});

await scene("a sum of heaps is won", {}, "#/", async (page) => {
  await page.getByRole("link", { name: "Heaps", exact: true }).click();
  await page.locator('.card[href="#heaps/nim"]').click();
  await verdict(page, "The side to move wins");
  assert.equal(await page.locator(".counter").count(), 15);
  await page.locator(".quiet", { hasText: "3 ⊕ 5 ⊕ 7 = 1" }).waitFor();
  await picture(page, "heaps");
  await page.locator(".move").first().click();
  await verdict(page, "loses against perfect play");
  await page.locator(".heap").first().click();
  await page.locator(".heap-moves button").last().click();
  await verdict(page, "The side to move wins");
  await page.goBack();
  await verdict(page, "loses against perfect play");
  await page.locator("#heaps").fill("4 x");
  await page.keyboard.press("Enter");
  await page.locator(".referee", { hasText: "expected a number of counters" }).waitFor();
  await page.locator("#heaps").fill("0");
  await page.keyboard.press("Enter");
  await verdict(page, "No move is left");
  page.troubles = page.troubles.filter((text) => !/status of 4(00|04|22)/.test(text));
});

await scene("heaps are chosen, played and typed by keyboard alone", {}, "#heaps", async (page) => {
  await page.locator(".card").first().waitFor();
  await tab(page, '.card[href="#heaps/nim"]');
  await strike(page, "Enter");
  await verdict(page, "The side to move wins");
  await tab(page, ".moves .move");
  await strike(page, "Enter");
  await verdict(page, "loses against perfect play");
  assert.ok(await focused(page, "#main"), "no winning move is left to hold the focus");
  await tab(page, ".heap");
  await strike(page, " ");
  assert.ok(await focused(page, ".heap[aria-expanded=true]"), "the focus stays on the heap");
  await tab(page, ".heap-moves button");
  await strike(page, "Enter");
  await verdict(page, "The side to move wins");
  assert.ok(await focused(page, ".heap"), "the focus stays on the heaps");
  await tab(page, "#heaps");
  await strike(page, "Control+a");
  await page.keyboard.type("4 x");
  await strike(page, "Enter");
  await page.locator(".referee", { hasText: "expected a number of counters" }).waitFor();
  await strike(page, "Backspace", "Backspace", "Enter");
  await verdict(page, "The side to move wins");
  assert.ok(await focused(page, "#heaps"), "the focus stays in the field");
  await tab(page, ".heap-form [type=button]");
  await strike(page, " ");
  await page.locator(".referee", { hasText: "expected a number of counters" }).waitFor();
  page.troubles = page.troubles.filter((text) => !/status of 4(00|04|22)/.test(text));
});

await scene("dominoes are laid", {}, "#heaps", async (page) => {
  await page.locator('.card[href="#cram/4x5"]').click();
  await verdict(page, "The side to move wins");
  const first = await page.locator(".moves .move").first().textContent();
  assert.equal(await page.locator(".moves .move").count(), await page.locator("rect.domino").count(), "each winning domino is marked");
  await picture(page, "cram");
  await page.locator(`rect.domino[data-move="${first}"]`).click();
  await verdict(page, "loses against perfect play");
  assert.equal(await page.locator(".piece.taken").count(), 2);
  assert.equal(await page.locator("rect.domino").count(), 0);
  await page.goBack();
  await verdict(page, "The side to move wins");
  // By keyboard: a corner and its neighbour, after another cell was deselected.
  await cell(page, "b1").focus();
  await page.keyboard.press("Enter");
  assert.equal(await cell(page, "b1").getAttribute("aria-pressed"), "true");
  assert.match(await cell(page, "b2").getAttribute("aria-label"), /^b2, free, end of the domino here/);
  await page.keyboard.press("Escape");
  // Dominoes that are laid before an answer arrives add up.
  const release = await heldWorkers(page);
  await strike(page, "ArrowLeft", "Enter", "ArrowDown", " ");
  await position(page, "X..../X..../...../.....");
  await page.mouse.move(...(await centre(cell(page, "c2"))));
  await page.mouse.down();
  await page.mouse.move(...(await centre(cell(page, "d2"))), { steps: 6 });
  await page.mouse.up();
  await position(page, "X..../X.XX./...../.....");
  await release();
  // Text that is entered while an answer is on its way is kept.
  await page.evaluate(() => {
    location.hash = "#cram/4x5?position=X..../X.XX./XX.../.....";
    const field = document.getElementById("cells");
    field.value = "XX/XX";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await page.locator(".piece.taken").nth(5).waitFor();
  assert.equal(await page.locator("#cells").inputValue(), "XX/XX");
  await page.locator("#cells").press("Enter");
  await page.locator(".referee", { hasText: "2 rows, expected 4" }).waitFor();
  await page.getByLabel("Size").focus();
  await page.getByLabel("Size").selectOption("2x3");
  await page.waitForFunction(() => document.querySelectorAll(".cell").length === 6);
  assert.equal(await page.evaluate(() => document.activeElement.id), "size", "the list of sizes keeps the focus");
  await page.locator("#cells").fill("XXX/...");
  await page.keyboard.press("Enter");
  await page.locator(".piece.taken").nth(2).waitFor();
  await page.locator("#cells").fill("XXX/.X.");
  await page.keyboard.press("Enter");
  await verdict(page, "No domino fits");
  page.troubles = page.troubles.filter((text) => !/status of 4(00|04|22)/.test(text));
});

await finish();
