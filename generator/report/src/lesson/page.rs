//! A lesson as a page of its own that unfolds on a screen and is printed on A4.

use super::rows::{LEGEND, summary};
use super::{Branch, Lesson};
use crate::html::document;
use crate::phrases::rules;
use maud::{Markup, PreEscaped, html};
use morpion_core::Game;

/// Length of a cell in millimetres.
const CELL: f64 = 5.5;

/// Writes a lesson as HTML. The page needs no other file.
#[must_use]
pub fn page(game: &Game, lesson: &Lesson) -> String {
    let body = html! {
        (body(game, lesson))
        script { (PreEscaped(include_str!("page.js"))) }
    };
    document(game.title(), include_str!("page.css"), &body)
}

/// Writes a lesson as HTML for a page with a style and a script of its own.
#[must_use]
pub fn body(game: &Game, lesson: &Lesson) -> Markup {
    let [result, size] = summary(lesson);
    let branches = Branch::first(&lesson.replies, &lesson.steps);
    html! {
        header {
            h1 { (game.title()) }
            p { (rules(game)) }
            p { strong { "From " code { (lesson.position) } ": " (result) } " " (size) }
            p.quiet { (LEGEND.join(" ")) }
            p.tools { button #unfold { "Unfold all" } " " button #fold { "Fold all" } }
        }
        main {
            @if branches.is_empty() { p { "The game is over." } }
            @for branch in &branches { (tree(game, lesson, branch)) }
        }
    }
}

/// Writes a line of the tree, and the lines below it.
fn tree(game: &Game, lesson: &Lesson, branch: &Branch<'_>) -> Markup {
    let next = branch.next(&lesson.steps);
    let id = branch.step.map(|step| format!("s{}", step.number));
    let line = line(game, lesson, branch);
    html! {
        @if next.is_empty() {
            div.row id=[id] { (line) }
        } @else {
            details id=[id] open[branch.depth < 2] {
                summary { (line) }
                div { @for branch in &next { (tree(game, lesson, branch)) } }
            }
        }
    }
}

fn line(game: &Game, lesson: &Lesson, branch: &Branch<'_>) -> Markup {
    let answer = branch.answer(lesson.side).map(|mv| html! { b { (mv) } });
    let reference = branch.reference().map(|(step, words)| match step {
        0 => html! { (words) },
        _ => html! { a href={ "#s" (step) } { (words) } },
    });
    let ending = branch.ending(game, lesson.side).map(|words| html! { em { (words) } });
    html! {
        (branch.diagram(game, lesson).on_paper(CELL))
        span.words {
            @if let Some(step) = branch.step { i { (step.number) } }
            @if let Some(reply) = branch.reply(lesson.side) { span { (reply) } }
            span {
                @for (at, part) in [answer, reference, ending].iter().flatten().enumerate() {
                    @if at > 0 { ", " }
                    (part)
                }
            }
        }
    }
}
