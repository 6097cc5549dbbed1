//! A table inside the program, without files, as for a game on a small machine. `lookup/embedded` is the same without
//! the standard library.

use morpion_lookup::{Table, TableError};

/// Aligned to nothing in particular: any slice of bytes is read.
static TABLE: &[u8] = include_bytes!("../builtin/tapatan.morpion");

fn main() -> Result<(), TableError> {
    let table = Table::from_source(TABLE)?;
    let game = table.game();
    let mut position = game.start();
    for _ in 0..20 {
        let Ok(Some(best)) = table.best_move(position) else { break };
        println!("{position}  {}", game.format_move(best.mv));
        position = table.game().after(position, best.mv);
    }
    Ok(())
}
