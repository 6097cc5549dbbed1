// Plays games of ageing pieces, of lines that take, and of pushes; run by tests/outside/browser.rs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { cell, finish, picture, play, press, scene, shown, turn, verdict, worth } from "./scenes.mjs";

const classOf = (page, name) => cell(page, name).getAttribute("class");

await scene("pieces show their ages, and the oldest goes", {}, "#/disappearing", async (page) => {
  await play(page, ["b1", "a1", "a2", "c2", "c3", "a3"]);
  await shown(page, "OX./X.O/O.X");
  assert.equal(await cell(page, "b1").locator(".age").textContent(), "1");
  assert.equal(await cell(page, "c3").locator(".age").textContent(), "3");
  assert.match(await classOf(page, "b1"), /going/);
  assert.match(await cell(page, "b1").getAttribute("aria-label"), /goes with the next piece/);
  assert.equal(await page.locator(".cell.going").count(), 1);
  await picture(page, "ageing");
  await play(page, ["b2"]);
  await shown(page, "O../XXO/O.X");
  assert.match(await classOf(page, "a1"), /going/, "now the oldest of O");
  // The address holds the game with its ages.
  await page.reload();
  await shown(page, "O../XXO/O.X");
  assert.equal(await cell(page, "b2").locator(".age").textContent(), "3");
  await press(page, "Undo");
  await shown(page, "OX./X.O/O.X");
});

await scene("ages are set up in the order of clicks", {}, "#/disappearing", async (page) => {
  page.expected = true;
  await press(page, "Set up");
  for (const name of ["c1", "a2"]) await cell(page, name).click();
  for (const name of ["b2", "b2"]) await cell(page, name).click();
  const text = page.getByLabel("Position", { exact: true });
  await page.locator(".setup input[type=radio][value=x]").check();
  assert.equal(await text.inputValue(), "..X/XO./... x c1,a2/b2");
  await page.locator(".setup input[type=radio][value=o]").check();
  await page.locator("#setup-message", { hasText: "Legal; O to move." }).waitFor();
  await press(page, "Show");
  await shown(page, "..X/XO./...");
  assert.equal(await cell(page, "a2").locator(".age").textContent(), "2");
  await page.waitForFunction(() => decodeURIComponent(location.hash).includes("position=..X/XO./...+o+c1,a2/b2"));
});

await scene("a line takes a piece with another click", {}, "#/five-mens-morris", async (page) => {
  await page.locator(".count", { hasText: "5 in hand" }).first().waitFor();
  await play(page, ["a1", "b2", "c1", "b3"]);
  await cell(page, "e1").click();
  await turn(page, "X to move: choose the piece to take");
  await page.locator('.cell.selected[data-name="e1"] .piece.x').waitFor();
  assert.equal(await page.locator(".cell.target").count(), 2);
  assert.equal(await worth(page, "b2").locator(".chip").count(), 1);
  assert.match(await cell(page, "b2").getAttribute("aria-label"), /take this piece/);
  await picture(page, "taking");
  // A second click gives the move up, and so does Escape.
  await cell(page, "e1").click();
  await page.locator(".cell.selected").waitFor({ state: "detached" });
  await play(page, ["e1xb3"]);
  assert.equal(await page.locator(".piece.o:not(.tray *)").count(), 1);
  assert.match(await classOf(page, "b3"), /left/);
  await page.locator(".count", { hasText: "2 in hand" }).waitFor();
  await page.locator(".count", { hasText: "3 in hand" }).waitFor();
  await page.reload();
  await page.locator(".history [aria-current]", { hasText: "e1xb3" }).waitFor();
});

await scene("two lines at once take two pieces, in either order", {}, "#editor", async (page) => {
  await page.locator("#rules").fill(readFileSync(new URL("../../lookup/conformance/rules/double.toml", import.meta.url), "utf8"));
  await page.locator("#rules-message", { hasText: "arrangements:" }).waitFor();
  await press(page, "Solve and play");
  await page.locator(".count", { hasText: "3 in hand" }).first().waitFor();
  await play(page, ["a1", "a2", "c1", "c2"]);
  await cell(page, "b1").click();
  await turn(page, "X to move: choose two pieces to take");
  assert.equal(await page.locator(".cell.target").count(), 2);
  await cell(page, "c2").click();
  await page.locator('.cell.selected[data-name="c2"]').waitFor();
  assert.match(await cell(page, "a2").getAttribute("aria-label"), /take this piece/);
  assert.equal(await page.locator(".cell.target").count(), 1);
  await picture(page, "taking-two");
  await cell(page, "a2").click();
  await page.locator(".history [aria-current]", { hasText: "b1xa2xc2" }).waitFor();
  assert.equal(await page.locator(".piece.o:not(.tray *)").count(), 0);
  for (const name of ["a2", "c2"]) assert.match(await classOf(page, name), /left/);
});

await scene("pieces in hand are set up", {}, "#/five-mens-morris", async (page) => {
  page.expected = true;
  await press(page, "Set up");
  await cell(page, "a1").click();
  await page.locator(".setup input[type=number]").first().fill("4");
  await page.locator(".setup input[type=number]").nth(1).fill("5");
  await page.locator(".setup input[type=radio][value=o]").check();
  await page.locator("#setup-message", { hasText: "Legal; O to move." }).waitFor();
  await press(page, "Show");
  await page.locator(".count", { hasText: "4 in hand" }).waitFor();
});

await scene("a cube is taken out and pushed in", {}, "#/quixo3", async (page) => {
  await verdict(page, "X wins in 7 plies");
  assert.equal(await page.locator(".cell.movable").count(), 8, "all cubes of the border");
  await cell(page, "a1").click();
  await turn(page, "X to move: choose the end at which the cube goes in");
  assert.deepEqual(await page.locator(".cell.target").evaluateAll((cells) => cells.map((each) => each.dataset.name)), ["c1", "a3"]);
  await cell(page, "c1").click();
  await shown(page, "..X/.../...");
  await play(page, ["a3>a1", "c1>a1"]);
  await shown(page, "XO./.../...");
  await picture(page, "pushed");
  // A row slides: taking the empty cube at c1 pushes both marks to the right.
  await play(page, ["c1>a1"]);
  await shown(page, "OXO/.../...");
  await press(page, "Perfect line");
  await page.locator(".history .perfect").first().waitFor();
});

await scene("values of these games in words", {}, "#/quixo3", async (page) => {
  const [misere, normal, start] = await page.evaluate(async () => {
    const { ending, pill } = await import("./words.js");
    const owned = (value) => ({ over: "own-line", value });
    return [ending(owned("loss"), "x", true), ending(owned("win"), "x", false), pill({ position: ".../.../... x 4/4", value: "win", plies: 9 })];
  });
  assert.deepEqual([misere, normal, start], ["X has a line: O wins", "X has a line: X wins", "X wins in 9 plies"]);
});

await scene("kinds of games begin rules of one's own", {}, "#editor", async (page) => {
  for (const [kind, rule] of [["pieces that age", '"before-lines"'], ["rows that slide", '"push"']]) {
    await page.getByLabel("Begin with").selectOption({ label: kind });
    // The address changes when the rules are valid.
    await page.waitForFunction((text) => decodeURIComponent(location.hash).includes(text), rule);
    await page.locator("#rules-message", { hasText: "arrangements:" }).waitFor();
    assert.ok(await page.getByRole("button", { name: "Solve and play" }).isEnabled(), kind);
  }
  await page.getByLabel("Begin with").selectOption({ label: "lines that take" });
  await page.locator("#rules-message", { hasText: "arrangements:" }).waitFor();
  await press(page, "Solve and play");
  await page.locator(".count", { hasText: "4 in hand" }).first().waitFor();
  await play(page, ["a1", "a2", "b1", "b2"]);
  await cell(page, "c1").click();
  await turn(page, "choose the piece to take");
  await cell(page, "a2").click();
  await page.locator(".history [aria-current]", { hasText: "c1xa2" }).waitFor();
});

await finish();
