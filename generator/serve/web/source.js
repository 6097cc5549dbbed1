// Where the page gets its facts: the HTTP interface. A static export puts `files.js` in this place, with the same functions.

// Maximum number of positions or moves in one request.
const BATCH = 200;

async function answered(response) {
  const body = await response.json();
  if (!response.ok) throw new Error(body.error);
  return body;
}

async function ask(path, fields = {}) {
  const query = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== undefined));
  return answered(await fetch(`api/v1/${path}${query.size ? `?${query}` : ""}`));
}

const post = async (path, body) => answered(await fetch(`api/v1/${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }));

const segment = encodeURIComponent;

export const games = async () => (await ask("games")).games;
export const game = (name) => ask(`games/${segment(name)}`);

/**
 * Questions about a game: its description, the values of positions (in a batch, invalid ones get an error), the values after each of
 * some moves (until one is not legal, which gets an error), a perfect line, facts by which to judge the game, and players that search.
 */
export async function facts(name) {
  const path = `games/${segment(name)}`;
  const [description, { players }] = await Promise.all([ask(path), ask("players")]);
  return {
    game: description,
    position: (position) => ask(`${path}/position`, { position }),
    positions: async (positions) => {
      const answers = [];
      for (let at = 0; at < positions.length; at += BATCH) answers.push(...(await post(`${path}/positions`, { positions: positions.slice(at, at + BATCH), traps: true })).answers);
      return answers;
    },
    replay: async (position, moves) => {
      const answers = [];
      while (answers.length < moves.length && !answers.at(-1)?.error) {
        const part = { position: answers.at(-1)?.position ?? position, moves: moves.slice(answers.length, answers.length + BATCH), traps: true };
        answers.push(...(await post(`${path}/replay`, part)).answers);
      }
      return answers;
    },
    line: (position) => ask(`${path}/line`, { position }),
    judge: () => ask(`${path}/judge`),
    players,
    move: async (position, player, seed) => (await ask(`${path}/move`, { position, player, seed })).move,
  };
}

/**
 * A standard game without a table here, which is played by its rules: its moves have no values, and its opponents look a few plies
 * ahead.
 */
export async function untabled(name) {
  const response = await fetch(`api/v1/games/${segment(name)}/rules`);
  if (!response.ok) throw new Error((await response.json()).error);
  const rules = await response.text();
  const outline = await own.outline(rules);
  const at = async (position, player = {}) => {
    const { over, value, moves, chosen, ...rest } = await post("rules/moves", { rules, position, ...player });
    return { game: name, position: rest.position, value, plies: null, ...(over && { over }), best: [], moves: moves.map((move) => ({ ...move, value: null, plies: null })), chosen };
  };
  const positions = async (texts) => Promise.all(texts.map((text) => at(text).catch((error) => ({ error: error.message, input: text }))));
  return {
    game: { ...outline, short_title: outline.title.split(/[:,]/)[0], encoding: "none", images: [], census: null, rule_file: true },
    isUntabled: true, position: at, positions, players: [],
    replay: async (position, moves) => {
      const answers = [];
      let answer = await at(position);
      for (const move of moves) {
        const next = answer.moves.find((each) => each.move === move);
        if (!next) return [...answers, { error: "not a legal move here", input: move }];
        answer = await at(next.position);
        answers.push(answer);
      }
      return answers;
    },
    move: async (position, player, seed) => (await at(position, { player, seed })).chosen,
  };
}

/** Address of the lesson of a game. */
export const lesson = (name) => `api/v1/games/${segment(name)}/lesson`;

/** The puzzle of a number; `game` and `grade` are empty for any. */
export const puzzle = (number, { game, grade } = {}) => ask(`puzzles/${number}`, { game: game || undefined, grade: grade || undefined });

/** The grades that each game's puzzles have, for games with puzzles. A server keeps those that it found before its time was over. */
export const puzzleGrades = async () => (await ask("puzzles").catch(() => ask("puzzles"))).games;

/** Address of the rule file of a game that has one. */
export const ruleFile = (name) => `api/v1/games/${segment(name)}/rules`;

/** A visitor's own games: the game that rules describe, its table, and facts by which to judge it. */
export const own = { outline: (rules) => post("rules", { rules }), solve: (rules) => post("rules/table", { rules }), judge: (rules) => post("rules/judge", { rules }) };

/** The games of heaps, the facts about one, and the value of a sum in it. */
export const heapGames = async () => (await ask("grundy")).games;
export const heapGame = (name) => ask(`grundy/${segment(name)}`);
export const heaps = (name, heaps) => ask(`grundy/${segment(name)}/position`, { heaps });

/** The boards of cram, and the facts about a position on one. */
export const cramBoards = async () => (await ask("cram")).boards;
export const cram = (board, position) => ask(`cram/${segment(board)}/position`, { position });
