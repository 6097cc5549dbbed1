//! A lesson as a page of its own that unfolds on a screen and is printed on A4.

use super::Lesson;
use super::rows::{Branch, LEGEND, rows, summary};
use crate::html::{document, escaped};
use morpion_core::Game;
use std::fmt::Write;

/// Height of a diagram in pixels of the page; the style sheet makes it smaller on paper.
const BOARD: f64 = 72.0;

/// Writes a lesson as HTML. The page needs no other file; `back` is the address of a page on which the game is played.
#[must_use]
pub fn page(game: &Game, lesson: &Lesson, back: Option<&str>) -> String {
    let [result, size] = summary(lesson);
    let mut tree = String::new();
    let rows = rows(lesson);
    for (at, row) in rows.iter().enumerate() {
        let next = rows.get(at + 1).map_or(0, |next| next.depth);
        write_branch(&mut tree, game, lesson, row, next > row.depth);
        for _ in next..row.depth {
            tree.push_str("</div></details>\n");
        }
    }
    let empty = if rows.is_empty() { "<p>The game is over.</p>" } else { "" };
    let link = |back| format!("<p class=\"tools\"><a href=\"{}\">← Play</a></p>\n", escaped(back));
    let body = format!(
        "<header>\n{}<h1>{}</h1>\n<p>{}</p>\n<p><strong>From <code>{}</code>: {}</strong> {}</p>\n\
         <p class=\"quiet\">{}</p>\n<p class=\"tools\"><button id=\"unfold\">Unfold all</button> \
         <button id=\"fold\">Fold all</button></p>\n</header>\n<main>\n{empty}{tree}</main>\n<script>\n{}</script>\n",
        back.map_or(String::new(), link),
        escaped(game.title()),
        escaped(&crate::phrases::rules(game)),
        escaped(&lesson.position),
        escaped(&result),
        escaped(&size),
        escaped(&LEGEND.join(" ")),
        include_str!("page.js"),
    );
    document(game.title(), include_str!("page.css"), &body)
}

/// Writes a line. If others follow it, they are left open for it to contain.
fn write_branch(
    tree: &mut String,
    game: &Game,
    lesson: &Lesson,
    row: &Branch<'_>,
    has_others: bool,
) {
    let diagram = row.diagram(game, lesson);
    let board = diagram.sized(BOARD);
    let id = row.step.map_or(String::new(), |step| format!(" id=\"s{}\"", step.number));
    let number = row.step.map_or(String::new(), |step| format!("<i>{}</i>", step.number));
    let reply = row
        .reply(lesson.side)
        .map_or(String::new(), |reply| format!("<span>{}</span>", escaped(&reply)));
    let mut parts: Vec<String> =
        row.answer(lesson.side).iter().map(|mv| format!("<b>{}</b>", escaped(mv))).collect();
    parts.extend(row.reference().map(|(step, words)| match step {
        0 => escaped(&words),
        _ => format!("<a href=\"#s{step}\">{}</a>", escaped(&words)),
    }));
    parts
        .extend(row.ending(game, lesson.side).map(|words| format!("<em>{}</em>", escaped(&words))));
    let content = format!(
        "{board}<span class=\"words\">{number}{reply}<span>{}</span></span>",
        parts.join(", ")
    );
    let open = if row.depth < 2 { " open" } else { "" };
    let _ = match has_others {
        true => write!(tree, "<details{id}{open}><summary>{content}</summary>\n<div>\n"),
        false => writeln!(tree, "<div class=\"row\"{id}>{content}</div>"),
    };
}
