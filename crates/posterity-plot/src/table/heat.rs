//! A cell for each number of a table, in a shade that grows darker with it. Where there is room, the cell holds the
//! number and its interval.

use super::colour::{ink_on, shade};
use super::grid::{Cell, Grid, Side as Names};
use super::labels::{Labels, Letters};
use super::numbers::Numbers;
use super::scene::{Item, Scene, Side};
use crate::axis::Ruler;
use crate::canvas::{INK, WIDTH};
use crate::measure;

/// The most columns: more would be too narrow for their names.
pub(crate) const MOST_COLUMNS: usize = 40;
/// The most rows that are drawn.
pub(crate) const MOST_ROWS: usize = 400;
/// A table with more columns than this is turned if it has fewer rows.
const MANY_COLUMNS: usize = 10;
/// Where the names of columns begin, and the room below the last row.
const TOP: f64 = 54.0;
const BOTTOM: f64 = 62.0;
/// The size of names, of numbers, and of intervals below them.
const TEXT: f64 = 10.5;
const LINE: f64 = 13.0;
const INTERVAL_TEXT: f64 = 8.5;
/// The room at the right edge, and around the text of a cell.
const EDGE: f64 = 12.0;
const PADDING: f64 = 3.0;
/// The most room for names of columns that run upwards.
const UPRIGHT: f64 = 150.0;
/// The most lines of names of columns that run across.
const MOST_LINES: usize = 6;
/// The legend: how wide and high it is, and of how many shades.
const LEGEND: (f64, f64) = (240.0, 10.0);
const STEPS: usize = 60;

/// What is written into each cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The number and the interval beside it.
    Beside,
    /// The number, and the interval below it.
    Below,
    /// The number only.
    Mean,
    /// Nothing but the shade.
    Shade,
}

/// The table as it is drawn: the long side runs down the page.
pub(crate) fn oriented(grid: Grid) -> Grid {
    let (rows, columns) = (grid.outer.len(), grid.inner.len());
    let one_row = rows == 1 && columns > 1;
    if one_row || (columns > MANY_COLUMNS && rows < columns) { grid.turned() } else { grid }
}

pub(crate) fn scene(grid: &Grid, numbers: &Numbers, letters: Letters<'_>) -> (Scene, Detail) {
    let split = grid.outer.split().filter(|(outer, _)| !outer.columns.is_empty());
    let (outer, inner) = split.unwrap_or_else(|| (single(), grid.outer.clone()));
    let lay = |top: f64, each: f64| Labels::new(&outer, &inner, MOST_ROWS, (top, each), letters);
    let left = lay(0.0, 0.0).right;
    let columns = grid.inner.len();
    let wide = (WIDTH - EDGE - left) / columns.max(1) as f64;
    let detail = detail(grid, numbers, wide - 2.0 * PADDING);
    let each = match detail {
        Detail::Beside | Detail::Mean => 19.0,
        Detail::Below => 30.0,
        Detail::Shade => 15.0,
    };
    let heads = heads(grid, wide, letters);
    let head = if grid.inner.columns.is_empty() { Vec::new() } else { vec![letters(&grid.inner.head(), 0)] };
    let above = heads.height() + LINE * head.len() as f64;
    let own = LINE * lay(0.0, 0.0).head_lines() as f64;
    let top = TOP + above.max(own) + 8.0;
    let labels = lay(top, each);

    let mut scene = Scene { items: Vec::new(), height: (labels.bottom + BOTTOM).ceil() };
    let middle = 0.5 * (left + WIDTH - EDGE);
    for (line, text) in
        head.iter().flat_map(|head| measure::lines(head, TEXT, WIDTH - EDGE - left, 1)).enumerate()
    {
        scene.text(text, (middle, top - 8.0 - above + LINE * (line as f64 + 0.5)), TEXT, Side::Centre);
    }
    heads.draw(&mut scene, (left, wide), top - 6.0);
    labels.draw(&mut scene, WIDTH - EDGE);

    let range = numbers.range(grid.all().map(|cell| cell.mean));
    let darkness = |value: f64| (numbers.scaled(value) - range.start) / (range.end - range.start);
    for (row, cells) in labels.groups().flatten().zip(&grid.cells) {
        for (index, cell) in cells.iter().enumerate() {
            let Some(cell) = *cell else { continue };
            let (from, to) = (left + index as f64 * wide, left + (index + 1) as f64 * wide);
            // What has no number has no shade.
            let colour = cell.mean.is_finite().then(|| shade(darkness(cell.mean)));
            if let Some(colour) = colour {
                scene.fill((from + 0.5, row.top + 0.5), (to - 0.5, row.bottom - 0.5), colour);
            }
            let (x, y, ink) = (0.5 * (from + to), row.middle(), colour.map_or(INK, ink_on));
            let mean = numbers.mean(cell);
            match detail {
                Detail::Beside => scene.ink(numbers.both(cell), (x, y), TEXT, Side::Centre, ink),
                Detail::Below => {
                    scene.ink(mean, (x, y - 6.0), TEXT, Side::Centre, ink);
                    scene.ink(below(numbers, cell), (x, y + 7.0), INTERVAL_TEXT, Side::Centre, ink);
                }
                Detail::Mean => scene.ink(mean, (x, y), TEXT, Side::Centre, ink),
                Detail::Shade => {}
            }
        }
    }
    legend(&mut scene, numbers, range, labels.bottom + 16.0);
    (scene, detail)
}

/// One group without a name.
fn single() -> Names {
    Names { columns: Vec::new(), names: vec![Vec::new()] }
}

/// The interval as short as possible, without the sign of percent that the number has.
fn below(numbers: &Numbers, cell: Cell) -> String {
    let interval = numbers.bare_interval(cell);
    // A dash beside the sign of a negative number would be misread.
    if interval.contains('−') { interval } else { interval.replace(" to ", "–") }
}

/// As much as fits every cell.
fn detail(grid: &Grid, numbers: &Numbers, wide: f64) -> Detail {
    let fits = |height: f64, text: &dyn Fn(Cell) -> String| {
        grid.all().all(|cell| measure::width(&text(cell), height) <= wide)
    };
    let mean = fits(TEXT, &|cell| numbers.mean(cell));
    if fits(TEXT, &|cell| numbers.both(cell)) {
        Detail::Beside
    } else if mean && fits(INTERVAL_TEXT, &|cell| below(numbers, cell)) {
        Detail::Below
    } else if mean {
        Detail::Mean
    } else {
        Detail::Shade
    }
}

/// The names of columns: across, or upwards if they do not fit.
enum Heads {
    Across(Vec<Vec<String>>),
    Upright(Vec<Vec<String>>),
}

fn heads(grid: &Grid, wide: f64, letters: Letters<'_>) -> Heads {
    let names = (0..grid.inner.len()).map(|index| letters(&grid.inner.name(index), index));
    let names: Vec<String> = names.collect();
    let room = wide - PADDING;
    // A word that would be cut runs upwards, and so do names of many lines.
    let words = |name: &String| name.split_whitespace().all(|word| measure::width(word, TEXT) <= room);
    let across = names.iter().map(|name| measure::lines(name, TEXT, room, MOST_LINES + 1));
    let across: Vec<Vec<String>> = across.collect();
    if names.iter().all(words) && across.iter().all(|lines| lines.len() <= MOST_LINES) {
        return Heads::Across(across);
    }
    let most = ((wide / LINE).floor() as usize).max(1);
    Heads::Upright(names.iter().map(|name| measure::lines(name, TEXT, UPRIGHT, most)).collect())
}

impl Heads {
    fn height(&self) -> f64 {
        match self {
            Self::Across(names) => LINE * names.iter().map(Vec::len).max().unwrap_or(0) as f64,
            Self::Upright(names) => {
                names.iter().flatten().map(|line| measure::width(line, TEXT)).fold(0.0, f64::max) + 2.0
            }
        }
    }

    /// Writes them above this place.
    fn draw(&self, scene: &mut Scene, (left, wide): (f64, f64), bottom: f64) {
        match self {
            Self::Across(names) => {
                for (index, lines) in names.iter().enumerate() {
                    let x = left + (index as f64 + 0.5) * wide;
                    let top = bottom - LINE * lines.len() as f64;
                    for (line, text) in lines.iter().enumerate() {
                        scene.text(text, (x, top + LINE * (line as f64 + 0.5)), TEXT, Side::Centre);
                    }
                }
            }
            Self::Upright(names) => {
                for (index, lines) in names.iter().enumerate() {
                    let first = left + (index as f64 + 0.5) * wide - 0.5 * (lines.len() as f64 - 1.0) * LINE;
                    for (line, text) in lines.iter().enumerate() {
                        let at = (first + line as f64 * LINE, bottom);
                        scene.items.push(Item::Upright { text: text.clone(), at, height: TEXT });
                    }
                }
            }
        }
    }
}

/// What the shades mean.
fn legend(scene: &mut Scene, numbers: &Numbers, range: std::ops::Range<f64>, top: f64) {
    let (wide, high) = LEGEND;
    let left = 0.5 * (WIDTH - wide);
    for step in 0..STEPS {
        let (from, to) = (step as f64 / STEPS as f64, (step + 1) as f64 / STEPS as f64);
        let colour = shade(step as f64 / (STEPS - 1) as f64);
        scene.fill((left + wide * from, top), (left + wide * to, top + high), colour);
    }
    let ruler = Ruler::between(range, (left, left + wide));
    for (value, label) in ruler.ticks(50.0) {
        let x = ruler.at(value);
        scene.line((x, top + high), (x, top + high + 3.0), 0.8, INK);
        scene.text(label, (x, top + high + 10.0), TEXT, Side::Centre);
    }
    scene.text(&numbers.label, (0.5 * WIDTH, top + high + 25.0), TEXT, Side::Centre);
}
