// XXH3, 64 bits, seed 0, default secret, as the xxHash project specifies it. BigInt arithmetic: some megabytes a second,
// which is enough for headers and for checking small tables.

import { viewOf } from "./fields.js";

const MASK = (1n << 64n) - 1n;
const P32_1 = 0x9e3779b1n, P32_2 = 0x85ebca77n, P32_3 = 0xc2b2ae3dn;
const P64_1 = 0x9e3779b185ebca87n, P64_2 = 0xc2b2ae3d27d4eb4fn, P64_3 = 0x165667b19e3779f9n;
const P64_4 = 0x85ebca77c2b2ae63n, P64_5 = 0x27d4eb2f165667c5n;
const MX1 = 0x165667919e3779f9n, MX2 = 0x9fb21c651e98df25n;

const SECRET = Uint8Array.from(
  ("b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248e" +
   "e03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a" +
   "51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8f" +
   "f8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e").match(/../g), (hex) => parseInt(hex, 16));

const secret = viewOf(SECRET);
const key = (at) => secret.getBigUint64(at, true);

function fold(a, b) {
  const product = a * b;
  return (product & MASK) ^ (product >> 64n);
}

function mixed(h, first, factor, second) {
  h = ((h ^ (h >> first)) * factor) & MASK;
  return h ^ (h >> second);
}

const avalanche = (h) => mixed(h, 37n, MX1, 32n);
const avalanche64 = (h) => mixed(mixed(h, 33n, P64_2, 29n), 64n, P64_3, 32n);

const rotate = (value, by) => ((value << by) | (value >> (64n - by))) & MASK;

function mix16(data, at, secretAt) {
  return fold(data.getBigUint64(at, true) ^ key(secretAt), data.getBigUint64(at + 8, true) ^ key(secretAt + 8));
}

function short(bytes, data, length) {
  const n = BigInt(length);
  if (length > 8) {
    const low = data.getBigUint64(0, true) ^ key(24) ^ key(32), high = data.getBigUint64(length - 8, true) ^ key(40) ^ key(48);
    // The bytes of `low` in the opposite order.
    const swapped = data.getBigUint64(0) ^ secret.getBigUint64(24) ^ secret.getBigUint64(32);
    return avalanche((n + swapped + high + fold(low, high)) & MASK);
  }
  if (length >= 4) {
    const first = BigInt(data.getUint32(0, true)), last = BigInt(data.getUint32(length - 4, true));
    let h = (last + (first << 32n)) ^ (key(8) ^ key(16));
    h ^= rotate(h, 49n) ^ rotate(h, 24n);
    h = (h * MX2) & MASK;
    return mixed(h ^ ((h >> 35n) + n), 64n, MX2, 28n);
  }
  if (length > 0) {
    const combined =
      (BigInt(bytes[0]) << 16n) | (BigInt(bytes[length >> 1]) << 24n) | BigInt(bytes[length - 1]) | (n << 8n);
    return avalanche64(combined ^ BigInt((secret.getUint32(0, true) ^ secret.getUint32(4, true)) >>> 0));
  }
  return avalanche64(key(56) ^ key(64));
}

function middle(data, length) {
  let sum = (BigInt(length) * P64_1) & MASK;
  if (length <= 128) {
    for (let i = (length - 1) >> 5; i >= 0; i--) {
      sum += mix16(data, 16 * i, 32 * i) + mix16(data, length - 16 * (i + 1), 32 * i + 16);
    }
    return avalanche(sum & MASK);
  }
  const rounds = length >> 4;
  for (let i = 0; i < 8; i++) sum += mix16(data, 16 * i, 16 * i);
  sum = avalanche(sum & MASK);
  for (let i = 8; i < rounds; i++) sum += mix16(data, 16 * i, 16 * (i - 8) + 3);
  sum += mix16(data, length - 16, 136 - 17);
  return avalanche(sum & MASK);
}

function long(data, length) {
  const lanes = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1];
  const stripe = (at, secretAt) => {
    for (let i = 0; i < 8; i++) {
      const value = data.getBigUint64(at + 8 * i, true), keyed = value ^ key(secretAt + 8 * i);
      lanes[i ^ 1] = (lanes[i ^ 1] + value) & MASK;
      lanes[i] = (lanes[i] + (keyed & 0xffffffffn) * (keyed >> 32n)) & MASK;
    }
  };
  const stripes = (SECRET.length - 64) / 8;
  for (let n = 0; n < Math.floor((length - 1) / 64); n++) {
    stripe(64 * n, 8 * (n % stripes));
    if (n % stripes < stripes - 1) continue;
    for (let i = 0; i < 8; i++) lanes[i] = ((lanes[i] ^ (lanes[i] >> 47n) ^ key(SECRET.length - 64 + 8 * i)) * P32_1) & MASK;
  }
  stripe(length - 64, SECRET.length - 64 - 7);
  let sum = (BigInt(length) * P64_1) & MASK;
  for (let i = 0; i < 4; i++) sum += fold(lanes[2 * i] ^ key(11 + 16 * i), lanes[2 * i + 1] ^ key(19 + 16 * i));
  return avalanche(sum & MASK);
}

/** The sum of a `Uint8Array` as a BigInt. */
export function xxh3(bytes) {
  const data = viewOf(bytes), length = bytes.length;
  if (length <= 16) return short(bytes, data, length);
  return length <= 240 ? middle(data, length) : long(data, length);
}
