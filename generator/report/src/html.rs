//! Pages that need no other file.

/// Writes a page with a title, a style sheet, and a body of HTML.
pub fn document(title: &str, style: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <style>\n{style}</style>\n{body}</html>\n",
        escaped(title)
    )
}

/// Replaces the characters that have a meaning in HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
