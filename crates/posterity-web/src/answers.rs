//! What was typed into a form, by the names of its inputs.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What was typed into a form, by the names of its inputs. An input that was left empty is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub(crate) struct Answers(BTreeMap<String, String>);

impl Answers {
    /// What was typed; none if nothing was.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|text| !text.is_empty())
    }

    /// What was typed, or an empty text.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// Whether something was typed into one of these.
    pub(crate) fn any<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> bool {
        names.into_iter().any(|name| self.get(name).is_some())
    }

    /// The same with this text in an input.
    pub(crate) fn with(mut self, name: &str, text: impl Into<String>) -> Self {
        self.0.insert(name.to_owned(), text.into());
        self
    }

    /// All that was typed, by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| (name.as_str(), text.as_str()))
    }
}
