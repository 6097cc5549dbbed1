// The module: questions as JSON, answers, and the session's table.

const encoder = new TextEncoder(), decoder = new TextDecoder();

/**
 * Starts a session.
 * @param {BufferSource | WebAssembly.Module} source the bytes of `morpion.wasm`, or the compiled module
 * @param {(done: number, whole: number) => void} [onProgress] called during a computation; `whole` is 0 if it is unknown
 */
export async function session(source, onProgress = () => {}) {
  const compiled = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
  const { exports } = await WebAssembly.instantiate(compiled, { page: { progress: onProgress } });
  const bytes = (at, length) => new Uint8Array(exports.memory.buffer, at >>> 0, length);
  /** The bytes at a place: an address, and above it in 32 bits their length. */
  const at = (place) => bytes(Number(place & 0xffffffffn), Number(BigInt.asUintN(32, place >> 32n)));
  const pass = (input) => bytes(exports.room(input.length), input.length).set(input);
  const read = (isAnswer) => {
    const text = decoder.decode(at(exports.answer()));
    if (!isAnswer) throw new Error(text);
    return text;
  };
  return {
    /** Answers a question such as `{ ask: "describe", rules }`: its JSON, of a page a text of HTML. */
    ask(question) {
      pass(encoder.encode(JSON.stringify(question)));
      return JSON.parse(read(exports.ask()));
    },
    /** Opens a table, plain or packed, for the next questions. Returns its description. */
    open(table) {
      pass(table);
      return JSON.parse(read(exports.open()));
    },
    /** A copy of the session's table; `null` if there is none. */
    table() {
      const table = at(exports.table());
      return table.length ? table.slice() : null;
    },
  };
}
