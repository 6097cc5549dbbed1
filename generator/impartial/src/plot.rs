//! A picture: values by heap, and the number of rare heaps.

use super::mask::Mask;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Width and height of one panel, in units of the picture.
const PANEL: (usize, usize) = (1000, 320);
/// Room for the words beside it.
const MARGIN: usize = 60;

/// An SVG of the values of heaps 0 to `values.len() − 1`; below, where there is a mask, how many of heaps 1 to n are rare.
/// However many heaps there are, no point is drawn twice.
#[must_use]
pub fn svg(title: &str, values: &[u32], mask: Option<Mask>) -> String {
    let last = values.len().saturating_sub(1).max(1);
    let greatest = values.iter().max().copied().unwrap_or(0);
    let (width, height) = PANEL;
    let panels = if mask.is_some() { 2 } else { 1 };
    let full = (width + 2 * MARGIN, panels * (height + MARGIN) + MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <title>{title}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        full.0, full.1
    );
    let points = values.iter().enumerate().map(|(n, v)| (n, *v as usize));
    panel(&mut text, 0, &format!("{title}: value by heap"), last, greatest as usize, points);
    if let Some(mask) = mask {
        let mut rare = 0;
        let counts: Vec<(usize, usize)> = values
            .iter()
            .enumerate()
            .skip(1)
            .map(|(n, v)| {
                rare += usize::from(mask.class(n, *v as usize) == 0);
                (n, rare)
            })
            .collect();
        let name = match mask.position {
            Some(_) => format!("rare heaps, mask {} with the position", mask.bits),
            None => format!("rare heaps, mask {}", mask.bits),
        };
        panel(&mut text, 1, &name, last, rare, counts.into_iter());
    }
    text.push_str("</svg>\n");
    text
}

fn panel(
    text: &mut String,
    index: usize,
    name: &str,
    last: usize,
    greatest: usize,
    points: impl Iterator<Item = (usize, usize)>,
) {
    let (width, height) = PANEL;
    let (left, top) = (MARGIN, MARGIN + index * (height + MARGIN));
    let scale = greatest.max(1);
    // Points that fall together are one.
    let places: BTreeSet<(usize, usize)> =
        points.map(|(n, v)| (n * width / last, height - v * height / scale)).collect();
    let _ = writeln!(text, "<text x=\"{left}\" y=\"{}\">{name}</text>", top - 8);
    let _ = writeln!(
        text,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#999\"/>"
    );
    let end = top + height;
    for (x, y, anchor, word) in [
        (left, end + 16, "start", 0),
        (left + width, end + 16, "end", last),
        (left - 6, end, "end", 0),
        (left - 6, top + 10, "end", greatest),
    ] {
        let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{word}</text>");
    }
    let _ = write!(
        text,
        "<path fill=\"none\" stroke=\"#1a4e8a\" stroke-width=\"1.5\" stroke-linecap=\"round\" d=\""
    );
    for (x, y) in places {
        let _ = write!(text, "M{} {}h0", left + x, top + y);
    }
    text.push_str("\"/>\n");
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
