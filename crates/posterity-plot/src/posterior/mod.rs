//! The picture of a release.

mod curve;
mod forest;
mod ridges;
mod signs;

use plotters::prelude::DrawingBackend;
use posterity::Document;
use posterity::number::short;
use posterity::table::ReadingMethod;
use posterity_core::model::{Beta, Dirichlet};
use posterity_core::table::{Block, Grouping, Shares};
use posterity_present::intervals::{Shown, below};

use self::curve::Law;
use crate::canvas::{Canvas, Drawn, HEIGHT};
use crate::error::PlotError;
use crate::file::{PlotFile, PlotFormat};
use crate::picture::Picture;
use crate::{about, name, render};

/// Up to this many categories are drawn as densities. More are drawn as intervals.
const MOST_DENSITIES: usize = 6;
/// Of more categories than this, the largest are drawn.
const MOST_ROWS: usize = 40;

/// The picture of what a release says about its categories. It is drawn from the release alone, so everybody who may
/// see the release may see the picture.
#[derive(Debug)]
pub struct PosteriorPlot<'a> {
    document: &'a Document,
    laws: Vec<Laws>,
    rows: Vec<CategoryRow>,
}

/// The laws of the share of a category whose density is drawn.
#[derive(Debug)]
pub(crate) struct Laws {
    /// Its posterior, taking the privacy noise into account, if there is one.
    pub(crate) aware: Option<Box<dyn Law>>,
    /// Its share of the released Dirichlet distribution.
    pub(crate) released: Beta,
}

/// One category.
#[derive(Debug)]
pub(crate) struct CategoryRow {
    pub(crate) index: usize,
    /// Its name, with its label.
    pub(crate) name: String,
    pub(crate) mean: f64,
    pub(crate) interval: [f64; 2],
}

impl<'a> PosteriorPlot<'a> {
    /// A picture of a release's document, with its noise-aware posterior where there is one.
    #[must_use]
    pub fn new(document: &'a Document) -> Self {
        let rows = rows(document);
        let laws = if rows.len() <= MOST_DENSITIES { laws(document, &rows) } else { Vec::new() };
        Self { document, laws, rows }
    }

    /// Writes the picture to a file.
    pub fn write(&self, file: &PlotFile) -> Result<(), PlotError> {
        render::write(self, file)
    }

    /// The text of the picture as SVG.
    pub fn svg(&self) -> Result<String, PlotError> {
        render::svg(self)
    }

    /// The density of each category that is drawn, as points of a line below a finite top, in the declared order;
    /// noise-aware where the picture is.
    #[must_use]
    pub fn lines(&self) -> Vec<(Vec<f64>, Vec<f64>)> {
        let line = |law: &dyn Law| {
            let top = law.top(&(0.0..1.0));
            law.line().into_iter().map(|(x, y)| (x, y.min(top))).unzip()
        };
        let all;
        let laws = if self.laws.is_empty() {
            all = laws(self.document, &self.rows);
            &all
        } else {
            &self.laws
        };
        laws.iter().map(|laws| line(laws.aware.as_deref().unwrap_or(&laws.released))).collect()
    }

    /// Whether some names have letters that this format lacks. They are written without accents or as numbers.
    pub fn simplifies_names(&self, format: PlotFormat) -> bool {
        format == PlotFormat::Png && !self.rows.iter().all(|row| name::is_bundled(&row.name))
    }

    /// The laws of each row, if densities are drawn.
    pub(crate) fn laws(&self) -> &[Laws] {
        &self.laws
    }

    pub(crate) fn rows(&self) -> &[CategoryRow] {
        &self.rows
    }

    /// The intervals in words.
    pub(crate) fn level(&self) -> String {
        Shown { without_noise: false, ..Shown::of_cells(self.document) }.head()
    }

    /// What the number beside an interval is.
    pub(crate) fn value(&self) -> &'static str {
        Shown::of_cells(self.document).share()
    }
}

impl Picture for PosteriorPlot<'_> {
    fn title(&self) -> String {
        let (mechanism, n) = (self.document.mechanism(), self.document.n_text());
        format!("Posterior · {mechanism} · epsilon {} · n {n}", short(self.document.epsilon()))
    }

    fn subtitle(&self) -> String {
        let document = self.document;
        let is_included = document.cells().map_or_else(
            || document.noise_aware().is_some(),
            |cells| cells.method != ReadingMethod::WithoutNoise,
        );
        let noise = if is_included { "privacy noise included" } else { "privacy noise not included" };
        let mut text = format!("{}s, {noise}", self.level());
        let all = known(self.document).len();
        if self.rows.len() < all {
            text += &format!(" · the {} largest of {all} categories", self.rows.len());
        }
        match (self.document.is_private(), self.document.seed()) {
            (true, _) => text,
            (false, Some(seed)) => format!("{text} · NOT PRIVATE (seed {seed})"),
            (false, None) => format!("{text} · NOT PRIVATE (no proven guarantee)"),
        }
    }

    fn caption(&self) -> Vec<String> {
        about::lines(self.document.about()).into_iter().chain(below(self.document.cells(), &[])).collect()
    }

    fn height(&self) -> f64 {
        if self.rows.len() <= MOST_DENSITIES {
            HEIGHT.max(ridges::height(self.rows.len()))
        } else {
            forest::height(self.rows.len())
        }
    }

    fn draw<D: DrawingBackend>(&self, canvas: &Canvas<'_, D>) -> Drawn<D> {
        if self.rows.len() <= MOST_DENSITIES {
            ridges::draw(self, canvas, self.height())
        } else {
            forest::draw(self, canvas)
        }
    }
}

/// The categories that have a share: all but those of unknown values.
fn known(release: &Document) -> Vec<usize> {
    let (mean, _) = release.best_summary();
    (0..mean.len()).filter(|&category| !mean[category].is_nan()).collect()
}

/// The laws of the shares of these categories, among all whose values are known.
fn laws(release: &Document, rows: &[CategoryRow]) -> Vec<Laws> {
    let known = known(release);
    let parameters = release.posterior().parameters.parameters();
    let marginals = release.noise_aware().map(|aware| aware.marginals());
    let all = known.len() == parameters.len();
    // Among some of its categories, a Dirichlet distribution is one again.
    let Ok(among) = Dirichlet::new(known.iter().map(|&category| parameters[category]).collect()) else {
        return Vec::new();
    };
    let shares = release.noise_aware().filter(|_| !all).and_then(|aware| {
        let block = Block::new(known.iter().map(|&category| vec![category]).collect(), Vec::new());
        Some(Shares::new(aware, &Grouping::new(parameters.len(), vec![block]).ok()?))
    });
    let aware = |category: usize, place: usize| -> Option<Box<dyn Law>> {
        match &shares {
            Some(shares) => Some(Box::new(shares.share(0, place).ok()?)),
            None if all => Some(Box::new(marginals?.get(category)?.clone())),
            None => None,
        }
    };
    let of_row = |row: &CategoryRow| {
        let place = known.iter().position(|&category| category == row.index)?;
        Some(Laws { aware: aware(row.index, place), released: among.marginal(place)? })
    };
    rows.iter().filter_map(of_row).collect()
}

/// The largest categories that have a share, in their declared order.
fn rows(release: &Document) -> Vec<CategoryRow> {
    let (mean, intervals) = release.best_summary();
    let names = release.categories_in_words().into_owned();
    let mut rows: Vec<CategoryRow> = names
        .into_iter()
        .zip(mean)
        .zip(intervals)
        .enumerate()
        .map(|(index, ((name, &mean), &interval))| CategoryRow { index, name, mean, interval })
        .filter(|row| !row.mean.is_nan())
        .collect();
    rows.sort_by(|a, b| b.mean.total_cmp(&a.mean));
    rows.truncate(MOST_ROWS);
    rows.sort_by_key(|row| row.index);
    rows
}
