// The error that every function of this package throws.

/** An error with a short name, `code`, which is the same in every language. `kind` is another name of `code`. */
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
