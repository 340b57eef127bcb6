//! The names to the left of a picture: of groups, and of the rows of each group. Long names are wrapped, and rows with
//! them are higher.

use super::grid::Side as Names;
use super::scene::{BETWEEN, Scene, Side};
use crate::canvas::WIDTH;
use crate::measure;

/// The size of names, and the distance of their lines.
pub(crate) const TEXT: f64 = 10.5;
pub(crate) const LINE: f64 = 13.0;
/// The most lines of a name.
const MOST_LINES: usize = 8;
/// The room at the left edge of the page, between names, and before what follows.
const EDGE: f64 = 10.0;
const APART: f64 = 10.0;
/// The room between two groups.
const BETWEEN_GROUPS: f64 = 7.0;

/// How a name is written.
pub(crate) type Letters<'a> = &'a dyn Fn(&str, usize) -> String;

/// Names in their places.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Labels {
    heads: [Vec<String>; 2],
    groups: Vec<GroupLabel>,
    /// Where the names of rows begin.
    inner: f64,
    /// Where the picture begins.
    pub(crate) right: f64,
    /// Where the last row ends.
    pub(crate) bottom: f64,
    top: f64,
}

/// The name of a group, with the places of its rows.
#[derive(Clone, Debug, PartialEq)]
struct GroupLabel {
    lines: Vec<String>,
    top: f64,
    bottom: f64,
    rows: Vec<RowLabel>,
}

/// The name of a row, and where the row is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RowLabel {
    lines: Vec<String>,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

impl RowLabel {
    /// The middle of the row.
    pub(crate) fn middle(&self) -> f64 {
        0.5 * (self.top + self.bottom)
    }
}

impl Labels {
    /// Names of `outer` groups, each with all `inner` rows, for the first `most` rows in all. Rows begin at `top` and
    /// are at least `each` high. Without groups, the rows have all the room.
    pub(crate) fn new(
        outer: &Names,
        inner: &Names,
        most: usize,
        (top, each): (f64, f64),
        letters: Letters<'_>,
    ) -> Self {
        let grouped = !outer.columns.is_empty();
        let share = if grouped { 0.2 } else { 0.36 };
        let names = |side: &Names| (0..side.len()).map(|index| letters(&side.name(index), index)).collect();
        let (groups, rows): (Vec<String>, Vec<String>) = (names(outer), names(inner));
        let room = |names: &[String], head: &str| {
            let widest = names.iter().map(|name| measure::width(name, TEXT)).fold(0.0, f64::max);
            widest.max(measure::width(head, TEXT)).min(share * WIDTH)
        };
        let heads = [letters(&outer.head(), 0), letters(&inner.head(), 0)];
        let left = if grouped { room(&groups, &heads[0]) } else { 0.0 };
        let middle = EDGE + left + if grouped { APART } else { 0.0 };
        let width = room(&rows, &heads[1]);
        let lines = |text: &str, wide: f64| measure::lines(text, TEXT, wide + 0.1, MOST_LINES);
        let rows: Vec<Vec<String>> = rows.iter().map(|name| lines(name, width)).collect();
        let high = |lines: &[String]| each.max(lines.len() as f64 * LINE + 3.0);
        let mut y = top;
        let mut placed = Vec::new();
        for (index, name) in groups.iter().enumerate().take(most.div_ceil(rows.len().max(1))) {
            if index > 0 && grouped && rows.len() > 1 {
                y += BETWEEN_GROUPS;
            }
            let begin = y;
            let mut labels = Vec::new();
            for lines in rows.iter().take(most - index * rows.len()) {
                let bottom = y + high(lines);
                labels.push(RowLabel { lines: lines.clone(), top: y, bottom });
                y = bottom;
            }
            let lines = if grouped { lines(name, left) } else { Vec::new() };
            y = y.max(begin + lines.len() as f64 * LINE + 3.0);
            if let ([only], true) = (labels.as_mut_slice(), grouped) {
                only.bottom = y;
            }
            placed.push(GroupLabel { lines, top: begin, bottom: y, rows: labels });
        }
        let heads = [lines(&heads[0], left), lines(&heads[1], width)];
        Self { heads, groups: placed, inner: middle, right: middle + width + APART, bottom: y, top }
    }

    /// The rows, group by group.
    pub(crate) fn groups(&self) -> impl Iterator<Item = &[RowLabel]> {
        self.groups.iter().map(|group| group.rows.as_slice())
    }

    /// How many lines the names of the columns take.
    pub(crate) fn head_lines(&self) -> usize {
        self.heads.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Adds the names, and lines between the groups up to this place.
    pub(crate) fn draw(&self, scene: &mut Scene, right: f64) {
        let write = |scene: &mut Scene, lines: &[String], x: f64, middle: f64| {
            let first = middle - 0.5 * (lines.len() as f64 - 1.0) * LINE;
            for (index, line) in lines.iter().enumerate() {
                scene.text(line.clone(), (x, first + index as f64 * LINE), TEXT, Side::Left);
            }
        };
        for (lines, x) in self.heads.iter().zip([EDGE, self.inner]) {
            // The last line is just above the first row.
            let last = self.top - 0.5 * LINE - 4.0;
            write(scene, lines, x, last - 0.5 * (lines.len() as f64 - 1.0).max(0.0) * LINE);
        }
        let mut before: Option<f64> = None;
        for group in &self.groups {
            if let Some(before) = before.filter(|before| group.top - before > 1.0) {
                let y = 0.5 * (before + group.top);
                scene.line((EDGE, y), (right, y), 0.8, BETWEEN);
            }
            before = Some(group.bottom);
            let first = group.rows.first().map_or(group.top, RowLabel::middle);
            // The name of a group begins beside its first row, unless all of them are one.
            let lines = group.lines.len() as f64;
            let middle = if group.rows.len() > 1 {
                first.max(group.top + 0.5 * LINE + 1.5) + 0.5 * (lines - 1.0) * LINE
            } else {
                first
            };
            write(scene, &group.lines, EDGE, middle);
            for row in &group.rows {
                write(scene, &row.lines, self.inner, row.middle());
            }
        }
    }
}
