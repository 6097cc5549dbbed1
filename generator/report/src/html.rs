//! Pages that need no other file.

use maud::{Markup, PreEscaped, html};

/// Writes a page with a title, a style sheet, and a body.
pub(crate) fn document(title: &str, style: &str, body: &Markup) -> String {
    let page = html! {
        (PreEscaped("<!doctype html>\n"))
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body { (body) }
        }
    };
    page.into_string()
}
