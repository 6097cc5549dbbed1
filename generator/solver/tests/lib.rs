//! Nothing: a package needs a library or a program, and this one has tests only.
