//! What a report tells of a study beside its documents.

use posterity::document::Kind as _;
use posterity::ledger::Amount;
use posterity::plan::{Plan, Requirement};
use posterity::{Agreed, Discovered, Margins, Publication, Table};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::requirement::written;

/// The words of a plan's author and the budget: all that a report needs beside the documents of the answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outline {
    pub(crate) title: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) description: Option<String>,
    /// The source, as the plan names it.
    pub(crate) source: String,
    /// The budget of all questions together, as it is shown.
    pub(crate) epsilon: f64,
    /// The delta that goes with it, as it is shown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) delta: Option<f64>,
    pub(crate) questions: Vec<OutlinedQuestion>,
    /// The tables of many columns.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) margins: Vec<OutlinedQuestion>,
    /// The columns whose values are discovered.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) discoveries: Vec<OutlinedQuestion>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) requirements: Vec<Requirement>,
}

/// One question, or tables of many columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OutlinedQuestion {
    /// Its name, which is also that of its files.
    pub(crate) name: String,
    pub(crate) title: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) description: Option<String>,
    /// Its part of the budget, as it is shown.
    pub(crate) epsilon: f64,
}

impl Outline {
    /// The outline of a plan.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let of_kind = |kind: &'static str| {
            let questions = plan.questions().filter(move |asked| asked.kind() == kind);
            let outlined = questions.map(|asked| OutlinedQuestion {
                name: asked.name().to_owned(),
                title: asked.title().to_owned(),
                description: asked.description().map(ToOwned::to_owned),
                epsilon: asked.epsilon().to_f64_shown(),
            });
            outlined.collect()
        };
        Self {
            title: plan.title().to_owned(),
            description: plan.description().map(ToOwned::to_owned),
            source: plan.source().to_owned(),
            epsilon: plan.epsilon().to_f64_shown(),
            delta: plan.delta().map(Amount::to_f64_shown),
            questions: of_kind(Table::NAME),
            margins: of_kind(Margins::NAME),
            discoveries: of_kind(Discovered::NAME),
            requirements: plan.requirements().to_vec(),
        }
    }

    /// All questions with the kinds of their answers, in the order of the plan.
    pub(crate) fn with_kinds(&self) -> impl Iterator<Item = (&'static str, &OutlinedQuestion)> {
        let of_kinds = [
            (Table::NAME, &self.questions),
            (Margins::NAME, &self.margins),
            (Discovered::NAME, &self.discoveries),
        ];
        of_kinds.into_iter().flat_map(|(kind, questions)| questions.iter().map(move |one| (kind, one)))
    }

    /// All questions, in the order of the plan.
    pub(crate) fn all(&self) -> impl Iterator<Item = &OutlinedQuestion> {
        self.with_kinds().map(|(_, question)| question)
    }

    /// All of it, as it is written: what a plan says beside its requests.
    pub(crate) fn words(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// What the answers must be like, each as it is written.
    pub(crate) fn required(&self) -> Vec<Value> {
        self.requirements.iter().map(written).collect()
    }

    /// The plan of these words and the requests of these documents.
    pub(crate) fn agreed<'a>(&self, documents: impl Iterator<Item = &'a Publication>) -> Agreed {
        let requests: Vec<Value> = documents.map(Publication::request).collect();
        Agreed::new(&self.words(), &requests, self.required())
    }

    /// What the study is called.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }
}
