//! `morpion nim`: octal games.
use crate::terminal::prelude::*;

mod build;
mod info;
mod query;
mod source;

commands! {
    /// Octal games such as kayles: values of heaps, winning moves
    ///
    /// A game is an octal code or a name (`morpion nim games`). The t-th digit after the point lists the allowed remainders after t
    /// counters are taken from a heap: 1 for nothing, 2 for one heap, 4 for two heaps, or a sum of these. A 4 before the point allows
    /// splitting a heap without taking. Digits in parentheses repeat forever.
    Nim {
        Games(info::GamesArgs) => info::games,
        Build(build::Args) => build::run,
        Info(info::Args) => info::run,
        Query(query::Args) => query::run,
    }
}
