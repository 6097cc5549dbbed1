// The address behind the `#`: which page, and everything that is shown on it.

// The address that was read or left last.
let last = null;

/** `#/swap?moves=b2+a1` as parts of a path and fields. */
export function where() {
  last = location.hash;
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { parts: path.split("/").filter(Boolean).map(decode), fields: new URLSearchParams(query) };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The same backwards; fields that are null are left out. */
export function address(path, fields = {}) {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return `#/${path}${given.length ? "?" : ""}${given.map(([name, value]) => `${name}=${encode(value)}`).join("&")}`;
}

// What positions, moves and players are written with stays readable.
const encode = (value) => encodeURIComponent(value).replace(/%20/g, "+").replace(/%2F/g, "/").replace(/%3A/g, ":");

/**
 * Puts an address into the bar, as a new entry of the browser's history or in the place of the last one. Where another has been
 * asked for meanwhile, it stays: the page is about to follow it. The skip link's `#main` is none.
 */
export function leave(next, push) {
  if (location.hash === next || (location.hash !== last && location.hash !== "#main")) return;
  if (push) history.pushState(null, "", next);
  else history.replaceState(null, "", next);
  last = location.hash;
}
