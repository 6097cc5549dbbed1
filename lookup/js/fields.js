// Reads the fields of a header or a census from their bytes, in order: the types of tables/FORMAT.md, section 2.

import { MorpionError, fail } from "./error.js";

/** A view of bytes, for reading numbers from them. */
export const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Takes fields from bytes, in order. Errors name the part of the file, `part`. */
export class Fields {
  constructor(bytes, part) {
    this.bytes = bytes;
    this.part = part;
    this.view = viewOf(bytes);
    this.at = 0;
  }

  skip(length) {
    const at = this.at;
    if (length > this.bytes.length - at) this.#fail(`${this.bytes.length} bytes, expected more`);
    this.at += length;
    return at;
  }

  u8() { return this.view.getUint8(this.skip(1)); }
  u16() { return this.view.getUint16(this.skip(2), true); }
  u32() { return this.view.getUint32(this.skip(4), true); }
  u64() { return this.view.getBigUint64(this.skip(8), true); }

  number() {
    const value = this.u64();
    return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : this.#fail(`${value} is too large`);
  }

  choice(count) {
    const value = this.u32();
    return value < count ? value : this.#fail(`choice ${value}, expected less than ${count}`);
  }

  bool() {
    const value = this.u8();
    return value < 2 ? value === 1 : this.#fail(`${value}, expected 0 or 1`);
  }

  option(read) { return this.bool() ? read() : null; }

  list(read) {
    const count = this.number();
    if (count > this.bytes.length) this.#fail(`a list of ${count}, expected fewer`);
    return Array.from({ length: count }, read);
  }

  raw() {
    const length = this.number();
    return this.bytes.subarray(this.skip(length), this.at);
  }

  text() {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(this.raw());
    } catch (error) {
      if (error instanceof MorpionError) throw error;
      return this.#fail("a text that is not UTF-8");
    }
  }

  #fail(what) { return fail("header", `${this.part}: ${what}`); }

  end() {
    if (this.at !== this.bytes.length) this.#fail(`${this.bytes.length} bytes, expected ${this.at}`);
  }
}
