//! Pictures of readings: tables as heat maps, as intervals in groups, and as mosaics.

mod colour;
mod forest;
mod grid;
mod heat;
mod kind;
mod labels;
mod mosaic;
mod numbers;
mod scene;

use plotters::prelude::DrawingBackend;
use posterity::table::{ReadingMethod, Statistic};
use posterity::{Reading, ReadingTable};
use posterity_present::intervals::{Shown, below};

pub use self::kind::PictureKind;

use self::grid::Grid;
use self::heat::Detail;
use self::numbers::Numbers;
use self::scene::Scene;
use crate::about::Caption;
use crate::canvas::{Canvas, Drawn, Letters, WIDTH};
use crate::error::PlotError;
use crate::file::{PlotFile, PlotFormat};
use crate::picture::Picture;
use crate::{measure, name, render};

/// The picture of a reading. It is drawn from the reading and the release alone, so whoever may see these may see the
/// picture.
///
/// ```
/// use posterity::{Data, Publisher};
/// use posterity_plot::{PictureKind, TablePlot};
/// let data = Data::counts([("A", 30), ("B", 20), ("C", 50)])?;
/// let release = Publisher::new("1".parse()?).publish(&data)?;
/// let table = release.document().read(&"category".parse()?)?;
/// let picture = TablePlot::new(release.document(), &table, PictureKind::usual(&table))?.svg()?;
/// assert!(picture.starts_with("<svg"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TablePlot<'a> {
    caption: Caption,
    table: &'a ReadingTable,
    kind: PictureKind,
    weights: Option<Vec<f64>>,
}

impl<'a> TablePlot<'a> {
    /// A picture of a reading of this release.
    ///
    /// # Errors
    /// [`PlotError::NoRows`], [`PlotError::TooManyColumns`] or [`PlotError::MosaicOfMeans`].
    pub fn new(
        release: impl Into<Caption>,
        table: &'a ReadingTable,
        kind: PictureKind,
    ) -> Result<Self, PlotError> {
        let reading = || table.reading.to_string();
        if table.rows.is_empty() {
            return Err(PlotError::NoRows { reading: reading() });
        }
        let (columns, most) = match kind {
            PictureKind::Forest => (0, 0),
            PictureKind::Heat => (heat::oriented(Grid::new(table)).inner.len(), heat::MOST_COLUMNS),
            PictureKind::Mosaic => (Grid::of_shares(table).inner.len(), mosaic::MOST_PARTS),
        };
        if columns > most {
            return Err(PlotError::TooManyColumns { kind: kind.name(), reading: reading(), columns, most });
        }
        if kind == PictureKind::Mosaic && table.statistic != Statistic::Share {
            return Err(PlotError::MosaicOfMeans { reading: reading() });
        }
        Ok(Self { caption: release.into(), table, kind, weights: None })
    }

    /// What has to be read besides, so that the rows of a mosaic are as high as their groups are large: the shares of
    /// the groups of a conditional reading.
    #[must_use]
    pub fn groups(table: &ReadingTable, kind: PictureKind) -> Option<Reading> {
        let given = table.reading.given();
        let needed = kind == PictureKind::Mosaic
            && !given.is_empty()
            && !Grid::of_shares(table).outer.columns.is_empty();
        // Those of unknown values are groups like others.
        needed.then(|| Reading::shares(given.to_vec(), Vec::new()).of_all())
    }

    /// Takes the shares of its groups, as [`groups`](Self::groups) asks for them.
    #[must_use]
    pub fn weighted(self, groups: &ReadingTable) -> Self {
        let grid = Grid::of_shares(self.table);
        let weight = |values: &Vec<String>| {
            let is_group = |row: &&posterity::table::ReadingRow| {
                grid.outer.columns.iter().zip(values).all(|(name, value)| row.cell.get(name) == Some(value))
            };
            groups.rows.iter().find(is_group).map_or(0.0, |row| row.shown())
        };
        let weights = grid.outer.names.iter().map(weight).collect();
        Self { weights: Some(weights), ..self }
    }

    /// Writes the picture to a file.
    pub fn write(&self, file: &PlotFile) -> Result<(), PlotError> {
        render::write(self, file)
    }

    /// The text of the picture as SVG.
    pub fn svg(&self) -> Result<String, PlotError> {
        render::svg(self)
    }

    /// Whether some names have letters that this format lacks. They are written without accents or as numbers.
    #[must_use]
    pub fn simplifies_names(&self, format: PlotFormat) -> bool {
        let labels = |row: &posterity::table::ReadingRow| {
            row.given.iter().chain(row.cell.iter()).all(|(column, value)| {
                name::is_bundled(column) && name::is_bundled(&self.table.words.value(column, value))
            })
        };
        format == PlotFormat::Png && !self.table.rows.iter().all(labels)
    }

    /// What is drawn in these letters, and what a heat map says in its cells.
    fn scene(&self, letters: Letters) -> (Scene, Option<Detail>) {
        let write = |text: &str, index: usize| match letters {
            Letters::Any => name::printable(text),
            Letters::Bundled => name::bundled(text, index),
        };
        let (grid, numbers) = (Grid::new(self.table).labelled(self.table), Numbers::new(self.table));
        match self.kind {
            PictureKind::Forest => {
                (forest::scene(&grid, &numbers, [self.value(), &self.level()], &write), None)
            }
            PictureKind::Heat => {
                let (scene, detail) = heat::scene(&heat::oriented(grid), &numbers, &write);
                (scene, Some(detail))
            }
            PictureKind::Mosaic => {
                let grid = Grid::of_shares(self.table).labelled(self.table);
                let conditional = !self.table.given.is_empty();
                let shares = mosaic::Shares::new(&grid, conditional, self.weights.as_deref());
                (mosaic::scene(&grid, &shares, &numbers, &write), None)
            }
        }
    }

    fn level(&self) -> String {
        Shown { without_noise: false, ..self.table.into() }.head()
    }

    /// What the numbers are.
    fn value(&self) -> &'static str {
        match self.table.statistic {
            Statistic::Share => Shown::from(self.table).share(),
            Statistic::Mean => "mean",
            Statistic::Sum => "sum",
            Statistic::Quantile => "quantile",
            Statistic::Count => "count",
        }
    }

    /// How many rows are drawn, and of how many.
    fn drawn(&self) -> (usize, usize) {
        let grid = Grid::new(self.table);
        match self.kind {
            PictureKind::Forest => (forest::MOST_ROWS, grid.outer.len() * grid.inner.len()),
            PictureKind::Heat => (heat::MOST_ROWS, heat::oriented(grid).outer.len()),
            PictureKind::Mosaic => (mosaic::MOST_ROWS, Grid::of_shares(self.table).outer.len()),
        }
    }

    /// How to read it.
    fn how(&self) -> String {
        let noise = match self.table.method {
            ReadingMethod::WithoutNoise => "noise not included",
            _ => "noise included",
        };
        let intervals = format!("{}s, {noise}", self.level());
        match self.kind {
            PictureKind::Forest => intervals,
            PictureKind::Heat => match self.scene(Letters::Any).1 {
                Some(Detail::Beside | Detail::Below) => format!("{}s ({intervals})", self.value()),
                _ => format!("{}s; their intervals do not fit the cells", self.value()),
            },
            PictureKind::Mosaic => {
                let sizes = match (self.table.given.is_empty(), &self.weights) {
                    (false, None) => "all groups equally high",
                    _ => "areas are shares of records",
                };
                let bars = if self.table.given.is_empty() { "" } else { "; bars: " };
                let intervals = if bars.is_empty() { "" } else { &intervals };
                format!("{sizes}{bars}{intervals}")
            }
        }
    }
}

impl Picture for TablePlot<'_> {
    fn title(&self) -> String {
        let text = self.table.reading.to_string();
        let text = text.replace(" | ", " by ");
        name::shortened(&text, |text| measure::width(text, 14.0) <= WIDTH - 24.0)
    }

    fn subtitle(&self) -> String {
        let mut text = self.how();
        let (most, all) = self.drawn();
        if all > most {
            text += &format!(" · the first {most} of {all} rows");
        }
        match (self.caption.private, self.caption.seed) {
            (true, _) => text,
            (false, Some(seed)) => format!("{text} · NOT PRIVATE (seed {seed})"),
            (false, None) => format!("{text} · NOT PRIVATE (no proven guarantee)"),
        }
    }

    fn caption(&self) -> Vec<String> {
        let Caption { release, about, .. } = self.caption.clone();
        let below = below([self.table], &[]);
        [vec![format!("Reading: {}", self.table.reading), release], about, below].concat()
    }

    fn height(&self) -> f64 {
        let any = self.scene(Letters::Any).0.height;
        any.max(self.scene(Letters::Bundled).0.height)
    }

    fn draw<D: DrawingBackend>(&self, canvas: &Canvas<'_, D>) -> Drawn<D> {
        self.scene(canvas.letters()).0.draw(canvas)
    }
}

#[cfg(test)]
mod tests;
