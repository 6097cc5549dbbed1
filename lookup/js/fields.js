// Reads the fields of a header or a census from their bytes, in order: the types of tables/FORMAT.md, section 2.

import { fail } from "./error.js";

/** A view of bytes, for reading numbers from them. */
export const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The little-endian number of some bytes. */
export const numberOf = (bytes) => bytes.reduceRight((number, byte) => number * 256 + byte, 0);

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
    if (length > this.bytes.length - at) this.wrong(`${this.bytes.length} bytes, expected more`);
    this.at += length;
    return at;
  }

  u8() { return this.view.getUint8(this.skip(1)); }
  u16() { return this.view.getUint16(this.skip(2), true); }
  u32() { return this.view.getUint32(this.skip(4), true); }
  u64() { return this.view.getBigUint64(this.skip(8), true); }

  /** A `u64` as a number. One above 2^53 is rounded: no file is so long. */
  number() { return Number(this.u64()); }

  /** One of some names. */
  choice(names) { return names[this.u32()] ?? this.wrong("a choice that does not exist"); }

  bool() {
    const value = this.u8();
    return value < 2 ? value === 1 : this.wrong(`${value}, expected 0 or 1`);
  }

  option(read) { return this.bool() ? read() : null; }

  /** A list of at most `most` items. */
  list(read, most = this.bytes.length) {
    const count = this.number();
    if (count > most) this.wrong(`a list of ${count}, expected at most ${most}`);
    return Array.from({ length: count }, read);
  }

  raw() {
    const length = this.number();
    return this.bytes.subarray(this.skip(length), this.at);
  }

  text() {
    const bytes = this.raw();
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return this.wrong("a text that is not UTF-8");
    }
  }

  /** Refuses the fields. */
  wrong(what) { return fail("header", `${this.part}: ${what}`); }

  end() {
    if (this.at !== this.bytes.length) this.wrong(`${this.bytes.length} bytes, expected ${this.at}`);
  }
}
