//! The atlas: a Markdown page with the rules of every game in words, and facts from its table.
//!
//! The words are derived from the rules instead of the game's name, because the rules of two games may differ only by a
//! diagonal.

use super::registry::{COUNTED, DIRECT_PROOF, METHOD, PROOF, Solved};
use anyhow::Result;
use morpion_core::Game;
use morpion_games::catalogue::Table;
use morpion_games::rules::{parse, rules_of, varied};
use morpion_machine::progress::Progress;
use morpion_report::census::DeepestText;
use morpion_report::entries::{Entry, entries};
use morpion_report::phrases::{self, counted, grouped, in_words, plies};
use morpion_serve::PAGE;
use morpion_solver::table;
use std::fmt::Write;

/// Maximum number of entries of a table whose game is also solved in memory with a pass added or removed, to compare the two.
const COMPARED: u64 = 1_000_000_000;

/// The text above the games: definitions, a table of all results with the rows of [`result`], and aliases of the games.
pub fn introduction(results: &str) -> String {
    format!(
        "{}\n### Results\n\nEach game is solved by {METHOD}. `morpion verify` proves a table: {PROOF}. If pieces are \
         taken or pushed, or age, {DIRECT_PROOF}. *Positions* can be reached by play; \
         they are counted up to {} arrangements. Shares are of all valid arrangements, in percent. The checksum begins the BLAKE3 of the \
         unpacked table, which is whole in the game's section. \
         A table without one was built with an older version of the format. `morpion atlas --json` prints the same facts for registries of solved games.\n\n\
         | game | start | positions | entries | longest win | longest loss | won, % | lost, % | drawn, % | checksum |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|---|\n{results}\n{}\n{}",
        include_str!("introduction.md"),
        grouped(COUNTED),
        include_str!("definitions.md"),
        include_str!("synonyms.md")
    )
}

/// The row of a game in the table of all results.
pub fn result(solved: &Solved) -> String {
    let (name, totals) = (&solved.game, &solved.totals);
    let (wins, losses) = (totals.wins.iter().sum::<u64>(), totals.losses.iter().sum::<u64>());
    let draws = totals.draws_end + totals.draws_cycle;
    let share =
        |part: u64| format!("{:.1}", 100.0 * part as f64 / (wins + losses + draws).max(1) as f64);
    let plies = |deepest: &Option<DeepestText>| match deepest {
        Some(deepest) => deepest.plies.to_string(),
        None => "–".into(),
    };
    format!(
        "| [{name}](#{name}) | {} | {} | {} | {} | {} | {} | {} | {} | `{}` |\n",
        in_words(solved.worth),
        solved.positions.map_or("–".into(), grouped),
        grouped(solved.entries),
        plies(&totals.longest_win),
        plies(&totals.longest_loss),
        share(wins),
        share(losses),
        share(draws),
        &solved.blake3[..16]
    )
}

/// Heading and rules of a game in words. Needs no table.
pub fn rules(game: &Game) -> String {
    let mut text = format!("## {}\n\n{}.\n\n", game.name(), phrases::markdown(game.title()));
    let (lines, links) = (game.lines(), game.links().unwrap_or_default());
    let mut cells = Vec::new();
    if (1..=12).contains(&lines.len()) {
        let each = lines.iter().map(|&line| game.format_cells(line).replace(' ', "-"));
        cells.push(format!("lines {}", each.collect::<Vec<_>>().join(", ")));
    }
    if (1..=24).contains(&links.len()) {
        let each = links.iter().map(|&ends| <[u8; 2]>::from(ends).map(|end| game.format_cell(end)));
        cells.push(format!(
            "links {}",
            each.map(|ends| ends.join("-")).collect::<Vec<_>>().join(", ")
        ));
    }
    let _ = write!(text, "Rules: {} Start: `{}`.\n\n", phrases::rules(game), game.start());
    if !cells.is_empty() {
        let _ = write!(
            text,
            "<details><summary>Cells</summary>\n\n{}\n\n</details>\n\n",
            cells.join("; ")
        );
    }
    let _ = writeln!(
        text,
        "![The board of {0}: links in grey, lines in colours](boards/{0}.svg)\n\nRule file: [{0}.toml]({0}.toml). \
         Page, while `morpion serve` runs: [{0}]({PAGE}#/{0}).",
        game.name()
    );
    text
}

/// The section about a game's table: value, first moves, counts, and the effect of a pass. A game in which pieces move is solved
/// again with a pass added or removed.
///
/// # Errors
/// If the table is damaged, or the observer requests a stop.
pub fn answers(table: &Table, solved: &Solved, progress: &dyn Progress) -> Result<String> {
    let header = table.raw().header();
    let (name, totals) = (&solved.game, &solved.totals);
    let moves = &solved.first_moves;
    let sum = |list: &[u64]| grouped(list.iter().sum::<u64>());
    let mut rows: Vec<(&str, String)> = vec![
        ("value of the start", in_words(solved.worth)),
        ("perfect first moves", if moves.is_empty() { "none".into() } else { moves.join(" ") }),
    ];
    if table.has_distances() {
        rows.push(("longest win", deepest(&totals.longest_win)));
        rows.push(("longest loss", deepest(&totals.longest_loss)));
    }
    rows.push(("arrangements", grouped(solved.arrangements)));
    rows.push((
        "of these",
        format!(
            "{} won, {} lost, {} draws that end, {} draws by cycle, {} invalid",
            sum(&totals.wins),
            sum(&totals.losses),
            grouped(totals.draws_end),
            grouped(totals.draws_cycle),
            grouped(totals.none)
        ),
    ));
    rows.push(("reachable positions", reachable(solved)));
    rows.push(("symmetries", format!("{} ({})", header.symmetries.len(), header.group.name())));
    rows.extend(pass(table, progress)?.map(|changes| ("with a pass", changes)));
    rows.push(("table", stored(table, &format!("`{}`", solved.blake3))));
    rows.push(("fingerprint of the rules", format!("`{}`", solved.fingerprint)));
    rows.push(("made and proved by", format!("`morpion build {name}`, `morpion verify {name}`")));
    let mut text = String::from("| | |\n|---|---|\n");
    for (key, value) in rows {
        let _ = writeln!(text, "| {key} | {value} |");
    }
    Ok(text)
}

/// Describes the bytes of a table, with their checksum.
pub fn stored(table: &Table, blake3: &str) -> String {
    let header = table.raw().header();
    let (entries, bytes) = (grouped(header.entries()), grouped(table.size()));
    format!("{entries} entries ({}), {bytes} bytes, BLAKE3 {blake3}", header.encoding.name())
}

fn deepest(deepest: &Option<DeepestText>) -> String {
    deepest.as_ref().map_or("none".into(), |deepest| {
        format!("{}, `{}`", plies(deepest.plies), deepest.position)
    })
}

fn reachable(solved: &Solved) -> String {
    let Some(count) = &solved.count else {
        return format!("not counted above {} arrangements", grouped(COUNTED));
    };
    format!(
        "{}: {} won, {} lost, {} drawn; {} of them finished",
        grouped(count.positions),
        grouped(count.win),
        grouped(count.loss),
        grouped(count.draw),
        grouped(count.terminal)
    )
}

/// Describes the effect of a pass: putting a lifted piece back on its cell is added to the rules, or removed. `None` if the rules
/// exclude a pass, for example because pieces are pushed.
fn pass(table: &Table, progress: &dyn Progress) -> Result<Option<String>> {
    let game = table.game();
    let Some(movement) = rules_of(game).and_then(|rules| rules.movement) else { return Ok(None) };
    let rule = if movement.stay { "forbidding a pass" } else { "allowing a pass" };
    let stay = [("moves.stay".into(), (!movement.stay).to_string())].into();
    let Ok(other) = parse(game.name(), &varied(game, &stay)?) else { return Ok(None) };
    if table.raw().header().entries() > COMPARED {
        return Ok(Some(format!("not compared above {} entries", grouped(COMPARED))));
    }
    let other = Table::from_source(table::solve(&other, progress)?.into())?;
    let (mut values, mut plies) = (0u64, 0u64);
    // A pass changes neither the positions nor the symmetries, so both tables have the same entries.
    for (a, b) in entries(table).zip(entries(&other)) {
        let (Entry { score, arrangements, .. }, other) = (a?, b?.score);
        if score.value() != other.value() {
            values += arrangements;
        } else if score != other {
            plies += arrangements;
        }
    }
    let start = table.game().start().raw;
    let start = match (in_words(table.probe(start)?), in_words(other.probe(start)?)) {
        (before, after) if before == after => String::new(),
        (_, after) => format!("; the start is then: {after}"),
    };
    let mut changes = Vec::new();
    if values > 0 {
        changes.push(format!("the value of {}", counted(values, "arrangement")));
    }
    if plies > 0 {
        let arrangements = counted(plies, "arrangement");
        changes.push(format!("only the distance or kind of draw of {arrangements}"));
    }
    let changes = if changes.is_empty() { "nothing".into() } else { changes.join(", and ") };
    Ok(Some(format!("{rule} changes {changes}{start}")))
}
