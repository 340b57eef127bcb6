//! A question as it was typed. Addresses hold all of it.

use maud::{Markup, html};
use posterity::data::Encoding;
use serde::Deserialize;

use super::kind::Kind;
use crate::answers::Answers;
use crate::delimiter::Delimiter;
use crate::html;
use crate::release::nodes;
use crate::typed::Typed;

/// A question as it was typed. Of an outcome within groups, the second column has the outcome and the others the groups.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct QuestionForm {
    pub(crate) kind: Typed<Kind>,
    pub(crate) file: Typed,
    /// Whether the first line of a CSV file is said to be a header.
    pub(crate) header: Typed,
    pub(crate) delimiter: Typed<Delimiter>,
    pub(crate) encoding: Typed<Encoding>,
    pub(crate) schema: Typed,
    #[serde(flatten)]
    pub(crate) columns: Answers,
    /// The outcome that is counted; all of them if there is none.
    pub(crate) value: Typed,
    /// The groups that are compared.
    pub(crate) first: Typed,
    pub(crate) second: Typed,
    /// The column that tells people apart.
    pub(crate) unit: Typed,
    /// How large the groups are, from public sources.
    pub(crate) sizes: Typed,
    /// The address of the study that the question is to be added to.
    pub(crate) study: Typed,
}

/// The place of the outcome among the columns that are typed.
const OUTCOME: usize = 1;

impl QuestionForm {
    /// What was typed, by the names of the fields.
    pub(crate) fn pairs(&self) -> Vec<(&str, &str)> {
        let file = [
            ("kind", self.kind.get()),
            ("file", self.file.get()),
            ("header", self.header.get()),
            ("delimiter", self.delimiter.get()),
            ("encoding", self.encoding.get()),
            ("schema", self.schema.get()),
        ];
        let asked = [
            ("value", self.value.get()),
            ("first", self.first.get()),
            ("second", self.second.get()),
            ("unit", self.unit.get()),
            ("sizes", self.sizes.get()),
            ("study", self.study.get()),
        ];
        let columns = self.columns.iter().filter(|(name, _)| nodes::is_of_column(name));
        let columns = columns.map(|(name, value)| (name, Some(value)));
        let all = file.into_iter().chain(columns).chain(asked);
        all.filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// The question as it is released: an outcome within groups comes after the groups, as where a rate is asked for by the
    /// command, so that both are one question.
    pub(crate) fn as_released(&self) -> Self {
        let is_grouped = self.kind.value().ok().flatten().is_some_and(Kind::has_groups);
        let columns = self.columns.clone();
        Self {
            columns: if is_grouped { nodes::with_last(&columns, OUTCOME) } else { columns },
            ..self.clone()
        }
    }

    /// Hidden fields with all of it but these.
    pub(crate) fn hidden_but(&self, shown: &[&str]) -> Markup {
        let pairs = self.pairs().into_iter().filter(|(name, _)| !shown.contains(name));
        html! { @for (name, value) in pairs { (html::hidden(name, value)) } }
    }
}
