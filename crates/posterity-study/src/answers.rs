//! The answers to a plan, read as it asks.

use posterity::document::Agreed;
use posterity::{Contrasted, Payment, Publication, Reading, ReadingTable};
use posterity_plot::{PictureKind, PlotError, PosteriorPlot, TablePlot};
use posterity_present::Mark;

/// The most cells that a picture shows one by one. Of more, it shows the largest.
const MOST_CELLS: usize = 400;

/// All answers of a study, in the order of its questions; tables of many columns come last.
#[derive(Clone, Debug)]
pub struct Answers {
    pub(crate) answers: Vec<Answer>,
    pub(crate) payment: Payment,
}

/// The answer to one question: its release, with what was read from it.
#[derive(Clone, Debug)]
pub struct Answer {
    name: String,
    document: Publication,
    payment: Payment,
    tables: Vec<ReadingTable>,
    comparisons: Vec<Contrasted>,
}

/// The pictures of an answer, as SVG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pictures {
    /// All cells of the release, if they were declared.
    pub cells: Option<String>,
    /// One for each table that was read from it.
    pub tables: Vec<String>,
}

impl Answers {
    /// The answers.
    #[must_use]
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// The documents of all answers, each with the name of its file.
    pub fn documents(&self) -> impl Iterator<Item = (String, &Publication)> {
        self.answers.iter().map(|one| (format!("{}.json", one.name), &one.document))
    }

    /// The number of records or units, which all answers have; nothing if it is private.
    #[must_use]
    pub fn n(&self) -> Option<u64> {
        self.answers.first().and_then(|answer| answer.document.n())
    }

    /// What all of them cost together.
    #[must_use]
    pub fn payment(&self) -> &Payment {
        &self.payment
    }

    /// The plan that they belong to, as it was when the ledger charged them; nothing if no ledger did.
    #[must_use]
    pub fn agreed(&self) -> Option<&Agreed> {
        self.answers.first()?.document.provenance()?.agreed.as_ref()
    }

    /// Whether all answers are private, as a mark.
    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark::new(self.private(), self.answers.iter().find_map(|answer| answer.document.seed()))
    }

    /// Whether all of it may be published as private.
    #[must_use]
    pub fn private(&self) -> bool {
        self.answers.iter().all(|answer| answer.document.is_private())
    }
}

impl Answer {
    pub(crate) fn new(name: &str, document: &Publication, payment: &Payment) -> Self {
        if let Some(posterior) = document.posterior() {
            posterior.complete();
        }
        Self {
            name: name.to_owned(),
            tables: document.readings().into_owned(),
            comparisons: document.comparisons().into_owned(),
            document: document.clone(),
            payment: payment.clone(),
        }
    }

    /// The name of the question.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The release, with what was read from it: all that is published.
    #[must_use]
    pub fn document(&self) -> &Publication {
        &self.document
    }

    /// What it cost by itself.
    #[must_use]
    pub fn payment(&self) -> &Payment {
        &self.payment
    }

    /// What was read from it.
    #[must_use]
    pub fn tables(&self) -> &[ReadingTable] {
        &self.tables
    }

    /// What was compared.
    #[must_use]
    pub fn comparisons(&self) -> &[Contrasted] {
        &self.comparisons
    }

    /// The pictures of the release and of what was read from it, as SVG.
    ///
    /// # Errors
    /// [`PlotError`].
    pub fn pictures(&self) -> Result<Pictures, PlotError> {
        let picture =
            |table: &ReadingTable| TablePlot::new(&self.document, table, PictureKind::usual(table))?.svg();
        let cells = match (self.document.posterior(), self.cells()) {
            (None, _) => None,
            (Some(_), Some(cells)) => Some(picture(&cells)?),
            (Some(posterior), None) => Some(PosteriorPlot::new(posterior).svg()?),
        };
        let tables = self.tables.iter().map(picture).collect::<Result<_, _>>()?;
        Ok(Pictures { cells, tables })
    }

    /// All cells, if they are combinations of several columns and not too many for a picture.
    fn cells(&self) -> Option<ReadingTable> {
        let reader = self.document.posterior()?.reader().ok()?;
        let space = reader.space();
        let drawn = space.columns().len() > 1 && space.cells() <= MOST_CELLS;
        drawn.then(|| reader.read(&Reading::joint(space)).ok()).flatten()
    }
}
