//! What is typed before a plan.

use posterity::data::Domain;
use posterity::{Adjacency, Epsilon};
use serde::Deserialize;

use crate::known::Known;
use crate::plan::PlanForm;
use crate::question::{Question, QuestionForm};
use crate::release::nodes;
use crate::typed::Typed;

/// A question, and what is expected of the data.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct AskForm {
    #[serde(flatten)]
    pub(super) question: QuestionForm,
    pub(super) n: Typed,
    /// The half-width to bear in percentage points.
    #[serde(rename = "w")]
    pub(super) width: Typed,
    /// What the plan asks, kept for those who come back from it.
    pub(super) adjacency: Typed<Adjacency>,
    #[serde(rename = "e")]
    pub(super) epsilon: Typed<Epsilon>,
    pub(super) shape: Typed,
    /// Whether to go on to the plan.
    pub(super) go: Typed,
}

impl AskForm {
    /// The plan for the question, with the values that a schema or a type declares, or what is wrong with it.
    pub(super) fn plan(&self, known: &Known) -> Result<PlanForm, String> {
        let mut question = self.question.clone();
        question.file.get().ok_or("Choose a file.")?;
        for (place, name) in nodes::named(&self.question.columns) {
            let Some(domain) = known.domain(name) else { continue };
            check_commas(name, domain)?;
            let (field, other, declared) = match domain {
                Domain::Values(values) => ("categories", "bins", values.join(", ")),
                Domain::Bins(bins) => ("bins", "categories", bins.edges().join(", ")),
            };
            let columns = question.columns.with(&format!("{field}{place}"), declared);
            let columns = columns.with(&format!("{other}{place}"), "");
            // A plan takes more from a schema than the values, such as their aliases.
            let schema = known.schema_of(name);
            question.schema = schema.map_or_else(|| question.schema.clone(), Into::into);
            question.columns = columns
                .with(&format!("{}{place}", nodes::OF_SCHEMA), if schema.is_some() { "yes" } else { "" });
        }
        Question::new(&question)?;
        let n = self.n.get().ok_or("Give the number of people or records, from a public source.")?.into();
        let usual = PlanForm::default();
        let epsilon = if self.epsilon.is_empty() { usual.epsilon.clone() } else { self.epsilon.clone() };
        let (width, adjacency, shape) = (self.width.clone(), self.adjacency.clone(), self.shape.clone());
        Ok(PlanForm { question, n, width, adjacency, epsilon, shape, ..usual })
    }
}

/// Refuses declared values that a field with commas between them cannot hold.
fn check_commas(name: &str, domain: &Domain) -> Result<(), String> {
    let Domain::Values(values) = domain else { return Ok(()) };
    match values.iter().find(|value| value.contains([',', '\n'])) {
        None => Ok(()),
        Some(value) => Err(format!(
            "Column {name:?} has the value {value:?}. Values with commas cannot be asked for here. Use `posterity release --schema`."
        )),
    }
}
