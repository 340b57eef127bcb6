//! What a publisher gives back: a release, or an experiment.

use std::fmt;
use std::sync::Arc;

use posterity_core::noise_aware::NoiseAware;
use posterity_ledger::Amount;

use crate::document::Document;
use crate::interpretation::Interpretation;
use crate::table::{Contrast, Contrasted, Reader, Reading, ReadingError, ReadingTable};
use crate::terms::Request;

/// A release: the document to publish, what it cost, and its noise-aware posterior.
///
/// ```
/// use posterity::{Data, Publisher};
/// let data = Data::counts([("yes", 48), ("no", 42)])?;
/// let release = Publisher::new("1".parse()?).publish(&data)?;
/// assert!(release.document().private);
/// println!("{release}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Release {
    document: Document,
    interpretation: Interpretation,
    request: Request,
    payment: Payment,
}

/// The result of a seeded draw; see [`Publisher::experiment`](crate::Publisher::experiment). Anyone can repeat it, so it is
/// never private and never charged.
#[derive(Clone, Debug)]
pub struct Experiment {
    document: Document,
    interpretation: Interpretation,
    request: Request,
}

/// What a release cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payment {
    /// No ledger was used.
    Nothing,
    /// The ledger had the answer, and nothing was charged.
    Recalled,
    /// The account was charged.
    Charged {
        /// The epsilon that was charged.
        epsilon: Amount,
        /// What the account has left.
        remaining: Amount,
    },
}

impl Release {
    pub(crate) fn new(
        document: Document,
        interpretation: Interpretation,
        request: Request,
        payment: Payment,
    ) -> Self {
        Self { document, interpretation, request, payment }
    }

    /// The document: all that is published.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The public terms that it answers.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// What was paid.
    #[must_use]
    pub fn payment(&self) -> &Payment {
        &self.payment
    }

    /// Reads the release: shares and means of its columns. It costs nothing.
    ///
    /// ```
    /// use posterity::{Data, Publisher};
    /// let data = Data::counts([("A", 30), ("B", 20), ("C", 50)])?;
    /// let release = Publisher::new("1".parse()?).publish(&data)?;
    /// let table = release.read(&"category in {A, B}".parse()?)?;
    /// let [low, high] = table.rows[0].interval;
    /// assert!(low < table.rows[0].mean && table.rows[0].mean < high);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadingError`] if there is no such column or value.
    pub fn read(&self, reading: &Reading) -> Result<ReadingTable, ReadingError> {
        self.reader()?.read(reading)
    }

    /// Compares shares of the release. It costs nothing.
    ///
    /// # Errors
    /// As [`Release::read`].
    pub fn contrast(&self, contrast: &Contrast) -> Result<Contrasted, ReadingError> {
        self.reader()?.contrast(contrast)
    }

    /// Reads the release with another level or other draws.
    ///
    /// # Errors
    /// [`ReadingError`] if the columns do not fit the categories.
    pub fn reader(&self) -> Result<Reader, ReadingError> {
        Reader::of_document(&self.document, self.noise_aware())
    }

    /// The posterior with the privacy noise in it, if the noise can be modelled. It follows from the document alone, and is
    /// computed when it is first asked for.
    #[must_use]
    pub fn noise_aware(&self) -> Option<&Arc<NoiseAware>> {
        self.interpretation.noise_aware()
    }
}

impl Experiment {
    pub(crate) fn new(document: Document, interpretation: Interpretation, request: Request) -> Self {
        Self { document, interpretation, request }
    }

    /// The document, which says that it is not private.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// As [`Release::request`].
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// As [`Release::read`].
    ///
    /// # Errors
    /// As [`Release::read`].
    pub fn read(&self, reading: &Reading) -> Result<ReadingTable, ReadingError> {
        self.reader()?.read(reading)
    }

    /// As [`Release::contrast`].
    ///
    /// # Errors
    /// As [`Release::read`].
    pub fn contrast(&self, contrast: &Contrast) -> Result<Contrasted, ReadingError> {
        self.reader()?.contrast(contrast)
    }

    /// As [`Release::reader`].
    ///
    /// # Errors
    /// As [`Release::reader`].
    pub fn reader(&self) -> Result<Reader, ReadingError> {
        Reader::of_document(&self.document, self.noise_aware())
    }

    /// As [`Release::noise_aware`].
    #[must_use]
    pub fn noise_aware(&self) -> Option<&Arc<NoiseAware>> {
        self.interpretation.noise_aware()
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.document.fmt(f)
    }
}

impl fmt::Display for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.document.fmt(f)
    }
}
