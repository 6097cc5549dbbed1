//! Pages about the explorer: documents of the project, for readers without a checkout.
//!
//! Converts the Markdown documents to HTML in the page's style when the program is compiled.

use morpion_games::catalogue::standard_game;
use morpion_report::atlas::PAGE;
use morpion_report::picture;
use pulldown_cmark::{Alignment, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use std::collections::BTreeSet;

/// A document that is served as a page.
pub(crate) struct Page {
    /// Its path.
    pub name: &'static str,
    title: &'static str,
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
    "rules": "Rule files",
    "format": "The table file",
    "explorer": "Using the page",
    "interface": "For developers",
};

impl Page {
    /// Returns the document in the page's style.
    pub(crate) fn to_html(&self) -> String {
        let mut body = String::new();
        html::push_html(&mut body, adapted(Parser::new_ext(self.text, Options::ENABLE_TABLES)));
        let (title, links) = (self.title, links(self.name));
        format!(
            "<!doctype html>
<html lang=\"en\">
<head>
  <meta charset=\"utf-8\">
  <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
  <meta name=\"color-scheme\" content=\"light dark\">
  <title>{title} · morpion</title>
  <link rel=\"icon\" href=\"../icon.svg\" type=\"image/svg+xml\">
  <link rel=\"stylesheet\" href=\"../style.css\">
</head>
<body>
  <a class=\"skip\" href=\"#main\">Skip to the content</a>
  <header class=\"top\">
    <a class=\"brand\" href=\"../\"><img src=\"../icon.svg\" alt=\"\" width=\"28\" height=\"28\"><span>morpion</span></a>
    <nav aria-label=\"Sections\">{links}</nav>
  </header>
  <main id=\"main\" class=\"document\" tabindex=\"-1\">
{body}  </main>
</body>
</html>
"
        )
    }
}

/// Links from one document to the others.
fn links(here: &str) -> String {
    let link = |page: &Page| {
        let file = page.name.rsplit('/').next().unwrap_or_default();
        let current = if page.name == here { " aria-current=\"page\"" } else { "" };
        format!("<a href=\"{file}\"{current}>{}</a>", page.title)
    };
    PAGES.iter().map(link).collect::<Vec<_>>().join("\n")
}

/// Adapts Markdown for the page. Links to other files of a checkout are removed, since they do not exist here. Links to the page
/// become relative, headings get their names as anchors, and boards are drawn in their place. Wide
/// tables and code can be scrolled with the keyboard. Empty table heads are removed, and heading levels are not
/// skipped.
fn adapted<'a>(events: impl Iterator<Item = Event<'a>>) -> impl Iterator<Item = Event<'a>> {
    let mut outward = Vec::new();
    let mut head: Option<Vec<Event<'a>>> = None;
    let mut is_image = false;
    let mut heading = None;
    let mut anchors = BTreeSet::new();
    let mut last = 0;
    events.flat_map(move |event| {
        if let Some(cells) = &mut head {
            let is_end = event == Event::End(TagEnd::TableHead);
            cells.push(event);
            return if is_end { labelled(head.take().unwrap_or_default()) } else { vec![] };
        }
        if is_image {
            is_image = event != Event::End(TagEnd::Image);
            return vec![];
        }
        if let Some(level) = heading.take() {
            let id = anchor(&event).filter(|id| anchors.insert(id.clone())).map(CowStr::from);
            let start = Tag::Heading { level, id, classes: Vec::new(), attrs: Vec::new() };
            return vec![Event::Start(start), event];
        }
        match event {
            Event::Start(Tag::Image { dest_url, .. }) => {
                is_image = true;
                board(&dest_url).into_iter().collect()
            }
            Event::Start(Tag::TableHead) => {
                head = Some(vec![event]);
                vec![]
            }
            Event::Start(Tag::Heading { level, .. }) => {
                last = (level as usize).min(last + 1);
                heading = Some(HeadingLevel::try_from(last).unwrap_or(level));
                vec![]
            }
            Event::End(TagEnd::Heading(level)) => {
                let level = HeadingLevel::try_from(last).unwrap_or(level);
                vec![Event::End(TagEnd::Heading(level))]
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let dest_url = match dest_url.strip_prefix(PAGE) {
                    Some(place) => format!("../{place}").into(),
                    None => dest_url,
                };
                let is_here = PAGES.iter().any(|page| page.name == format!("about/{dest_url}"));
                let is_kept = is_here
                    || ["https://", "#", "../#"].iter().any(|start| dest_url.starts_with(start));
                outward.push(is_kept);
                let link = Event::Start(Tag::Link { link_type, dest_url, title, id });
                if is_kept { vec![link] } else { vec![] }
            }
            Event::End(TagEnd::Link) => {
                if outward.pop() == Some(true) {
                    vec![event]
                } else {
                    vec![]
                }
            }
            // An alignment would become an inline style, which the page's policy forbids.
            Event::Start(Tag::Table(columns)) => {
                let plain = Tag::Table(vec![Alignment::None; columns.len()]);
                vec![Event::Html(WIDE.into()), Event::Start(plain)]
            }
            Event::Start(Tag::CodeBlock(_)) => vec![Event::Html(WIDE.into()), event],
            Event::End(TagEnd::Table | TagEnd::CodeBlock) => {
                vec![event, Event::Html("</div>".into())]
            }
            event => vec![event],
        }
    })
}

/// The start of an element that is wider than a phone, and scrolls by itself.
const WIDE: &str = "<div class=\"wide\" tabindex=\"0\">";

/// Name of a heading that begins with this event, as links in Markdown spell it.
fn anchor(event: &Event<'_>) -> Option<String> {
    let (Event::Text(text) | Event::Code(text)) = event else { return None };
    let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    Some(text.to_lowercase().chars().filter(is_kept).collect::<String>().replace(' ', "-"))
}

/// The picture of a board of the atlas.
fn board(address: &str) -> Option<Event<'static>> {
    let name = address.strip_prefix("boards/")?.strip_suffix(".svg")?;
    let game = standard_game(name)?;
    Some(Event::Html(picture::draw(&game).trim_end().to_owned().into()))
}

/// The head of a table, in which empty cells get a label for screen readers. An entirely empty head is removed.
fn labelled(head: Vec<Event<'_>>) -> Vec<Event<'_>> {
    let is_text = |event: &Event<'_>| matches!(event, Event::Text(_) | Event::Code(_));
    if !head.iter().any(is_text) {
        return vec![Event::Html("<tbody>".into())];
    }
    let mut cells = Vec::new();
    for event in head {
        if event == Event::End(TagEnd::TableCell)
            && cells.last() == Some(&Event::Start(Tag::TableCell))
        {
            cells.push(Event::Html("<span class=\"unseen\">what</span>".into()));
        }
        cells.push(event);
    }
    cells
}
