//! The answers to a plan, read as it asks.

use std::sync::Arc;

use posterity::mathematics::noise_aware::NoiseAware;
use posterity::{
    Contrasted, Document, Experiment, Payment, Reader, Reading, ReadingError, ReadingTable, Release, Request,
    Term,
};
use posterity_plot::{PictureKind, PlotError, PosteriorPlot, TablePlot};

use crate::plan::Asked;

/// The most cells that a picture shows one by one. Of more, it shows the largest.
const MOST_CELLS: usize = 400;

/// All answers of a study, in the order of its questions.
#[derive(Clone, Debug)]
pub struct Answers {
    pub(crate) answers: Vec<Answer>,
    pub(crate) payment: Payment,
}

/// The answer to one question: its release, and what was read from it.
#[derive(Clone, Debug)]
pub struct Answer {
    name: String,
    document: Document,
    request: Request,
    payment: Payment,
    noise_aware: Option<Arc<NoiseAware>>,
    /// All cells, if they are combinations of several columns and not too many for a picture.
    cells: Option<ReadingTable>,
}

/// The pictures of an answer, as SVG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pictures {
    /// All cells of the release.
    pub cells: String,
    /// One for each table that was read from it.
    pub tables: Vec<String>,
}

impl Answers {
    /// The answers.
    #[must_use]
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// What all of them cost together.
    #[must_use]
    pub fn payment(&self) -> &Payment {
        &self.payment
    }

    /// Whether all of it may be published as private.
    #[must_use]
    pub fn private(&self) -> bool {
        self.answers.iter().all(|answer| answer.document.private)
    }
}

impl Answer {
    pub(crate) fn of_release(asked: &Asked, release: &Release) -> Result<Self, ReadingError> {
        let answer = Self::new(asked, release.document(), release.request(), &release.reader()?)?;
        Ok(Self { payment: release.payment().clone(), ..answer })
    }

    pub(crate) fn of_experiment(asked: &Asked, drawn: &Experiment) -> Result<Self, ReadingError> {
        Self::new(asked, drawn.document(), drawn.request(), &drawn.reader()?)
    }

    fn new(
        asked: &Asked,
        document: &Document,
        request: &Request,
        reader: &Reader,
    ) -> Result<Self, ReadingError> {
        let tables = asked.readings().iter().map(|reading| reader.read(reading));
        let comparisons = asked.comparisons().iter().map(|contrast| reader.contrast(contrast));
        let columns = reader.space().columns();
        let drawn = columns.len() > 1 && reader.space().cells() <= MOST_CELLS;
        let all =
            || Reading::shares(columns.iter().map(|column| Term::each(&column.name)).collect(), Vec::new());
        let cells = drawn.then(|| reader.read(&all())).transpose()?;
        let mut document = document.clone();
        document.readings = tables.collect::<Result<Vec<_>, _>>()?.into();
        document.comparisons = comparisons.collect::<Result<Vec<_>, _>>()?.into();
        document.complete();
        Ok(Self {
            name: asked.name().to_owned(),
            document,
            request: request.clone(),
            payment: Payment::Nothing,
            noise_aware: reader.noise_aware().cloned(),
            cells,
        })
    }

    /// The name of the question.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The release, with what was read from it: all that is published.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The public terms that it answers.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// What it cost by itself.
    #[must_use]
    pub fn payment(&self) -> &Payment {
        &self.payment
    }

    /// The posterior with the privacy noise in it, if the noise can be modelled.
    #[must_use]
    pub fn noise_aware(&self) -> Option<&Arc<NoiseAware>> {
        self.noise_aware.as_ref()
    }

    /// What was read from it.
    #[must_use]
    pub fn tables(&self) -> &[ReadingTable] {
        &self.document.readings
    }

    /// What was compared.
    #[must_use]
    pub fn comparisons(&self) -> &[Contrasted] {
        &self.document.comparisons
    }

    /// The pictures of the release and of what was read from it, as SVG.
    ///
    /// # Errors
    /// [`PlotError`].
    pub fn pictures(&self) -> Result<Pictures, PlotError> {
        let picture =
            |table: &ReadingTable| TablePlot::new(&self.document, table, PictureKind::usual(table))?.svg();
        let cells = match &self.cells {
            Some(cells) => picture(cells)?,
            None => PosteriorPlot::new(&self.document, self.noise_aware.as_deref()).svg()?,
        };
        let tables = self.tables().iter().map(picture).collect::<Result<_, _>>()?;
        Ok(Pictures { cells, tables })
    }
}
