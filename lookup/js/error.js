// What goes wrong, as one kind of error.
// Made of a short name and a sentence; every function of this package throws it.

/** Everything this module throws: `kind` is a short name of what is wrong, the same in every language; `code` is the same. */
export class MorpionError extends Error {
  constructor(kind, message, options) {
    super(message, options);
    this.name = "MorpionError";
    this.kind = kind;
    this.code = kind;
  }
}

export const fail = (kind, message, cause) => {
  throw new MorpionError(kind, message, cause && { cause });
};

/** Description of a value of the wrong type in an error. */
export const typeName = (value) => (value === null ? "null" : typeof value === "object" ? value.constructor?.name ?? "an object" : typeof value);
