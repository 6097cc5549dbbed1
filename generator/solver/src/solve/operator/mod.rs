//! Operators: steps from children to parents inside the waiter's rows.
//!
//! Fix the waiter's set B. Its row in the child layer contains every position after a move of the mover that takes nothing. For every set
//! A of the mover, an operator determines the best child (placement), or whether one child is lost or all are won
//! (movement). The `sliced` operator works on all rows of a block or a strip at once.
//!
//! Example on 3×3 with one piece each and B = {4}: the row of B in the placement layer (1, 1) comes from its row in
//! layer (2, 1), in which the mover of (1, 1) has two pieces. For A = {0} the children are {0, 1}, {0, 2}, …, {0, 8}
//! but not {0, 4}. The operator takes the best of these seven entries of one row.

pub(crate) mod columns;
pub(crate) mod layer_rules;
pub(crate) mod lines;
pub(crate) mod moves;
pub(crate) mod place;
pub(crate) mod sliced;
