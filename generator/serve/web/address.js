// The address behind the `#`: which page, and everything that is shown on it.

/** `#/swap?moves=b2+a1` as parts of a path and fields. */
export function where() {
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

/** Puts an address into the bar, as a new entry of the browser's history or in the place of the last one. */
export function leave(next, push) {
  if (location.hash === next) return;
  if (push) history.pushState(null, "", next);
  else history.replaceState(null, "", next);
}
