//! A large table, mapped: nothing is read before it is asked for. `cargo run -p morpion-lookup --example mapped --
//! tables/beginner5.morpion "XX.../OO.../...../...../..... x"`.

use morpion_lookup::Table;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("expected the path of a table")?;
    // SAFETY: nobody changes this file while the program runs; the builder renames new files over old ones.
    let table = unsafe { Table::map(&path)? };
    let game = table.game();
    let position = match arguments.next() {
        Some(text) => game.parse_position(&text)?,
        None => game.start(),
    };
    let score = table.probe(position)?;
    let plies = score.plies().map_or(String::new(), |plies| format!(" in {plies}"));
    println!("{position}: {}{plies}", score.value().name());
    for ranked in table.ranked_moves(position)?.best() {
        println!("  {}", game.format_move(ranked.mv));
    }
    Ok(())
}
