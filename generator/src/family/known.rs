//! The facts about standard games on the pages of results, for games whose table is missing.

use morpion_core::Game;
use morpion_games::catalogue::short_title;

/// Pages of results, with the level of the heading of a game's section.
const PAGES: [(&str, &str); 3] = [
    (include_str!("atlas.md"), "\n## "),
    (include_str!("records.md"), "\n## "),
    (include_str!("records.md"), "\n### "),
];

/// The facts about a game from the pages of results.
pub struct Known {
    /// Rows of the tables of the game's sections: a heading, and a fact.
    pub facts: Vec<(&'static str, String)>,
}

impl Known {
    /// The facts about a game; `None` if the pages do not have a game of this name and these rules.
    pub fn of(game: &Game) -> Option<Known> {
        let mut facts: Vec<(&'static str, String)> = Vec::new();
        for (page, heading) in PAGES {
            let is_of = |section: &&str| {
                let title = section.lines().next().unwrap_or_default();
                title == game.name() || title == short_title(game)
            };
            let section = page.split(heading).skip(1).find(is_of).unwrap_or_default();
            let own = section.split("\n#").next().unwrap_or_default();
            let table = own.split_once("| | |\n|---|---|\n").unwrap_or_default().1;
            for row in table.lines().map_while(|line| line.strip_prefix("| ")) {
                let (key, fact) = row.trim_end_matches(" |").split_once(" | ").unwrap_or_default();
                if !facts.iter().any(|(known, _)| *known == key) {
                    facts.push((key, fact.replace('`', "")));
                }
            }
        }
        let known = Known { facts };
        let fingerprint = format!("{:016x}", game.fingerprint());
        (known.fact("fingerprint of the rules") == Some(fingerprint.as_str())).then_some(known)
    }

    /// The fact in the row of this heading.
    pub fn fact(&self, key: &str) -> Option<&str> {
        self.facts.iter().find(|(known, _)| *known == key).map(|(_, fact)| fact.as_str())
    }
}
