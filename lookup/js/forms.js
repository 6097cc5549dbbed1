// Boards as other programs write them, rewritten as rows: lists, spaces for empty cells, and drawings.

/** True if every character is a cell, or one of `others`. */
const isBoard = (rows, others) => [...rows].every((character) => "XxOo12WwBb._#0".includes(character) || others.includes(character));

/** The rows that the text of a board may mean, if it does not have the size of the board itself. */
export const forms = (text, columns, cells) => [items(text), blanks(text, columns), runs(text, columns), numbered(text, cells), drawing(text, columns)]
  .filter((rows) => rows !== null);

/** Writes numbers with fractions that are all 0 without them: `1.0 0.0 2.0` could be nine cells otherwise. */
export const withoutFractions = (text) => (
  text.includes(".") && text.split(/[\s,|[\]()]+/).every((word) => /^(-?[01]\.0*|2\.0*|[xo]|[-+=]*)$/i.test(word)) ? text.replace(/\.0*/g, "") : text);

/** Writes a blank last cell before the side to move as `.`. A letter after more blanks than all others is the side, not a cell. */
export function blankBeforeSide(text) {
  const [, board, blanks, side] = /^(.*[,|\t])( *)([xowb])\s*$/is.exec(text) ?? [];
  if (!board) return text;
  const items = board.split(/[,|\t\n/;]/), marked = items.filter((item) => /[\p{L}\p{N}]/u.test(item));
  const most = (all) => Math.max(0, ...all.map((item) => item.length - item.replace(/^ +/, "").length));
  // Without other letters, blank cells are as wide as one between its blanks, or have no width.
  return blanks.length > (marked.length ? most(marked) : Math.min(1, most(items))) ? `${board}.\n${side}` : text;
}

/** Lists: `1,0,-1`, `["X", null, "O"]`, `x,o,b`, `X,,O`, cells of a sheet with tabs between them, and numbers with spaces. -1 is O. */
function items(text) {
  // The side to move is a letter of its own after the last item.
  const side = /[^,\s]([ \r\n]+[xowb]\s*)$/i.exec(text)?.[1] ?? "";
  // A list may be printed with its type in front, as in `array([…])`.
  text = text.slice(0, text.length - side.length).replace(/^[ \r\n]+|[ \r\n]+$/g, "").replace(/^\p{L}{2,}\(/u, "(");
  const separator = [",", "\t"].find((each) => text.includes(each)), hasCommas = separator !== undefined, isNested = /[[(]/.test(text), isWhite = /w/i.test(text), rows = [];
  const cell = (item) => {
    const quoted = /^(["'])(.*)\1$/s.exec(item)?.[2] ?? null, word = quoted ?? item;
    const number = /^[-+.\de]+$/i.test(item) ? Number(item) : NaN;
    if ([0, 1, 2, -1].includes(number)) return number < 0 ? "2" : `${number + 0}`;
    if (/^b$/i.test(word) && hasCommas && !isWhite) return ".";
    if (["null", "None", "nan", "NaN"].includes(word)) return ".";
    if (word === "" && (quoted !== null || (hasCommas && !isNested))) return ".";
    return quoted === null ? word : word.replaceAll(" ", ".");
  };
  for (const row of text.split(/[[\]()/;\n]/)) {
    if (/^[,\s]*$/.test(row) && (isNested || /^[ \r]*$/.test(row))) continue;
    rows.push(row.split(separator ?? /\s/).map((item) => cell(item.trim())).join(""));
  }
  return isBoard(rows.join("/"), "/-") && (hasCommas || isNested || text.includes("-1")) ? rows.join("/") + side : null;
}

/** Spaces for empty cells, if nothing else is an empty cell. */
function blanks(text, columns) {
  const rows = text.replace(/^[\r\n]+|[\r\n]+$/g, "").replaceAll("\r", "").replaceAll("\n", "/");
  // The side to move is a letter of its own after the last row.
  const end = rows.length - (rows.split("/").at(-1).length === columns + 2 ? 2 : 0), board = rows.slice(0, end);
  return board.includes(" ") && !/[._\-|,]/.test(board) ? board.replaceAll(" ", ".") + rows.slice(end) : null;
}

/** Rows with numbers for so many empty cells, `X2/1O1/3 x`, as in the notation of chess, whose other fields mean nothing here. */
function runs(text, columns) {
  const [board, side = ""] = text.trim().split(/\s+/), rows = board.replace(/\d/g, (run) => ".".repeat(Number(run))).split("/");
  return /\/.*[2-9]|[2-9].*\//.test(board) && rows.every((row) => row.length === columns) ? `${rows.join("/")} ${side}` : null;
}

/** Boards with numbers in the empty cells, from 0 or from 1. Below 3 they could be marks, so one is greater; without marks, only in a drawing. */
function numbered(text, cells) {
  const words = text.match(cells < 10 ? /[a-z\d]/gi : /[a-z\d]+/gi) ?? [];
  const marks = [0, 1].map((first) => words.map((word, place) => (Number(word) === place + first ? "." : word)));
  const found = words.some((word) => Number(word) > 2) && /[|\nxo]/i.test(text) && marks.find((all) => all.every((mark) => /^[xo.]$/i.test(mark)));
  return found && found.length >= cells ? `${found.slice(0, cells).join("")} ${found.slice(cells).join("")}` : null;
}

/** Lines of a drawing: cells between bars, or marks between other strokes. Columns and rows may have names. */
function drawing(text, columns) {
  if (!text.trim().includes("\n")) return null;
  const lines = text.replace(/[│║]/g, "|").replace(/[─═┼╬+=]/g, "-").split("\n").filter((line) => line.trim());
  const names = [..."aA01"].map((first) => Array.from({ length: columns }, (_, column) => String.fromCharCode(first.charCodeAt(0) + column)).join(""));
  const isNames = (line) => names.includes(line.replace(/\s/g, "")), header = lines.find(isNames);
  const isLettered = /a/i.test(header ?? ""), labels = [];
  // Links between cells are drawn as strokes beside marks. Between bars is a cell otherwise.
  const isLinked = /[XxOo12WwBb._#0]--/.test(text);
  let rows = "";
  for (let line of lines.filter((each) => !isNames(each))) {
    const [label, name, row] = (header && (isLettered ? /^\s*(\d+) (.*)/ : /^\s*([a-z\d]+) (.*)/i).exec(line)) || [];
    if (label) {
      labels.push(parseInt(name, 36));
      line = row;
    }
    const all = line.split("|").map((cell) => cell.trim().replace(/^_+|_+$/g, ""));
    const isIndented = header && all.length === columns + 1 && all[0] === "";
    const cells = all.length === columns + 2 ? all.slice(1, -1) : isIndented ? all.slice(1) : all;
    const strokes = line.replace(/[-|/\\ \t\r]/g, "");
    if (!isLinked && cells.length === columns && columns > 1 && cells.every((cell) => cell.length < 2)) rows += `/${cells.map((cell) => cell || ".").join("")}`;
    else if (strokes) rows += (/^[xowb]$/i.test(strokes) ? " " : "/") + strokes;
  }
  // Names that are digits could be marks, unless those of all rows are there and count up or down.
  const areNames = [1, -1].some((step) => labels.every((label, row) => label === labels[0] + step * row)) && labels.length === rows.split("/").length - 1;
  const isCertain = !header || areNames || (isLettered && labels.length === 0);
  return isCertain && isBoard(rows, "/ ") ? rows.replace(/^\/+/, "") : null;
}
