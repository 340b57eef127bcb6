//! The picture of a release.

use plotters::prelude::DrawingBackend;
use posterity::{About, Release, Request};
use posterity_core::decode::noise_aware;
use posterity_core::noise_aware::BetaMixture;

use crate::canvas::{Canvas, Drawn, HEIGHT};
use crate::curve::Law;
use crate::file::PlotFormat;
use crate::{Picture, PlotError, PlotFile, forest, name, ridges, write};
use posterity::number::short;

/// The densities of so many categories are drawn; of more, only intervals.
const MOST_DENSITIES: usize = 6;
/// Of more categories than this, the largest are drawn.
const MOST_ROWS: usize = 40;

/// What a release says about its categories. The data has no part in it: it may be shown to whoever may see the release.
#[derive(Debug)]
pub struct PosteriorPlot<'a> {
    release: &'a Release,
    /// The posterior of each category with the privacy noise in it, if densities are drawn and there is one.
    aware: Option<Vec<BetaMixture>>,
    rows: Vec<Row<'a>>,
}

/// One category.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    pub(crate) index: usize,
    pub(crate) name: &'a str,
    pub(crate) mean: f64,
    pub(crate) interval: [f64; 2],
    /// The interval of the released Dirichlet distribution, where the other one is not.
    pub(crate) released: Option<[f64; 2]>,
}

impl<'a> PosteriorPlot<'a> {
    /// A picture of a release; the request says which mechanism made it.
    pub fn new(request: &Request, release: &'a Release) -> Result<Self, PlotError> {
        let rows = rows(release);
        // Mechanisms with a noise-aware posterior are not audited first: they are there at once.
        let aware = if release.noise_aware.is_some() && rows.len() <= MOST_DENSITIES {
            let failed = |why: String| PlotError::Posterior { why };
            let mechanism = request.mechanism(&|_| ()).map_err(|error| failed(error.to_string()))?;
            let aware = noise_aware(&*mechanism, &release.released_counts)
                .map_err(|error| failed(error.to_string()))?;
            Some(aware.marginals().to_vec())
        } else {
            None
        };
        Ok(Self { release, aware, rows })
    }

    /// Writes the picture to a file.
    pub fn write(&self, file: &PlotFile) -> Result<(), PlotError> {
        write(self, file)
    }

    /// The text of the picture as SVG.
    pub fn svg(&self) -> Result<String, PlotError> {
        crate::svg(self)
    }

    /// The density of each category that is drawn, as points of a line below a finite top, in the declared order; noise-aware
    /// where the picture is.
    #[must_use]
    pub fn lines(&self) -> Vec<(Vec<f64>, Vec<f64>)> {
        let line = |law: &dyn Law| {
            let top = law.top(&(0.0..1.0));
            law.line().into_iter().map(|(x, y)| (x, y.min(top))).unzip()
        };
        let released = &self.release.posterior.parameters;
        let of = |row: &Row<'_>| match &self.aware {
            Some(aware) => aware.get(row.index).map(|law| line(law)),
            None => released.marginal(row.index).map(|law| line(&law)),
        };
        self.rows.iter().filter_map(of).collect()
    }

    /// Whether some names have letters that this format lacks: they are written without accents or as numbers.
    pub fn simplifies_names(&self, format: PlotFormat) -> bool {
        format == PlotFormat::Png && !self.rows.iter().all(|row| name::is_bundled(row.name))
    }

    pub(crate) fn release(&self) -> &'a Release {
        self.release
    }

    pub(crate) fn aware(&self) -> Option<&[BetaMixture]> {
        self.aware.as_deref()
    }

    pub(crate) fn rows(&self) -> &[Row<'a>] {
        &self.rows
    }

    /// What the intervals are called.
    pub(crate) fn level(&self) -> String {
        format!("{} % interval", self.release.posterior.percent())
    }
}

impl Picture for PosteriorPlot<'_> {
    fn title(&self) -> String {
        let Release { mechanism, epsilon, n, .. } = self.release;
        format!("Posterior · {mechanism} · epsilon {} · n {n}", short(*epsilon))
    }

    fn subtitle(&self) -> String {
        let noise = match self.release.noise_aware {
            Some(_) => "privacy noise included",
            None => "privacy noise not included",
        };
        let mut text = format!("{}s, {noise}", self.level());
        let all = self.release.posterior.mean.len();
        if self.rows.len() < all {
            text += &format!(" · the {} largest of {all} categories", self.rows.len());
        }
        match (self.release.private, self.release.seed) {
            (true, _) => text,
            (false, Some(seed)) => format!("{text} · NOT PRIVATE (seed {seed})"),
            (false, None) => format!("{text} · NOT PRIVATE (no proven guarantee)"),
        }
    }

    fn caption(&self) -> Vec<String> {
        let about = &self.release.about;
        let data = (*about != About::default()).then(|| format!("About: {}", about.data_in_words()));
        let rule = self.release.per_unit.as_ref().map(|rule| format!("Units: {rule}"));
        data.into_iter().chain(rule).collect()
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
fn rows(release: &Release) -> Vec<Row<'_>> {
    let (mean, intervals) = release.best_summary();
    let released = release.noise_aware.as_ref().map(|_| &release.posterior.intervals);
    let names = release.posterior.categories.names().iter();
    let mut rows: Vec<Row<'_>> = names
        .zip(mean)
        .zip(intervals)
        .enumerate()
        .map(|(index, ((name, &mean), &interval))| {
            let released = released.and_then(|intervals| intervals.get(index).copied());
            Row { index, name, mean, interval, released }
        })
        .collect();
    rows.sort_by(|a, b| b.mean.total_cmp(&a.mean));
    rows.truncate(MOST_ROWS);
    rows.sort_by_key(|row| row.index);
    rows
}
