//! The layers of a game, from the empty board on: the shares of won, drawn and lost positions among those that play can reach,
//! and their number next to the number of all arrangements.

use super::{LEFT, Logarithmic, Panel, RIGHT, centred, figure, legend, rectangle};
use crate::count::Count;
use crate::distribution::{Share, of_arrangements};
use crate::words::grouped;
use morpion_games::catalogue::Table;
use morpion_lookup::{Game, TableError};
use svg::Node;
use svg::node::element::{Group, Title};

const HEIGHT: f64 = 700.0;
const VALUES: Panel = Panel { top: 64.0, base: 314.0 };
const NUMBERS: Panel = Panel { top: 394.0, base: HEIGHT - 56.0 };
const HORIZONTAL: &str = "pieces on the board; +: all are placed, and pieces move";

/// The numbers of one layer.
struct Layer {
    label: String,
    /// Reachable positions that are won, drawn and lost for the side to move.
    reached: [u64; 3],
    /// Number of valid arrangements.
    arrangements: u64,
}

const VALUE_NAMES: [&str; 3] = ["win", "draw", "loss"];

/// Draws the reachable positions of a game, counted without symmetry, and the arrangements of its table.
///
/// # Errors
/// If the census is damaged.
pub fn draw(table: &Table, count: &Count) -> Result<String, TableError> {
    let game = table.game();
    let all = of_arrangements(table)?;
    let layers = layers(game, &count.distribution, &all);
    let mut document = figure(HEIGHT, LEFT, game.name(), game.title());
    let step = (RIGHT - LEFT) / layers.len() as f64;

    for percent in [0, 25, 50, 75, 100] {
        let height = VALUES.height() * f64::from(percent) / 100.0;
        document.append(VALUES.grid(height, &format!("{percent} %")));
    }
    let most = layers.iter().flat_map(|layer| [layer.arrangements, layer.reached.iter().sum()]);
    let scale = Logarithmic::new(NUMBERS.height(), most);
    document.append(scale.draw(&NUMBERS));
    for (index, layer) in layers.iter().enumerate() {
        let left = LEFT + index as f64 * step;
        document.append(layer.values(left, step));
        document.append(layer.numbers(left, step, &scale));
        for panel in [&VALUES, &NUMBERS] {
            document.append(centred(left + step / 2.0, panel.base + 16.0, &layer.label));
        }
    }
    document.append(VALUES.axes(HORIZONTAL, "share of reachable positions"));
    document.append(legend(44.0, &VALUE_NAMES.map(|name| (name, name))));
    document.append(NUMBERS.axes(HORIZONTAL, "number, logarithmic"));
    let meanings =
        [("all", "arrangements without invalid ones"), ("reached", "reachable positions")];
    document.append(legend(NUMBERS.top - 20.0, &meanings));
    Ok(format!("{document}\n"))
}

/// The numbers of all layers. Layers that have the same label are added up.
fn layers(game: &Game, reached: &[Share], all: &[Share]) -> Vec<Layer> {
    let mut layers: Vec<Layer> = Vec::new();
    // The place in `layers` of each layer of the game.
    let mut places = Vec::new();
    for (index, node) in game.graph().layers.iter().enumerate() {
        let moving = if game.is_cyclic(index) { "+" } else { "" };
        let label = format!("{}{moving}", node.counts.mover + node.counts.waiter);
        let known = layers.iter().position(|layer| layer.label == label);
        places.push(known.unwrap_or(layers.len()));
        if known.is_none() {
            layers.push(Layer { label, reached: [0; 3], arrangements: 0 });
        }
    }
    let value = |share: &Share| VALUE_NAMES.iter().position(|&name| name == share.value);
    for share in reached {
        if let Some(value) = value(share) {
            layers[places[share.layer]].reached[value] += share.count;
        }
    }
    for share in all.iter().filter(|share| value(share).is_some()) {
        layers[places[share.layer]].arrangements += share.count;
    }
    layers
}

impl Layer {
    /// The shares of the values, one on top of the other, the wins at the bottom.
    fn values(&self, left: f64, step: f64) -> Group {
        let (mut group, mut base) = (Group::new(), VALUES.base);
        let all = self.reached.iter().sum::<u64>().max(1) as f64;
        for (name, count) in VALUE_NAMES.into_iter().zip(self.reached).filter(|bar| bar.1 > 0) {
            let share = count as f64 / all;
            base -= share * VALUES.height();
            let title = format!(
                "{} pieces, {name}: {} ({:.1} %)",
                self.label,
                grouped(count),
                100.0 * share
            );
            let bar = rectangle(name, left + step * 0.1, base, step * 0.8, share * VALUES.height());
            group.append(bar.add(Title::new(title)));
        }
        group
    }

    /// All arrangements, and the reachable positions next to them.
    fn numbers(&self, left: f64, step: f64, scale: &Logarithmic) -> Group {
        let mut group = Group::new();
        let bars = [("all", self.arrangements), ("reached", self.reached.iter().sum())];
        for (place, (class, count)) in (0..).zip(bars).filter(|(_, bar)| bar.1 > 0) {
            let (x, height) = (left + step * (0.1 + 0.4 * f64::from(place)), scale.at(count));
            let title = Title::new(format!("{} pieces: {}", self.label, grouped(count)));
            let bar = rectangle(class, x, NUMBERS.base - height, step * 0.4, height);
            group.append(bar.add(title));
        }
        group
    }
}
