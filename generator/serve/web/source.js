// Where the page gets its facts: the HTTP interface. A static export puts `files.js` in this place, with the same functions.

async function ask(path, fields = {}) {
  const query = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== undefined));
  const response = await fetch(`api/v1/${path}${query.size ? `?${query}` : ""}`);
  const body = await response.json();
  if (!response.ok) throw new Error(body.error);
  return body;
}

const segment = encodeURIComponent;

export const games = async () => (await ask("games")).games;
export const game = (name) => ask(`games/${segment(name)}`);
export const position = (name, position) => ask(`games/${segment(name)}/position`, { position });
export const line = (name, position) => ask(`games/${segment(name)}/line`, { position });

/** The opponents there are: `player` is the name to ask for. */
export const players = async () => (await ask("players")).players;

/** The move an opponent chooses. */
export const move = (name, position, player) => ask(`games/${segment(name)}/move`, { position, player });

/** The games of heaps, and what is known of one and of a sum in it. */
export const heapGames = async () => (await ask("grundy")).games;
export const heapGame = (name) => ask(`grundy/${segment(name)}`);
export const heaps = (name, heaps) => ask(`grundy/${segment(name)}/position`, { heaps });

/** The boards of cram there are, and what is known of a position on one. */
export const cramBoards = async () => (await ask("cram")).boards;
export const cram = (board, position) => ask(`cram/${segment(board)}/position`, { position });
