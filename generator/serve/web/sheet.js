// Six puzzles to print: the tasks on the first page, their solutions on the second one.

import { preview } from "./board.js";
import { h, s } from "./dom.js";
import { inHand, read } from "./position.js";
import { LONGEST, positionAfter, resistance, rightMove } from "./puzzle.js";
import { titled } from "./words.js";
import * as source from "./source.js";

/** Number of puzzles on a sheet, and of numbers that are tried: a rare grade has no puzzle for some, and few puzzles repeat. */
const [PUZZLES, TRIED] = [6, 60];

/** Shows different puzzles of the numbers from `sheet` on; `game` and `grade` are null for any. */
export async function showSheet(room, fields, held) {
  const [first, game, grade] = ["sheet", "game", "grade"].map((field) => fields.get(field)), found = new Map();
  for (let number = Number(first); found.size < PUZZLES && number < Number(first) + TRIED; number += 1) {
    const puzzle = await source.puzzle(number, { game, grade }).catch(() => null);
    if (puzzle) found.set(`${puzzle.game} ${puzzle.position}`, puzzle);
  }
  if (found.size === 0) throw new Error("no puzzles here: choose another game or grade");
  const puzzles = await Promise.all(Array.from(found.values(), async (puzzle) => {
    const facts = await source.facts(puzzle.game);
    return { ...puzzle, description: facts.game, moves: await solution(facts, puzzle.position) };
  }));
  held.title("Puzzles to print · morpion");
  room.replaceChildren(
    h("section", { class: "sheet" }, h("h1", {}, "Find the move"), h("p", {}, "Name: ____________________"),
      h("p", { class: "more" }, h("button", { type: "button", class: "primary", onclick: () => print() }, "Print")),
      h("div", { class: "puzzles" }, puzzles.map(task))),
    h("section", { class: "sheet" }, h("h2", {}, "Solutions"), h("p", { class: "quiet" }, "The replies are those that resist longest."),
      h("ol", {}, puzzles.map(({ moves }) => h("li", {}, h("b", {}, moves[0]), ` ${moves.slice(1).join(" ")}`)))));
}

function task({ description, position, value, plies, grade }, at) {
  const { cells, side } = read(position), left = inHand(description, position), letter = side.toUpperCase();
  const board = s("svg", { class: "preview", "aria-hidden": "true" });
  preview(board, description, { cells, isNamed: true });
  const goal = value === "draw" ? "only one move keeps the draw" : plies === null ? "only one move wins" : `wins in ${plies === 1 ? "1 ply" : `${plies} plies`}`;
  return h("figure", {}, board, h("figcaption", {}, h("b", {}, `${at + 1}. ${titled(description)[0]}`), h("br"), `${letter} to move: ${goal}. `,
    left ? `In hand: X ${left.x}, O ${left.o}. ` : "", h("span", { class: "quiet" }, `Grade\u00a0${grade}`)));
}

/** The right moves from a position, with the replies between them. */
async function solution(facts, position) {
  const moves = [];
  for (let answer = await facts.position(position), found = 0; found < LONGEST && rightMove(answer); found += 1) {
    const right = rightMove(answer), waiting = await facts.position(positionAfter(answer, right));
    moves.push(right);
    if (waiting.over) break;
    const reply = resistance(waiting);
    answer = await facts.position(positionAfter(waiting, reply));
    if (rightMove(answer) && found + 1 < LONGEST) moves.push(reply);
  }
  return moves;
}
