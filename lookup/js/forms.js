// Boards as other programs write them, rewritten as rows: lists, spaces for empty cells, and drawings.

/** True if every character is a cell, or one of `others`. */
const isBoard = (rows, others) => [...rows].every((character) => "XxOo12WwBb._#0".includes(character) || others.includes(character));

/** The rows that a board with so many columns may mean, if its text itself does not have the size of the board. */
export const forms = (text, columns) => [items(text), blanks(text, columns), drawing(text, columns)].filter((rows) => rows !== null);

/** Lists: `1,0,-1`, `["X", null, "O"]`, `x,o,b`, `X,,O`, and numbers with spaces between them. -1 is O. */
function items(text) {
  // The side to move is a letter of its own after the last item.
  const side = /[^,\s](\s+[xowb]\s*)$/i.exec(text)?.[1] ?? "";
  text = text.slice(0, text.length - side.length);
  const hasCommas = text.includes(","), isNested = /[[(]/.test(text), isWhite = /w/i.test(text), rows = [];
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
    if (/^[,\s]*$/.test(row) && (isNested || row.trim() === "")) continue;
    rows.push(row.split(hasCommas ? "," : /\s/).map((item) => cell(item.trim())).join(""));
  }
  return isBoard(rows.join("/"), "/-") && (hasCommas || text.includes("-1")) ? rows.join("/") + side : null;
}

/** Spaces for empty cells, if nothing else is an empty cell. */
function blanks(text, columns) {
  const rows = text.replace(/^[\r\n]+|[\r\n]+$/g, "").replaceAll("\r", "").replaceAll("\n", "/");
  // The side to move is a letter of its own after the last row.
  const end = rows.length - (rows.split("/").at(-1).length === columns + 2 ? 2 : 0), board = rows.slice(0, end);
  return board.includes(" ") && !/[._\-|,]/.test(board) ? board.replaceAll(" ", ".") + rows.slice(end) : null;
}

/** Lines of a drawing: cells between bars, or marks between other strokes. Columns and rows may have names. */
function drawing(text, columns) {
  if (!text.trim().includes("\n")) return null;
  const lines = text.replace(/[│║]/g, "|").replace(/[─═┼╬+=]/g, "-").split("\n").filter((line) => line.trim());
  const columnNames = Array.from({ length: columns }, (_, column) => String.fromCharCode(97 + column)).join(" ");
  const isNames = (line) => line.trim().replace(/\s+/g, " ") === columnNames, isNamed = lines.some(isNames);
  // Links between cells are drawn as strokes beside marks. Between bars is a cell otherwise.
  const isLinked = /[XxOo12WwBb._#0]--/.test(text);
  let rows = "";
  for (const line of lines.filter((each) => !isNames(each)).map((each) => (isNamed ? each.replace(/^[\d ]+/, "") : each))) {
    const all = line.split("|").map((cell) => cell.trim()), cells = all.length === columns + 2 ? all.slice(1, -1) : all;
    const strokes = line.replace(/[-|/\\ \t\r]/g, "");
    if (!isLinked && cells.length === columns && columns > 1 && cells.every((cell) => cell.length < 2)) rows += `/${cells.map((cell) => cell || ".").join("")}`;
    else if (strokes) rows += (/^[xowb]$/i.test(strokes) ? " " : "/") + strokes;
  }
  return isBoard(rows, "/ ") ? rows.replace(/^\/+/, "") : null;
}
