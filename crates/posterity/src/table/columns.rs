//! The columns that a reading uses.

use std::collections::BTreeSet;

use super::reading::Reading;
use super::term::Term;

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
        terms.chain(self.mean_of()).collect()
    }

    /// The same reading of columns that are named by their position.
    pub(crate) fn with_numbered_columns(&self, columns: &[&str]) -> Self {
        let number = |name: &str| match columns.iter().position(|column| *column == name) {
            Some(position) => position.to_string(),
            None => name.to_owned(),
        };
        let terms = |terms: &[Term]| {
            let term = |term: &Term| Term { column: number(&term.column), selection: term.selection.clone() };
            terms.iter().map(term).collect::<Vec<_>>()
        };
        match self.mean_of() {
            Some(column) => Self::mean(number(column), terms(self.given())),
            None => Self::shares(terms(self.shares_of()), terms(self.given())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_by_their_position() {
        let numbered = |text: &str| {
            let reading: Reading = text.parse().expect("valid");
            reading.with_numbered_columns(&["ward", "cured"]).to_string()
        };
        assert_eq!(numbered("cured=yes | ward"), "1=yes | 0");
        assert_eq!(numbered("mean(cured) | ward"), "mean(1) | 0");
    }
}
