//! A line for each number of a table, with its interval: groups apart, on one scale.

use super::grid::{Cell, Grid};
use super::labels::{Labels, Letters};
use super::numbers::Numbers;
use super::scene::{FAINT, Item, Scene, Side};
use crate::axis::Ruler;
use crate::canvas::{INK, WIDTH};
use crate::measure;
use crate::style::Style;

/// The most rows that are drawn.
pub(crate) const MOST_ROWS: usize = 400;
/// The least height of a row.
const EACH: f64 = 17.0;
/// Where the first row begins if names of columns have one line, and the room below the last.
const TOP: f64 = 76.0;
const BOTTOM: f64 = 48.0;
/// From this height of the rows on, the scale is written above them, too.
const TALL: f64 = 500.0;
/// The size of numbers and of ticks.
const TEXT: f64 = 10.5;
/// Room between columns of numbers, and at the right edge.
const APART: f64 = 12.0;
const EDGE: f64 = 12.0;
/// Up to this many kinds of rows have colours of their own.
const MOST_COLOURS: usize = 4;

pub(crate) fn scene(
    grid: &Grid,
    numbers: &Numbers,
    [value, level]: [&str; 2],
    letters: Letters<'_>,
) -> Scene {
    let lay = |top: f64| Labels::new(&grid.outer, &grid.inner, MOST_ROWS, (top, EACH), letters);
    let labels = lay(TOP);
    // Names of columns in several lines, and a scale above the rows, need more room.
    let tall = labels.bottom - TOP > TALL;
    let more = 13.0 * labels.head_lines().saturating_sub(1) as f64 + if tall { 20.0 } else { 0.0 };
    let labels = if more > 0.0 { lay(TOP + more) } else { labels };
    let top = TOP + more;

    let shown: Vec<Vec<(usize, Cell, f64)>> = labels
        .groups()
        .zip(&grid.cells)
        .map(|(rows, cells)| {
            let cells = rows.iter().zip(cells).enumerate();
            cells.filter_map(|(index, (row, cell))| cell.map(|cell| (index, cell, row.middle()))).collect()
        })
        .collect();
    let all = || shown.iter().flatten().map(|(_, cell, _)| *cell);
    let widest = |text: &dyn Fn(Cell) -> String, head: &str| {
        let cells = all().map(|cell| measure::width(&text(cell), TEXT));
        cells.fold(measure::width(head, TEXT), f64::max)
    };
    let intervals = WIDTH - EDGE;
    let means = intervals - widest(&|cell| numbers.interval(cell), level) - APART;
    let right = means - widest(&|cell| numbers.mean(cell), value) - APART;
    let left = labels.right.min(right - 40.0);

    let mut scene = Scene { items: Vec::new(), height: (labels.bottom + BOTTOM).ceil() };
    let range = numbers.range(all().flat_map(|cell| [cell.interval[0], cell.mean, cell.interval[1]]));
    let ruler = Ruler::between(range, (left, right));
    for (value, label) in ruler.ticks(46.0) {
        let x = ruler.at(value);
        scene.line((x, top - 2.0), (x, labels.bottom + 2.0), 0.8, FAINT);
        scene.text(label.clone(), (x, labels.bottom + 13.0), TEXT, Side::Centre);
        if tall {
            scene.text(label, (x, top - 11.0), TEXT, Side::Centre);
        }
    }
    scene.line((left, labels.bottom + 2.0), (right, labels.bottom + 2.0), 1.0, INK);
    let middle = 0.5 * (left + right);
    scene.text(&numbers.label, (middle, labels.bottom + 33.0), 11.5, Side::Centre);
    if tall {
        scene.line((left, top - 2.0), (right, top - 2.0), 1.0, INK);
        scene.text(&numbers.label, (middle, top - 28.0), 11.5, Side::Centre);
    }
    let head = top - 10.5;
    scene.text(value, (means, head), TEXT, Side::Right);
    scene.text(level, (intervals, head), TEXT, Side::Right);
    labels.draw(&mut scene, intervals);
    let coloured = grid.outer.len() > 1 && (2..=MOST_COLOURS).contains(&grid.inner.len());
    for &(index, cell, y) in shown.iter().flatten() {
        let style = Style::plain(if coloured { index + 1 } else { 1 });
        if cell.interval.iter().all(|end| end.is_finite()) {
            let [from, to] = cell.interval.map(|end| ruler.at(numbers.scaled(end)).clamp(left, right));
            // A narrow interval is widened until it can be seen.
            let wider = (0.5 * (1.5 - (to - from))).max(0.0);
            scene.line((from - wider, y), (to + wider, y), 3.0, style.colour);
        }
        if cell.mean.is_finite() {
            let at = (ruler.at(numbers.scaled(cell.mean)).clamp(left, right), y);
            scene.items.push(Item::Mark { at, style: style.hollow() });
        }
        scene.text(numbers.mean(cell), (means, y), TEXT, Side::Right);
        scene.text(numbers.interval(cell), (intervals, y), TEXT, Side::Right);
    }
    scene
}
