// A file on a server, read in parts by HTTP range requests. A read returns exactly the bytes that were requested, of the same file as
// at the first request, or fails.

import { fail } from "./error.js";

/** Number of bytes fetched from the beginning of a file when it is opened, and from the end of a packed one. */
const HEAD = 32 << 10;
export const TAIL = 68 << 10;

/** A file whose beginning and end have been fetched. */
export class RangeFile {
  #url;
  #fetch;
  #signal;
  #identity = null;
  #ends;

  /**
   * Opens a file: fetches the beginning and, at the same time, `tail` bytes of the end. `TAIL` is long enough for the seek table of most
   * packed tables (8 bytes for each of 8,192 frames). Before it are the layers in which a game begins.
   */
  static async open(url, { signal, fetch, tail }) {
    const file = new RangeFile();
    file.#url = String(url);
    file.#fetch = fetch;
    file.#signal = signal;
    const head = file.#request(`bytes=0-${HEAD - 1}`, (length) => [0, Math.min(HEAD, length)]);
    const end = tail > 0 ? [file.#request(`bytes=-${tail}`, (length) => [Math.max(0, length - tail), length])] : [];
    file.#ends = await Promise.all([head, ...end]);
    return file;
  }

  /** Bytes of the whole file. */
  get length() { return this.#identity.length; }
  /** The first bytes, and the last. */
  get head() { return this.#ends[0].bytes; }
  get tail() { return this.#ends[1].bytes; }

  /** The bytes from `from` up to `to`. */
  async read(from, to) {
    this.#signal?.throwIfAborted();
    if (from >= to || to > this.length) fail("length", `${this.#url}: ${this.length} bytes, expected ${to}`);
    const end = this.#ends.find((part) => part.from <= from && to <= part.from + part.bytes.length);
    if (end) return end.bytes.subarray(from - end.from, to - end.from);
    return (await this.#request(`bytes=${from}-${to - 1}`, () => [from, to])).bytes;
  }

  /**
   * Requests a range. Given the length of the file, `expected` returns its beginning and its end. Some servers answer the last bytes by
   * the first, or by status 416: they are asked once more with the length of the file, which that answer names.
   */
  async #request(range, expected) {
    const fetch = this.#fetch;
    try {
      const response = await fetch(this.#url, { headers: { Range: range }, signal: this.#signal });
      const again = range.startsWith("bytes=-") ? suffixOf(response, expected) : null;
      if (again) {
        await response.body?.cancel();
        return this.#request(again, expected);
      }
      const { from, length } = await this.#check(response, expected);
      return { from, bytes: await bodyOf(response, length) };
    } catch (error) {
      this.#signal?.throwIfAborted();
      if (error?.name === "MorpionError") throw error;
      return fail("io", `${this.#url}: ${error?.message ?? error}`, error);
    }
  }

  /** Checks the headers of a response. Returns the offset of its first byte, and its length. */
  async #check(response, expected) {
    const refuse = async (kind, what) => {
      await response.body?.cancel();
      fail(kind, `${this.#url}: ${what}`);
    };
    if (response.status === 200) await refuse("ranges", "the server sends the whole file (200) instead of a part (206): use a server with range requests");
    if (response.status !== 206) await refuse("io", `status ${response.status}, expected 206`);
    const content = response.headers.get("content-range");
    const [from, last, size] = content?.match(/^bytes (\d+)-(\d+)\/(\d+)$/)?.slice(1).map(Number) ?? [];
    const length = last - from + 1;
    if (!(length > 0 && last < size && Number.isSafeInteger(size))) {
      await refuse("ranges", `Content-Range ${content}, expected bytes FIRST-LAST/LENGTH (a server of another origin must expose this header)`);
    }
    const identity = { length: size, etag: response.headers.get("etag"), modified: response.headers.get("last-modified") };
    this.#identity ??= identity;
    for (const [what, before] of Object.entries(this.#identity)) {
      if (identity[what] !== before) await refuse("changed", `the file has changed since it was opened (${what} ${identity[what]}, was ${before}): open it again`);
    }
    const [first, end] = expected(size);
    if (from !== first || length !== end - first) await refuse("io", `${length} bytes from ${from}, expected ${end - first} from ${first}`);
    return { from, length };
  }
}

/** The range to request instead of the last bytes, if a response has others and the length of the file; otherwise `null`. */
function suffixOf({ status, headers }, expected) {
  const [part, size] = headers.get("content-range")?.match(/^bytes (\S+)\/(\d+)$/)?.slice(1) ?? [];
  const [first, end] = expected(Number(size)), range = `${first}-${end - 1}`;
  return [206, 416].includes(status) && Number.isSafeInteger(end) && end > first && part !== range ? `bytes=${range}` : null;
}

/** Reads a body of `length` bytes. Stops at the first byte beyond them. */
async function bodyOf(response, length) {
  const bytes = new Uint8Array(length), reader = response.body?.getReader();
  let at = 0;
  for (let part = await reader?.read(); part && !part.done; part = await reader.read()) {
    if (at + part.value.length > length) {
      await reader.cancel();
      throw new Error(`more than the ${length} bytes in Content-Range`);
    }
    bytes.set(part.value, at);
    at += part.value.length;
  }
  if (at < length) throw new Error(`${at} bytes, expected ${length}`);
  return bytes;
}
