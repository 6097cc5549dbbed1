//! Checks that lessons are complete, make no mistake, and have the number of positions that they state.

use super::table;
use morpion_core::{Encoding, Images, Position, Side, Value};
use morpion_games::catalogue::{Table, standard_game};
use morpion_games::rules::parse;
use morpion_report::error::ReportError;
use morpion_report::lesson::{Lesson, Next, Reply, Then, page, text};
use std::collections::{BTreeSet, HashMap};

fn lesson(table: &Table, position: &str, owner: Side) -> Lesson {
    let position = table.game().parse_position(position).unwrap();
    Lesson::new(table, position, owner).unwrap()
}

fn from_start(name: &str, owner: Side) -> (Table, Lesson) {
    let table = table(name, Encoding::Plies8);
    let lesson = Lesson::new(&table, table.game().start(), owner).unwrap();
    (table, lesson)
}

/// The first three numbers of positions agree with an integer program that was solved by another solver.
#[test]
fn lessons_have_the_least_number_of_positions() {
    for (name, owner, value, positions, moves) in [
        ("achi", Side::X, "win", 43, 23),
        ("tapatan", Side::X, "win", 50, 25),
        ("classic", Side::O, "draw", 128, 72),
        ("misere", Side::O, "draw", 117, 53),
    ] {
        let (_, lesson) = from_start(name, owner);
        assert_eq!((lesson.worth.value, lesson.positions), (value, positions), "{name}");
        assert_eq!((lesson.at_least, lesson.steps.len()), (positions, moves), "{name}");
        assert_eq!(lesson.size(), "No lesson of perfect moves has fewer positions.");
    }
}

/// One position of each class of symmetric positions.
fn least(images: &Images, position: Position) -> Position {
    let images = images.all(position.mover).zip(images.all(position.waiter));
    images.map(|(mover, waiter)| Position { mover, waiter }).min().unwrap()
}

/// The facts about one lesson that together mean that its owner keeps the value against every play.
struct Check<'t> {
    table: &'t Table,
    lesson: &'t Lesson,
    images: Images,
    reached: BTreeSet<(Position, bool)>,
    continued: Vec<usize>,
}

impl Check<'_> {
    fn parse(&self, text: &str) -> Position {
        self.table.game().parse_position(text).unwrap().raw
    }

    fn replies(&mut self, from: Position, replies: &[Reply]) {
        let game = self.table.game();
        let mut answered = Vec::new();
        for reply in replies {
            let moves: Vec<_> = reply.moves.iter().map(|mv| game.parse_move(mv).unwrap()).collect();
            let position = self.table.game().apply(from, moves[0]);
            assert_eq!(self.parse(&reply.position), position);
            for &mv in &moves {
                assert_eq!(
                    least(&self.images, self.table.game().apply(from, mv)),
                    least(&self.images, position)
                );
            }
            answered.extend(moves);
            self.reached.insert((least(&self.images, position), true));
            let at = |number: usize| self.parse(&self.lesson.steps[number - 1].position);
            match &reply.then {
                Next::Over(over) => {
                    assert_eq!(self.table.game().end_at(position).unwrap().name(), *over);
                }
                Next::Step(number) => {
                    assert_eq!(at(*number), position);
                    self.continued.push(*number);
                }
                Next::As(again) => {
                    assert_eq!(least(&self.images, at(again.step)), least(&self.images, position));
                    assert_eq!(again.symmetry.is_none(), at(again.step) == position);
                }
            }
        }
        answered.sort();
        let mut legal: Vec<_> = game.moves_at(from).collect();
        legal.sort();
        assert_eq!(answered, legal, "every reply is answered once");
    }

    /// The owner's position `number` steps after the first one, after its move.
    fn after(&self, number: usize) -> Position {
        let step = &self.lesson.steps[number - 1];
        self.table
            .game()
            .apply(self.parse(&step.position), self.table.game().parse_move(&step.mv).unwrap())
    }

    fn steps(&mut self) {
        for (step, number) in self.lesson.steps.iter().zip(1..) {
            assert_eq!(step.number, number);
            let position = self.parse(&step.position);
            let mv = self.table.game().parse_move(&step.mv).unwrap();
            let best = self.table.ranked_moves(position).unwrap();
            assert!(best.best().iter().any(|best| best.mv == mv), "{step:?}");
            assert_ne!(self.table.probe(position).unwrap().value(), Value::Loss);
            let after = self.table.game().apply(position, mv);
            self.reached.insert((least(&self.images, position), true));
            self.reached.insert((least(&self.images, after), false));
            match &step.then {
                Then::Over(over) => {
                    assert_eq!(self.table.game().end_at(after).unwrap().name(), *over);
                }
                // The end of a lesson of the first plies, which place a piece each.
                Then::Replies(replies) if replies.is_empty() => {
                    let pieces = |at: Position| (at.mover | at.waiter).count_ones() as usize;
                    let placed = pieces(after) - pieces(self.parse(&self.lesson.position));
                    assert_eq!(Some(placed), self.lesson.first_plies);
                    assert!(self.table.game().end_at(after).is_none());
                }
                Then::Replies(replies) => self.replies(after, replies),
                Then::AsAfter(again) => {
                    let first = match again.step {
                        0 => self.parse(&self.lesson.position),
                        step => self.after(step),
                    };
                    assert!(matches!(
                        self.lesson.steps.get(again.step.wrapping_sub(1)).map(|step| &step.then),
                        None | Some(Then::Replies(_))
                    ));
                    assert_eq!(least(&self.images, first), least(&self.images, after));
                    assert_eq!(again.symmetry.is_none(), first == after);
                }
            }
        }
    }
}

fn check(table: &Table, lesson: &Lesson) {
    let images = Images::new(table.game().cells(), &table.raw().header().symmetries);
    let mut check =
        Check { table, lesson, images, reached: BTreeSet::new(), continued: Vec::new() };
    let root = table.game().parse_position(&lesson.position).unwrap();
    let is_own = root.side.letter() == lesson.owner;
    check.reached.insert((least(&check.images, root.raw), is_own));
    if is_own {
        assert_eq!(lesson.steps[0].position, lesson.position);
        check.continued.push(1);
    } else {
        check.replies(root.raw, &lesson.replies);
    }
    check.steps();
    assert_eq!(check.reached.len(), lesson.positions, "symmetric positions count once");
    check.continued.sort_unstable();
    assert_eq!(check.continued, (1..=lesson.steps.len()).collect::<Vec<_>>(), "one tree");
}

#[test]
fn lessons_answer_every_reply_and_make_no_mistake() {
    for (name, owner) in [
        ("achi", Side::X),
        ("tapatan", Side::X),
        ("classic", Side::X),
        ("classic", Side::O),
        ("misere", Side::O),
        ("swap", Side::X),
        ("swap-pass", Side::O),
        ("picaria", Side::O),
        ("rota", Side::X),
        ("shisima", Side::O),
        ("nine-holes", Side::O),
    ] {
        let (table, lesson) = from_start(name, owner);
        assert!(!lesson.steps.is_empty(), "{name}");
        check(&table, &lesson);
    }
    // Too many positions for a search: the smallest set that exchanges find.
    let classic4 = table("classic4", Encoding::Plies8);
    let found = lesson(&classic4, "XOX./OX../...O/.... x", Side::X);
    assert!(found.positions < 80 && found.at_least < found.positions, "{}", found.size());
    check(&classic4, &found);
    // Won after a mistake, with the loser to move; and a table without distances.
    let tapatan = table("tapatan", Encoding::Plies8);
    check(&tapatan, &lesson(&tapatan, "X../.../... o", Side::O));
    let classic = table("classic", Encoding::Wdl);
    check(&classic, &lesson(&classic, "XO./.../... x", Side::X));
}

#[test]
fn a_lesson_of_a_large_game_has_its_first_plies() {
    let table = table("classic4", Encoding::Plies8);
    for (position, owner, plies, moves) in [
        ("..../..../..../.... x", Side::X, 5, "3 moves of X"),
        ("X.../..../..../.... o", Side::X, 4, "2 moves of X"),
    ] {
        let lesson = lesson(&table, position, owner);
        check(&table, &lesson);
        assert_eq!(lesson.first_plies, Some(plies), "{position}");
        let text = text::text(table.game(), &lesson);
        assert!(
            text.contains(&format!("the first {moves}: the whole lesson would be too long.")),
            "{text}"
        );
        assert!(text.contains(", …"), "{text}");
    }
    assert_eq!(from_start("disappearing", Side::X).1.first_plies, None);
}

/// The least size of a closed set that contains `set`, by trying all moves in all positions.
fn least_closed(
    table: &Table,
    images: &Images,
    mut set: HashMap<(Position, bool), bool>,
    mut todo: Vec<(Position, bool)>,
) -> usize {
    while let Some(node @ (position, is_own)) = todo.pop() {
        if set.insert(node, true).is_some() {
            continue;
        }
        let ranked = table.ranked_moves(position).unwrap();
        let moves = if is_own { ranked.best() } else { &ranked[..] };
        let next: BTreeSet<Position> = moves
            .iter()
            .map(|ranked| least(images, table.game().apply(position, ranked.mv)))
            .collect();
        if !is_own {
            todo.extend(next.into_iter().map(|next| (next, true)));
            continue;
        }
        let sizes = next.into_iter().map(|next| {
            let mut todo = todo.clone();
            todo.push((next, false));
            least_closed(table, images, set.clone(), todo)
        });
        if let Some(size) = sizes.min() {
            return size;
        }
    }
    set.len()
}

#[test]
fn no_choice_of_moves_has_fewer_positions() {
    let mut differ = 0;
    for (name, positions, owner) in [
        (
            "classic",
            &["X../.O./..X o", "X../O../... x", "XO./.X./... o", ".X./.O./... x"][..],
            Side::X,
        ),
        ("classic", &["X../.O./..X o", ".X./.O./.X. o", "X.O/.../... x"][..], Side::O),
        ("tapatan", &[".../.../... x"][..], Side::X),
        ("misere", &["X.O/.X./... o", "XO./.../... x"][..], Side::X),
    ] {
        let table = table(name, Encoding::Plies8);
        let images = Images::new(9, &table.raw().header().symmetries);
        for text in positions {
            let position = table.game().parse_position(text).unwrap();
            let Ok(lesson) = Lesson::new(&table, position, owner) else { continue };
            let root = (least(&images, position.raw), position.side == owner);
            let size = least_closed(&table, &images, HashMap::new(), vec![root]);
            assert_eq!((lesson.positions, lesson.at_least), (size, size), "{name} {text}");
            differ += usize::from(size > 10);
        }
    }
    assert!(differ >= 5, "{differ} lessons are large enough");
}

#[test]
fn a_side_that_loses_has_no_lesson_and_a_finished_game_an_empty_one() {
    let tapatan = table("tapatan", Encoding::Plies8);
    let error = Lesson::new(&tapatan, tapatan.game().start(), Side::O).unwrap_err();
    assert!(matches!(error, ReportError::Lost { owner: 'o', other: 'x' }), "{error}");
    let classic = table("classic", Encoding::Plies8);
    let over = lesson(&classic, "XXX/OO./... o", Side::X);
    assert_eq!((over.positions, over.steps.len(), over.replies.len()), (1, 0, 0));
    assert!(text::text(classic.game(), &over).contains("The game is over."));
    assert!(page::page(classic.game(), &over).contains("The game is over."));
}

#[test]
fn text_and_page_have_every_line() {
    for (name, owner) in [("achi", Side::X), ("classic", Side::O), ("swap", Side::X)] {
        let (table, lesson) = from_start(name, owner);
        let game = table.game();
        let (tree, page) = (text::text(game, &lesson), page::page(game, &lesson));
        let replies = lesson.steps.iter().flat_map(|step| step.replies()).chain(&lesson.replies);
        let lines = replies.count() + usize::from(lesson.replies.is_empty());
        assert_eq!(tree.lines().count(), lines + 6, "{name}");
        assert_eq!(page.matches("<svg").count(), lines, "{name}");
        assert_eq!(page.matches("<details").count(), page.matches("</details>").count());
        for step in &lesson.steps {
            let (board, _) = step.position.rsplit_once(' ').unwrap();
            let answer = format!("{} {}", lesson.owner.to_ascii_uppercase(), step.mv);
            let line = tree.lines().find(|line| {
                line.trim_start().starts_with(&format!("{} ", step.number)) && line.ends_with(board)
            });
            assert!(line.is_some_and(|line| line.contains(&answer)), "{name} {step:?}");
            assert!(page.contains(&format!("id=\"s{}\"", step.number)));
        }
        // Everything is in the page itself.
        for word in ["src=", "href=\"http", "url(", "@import"] {
            assert!(!page.contains(word), "{name}: {word}");
        }
    }
    // A title is text.
    let game = standard_game("classic").unwrap();
    let rules =
        "name = \"t\"\ntitle = \"<b>&\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n";
    let titled = parse("t.toml", rules).unwrap();
    let table = table("classic", Encoding::Plies8);
    let lesson = Lesson::new(&table, game.start(), Side::X).unwrap();
    let page = page::page(&titled, &lesson);
    assert!(page.contains("&lt;b&gt;&amp;") && !page.contains("<b>&"));
}
