//! Reads a document.

use std::sync::Arc;

use posterity_core::noise_aware::NoiseAware;

use super::contrast::Contrast;
use super::contrasted::Contrasted;
use super::error::ReadingError;
use super::reader::{Law, Reader};
use super::reading::Reading;
use super::rows::ReadingTable;
use super::space::Space;
use crate::document::Document;
use crate::terms::{Request, Terms};

impl Reader {
    /// Reads a document. The posterior is computed here, from the document alone.
    ///
    /// # Errors
    /// [`ReadingError`] if the document does not hold together.
    pub fn new(document: &Document) -> Result<Self, ReadingError> {
        let wrong = |reason: String| ReadingError::Document { reason };
        let terms = document.terms()?;
        let k = document.posterior.categories.names().len();
        if document.released_counts.len() != k {
            let found = document.released_counts.len();
            return Err(wrong(format!("it has {k} categories and {found} released counts")));
        }
        let setting = terms.setting(k, document.n).map_err(|error| wrong(error.to_string()))?;
        // A mechanism without a likelihood is not fitted: its scale may need an audit, and it is not used.
        let fitted =
            terms.spec.loose().fit(setting).ok().filter(|mechanism| mechanism.likelihood().is_some());
        let aware = match fitted {
            Some(mechanism) => {
                match posterity_core::decode::noise_aware(&*mechanism, &document.released_counts) {
                    Ok(aware) => Some(Arc::new(aware)),
                    Err(error) if error.is_too_wide() => None,
                    Err(error) => return Err(wrong(error.to_string())),
                }
            }
            None => None,
        };
        Self::of_document(document, aware.as_ref())
    }

    /// Reads a document whose posterior is at hand: the noise-aware one, or none if the noise is not modelled.
    ///
    /// # Errors
    /// [`ReadingError`] if the columns do not fit the categories.
    pub fn of_document(document: &Document, aware: Option<&Arc<NoiseAware>>) -> Result<Self, ReadingError> {
        let law = match aware {
            Some(aware) => Law::Aware(Arc::clone(aware)),
            None => Law::Plain(document.posterior.parameters.clone()),
        };
        let space = Space::of(&document.about, &document.posterior.categories)?;
        Self::of(space, law, document.posterior.level)
    }
}

/// Reading a document. Each call computes the posterior anew; [`Reader`] keeps it.
impl Document {
    /// The public terms that it says it answers.
    fn terms(&self) -> Result<Terms, ReadingError> {
        let wrong = |reason: String| ReadingError::Document { reason };
        let epsilon = self.epsilon_parameter.unwrap_or(self.epsilon);
        let spec = self.specification.as_deref().unwrap_or(&self.mechanism);
        Ok(Terms {
            prior: Some(self.prior.clone()),
            spec: spec.parse().map_err(|error| wrong(format!("{error}")))?,
            decoder: Some(self.decoder),
            level: self.posterior.level,
            ..Terms::new(epsilon.to_string().parse().map_err(|error| wrong(format!("{error}")))?)
        })
    }

    /// The request that it says it answers. Nothing is audited here.
    ///
    /// # Errors
    /// [`ReadingError::Document`] if the document does not hold together.
    pub fn request(&self) -> Result<Request, ReadingError> {
        let wrong = |reason: String| ReadingError::Document { reason };
        let k = self.posterior.categories.names().len();
        self.terms()?.request(k, self.n, &|_| ()).map_err(|error| wrong(error.to_string()))
    }

    /// Reads one table of shares or means from this document alone.
    ///
    /// # Errors
    /// [`ReadingError`].
    pub fn read(&self, reading: &Reading) -> Result<ReadingTable, ReadingError> {
        Reader::new(self)?.read(reading)
    }

    /// Compares shares, from this document alone.
    ///
    /// # Errors
    /// [`ReadingError`].
    pub fn contrast(&self, contrast: &Contrast) -> Result<Contrasted, ReadingError> {
        Reader::new(self)?.contrast(contrast)
    }
}
