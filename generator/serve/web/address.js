// The address behind the `#`: the page, and everything that it shows.

import { announce } from "./dom.js";

/**
 * Splits the address. `#/swap?moves=b2+a1` is the game `swap`, and `#heaps/nim` the item `nim` of the section `heaps`: with the slash in
 * front, a game can have the name of a section.
 */
export function where() {
  const [path, query = ""] = location.hash.slice(1).split("?");
  const [section, item = ""] = path.split("/").map(decode);
  return { section, item, fields: new URLSearchParams(query) };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Joins a path, `/swap` or `heaps/nim`, and fields to an address, without fields that are null. */
export function address(path, fields = {}) {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return `#${path}${given.length ? "?" : ""}${given.map(([name, value]) => `${name}=${encode(value)}`).join("&")}`;
}

// Characters of positions, moves and players stay readable.
const encode = (value) => encodeURIComponent(value).replace(/%20/g, "+").replace(/%2F/g, "/").replace(/%3A/g, ":").replace(/%2C/g, ",");

/**
 * The right of a page to change the address, set the title of the window and announce messages. The page has it while the address
 * is its own. When the address changes, for example by a click, the right passes to the next page, even if that is still loading. A page
 * does not regain the right when its address returns.
 */
export class Held {
  constructor() {
    this.hash = location.hash;
    Held.last = this;
  }

  get isOwn() {
    return Held.last === this && location.hash === this.hash;
  }

  /** Puts an address into the bar, as a new entry of the browser's history or in place of the last entry. */
  leave(next, push) {
    if (!this.isOwn || location.hash === next) return;
    if (push) history.pushState(null, "", next);
    else history.replaceState(null, "", next);
    this.hash = location.hash;
  }

  /** Changes the address, if the page still has the right. */
  go(next) {
    if (this.isOwn) location.hash = next;
  }

  title(text) {
    if (this.isOwn) document.title = text;
  }

  /** Announces a change to people who use a screen reader. */
  announce(text) {
    if (this.isOwn) announce(text);
  }
}
