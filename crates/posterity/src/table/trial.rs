//! Whether a reading can be made, before there is a release.

use posterity_core::model::Dirichlet;

use super::contrast::Contrast;
use super::error::ReadingError;
use super::reader::{Law, Reader};
use super::reading::Reading;
use super::space::Space;
use super::ways::Ways;

impl Space {
    /// Checks that a release with these cells has what a reading asks for. No data is needed.
    ///
    /// ```
    /// use posterity::ReadingError;
    /// use posterity::table::{Space, SpaceColumn};
    /// let space = Space::new(vec![SpaceColumn::new("ward", ["A", "B"])]);
    /// assert_eq!(space.check(&"ward=A".parse()?), Ok(()));
    /// assert!(matches!(space.check(&"ward=C".parse()?), Err(ReadingError::UnknownValue { .. })));
    /// # Ok::<(), ReadingError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Reader::read`].
    pub fn check(&self, reading: &Reading) -> Result<(), ReadingError> {
        // Whether a release has counts depends on its mechanism.
        if reading.is_count() {
            return reading.check(self);
        }
        self.trial()?.read(reading).map(|_| ())
    }

    /// Whether a comparison can be made.
    ///
    /// # Errors
    /// As [`Reader::contrast`].
    pub fn check_contrast(&self, contrast: &Contrast) -> Result<(), ReadingError> {
        self.trial()?.contrast(contrast).map(|_| ())
    }

    /// A reader of a uniform posterior, with few draws: what cannot be read from it cannot be read from any.
    fn trial(&self) -> Result<Reader, ReadingError> {
        let uniform = Dirichlet::new(vec![1.0; self.all_cells()]);
        let uniform = uniform.map_err(|error| ReadingError::Document { reason: error.to_string() })?;
        let ways = Ways::new(0.95)?;
        Ok(Reader { draws: 16, ..Reader::new(self.clone(), Law::Plain(uniform), ways)? })
    }
}
