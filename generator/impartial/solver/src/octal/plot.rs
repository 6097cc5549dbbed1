//! Draws an SVG picture of a nim-sequence: the values by heap, and the number of rare heaps below them. Every point is
//! drawn once, so the size of the picture is bounded for any number of heaps.

use super::solver::Mask;
use svg::node::element::path::Data;
use svg::node::element::{Group, Path, Rectangle, Text, Title};
use svg::{Document, Node};

/// Width and height of one panel, in units of the picture.
const PANEL: (usize, usize) = (1000, 320);
/// Room for the labels next to a panel.
const MARGIN: usize = 60;

/// Draws the values of heaps 0 to `values.len() − 1`. If there is a mask, a second panel shows how many of heaps 1 to n are rare.
#[must_use]
pub fn svg(title: &str, values: &[u32], mask: Option<Mask>) -> String {
    let last = values.len().saturating_sub(1).max(1);
    let greatest = values.iter().max().copied().unwrap_or(0);
    let (width, height) = PANEL;
    let panels = if mask.is_some() { 2 } else { 1 };
    let full = (width + 2 * MARGIN, panels * (height + MARGIN) + MARGIN);
    let mut document = Document::new()
        .set("viewBox", format!("0 0 {} {}", full.0, full.1))
        .set("font-family", "sans-serif")
        .set("font-size", 13)
        .add(Title::new(title))
        .add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", "white"));
    let points = values.iter().enumerate().map(|(n, v)| (n, *v as usize));
    let name = format!("{title}: value by heap");
    document.append(panel(0, &name, last, greatest as usize, points));
    if let Some(mask) = mask {
        let mut rare = 0;
        let counts: Vec<(usize, usize)> = values
            .iter()
            .enumerate()
            .skip(1)
            .map(|(n, v)| {
                rare += usize::from(mask.is_rare(n, *v as usize));
                (n, rare)
            })
            .collect();
        let name = match mask.position {
            Some(_) => format!("rare heaps, mask {} with the position", mask.bits),
            None => format!("rare heaps, mask {}", mask.bits),
        };
        document.append(panel(1, &name, last, rare, counts.into_iter()));
    }
    format!("{document}\n")
}

/// Panel number `index` from above: points (n, v) in a frame from (0, 0) to (`last`, `greatest`).
fn panel(
    index: usize,
    name: &str,
    last: usize,
    greatest: usize,
    points: impl Iterator<Item = (usize, usize)>,
) -> Group {
    let (width, height) = PANEL;
    let (left, top) = (MARGIN, MARGIN + index * (height + MARGIN));
    let frame = Rectangle::new()
        .set("x", left)
        .set("y", top)
        .set("width", width)
        .set("height", height)
        .set("fill", "none")
        .set("stroke", "#999");
    let mut panel = Group::new().add(label(left, top - 8, name)).add(frame);
    let end = top + height;
    for (x, y, anchor, number) in [
        (left, end + 16, "start", 0),
        (left + width, end + 16, "end", last),
        (left - 6, end, "end", 0),
        (left - 6, top + 10, "end", greatest),
    ] {
        panel.append(label(x, y, &number.to_string()).set("text-anchor", anchor));
    }
    let scale = greatest.max(1);
    // Points with the same place are drawn once.
    let mut has_point = vec![false; (width + 1) * (height + 1)];
    for (n, v) in points {
        has_point[n * width / last * (height + 1) + height - v * height / scale] = true;
    }
    let mut dots = Data::new();
    for place in (0..has_point.len()).filter(|place| has_point[*place]) {
        // A line of length 0 with round ends is a dot.
        let (x, y) = (left + place / (height + 1), top + place % (height + 1));
        dots = dots.move_to((x, y)).horizontal_line_by(0);
    }
    let dots = Path::new()
        .set("fill", "none")
        .set("stroke", "#1a4e8a")
        .set("stroke-width", 1.5)
        .set("stroke-linecap", "round")
        .set("d", dots);
    panel.add(dots)
}

fn label(x: usize, y: usize, text: &str) -> Text {
    Text::new(text).set("x", x).set("y", y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_no_more_points_than_places() {
        let values: Vec<u32> = (0..200_000).map(|n| n % 7).collect();
        let svg = svg("0.333", &values, Some(Mask { bits: 1, position: None }));
        assert!(svg.len() < 400_000, "{}", svg.len());
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("<path").count(), 2);
    }
}
