//! Pages about the explorer: documents of the project, for readers without a checkout.
//!
//! Converts the Markdown documents to HTML in the page's style when the program is compiled.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// A document that is served as a page.
pub(crate) struct Page {
    /// Its path.
    pub name: &'static str,
    title: &'static str,
    text: &'static str,
}

/// All documents.
pub(crate) const PAGES: &[Page] = &[
    Page { name: "about/atlas.html", title: "Atlas", text: include_str!("../about/atlas.md") },
    Page { name: "about/rules.html", title: "Rule files", text: include_str!("../about/rules.md") },
    Page {
        name: "about/format.html",
        title: "The table file",
        text: include_str!("../about/format.md"),
    },
    Page {
        name: "about/explorer.html",
        title: "Using the page",
        text: include_str!("../about/explorer.md"),
    },
    Page {
        name: "about/interface.html",
        title: "For developers",
        text: include_str!("../about/interface.md"),
    },
];

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

/// Adapts Markdown for the page. Links to other files of a checkout are removed, since they do not exist here. Wide
/// tables and code can be scrolled with the keyboard. Empty table heads are removed, and heading levels are not
/// skipped.
fn adapted<'a>(events: impl Iterator<Item = Event<'a>>) -> impl Iterator<Item = Event<'a>> {
    let mut outward = Vec::new();
    let mut head: Option<Vec<Event<'a>>> = None;
    let mut last = 0;
    events.flat_map(move |event| {
        if let Some(cells) = &mut head {
            let is_end = event == Event::End(TagEnd::TableHead);
            cells.push(event);
            return if is_end { labelled(head.take().unwrap_or_default()) } else { vec![] };
        }
        match event {
            Event::Start(Tag::TableHead) => {
                head = Some(vec![event]);
                vec![]
            }
            Event::Start(Tag::Heading { level, id, classes, attrs }) => {
                last = (level as usize).min(last + 1);
                let level = HeadingLevel::try_from(last).unwrap_or(level);
                vec![Event::Start(Tag::Heading { level, id, classes, attrs })]
            }
            Event::End(TagEnd::Heading(level)) => {
                let level = HeadingLevel::try_from(last).unwrap_or(level);
                vec![Event::End(TagEnd::Heading(level))]
            }
            Event::Start(Tag::Link { ref dest_url, .. }) => {
                let is_here = PAGES.iter().any(|page| page.name == format!("about/{dest_url}"));
                outward.push(is_here || dest_url.starts_with("https://"));
                if outward.last() == Some(&true) { vec![event] } else { vec![] }
            }
            Event::End(TagEnd::Link) => {
                if outward.pop() == Some(true) {
                    vec![event]
                } else {
                    vec![]
                }
            }
            Event::Start(Tag::Table(_) | Tag::CodeBlock(_)) => {
                vec![Event::Html("<div class=\"wide\" tabindex=\"0\">".into()), event]
            }
            Event::End(TagEnd::Table | TagEnd::CodeBlock) => {
                vec![event, Event::Html("</div>".into())]
            }
            event => vec![event],
        }
    })
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
