//! How the categories of a column are spelled: other spellings in the data, and words for readers.

use std::collections::{BTreeMap, BTreeSet};

use posterity_formats::letters_apart;
use thiserror::Error;

use crate::question::{Column, Domain};

/// Why the spellings of a column cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SpellingError {
    /// Aliases of what is no category.
    #[error("{category:?} has aliases and is no category; {}", known(categories, category))]
    AliasOf {
        /// What is no category.
        category: String,
        /// The categories.
        categories: Vec<String>,
    },
    /// A label of what is no category.
    #[error("{category:?} has a label and is no category; {}", known(categories, category))]
    LabelOf {
        /// What is no category.
        category: String,
        /// The categories.
        categories: Vec<String>,
    },
    /// An alias that stands twice.
    #[error("the alias {alias:?} is declared twice; declare it once, for the category that it counts as")]
    RepeatedAlias {
        /// The alias.
        alias: String,
    },
    /// An alias that is a category.
    #[error("the alias {alias:?} of {category:?} is itself a category; leave out the alias or the category")]
    AliasIsCategory {
        /// The alias.
        alias: String,
        /// What it is an alias of.
        category: String,
    },
    /// Aliases of bins.
    #[error("bins have no aliases, because numbers are compared and not spelled; leave the aliases out")]
    AliasesOfBins,
    /// A label without words.
    #[error("the label of {category:?} is empty; write what readers should see, or leave it out")]
    EmptyLabel {
        /// The category.
        category: String,
    },
    /// Two categories that readers could not tell apart.
    #[error("{first:?} and {second:?} are both shown as {label:?}; give each of them words of its own")]
    SameLabel {
        /// A category.
        first: String,
        /// Another one.
        second: String,
        /// What both are shown as.
        label: String,
    },
}

impl SpellingError {
    /// The field of a plan that is wrong.
    #[must_use]
    pub fn field(&self) -> &'static str {
        match self {
            Self::AliasOf { .. }
            | Self::RepeatedAlias { .. }
            | Self::AliasIsCategory { .. }
            | Self::AliasesOfBins => "aliases",
            Self::LabelOf { .. } | Self::EmptyLabel { .. } | Self::SameLabel { .. } => "labels",
        }
    }
}

/// What to write in the place of something that is no category.
fn known(categories: &[String], written: &str) -> String {
    let almost = |name: &&String| {
        let (name, written) = (name.to_lowercase(), written.to_lowercase());
        name == written || written.chars().count() > 3 && letters_apart(&name, &written) <= 1
    };
    let near = categories.iter().find(almost);
    match near {
        Some(near) => format!("there is one named {near:?}"),
        None => {
            let names: Vec<String> = categories.iter().map(|name| format!("{name:?}")).collect();
            format!("the categories are {}", names.join(", "))
        }
    }
}

impl Column {
    /// Checks aliases and labels: every one belongs to a category, no value of the data counts as two, and no two
    /// categories are shown by the same words.
    ///
    /// ```
    /// use posterity_count::{Column, SpellingError};
    /// let ward = Column::new("ward", ["Geriatrics", "Surgery"]).with_alias("Geriatrics", "GER");
    /// assert_eq!(ward.check_spelling(), Ok(()));
    /// let twice = ward.with_alias("Surgery", "GER").check_spelling();
    /// assert_eq!(twice, Err(SpellingError::RepeatedAlias { alias: "GER".into() }));
    /// ```
    ///
    /// # Errors
    /// [`SpellingError`].
    pub fn check_spelling(&self) -> Result<(), SpellingError> {
        if self.aliases.is_empty() && self.labels.is_empty() {
            return Ok(());
        }
        let names = self.names();
        self.check_aliases(&names)?;
        self.check_labels(&names)
    }

    fn check_aliases(&self, names: &[String]) -> Result<(), SpellingError> {
        if !self.aliases.is_empty() && matches!(self.domain, Domain::Bins(_)) {
            return Err(SpellingError::AliasesOfBins);
        }
        let mut seen = BTreeSet::new();
        for (category, aliases) in &self.aliases {
            if !names.contains(category) {
                return Err(SpellingError::AliasOf {
                    category: category.clone(),
                    categories: names.to_vec(),
                });
            }
            for alias in aliases {
                if names.contains(alias) {
                    let (alias, category) = (alias.clone(), category.clone());
                    return Err(SpellingError::AliasIsCategory { alias, category });
                }
                if !seen.insert(alias) {
                    return Err(SpellingError::RepeatedAlias { alias: alias.clone() });
                }
            }
        }
        Ok(())
    }

    fn check_labels(&self, names: &[String]) -> Result<(), SpellingError> {
        if let Some(category) = self.labels.keys().find(|category| !names.contains(category)) {
            return Err(SpellingError::LabelOf { category: category.clone(), categories: names.to_vec() });
        }
        let mut shown: BTreeMap<&str, &str> = BTreeMap::new();
        for name in names {
            let label = self.labels.get(name).unwrap_or(name);
            if label.trim().is_empty() {
                return Err(SpellingError::EmptyLabel { category: name.clone() });
            }
            if let Some(first) = shown.insert(label, name) {
                let (first, second) = (first.to_owned(), name.clone());
                return Err(SpellingError::SameLabel { first, second, label: label.clone() });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bins::Bins;

    fn column() -> Column {
        Column { missing: Some("unknown".into()), ..Column::new("ward", ["A", "B", "C"]) }
    }

    #[test]
    fn accepts() {
        let aliases = column().with_alias("A", "a").with_alias("A", "A ").with_alias("unknown", "-9");
        assert_eq!(aliases.check_spelling(), Ok(()));
        let labels = column().with_label("A", "Ward A").with_label("unknown", "not known");
        assert_eq!(labels.check_spelling(), Ok(()));
    }

    #[test]
    fn rejects() {
        let bins = Column::binned("age", Bins::new(["0", "18"]).expect("bins"));
        let categories = || ["A", "B", "C", "unknown"].map(str::to_owned).to_vec();
        let table = [
            (
                column().with_alias("D", "d"),
                SpellingError::AliasOf { category: "D".into(), categories: categories() },
            ),
            (
                column().with_label("D", "d"),
                SpellingError::LabelOf { category: "D".into(), categories: categories() },
            ),
            (
                column().with_alias("A", "x").with_alias("A", "x"),
                SpellingError::RepeatedAlias { alias: "x".into() },
            ),
            (
                column().with_alias("A", "x").with_alias("B", "x"),
                SpellingError::RepeatedAlias { alias: "x".into() },
            ),
            (
                column().with_alias("A", "B"),
                SpellingError::AliasIsCategory { alias: "B".into(), category: "A".into() },
            ),
            (
                column().with_alias("A", "unknown"),
                SpellingError::AliasIsCategory { alias: "unknown".into(), category: "A".into() },
            ),
            (bins.with_alias("[0,18)", "young"), SpellingError::AliasesOfBins),
            (column().with_label("A", " "), SpellingError::EmptyLabel { category: "A".into() }),
            (
                column().with_label("A", "first").with_label("B", "first"),
                SpellingError::SameLabel { first: "A".into(), second: "B".into(), label: "first".into() },
            ),
            (
                column().with_label("A", "C"),
                SpellingError::SameLabel { first: "A".into(), second: "C".into(), label: "C".into() },
            ),
        ];
        for (column, error) in table {
            assert_eq!(column.check_spelling(), Err(error));
        }
        let near = column().with_alias("a", "x").check_spelling().expect_err("refused").to_string();
        assert!(near.ends_with("there is one named \"A\""), "{near}");
    }
}
