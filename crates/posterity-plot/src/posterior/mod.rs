//! The picture of a release.

mod curve;
mod forest;
mod ridges;
mod signs;

use plotters::prelude::DrawingBackend;
use posterity::Document;
use posterity::number::short;
use posterity_core::noise_aware::BetaMixture;
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
    /// The posterior of each category, taking the privacy noise into account, if densities are drawn and there is one.
    aware: Option<Vec<BetaMixture>>,
    rows: Vec<CategoryRow<'a>>,
}

/// One category.
#[derive(Debug)]
pub(crate) struct CategoryRow<'a> {
    pub(crate) index: usize,
    pub(crate) name: &'a str,
    pub(crate) mean: f64,
    pub(crate) interval: [f64; 2],
}

impl<'a> PosteriorPlot<'a> {
    /// A picture of a release's document, with its noise-aware posterior where there is one.
    #[must_use]
    pub fn new(document: &'a Document) -> Self {
        let rows = rows(document);
        let aware = document.noise_aware().filter(|_| rows.len() <= MOST_DENSITIES);
        Self { document, aware: aware.map(|aware| aware.marginals().to_vec()), rows }
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
        let released = &self.document.posterior().parameters;
        let of = |row: &CategoryRow<'_>| match &self.aware {
            Some(aware) => aware.get(row.index).map(|law| line(law)),
            None => released.marginal(row.index).map(|law| line(&law)),
        };
        self.rows.iter().filter_map(of).collect()
    }

    /// Whether some names have letters that this format lacks. They are written without accents or as numbers.
    pub fn simplifies_names(&self, format: PlotFormat) -> bool {
        format == PlotFormat::Png && !self.rows.iter().all(|row| name::is_bundled(row.name))
    }

    pub(crate) fn release(&self) -> &'a Document {
        self.document
    }

    pub(crate) fn aware(&self) -> Option<&[BetaMixture]> {
        self.aware.as_deref()
    }

    pub(crate) fn rows(&self) -> &[CategoryRow<'a>] {
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
        let noise = match self.document.noise_aware() {
            Some(_) => "privacy noise included",
            None => "privacy noise not included",
        };
        let mut text = format!("{}s, {noise}", self.level());
        let all = self.document.categories().names().len();
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
        let below = below(self.document.cells(), &[]).into_iter().map(ToOwned::to_owned);
        about::lines(self.document).into_iter().chain(below).collect()
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

/// The largest categories, in their declared order.
fn rows(release: &Document) -> Vec<CategoryRow<'_>> {
    let (mean, intervals) = release.best_summary();
    let names = release.categories().names().iter();
    let mut rows: Vec<CategoryRow<'_>> = names
        .zip(mean)
        .zip(intervals)
        .enumerate()
        .map(|(index, ((name, &mean), &interval))| CategoryRow { index, name, mean, interval })
        .collect();
    rows.sort_by(|a, b| b.mean.total_cmp(&a.mean));
    rows.truncate(MOST_ROWS);
    rows.sort_by_key(|row| row.index);
    rows
}
