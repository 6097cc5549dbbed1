// The families of games on the first page: the famous ones first, each with a position from the middle of a game.

/** `games` are pairs of a name and a short label; the first one that is served is shown. `at` is a position of the first one. */
const family = (title, about, at, ...games) => ({ title, about, at, games });

export const GROUPS = [
  ["Tic-tac-toe", "Marks are placed, and stay or move to any empty square.", [
    family("Tic-tac-toe", "Three in a row on nine squares.", ".OX/X../O.. x", ["classic", "first line wins"], ["misere", "first line loses"]),
    family("Four and five in a row", "The same on larger boards.", "X.../...O/OX../OXOX x", ["classic4", "4×4"], ["classic5x4k4", "5×4"], ["classic5k4", "four on 5×5"], ["classic5k5", "five on 5×5"]),
    family("Swap", "Three marks each; then one moves to any empty square.", "OXX/.../... o", ["swap", "3×3"], ["swap-pass", "or stays"], ["swap4", "4×4"], ["swap5", "5×5"], ["swap6", "6×6"]),
    family("One more than a line", "Four marks each make a row of three on 4×4.", "..../..../..X./X.O. o", ["beginner4", "4×4"], ["beginner5", "5×5"], ["beginner6", "6×6"]),
  ]],
  ["Three men’s morris and kin", "Few pieces that slide along lines, some of them two thousand years old.", [
    family("Three men’s morris", "Three pieces each slide along eight lines.", ".XO/O.X/..X o", ["tapatan", ""]),
    family("Picaria", "Three pieces each step to any neighbour.", "OX./.O./X.X o", ["picaria", ""]),
    family("Nine holes", "Three pieces each; only rows and columns win.", "X.X/O.X/OO. x", ["nine-holes", "one step"], ["nine-holes-any", "anywhere"], ["nine-holes-diagonals", "diagonals win"]),
    family("Achi", "Four pieces each; who cannot move has lost.", "O../..X/X.. o", ["achi", ""]),
    family("Rota", "Three pieces each on a Roman wheel.", "O../..X/OX. x", ["rota", ""]),
    family("Shisima", "A Kenyan wheel, with the pieces set up.", "XX./OOX/.O. x", ["shisima", ""]),
    family("Tsoro yematatu", "Three pieces each step or jump on a triangle.", "##O##/#.X.#/X#.#O x", ["tsoro-yematatu", ""]),
    family("Pong hau k’i", "Two pieces each; who cannot move has lost.", "X#O/#O#/X#. x", ["pong-hau-ki", ""]),
    family("Mū tōrere", "Four pieces each on a star; who cannot move has lost.", "XOO/X.O/XXO x", ["mu-torere", ""], ["mu-torere-free", "free first move"]),
    family("Neutreeko", "Three pieces each slide until something stops them.", ".O.O./..X../...../..O../.X.X. x", ["neutreeko", ""]),
    family("Dao", "Four pieces each slide; a row, a square or the corners win.", "X..O/.XO./.OX./O..X x", ["dao", ""]),
    family("Teeko", "Four in a row, or a small square, on 5×5.", "XX.../...../XOX../...OO/...O. o", ["teeko", ""], ["teeko-advanced", "squares of any size"]),
  ]],
  ["Mills", "A row of three takes a piece of the other side.", [
    family("Nine men’s morris", "Nine pieces each on three squares.", null, ["nine-mens-morris", ""], ["morabaraba", "with diagonals"], ["seven-mens-morris", "seven men"], ["seven-mens-flying", "seven men, flying"], ["seven-mens-centre", "seven men, centre lines"]),
    family("Six men’s morris", "Six pieces each on two squares.", ".#O#./#..O#/O.#X./#...#/X#X#X x 2/2", ["six-mens-morris", "no flying"], ["six-mens-flying", "flying"]),
    family("Five men’s morris", "Five pieces each on two squares.", "O#X#./#.X.#/O.#O./#.XO#/X#X#. o 0/1", ["five-mens-morris", "no flying"], ["five-mens-flying", "flying"]),
  ]],
  ["Pushes and vanishing marks", "The board itself is on the move.", [
    family("Quixo", "Take a cube from the border and push it back in.", "XOOX/...X/O.../XO.. o", ["quixo4", "4×4"], ["quixo3", "3×3"], ["quixo5", "5×5"]),
    family("Disappearing tic-tac-toe", "Three marks each: a fourth, and the oldest goes.", ".../X../.XO o a2,b3/c3", ["disappearing", "then lines count"], ["disappearing-line-first", "lines first"], ["disappearing-remove-first", "oldest first"], ["disappearing-4", "four marks"], ["disappearing4x4", "4×4"], ["disappearing4x4-line-first", "4×4, lines first"], ["disappearing4x4-remove-first", "4×4, oldest first"]),
  ]],
];

/** Famous games whose tables are too large to be inside the program: the value of the start, and how to get the table. */
export const UNSERVED = new Map([
  ["nine-mens-morris", {
    start: { value: "draw", draw: "cycle" },
    at: ".##X##O/#.#O#.#/##.XX##/XO.#.OX/##.O.##/#.#X#.#/O##.##. x 2/2",
    known: "With perfect play nine men’s morris is a draw: neither side can force an end. It is solved, but its table has 10.3 GB packed, too much to be inside the program.",
    build: ["morpion build nine-mens-morris --packed", "morpion serve"],
    cost: "The first command takes 4 GB of memory and about an hour of processor time. This page then shows what every move is worth. Until then, a child and a club player play by the rules alone.",
  }],
]);

/** The sentence about a game, if it belongs to a family. */
export const sentence = (name) => GROUPS.flatMap(([, , families]) => families).find(({ games }) => games[0][0] === name)?.about ?? null;
