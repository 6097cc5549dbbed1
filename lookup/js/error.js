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

/** The result of `work`, or `{ error }` if it throws a `MorpionError`. */
export function attempt(work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof MorpionError) return { error };
    throw error;
  }
}

/** The result of `allocate`; an error that says `what` if there is not enough memory. */
export function allocated(allocate, what) {
  try {
    return allocate();
  } catch (error) {
    return fail("memory", `${what}: more than there is memory for`, error);
  }
}

/** Description of a value of the wrong type in an error. */
export const typeName = (value) => (value === null ? "null" : typeof value === "object" ? value.constructor?.name ?? "an object" : typeof value);
