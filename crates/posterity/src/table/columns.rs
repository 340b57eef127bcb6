//! The columns that a reading uses.

use std::collections::BTreeSet;

use super::reading::Reading;

impl Reading {
    /// The names of the columns that it asks for or that its condition is on, each once.
    ///
    /// ```
    /// use posterity::Reading;
    /// let reading: Reading = "outcome | ward, outcome in {yes, no}".parse()?;
    /// assert_eq!(reading.columns().into_iter().collect::<Vec<_>>(), ["outcome", "ward"]);
    /// # Ok::<(), posterity::ReadingError>(())
    /// ```
    #[must_use]
    pub fn columns(&self) -> BTreeSet<&str> {
        let terms = self.shares_of().iter().chain(self.given()).map(|term| term.column.as_str());
        terms.chain(self.number_of().map(|(_, column)| column)).collect()
    }
}
