//! The public list of the values that a record can have.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The names of the categories, declared beforehand and never learned from the data.
///
/// ```
/// use posterity_core::model::Categories;
/// let cured = Categories::new(vec!["yes".into(), "no".into()])?;
/// assert_eq!(cured.names(), ["yes", "no"]);
/// # Ok::<(), posterity_core::model::CategoriesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Categories {
    names: Vec<String>,
}

/// Why a list of names cannot be the categories.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CategoriesError {
    /// Fewer than two names.
    #[error("there are {found} categories; declare at least two")]
    TooFew {
        /// How many were given.
        found: usize,
    },
    /// A name that is empty or only white space.
    #[error("category {position} has an empty name; give every category a name", position = index + 1)]
    Empty {
        /// Position of the name, from zero.
        index: usize,
    },
    /// A name given twice.
    #[error("the category {name:?} is declared twice, at positions {} and {}; name each category once", first + 1, second + 1)]
    Repeated {
        /// The name.
        name: String,
        /// Where it stands first, from zero.
        first: usize,
        /// Where it stands again, from zero.
        second: usize,
    },
}

impl Categories {
    /// Checks that there are at least two names, none empty and none repeated.
    ///
    /// # Errors
    /// [`CategoriesError`] says which name is wrong.
    pub fn new(names: Vec<String>) -> Result<Self, CategoriesError> {
        if let Some(index) = names.iter().position(|name| name.trim().is_empty()) {
            return Err(CategoriesError::Empty { index });
        }
        let mut seen = std::collections::HashMap::new();
        for (second, name) in names.iter().enumerate() {
            if let Some(first) = seen.insert(name, second) {
                return Err(CategoriesError::Repeated { name: name.clone(), first, second });
            }
        }
        if names.len() < 2 {
            return Err(CategoriesError::TooFew { found: names.len() });
        }
        Ok(Self { names })
    }

    /// `k` categories with the names `1`, `2`, and so on, for use where no names are given.
    ///
    /// ```
    /// use posterity_core::model::Categories;
    /// assert_eq!(Categories::numbered(3)?.names(), ["1", "2", "3"]);
    /// # Ok::<(), posterity_core::model::CategoriesError>(())
    /// ```
    ///
    /// # Errors
    /// [`CategoriesError::TooFew`] for `k < 2`.
    pub fn numbered(k: usize) -> Result<Self, CategoriesError> {
        Self::new((1..=k).map(|i| i.to_string()).collect())
    }

    /// The names in their declared order.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

impl TryFrom<Vec<String>> for Categories {
    type Error = CategoriesError;

    fn try_from(names: Vec<String>) -> Result<Self, Self::Error> {
        Self::new(names)
    }
}

impl From<Categories> for Vec<String> {
    fn from(categories: Categories) -> Self {
        categories.names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn rejects() {
        let table = [
            (names(&[]), CategoriesError::TooFew { found: 0 }),
            (names(&["a"]), CategoriesError::TooFew { found: 1 }),
            (names(&["a", ""]), CategoriesError::Empty { index: 1 }),
            (names(&["a", " "]), CategoriesError::Empty { index: 1 }),
            (names(&["a", "b", "a"]), CategoriesError::Repeated { name: "a".into(), first: 0, second: 2 }),
        ];
        for (list, error) in table {
            assert_eq!(Categories::new(list), Err(error));
        }
    }

    #[test]
    fn deserialising_validates() {
        assert!(serde_json::from_str::<Categories>(r#"["a","a"]"#).is_err());
        assert_eq!(
            serde_json::from_str::<Categories>(r#"["a","b"]"#).ok(),
            Categories::new(names(&["a", "b"])).ok()
        );
    }
}
