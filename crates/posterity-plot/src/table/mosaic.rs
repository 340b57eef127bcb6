//! A row for each group of a table, as high as the group is large, divided into the shares of its parts. The area of a
//! tile is the share of its cell.

use plotters::style::RGBColor;

use super::colour::{self, ink_on};
use super::grid::Grid;
use super::labels::{LINE, Letters, TEXT};
use super::numbers::Numbers;
use super::scene::{BETWEEN, Scene, Side};
use crate::canvas::{INK, WIDTH};
use crate::measure;

/// The most parts: more would be too narrow.
pub(crate) const MOST_PARTS: usize = 24;
/// The most groups that are drawn.
pub(crate) const MOST_ROWS: usize = 400;
/// Where the legend begins, and the room below the last row.
const TOP: f64 = 56.0;
const BOTTOM: f64 = 46.0;
/// The least height of all rows together.
const MIN_HEIGHT: f64 = 260.0;
const EDGE: f64 = 12.0;
/// The most room for names, and for the lines that join them to their rows.
const NAMES: f64 = 170.0;
const JOINT: f64 = 22.0;
/// The gaps between rows and between tiles.
const GAP: f64 = 1.6;
const BETWEEN_TILES: f64 = 1.0;
/// The size of the text in tiles.
const TILE_TEXT: f64 = 9.0;
/// What is left of a group, if the parts are not all of it.
const REST: &str = "all others";

/// The groups of a mosaic: how large each is, and its shares.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shares {
    /// The share of each group; they add up to one.
    weights: Vec<f64>,
    /// The shares within each group.
    parts: Vec<Vec<f64>>,
    /// Whether some groups have more than their parts.
    rest: bool,
    /// Whether the parts are those of the table. Only then do its intervals belong to them.
    conditional: bool,
}

impl Shares {
    /// The shares of a table. `weights` are those of the groups of a conditional table; without them, all rows are
    /// equally high.
    pub(crate) fn new(grid: &Grid, conditional: bool, weights: Option<&[f64]>) -> Self {
        let number = |value: f64| if value.is_finite() { value.max(0.0) } else { 0.0 };
        let means = |cells: &Vec<Option<super::grid::Cell>>| -> Vec<f64> {
            cells.iter().map(|cell| cell.map_or(0.0, |cell| number(cell.mean))).collect()
        };
        let cells: Vec<Vec<f64>> = grid.cells.iter().map(means).collect();
        let sums: Vec<f64> = cells.iter().map(|cells| cells.iter().sum()).collect();
        let weights: Vec<f64> = match (conditional, weights) {
            (false, _) => sums.clone(),
            (true, Some(weights)) if weights.len() == sums.len() => {
                weights.iter().map(|&w| number(w)).collect()
            }
            (true, _) => vec![1.0; sums.len()],
        };
        let all: f64 = weights.iter().sum();
        let weights = weights.iter().map(|weight| if all > 0.0 { weight / all } else { 0.0 }).collect();
        // The parts of a conditional table are shares of the group; others are divided by what the group has in all.
        let whole = |sum: f64| if conditional { sum.max(1.0) } else { sum };
        let divided = |(cells, &sum): (&Vec<f64>, &f64)| {
            cells.iter().map(|cell| if sum > 0.0 { cell / whole(sum) } else { 0.0 }).collect()
        };
        let parts = cells.iter().zip(&sums).map(divided).collect();
        let rest = conditional && sums.iter().any(|sum| *sum < 1.0 - 1e-6);
        Self { weights, parts, rest, conditional }
    }
}

pub(crate) fn scene(grid: &Grid, shares: &Shares, numbers: &Numbers, letters: Letters<'_>) -> Scene {
    let mut scene = Scene::default();
    let parts = grid.inner.len();
    let colours: Vec<RGBColor> = (0..parts).map(|index| colour::part(index, parts)).collect();
    let mut entries: Vec<(String, RGBColor)> = (0..parts)
        .map(|index| letters(&grid.inner.name(index), index))
        .zip(colours.iter().copied())
        .collect();
    if shares.rest {
        entries.push((REST.to_owned(), colour::REST));
    }
    let top = legend(&mut scene, &letters(&grid.inner.head(), 0), &entries) + 8.0;

    let count = grid.outer.len().min(MOST_ROWS);
    let names: Vec<String> = (0..count).map(|index| letters(&grid.outer.name(index), index)).collect();
    let widest = names.iter().map(|name| measure::width(name, TEXT)).fold(0.0, f64::max).min(NAMES);
    let lines: Vec<Vec<String>> =
        names.iter().map(|name| measure::lines(name, TEXT, widest + 0.1, 8)).collect();
    let needed: Vec<f64> = lines.iter().map(|lines| LINE * lines.len() as f64 + 2.0).collect();
    let named = !grid.outer.columns.is_empty();
    let (left, right) = if named { (EDGE + widest + JOINT, WIDTH - EDGE) } else { (EDGE, WIDTH - EDGE) };
    // Names fit beside each other at this height, whatever the sizes of the groups are.
    let high = MIN_HEIGHT.max(needed.iter().sum::<f64>() + 4.0);
    let top = if named { heads(&mut scene, grid, letters, top) } else { top };
    let free = high - GAP * count.saturating_sub(1) as f64;
    let mut y = top;
    let mut rows = Vec::with_capacity(count);
    for weight in shares.weights.iter().take(count) {
        rows.push((y, y + free * weight));
        y += free * weight + GAP;
    }
    for (index, &row) in rows.iter().enumerate() {
        tiles(&mut scene, grid, shares, numbers, (index, row), (left, right), &colours);
    }
    if named {
        let wished: Vec<f64> = rows.iter().map(|(from, to)| 0.5 * (from + to)).collect();
        let places = apart(&wished, &needed, (top, top + high));
        for ((lines, &place), &wish) in lines.iter().zip(&places).zip(&wished) {
            let first = place - 0.5 * (lines.len() as f64 - 1.0) * LINE;
            for (index, line) in lines.iter().enumerate() {
                scene.text(line, (EDGE, first + index as f64 * LINE), TEXT, Side::Left);
            }
            scene.line((EDGE + widest + 4.0, place), (left - 8.0, wish), 0.7, BETWEEN);
            scene.line((left - 8.0, wish), (left - 2.0, wish), 0.7, BETWEEN);
        }
    }
    let bottom = top + high;
    for percent in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let x = left + percent * (right - left);
        scene.line((x, bottom + 2.0), (x, bottom + 6.0), 0.8, INK);
        scene.text(format!("{:.0}", 100.0 * percent), (x, bottom + 14.0), TEXT, Side::Centre);
    }
    scene.line((left, bottom + 2.0), (right, bottom + 2.0), 1.0, INK);
    let within = if named { "share within the group, in percent" } else { "share in percent" };
    scene.text(within, (0.5 * (left + right), bottom + 31.0), 11.5, Side::Centre);
    scene.height = (bottom + BOTTOM).ceil();
    scene
}

/// The name of the columns of the groups, above their names.
fn heads(scene: &mut Scene, grid: &Grid, letters: Letters<'_>, top: f64) -> f64 {
    let lines = measure::lines(&letters(&grid.outer.head(), 0), TEXT, WIDTH - 2.0 * EDGE, 2);
    for (index, line) in lines.iter().enumerate() {
        scene.text(line, (EDGE, top + LINE * (index as f64 + 0.5)), TEXT, Side::Left);
    }
    top + LINE * lines.len() as f64 + 4.0
}

/// One row of tiles.
fn tiles(
    scene: &mut Scene,
    grid: &Grid,
    shares: &Shares,
    numbers: &Numbers,
    (index, (top, bottom)): (usize, (f64, f64)),
    (left, right): (f64, f64),
    colours: &[RGBColor],
) {
    let (wide, middle) = (right - left, 0.5 * (top + bottom));
    let bar = first_interval(grid, shares, index, (left, wide)).filter(|_| bottom - top >= 5.0);
    // In a high row the bar is below the text, in others beside it.
    let below = bottom - top >= 2.6 * TILE_TEXT;
    let mut x = left;
    for (part, (&share, &colour)) in shares.parts[index].iter().zip(colours).enumerate() {
        let end = x + wide * share;
        // A thin tile keeps its place, without the gap that would hide it.
        let gap = BETWEEN_TILES.min(0.5 * (end - x));
        scene.fill((x, top), (end - gap, bottom), colour);
        let (mut from, mut to) = (x, end);
        if let Some([low, high]) = bar.filter(|_| !below) {
            if part == 0 {
                to = to.min(low);
            } else {
                from = from.max(high);
            }
        }
        if let Some(cell) = grid.cells[index][part].filter(|_| bottom - top >= TILE_TEXT + 2.0) {
            let texts = [numbers.both(cell), numbers.mean(cell)];
            let text = texts.into_iter().find(|text| measure::width(text, TILE_TEXT) + 8.0 <= to - from);
            let y = if below && bar.is_some() { middle - 2.5 } else { middle };
            scene.ink(
                text.unwrap_or_default(),
                (0.5 * (from + to), y),
                TILE_TEXT,
                Side::Centre,
                ink_on(colour),
            );
        }
        x = end;
    }
    if shares.rest && right - x > 0.05 {
        scene.fill((x, top), (right, bottom), colour::REST);
    }
    if let Some([from, to]) = bar {
        let y = if below { bottom - 3.5 } else { middle };
        scene.line((from, y), (to, y), 2.6, colour::WHITE);
        scene.line((from, y), (to, y), 1.2, colour::BLACK);
    }
}

/// The interval of the first part of a group on the page, which is that of the border behind it.
fn first_interval(grid: &Grid, shares: &Shares, index: usize, (left, wide): (f64, f64)) -> Option<[f64; 2]> {
    let first = grid.cells[index].first().copied().flatten().filter(|_| shares.conditional)?;
    let [from, to] = first.interval.map(|end| left + wide * end.clamp(0.0, 1.0));
    (from < to).then_some([from, to])
}

/// The colours with their meaning, in as many lines as they need. Gives back where they end.
fn legend(scene: &mut Scene, head: &str, entries: &[(String, RGBColor)]) -> f64 {
    const SIGN: f64 = 14.0;
    const APART: f64 = 14.0;
    let mut y = TOP + 0.5 * LINE;
    let mut x = EDGE;
    let head = measure::lines(head, TEXT, 0.3 * WIDTH, 1).concat();
    if !head.is_empty() {
        scene.text(format!("{head}:"), (x, y), TEXT, Side::Left);
        x += measure::width(&format!("{head}:"), TEXT) + APART;
    }
    for (name, colour) in entries {
        let name = measure::lines(name, TEXT, WIDTH - 2.0 * EDGE - SIGN - 4.0, 1).concat();
        let wide = SIGN + 4.0 + measure::width(&name, TEXT);
        if x + wide > WIDTH - EDGE && x > EDGE {
            (x, y) = (EDGE, y + LINE + 3.0);
        }
        scene.fill((x, y - 5.0), (x + SIGN, y + 5.0), *colour);
        scene.text(name, (x + SIGN + 4.0, y), TEXT, Side::Left);
        x += wide + APART;
    }
    y + 0.5 * LINE
}

/// Places as near as possible to those wished for (by least squares), in their order, so that things of these heights
/// do not overlap. They must fit between the two ends together.
fn apart(wished: &[f64], heights: &[f64], (top, bottom): (f64, f64)) -> Vec<f64> {
    // Without the heights above each of them, places only have to be in order: then neighbours that are not are moved
    // to their mean, together (isotonic regression by pooling adjacent violators, Barlow et al. 1972).
    let mut above = 0.0;
    let mut offsets = Vec::with_capacity(heights.len());
    for height in heights {
        offsets.push(above + 0.5 * height);
        above += height;
    }
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (wish, offset) in wished.iter().zip(&offsets) {
        let mut pool = (wish - offset, 1);
        while let Some(&(mean, count)) = pools.last().filter(|last| last.0 > pool.0) {
            let both = count + pool.1;
            pool = ((mean * count as f64 + pool.0 * pool.1 as f64) / both as f64, both);
            pools.pop();
        }
        pools.push(pool);
    }
    let moved = pools.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count));
    let last = (bottom - above).max(top);
    moved.zip(offsets).map(|(place, offset)| place.clamp(top, last) + offset).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_apart() {
        let heights = [15.0; 6];
        for wished in [[5.0, 6.0, 7.0, 50.0, 99.0, 100.0], [100.0; 6], [0.0; 6]] {
            let places = apart(&wished, &heights, (0.0, 100.0));
            assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= 15.0 - 1e-9), "{places:?}");
            assert!(places[0] >= 7.5 - 1e-9 && places[5] <= 92.5 + 1e-9, "{places:?}");
        }
        assert_eq!(apart(&[20.0, 60.0], &[10.0, 10.0], (0.0, 100.0)), [20.0, 60.0], "room enough");
        assert_eq!(apart(&[50.0, 50.0], &[10.0, 10.0], (0.0, 100.0)), [45.0, 55.0], "both give way");
    }
}
