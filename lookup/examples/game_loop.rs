//! Play against perfect play: `cargo run -p morpion-lookup --example game_loop -- swap` (end with Ctrl-D).

use morpion_lookup::{Side, Table};
use std::error::Error;
use std::io::BufRead;

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "classic".into());
    let table = Table::builtin(&name)?;
    let game = table.game();
    let mut position = game.start();
    let mut lines = std::io::stdin().lock().lines();
    while game.over(position)?.is_none() {
        println!("{position}");
        position = if position.side == Side::O {
            let Some(best) = table.best_move(position)? else { break };
            println!(
                "I play {}: a {} for me",
                game.format_move(best.mv),
                best.score.value().name()
            );
            game.after(position, best.mv)
        } else {
            let Some(line) = lines.next().transpose()? else { return Ok(()) };
            match game.parse_move(&line).and_then(|mv| game.play(position, mv)) {
                Ok(after) => after,
                Err(error) => {
                    println!("{error}");
                    continue;
                }
            }
        };
    }
    println!("{position}");
    Ok(())
}
