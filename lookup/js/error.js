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

/** A value and its type, for an error. */
export function shown(value) {
  if (value === undefined || value === null) return `${value}`;
  const isObject = typeof value === "object", type = isObject ? value.constructor?.name ?? "object" : typeof value;
  if (typeof value === "function") return "a function";
  return `${textOf(value).slice(0, 64)} (${type})`;
}

/** The text of a value, or `…` if it has none: a value may refer to itself. */
function textOf(value) {
  if (typeof value !== "object" && typeof value !== "string") return String(value);
  try {
    return JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each}n` : each)) ?? "…";
  } catch {
    return "…";
  }
}

/** The options of a function: an object, or nothing. */
export const optionsOf = (name, given) => (given === undefined ? {} : typeof given === "object" && given !== null ? given : fail("type", `${name} is ${shown(given)}: use an object`));
