//! A figure: rows of panels above one legend.

mod bars;
mod cells;
mod frame;
mod legend;
mod lines;
mod notched;
pub(crate) mod pen;

use plotters::prelude::{BLACK, Color, DrawingBackend, FontTransform};
use plotters::style::text_anchor::{HPos, Pos, VPos};

pub use self::bars::{BarKind, Bars};
pub use self::cells::{CellKind, Cells};
pub use self::lines::{Lines, Rule, Series};
pub use self::notched::{BoxGroups, NotchedBox};

use self::frame::Frame;
use self::legend::LegendEntry;
use self::pen::{at, line};
use crate::axis::{Axis, Ruler};
use crate::canvas::{Canvas, Drawn, INK, WIDTH};
use crate::picture::Picture;

/// Rows of panels, as a journal prints them.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub subtitle: String,
    /// The rows from top to bottom, each from left to right.
    pub rows: Vec<Vec<Panel>>,
}

/// Two axes and what is drawn between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// The title that tells it from other panels; empty if it is alone.
    pub title: String,
    /// The axis below.
    pub x: Axis,
    /// The axis to the left.
    pub y: Axis,
    /// What is drawn between them.
    pub content: Content,
}

/// What a panel shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Curves.
    Lines(Lines),
    /// Notched boxes, one beside the other; the axis below only names them.
    Boxes(Vec<NotchedBox>),
    /// Notched boxes in groups; the axis below only names the groups.
    Groups(BoxGroups),
    /// Groups of bars; the axis below only names them.
    Bars(Bars),
    /// A map in colours.
    Cells(Cells),
}

/// Sizes of the text of ticks, of axes and of titles.
const TICK: f64 = 12.5;
const LABEL: f64 = 13.0;
const HEAD: f64 = 13.0;
/// Where the first row begins, below the title of the page.
const TOP: f64 = 50.0;
/// Heights of a panel alone in its row, beside another, and of one with boxes.
const ALONE: f64 = 270.0;
const BESIDE: f64 = 225.0;
const BOXES: f64 = 205.0;

impl Panel {
    /// Its width in relation to the other panels of its row.
    fn weight(&self) -> f64 {
        match &self.content {
            // Room for the axis is counted too.
            Content::Boxes(boxes) => boxes.len() as f64 + 1.1,
            Content::Lines(_) | Content::Bars(_) | Content::Groups(_) | Content::Cells(_) => 1.0,
        }
    }

    fn legend(&self) -> Vec<LegendEntry> {
        match &self.content {
            Content::Lines(lines) => lines.legend(),
            Content::Bars(bars) => bars.legend(),
            Content::Groups(groups) => groups.legend(),
            Content::Cells(cells) => cells.legend(),
            Content::Boxes(_) => Vec::new(),
        }
    }
}

impl Figure {
    fn row_height(row: &[Panel]) -> f64 {
        match row {
            [Panel { content: Content::Boxes(_), .. }, ..] => BOXES,
            [_] => ALONE,
            _ => BESIDE,
        }
    }

    /// All entries of the legend once, in order of appearance.
    fn legend(&self) -> Vec<LegendEntry> {
        let (mut entries, mut seen) = (Vec::<LegendEntry>::new(), Vec::new());
        for entry in self.rows.iter().flatten().flat_map(Panel::legend) {
            if seen.contains(&entry) {
                continue;
            }
            seen.push(entry.clone());
            if !entries.iter_mut().any(|one| one.takes(&entry)) {
                entries.push(entry);
            }
        }
        entries
    }
}

impl Picture for Figure {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn subtitle(&self) -> String {
        self.subtitle.clone()
    }

    fn height(&self) -> f64 {
        let rows: f64 = self.rows.iter().map(|row| Self::row_height(row)).sum();
        (TOP + rows + legend::height(&self.legend()) + 6.0).ceil()
    }

    fn draw<D: DrawingBackend>(&self, canvas: &Canvas<'_, D>) -> Drawn<D> {
        let mut top = TOP;
        for row in &self.rows {
            let height = Self::row_height(row);
            let total: f64 = row.iter().map(Panel::weight).sum();
            let mut left = 4.0;
            for panel in row {
                let width = (WIDTH - 8.0) * panel.weight() / total;
                draw_panel(canvas, panel, (left, top), (width, height))?;
                left += width;
            }
            top += height;
        }
        legend::draw(canvas, &self.legend(), top)
    }
}

fn draw_panel<D: DrawingBackend>(
    canvas: &Canvas<'_, D>,
    panel: &Panel,
    (left, top): (f64, f64),
    (width, height): (f64, f64),
) -> Drawn<D> {
    let head = if panel.title.is_empty() { 6.0 } else { 24.0 };
    let named = !matches!(panel.content, Content::Lines(_) | Content::Cells(_));
    let foot = if named && panel.x.label.is_empty() { 44.0 } else { 48.0 };
    let (upper, lower) = (top + head, top + height - foot);
    // The axis to the left is laid out first: its labels say how much room they need.
    let ys: Vec<f64> = match &panel.content {
        Content::Lines(lines) => lines.heights(),
        Content::Boxes(boxes) => boxes.iter().flat_map(NotchedBox::heights).collect(),
        Content::Groups(groups) => groups.heights(),
        Content::Bars(bars) => bars.heights(),
        Content::Cells(cells) => cells.rows.clone(),
    };
    let y = Ruler::new(&panel.y, ys.into_iter(), (lower, upper));
    let y_ticks = y.ticks(34.0);
    let widest = y_ticks.iter().map(|(_, label)| canvas.width(label, TICK)).fold(0.0, f64::max);
    let frame = Frame { left: left + 26.0 + widest, right: left + width - 12.0, top: upper, bottom: lower };
    if !panel.title.is_empty() {
        let middle = 0.5 * (frame.left + frame.right);
        canvas.write(&panel.title, at(canvas, middle, top + 12.0), HEAD, HPos::Center)?;
    }
    let grid = canvas.stroke(&BLACK.mix(0.12), 0.8);
    for (value, label) in &y_ticks {
        let place = y.at(*value);
        line(canvas, (frame.left, place), (frame.right, place), grid)?;
        canvas.write(label, at(canvas, frame.left - 6.0, place), TICK, HPos::Right)?;
    }
    rotated(canvas, &panel.y.label, (left + 9.0, 0.5 * (upper + lower)))?;
    match &panel.content {
        Content::Lines(lines) => {
            let x = Ruler::new(&panel.x, lines.places(), (frame.left, frame.right)).with_air();
            for (value, label) in x.ticks(46.0) {
                let place = x.at(value);
                line(canvas, (place, frame.top), (place, frame.bottom), grid)?;
                canvas.write(&label, at(canvas, place, frame.bottom + 12.0), TICK, HPos::Center)?;
            }
            lines::draw(canvas, lines, &x, &y, frame)?;
        }
        Content::Cells(cells) => {
            let x = Ruler::new(&panel.x, cells.columns.iter().copied(), (frame.left, frame.right)).with_air();
            cells::draw(canvas, cells, &x, &y, frame)?;
            for (value, label) in x.ticks(46.0) {
                let place = x.at(value);
                canvas.write(&label, at(canvas, place, frame.bottom + 12.0), TICK, HPos::Center)?;
            }
        }
        Content::Boxes(boxes) => notched::draw(canvas, boxes, &y, frame)?,
        Content::Groups(groups) => notched::draw_groups(canvas, groups, &y, frame)?,
        Content::Bars(bars) => bars::draw(canvas, bars, &y, frame)?,
    }
    let axis = canvas.stroke(&INK, 1.0);
    line(canvas, (frame.left, frame.top), (frame.left, frame.bottom), axis)?;
    line(canvas, (frame.left, frame.bottom), (frame.right, frame.bottom), axis)?;
    let middle = 0.5 * (frame.left + frame.right);
    canvas.write(&panel.x.label, at(canvas, middle, frame.bottom + 31.0), LABEL, HPos::Center)
}

/// Writes text that runs upwards.
fn rotated<D: DrawingBackend>(canvas: &Canvas<'_, D>, text: &str, (x, y): (f64, f64)) -> Drawn<D> {
    let style =
        canvas.font(LABEL).pos(Pos::new(HPos::Center, VPos::Center)).transform(FontTransform::Rotate270);
    canvas.text(text, at(canvas, x, y), style)
}
