// The package: the reader of tables, and the tables that it carries.

export * from "./morpion.js";
export { builtin, builtinNames } from "./builtin/index.js";
