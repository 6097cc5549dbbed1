//! What the outside tests share: the program, scratch folders, facts.
