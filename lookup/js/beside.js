// The end of a position's text, with what the board does not show: `… x 3/2` are the pieces in hand of X and of O, `… x c1,a2/b2` the
// pieces of X and of O that age, the oldest first. Without an end, nothing is in hand, and no side has more than one piece that ages.

import { fail } from "./error.js";
import { handOf, sequenceOf, withHand, wordOf } from "./order.js";
import { cellsOf, setOf } from "./sets.js";

/** The end of the text of the words of X and O: empty if the board shows everything. `names` has the name of each cell. */
export function besideText({ hasAges }, names, words) {
  if (!hasAges) return words.some(handOf) ? ` ${words.map(handOf).join("/")}` : "";
  const sequences = words.map(sequenceOf);
  if (sequences.every(({ length }) => length < 2)) return "";
  return ` ${sequences.map((cells) => cells.map((cell) => names[cell]).join(",")).join("/")}`;
}

/** Splits the end off a text; an empty end if it has none. */
export function splitBeside({ hasAges, hasHands }, text) {
  const [board, drawn] = hasAges || hasHands ? text.split("in hand: ") : [];
  // A drawn board has the pieces in hand below it.
  if (drawn !== undefined) return { text: board, beside: drawn };
  const trimmed = text.trim(), at = trimmed.search(/\s\S*$/), beside = trimmed.slice(at + 1), rest = trimmed.slice(0, Math.max(at, 0)).trimEnd();
  const hasEnd = (hasAges || hasHands) && beside.includes("/") && /\s[xowb]$/i.test(rest);
  return hasEnd ? { text: rest, beside } : { text, beside: "" };
}

/** Reads the end of a text: the words of X and O, given their cells. `names` has the names of the cells, and those that the board gives. */
export function readBeside({ hasAges }, names, sets, beside) {
  if (!beside && (!hasAges || sets.every((set) => cellsOf(set).length < 2))) {
    return hasAges ? sets.map((set) => wordOf(cellsOf(set))) : sets;
  }
  const expected = hasAges ? "the pieces of X and of O after the side, the oldest first, like c1,a2/b2" : "the pieces in hand of X and of O after the side, like 3/2";
  const wrong = () => fail("beside", `${JSON.stringify(beside.slice(0, 64))} after the side to move: expected ${expected}`);
  const [x, ...o] = beside.split(beside.includes("/") ? "/" : ",");
  if (o.length === 0) wrong();
  return [x, o.join("/")].map((text, i) => {
    if (!hasAges) {
      const hand = text.trim().replace(/^[XO ]+/, "");
      return /^\d+$/.test(hand) && Number(hand) < 256 ? withHand(sets[i], Number(hand)) : wrong();
    }
    const given = text.toLowerCase().split(",").filter(Boolean);
    const isOfSet = (cells) => !cells.includes(-1) && setOf(cells) === sets[i] && cells.length === cellsOf(sets[i]).length;
    const cells = names.map((all) => given.map((name) => all.indexOf(name))).find(isOfSet);
    return cells ? wordOf(cells) : wrong();
  });
}
