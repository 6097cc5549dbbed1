//! Pages about the explorer: documents of the project, for readers without a checkout.

use crate::config::PAGE;
use morpion_games::catalogue::standard_game;
use morpion_report::picture;
use pulldown_cmark::{Alignment, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// A document that is served as a page.
pub(crate) struct Page {
    /// Path of the page.
    pub name: &'static str,
    title: &'static str,
    /// Text of the document in Markdown.
    text: &'static str,
}

macro_rules! pages {
    ($($name:literal: $title:literal,)*) => {
        &[$(Page {
            name: concat!("about/", $name, ".html"),
            title: $title,
            text: include_str!(concat!("../about/", $name, ".md")),
        }),*]
    };
}

/// All documents.
pub(crate) const PAGES: &[Page] = pages! {
    "atlas": "Atlas",
    "disappearing": "Disappearing tic-tac-toe",
    "rules": "Rule files",
    "format": "The table file",
    "explorer": "Using the page",
    "interface": "For developers",
};

/// Replacements in the HTML of a document. Wide tables and code can be scrolled with the keyboard. Empty cells of a
/// table's head get a label for screen readers, and an entirely empty head is removed.
const REPLACEMENTS: [(&str, &str); 6] = [
    ("<table>", "<div class=\"wide\" tabindex=\"0\"><table>"),
    ("</table>", "</table></div>"),
    ("<pre>", "<div class=\"wide\" tabindex=\"0\"><pre>"),
    ("</pre>", "</pre></div>"),
    ("<thead><tr><th></th><th></th></tr></thead>", ""),
    ("<th></th>", "<th><span class=\"unseen\">what</span></th>"),
];

impl Page {
    /// Returns the document in the page's style.
    pub(crate) fn to_html(&self) -> String {
        let link = |page: &Page| {
            let file = page.name.trim_start_matches("about/");
            let current = if page.name == self.name { " aria-current=\"page\"" } else { "" };
            format!("<a href=\"{file}\"{current}>{}</a>", page.title)
        };
        let links = PAGES.iter().map(link).collect::<Vec<_>>().join("\n");
        let mut body = String::new();
        html::push_html(&mut body, events(self.text).into_iter());
        for (from, to) in REPLACEMENTS {
            body = body.replace(from, to);
        }
        let page = include_str!("../about/page.html");
        page.replace("{title}", self.title).replace("{links}", &links).replace("{body}", &body)
    }
}

/// Parses Markdown. Links to other files of a checkout are removed, since these files are not served. Links to the page become
/// relative. Headings get their names as anchors and skip no level. Boards are drawn in place of their images.
fn events(text: &str) -> Vec<Event<'_>> {
    let mut parsed = Parser::new_ext(text, Options::ENABLE_TABLES).peekable();
    let (mut events, mut depth, mut is_link) = (Vec::new(), 0, false);
    while let Some(mut event) = parsed.next() {
        match &mut event {
            Event::Start(Tag::Heading { level, id, .. }) => {
                depth = (*level as usize).min(depth + 1);
                *level = HeadingLevel::try_from(depth).unwrap_or(*level);
                *id = parsed.peek().and_then(anchor).map(Into::into);
            }
            Event::End(TagEnd::Heading(level)) => {
                *level = HeadingLevel::try_from(depth).unwrap_or(*level);
            }
            Event::Start(Tag::Image { dest_url, .. }) => {
                let board = board(dest_url).unwrap_or_default();
                parsed.find(|event| *event == Event::End(TagEnd::Image));
                event = Event::Html(board.into());
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                if let Some(place) = dest_url.strip_prefix(PAGE) {
                    *dest_url = format!("../{place}").into();
                }
                is_link = PAGES.iter().any(|page| page.name == format!("about/{dest_url}"))
                    || ["https://", "#", "../#"].iter().any(|start| dest_url.starts_with(start));
                if !is_link {
                    continue;
                }
            }
            Event::End(TagEnd::Link) if !is_link => continue,
            // An alignment would become an inline style, which the page's policy forbids.
            Event::Start(Tag::Table(columns)) => columns.fill(Alignment::None),
            _ => {}
        }
        events.push(event);
    }
    events
}

/// The anchor of a heading that begins with this event: its name as links in Markdown spell it.
fn anchor(event: &Event<'_>) -> Option<String> {
    let (Event::Text(text) | Event::Code(text)) = event else { return None };
    let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    Some(text.to_lowercase().chars().filter(is_kept).collect::<String>().replace(' ', "-"))
}

/// The picture of a board of the atlas.
fn board(address: &str) -> Option<String> {
    let game = standard_game(address.strip_prefix("boards/")?.strip_suffix(".svg")?)?;
    Some(picture::draw(&game).trim_end().to_owned())
}
