//! Checks that the game and the sections of a table follow from its rule text, because readers interpret the game and the sections without
//! this check.

use crate::fault::Fault;
use morpion_core::{Encoding, Game, Header, rank::binomial};
use morpion_games::rules::{parse, whole};

/// The first part of a header that does not follow from the rule text in it: the entries then belong to another game, or are in other places.
pub(super) fn difference(header: &Header) -> Option<Fault> {
    let game = match parse(header.game.name(), &whole(&header.game)) {
        Ok(game) => game,
        Err(error) => return Some(Fault::of_part("rules", error.to_string(), "a rule file")),
    };
    let part = of_game(&header.game, &game).or_else(|| of_sections(header))?;
    Some(Fault::of_part(part, "another one", "that of the rules"))
}

/// The first part in which the stored game differs from `game`, which was read from the rules.
fn of_game(stored: &Game, game: &Game) -> Option<&'static str> {
    let (about, expected) = (stored.about(), game.about());
    let lines = |game: &Game| game.lines_with_prolongations().collect::<Vec<_>>();
    let parts = [
        ("canonical form of the rules", about.rules == expected.rules),
        ("board", about.board == expected.board),
        ("list of names", about.names == expected.names),
        ("drawing", about.layout == expected.layout),
        ("start", about.start == expected.start),
        ("list of lines", lines(stored) == lines(game)),
        ("list of moves", stored.graph().phases == game.graph().phases),
        ("list of layers", stored.graph().layers == game.graph().layers),
        ("end of the game", stored == game),
    ];
    parts.into_iter().find_map(|(part, is_right)| (!is_right).then_some(part))
}

/// The first part after the game that is not as the format prescribes for the game. The group and the numbers of rows are not
/// checked here, except for the range of the latter.
fn of_sections(header: &Header) -> Option<&'static str> {
    let game = &header.game;
    let has_kind_of_draws = match header.encoding {
        Encoding::Plies8 | Encoding::Plies16 => true,
        Encoding::Wdl => !game.graph().has_cycles(),
        Encoding::WdlCycle => game.graph().has_cycles(),
    };
    if !has_kind_of_draws {
        return Some("kind of draws");
    }
    let sets = |size: u8| binomial(game.cells().into(), size.into());
    let are_possible = header.maps.iter().all(|map| (1..=sets(map.size)).contains(&map.rows));
    (!are_possible).then_some("layout")
}
