//! What a report tells of a study beside its documents.

use posterity::Publication;
use posterity::document::Agreed;
use posterity::ledger::Amount;
use posterity::plan::{Asking, Plan, Requirement};
use serde::de::Error as _;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::requirement::written;

/// The words of a plan's author and the budget: all that a report needs beside the documents of the answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    pub(crate) title: String,
    pub(crate) description: Option<String>,
    /// The source, as the plan names it.
    pub(crate) source: String,
    /// The budget of all questions together, as it is shown.
    pub(crate) epsilon: f64,
    /// The delta that goes with it, as it is shown.
    pub(crate) delta: Option<f64>,
    /// The questions of each kind, in the order of the list of kinds.
    questions: Vec<(&'static Asking, Vec<OutlinedQuestion>)>,
    pub(crate) requirements: Vec<Requirement>,
}

/// One question.
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
        let of_kind = |asking: &'static Asking| {
            let questions = plan.questions().filter(|asked| asked.kind() == asking.kind);
            let outlined = questions.map(|asked| OutlinedQuestion {
                name: asked.name().to_owned(),
                title: asked.title().to_owned(),
                description: asked.description().map(ToOwned::to_owned),
                epsilon: asked.epsilon().to_f64_shown(),
            });
            (asking, outlined.collect())
        };
        Self {
            title: plan.title().to_owned(),
            description: plan.description().map(ToOwned::to_owned),
            source: plan.source().to_owned(),
            epsilon: plan.epsilon().to_f64_shown(),
            delta: plan.delta().map(Amount::to_f64_shown),
            questions: Asking::all().map(of_kind).collect(),
            requirements: plan.requirements().to_vec(),
        }
    }

    /// All questions with the kinds of their answers, in the order of the plan.
    pub(crate) fn with_kinds(&self) -> impl Iterator<Item = (&'static str, &OutlinedQuestion)> {
        self.questions.iter().flat_map(|(asking, all)| all.iter().map(move |one| (asking.kind, one)))
    }

    /// Whether one record stands for a unit in all answers.
    pub(crate) fn is_of_same_records(&self) -> bool {
        self.questions.iter().any(|(asking, all)| asking.same_records && !all.is_empty())
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

/// The questions of each kind that has any are a list of their own. That of the first kind is always there.
impl Serialize for Outline {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut all = serializer.serialize_map(None)?;
        all.serialize_entry("title", &self.title)?;
        if let Some(description) = &self.description {
            all.serialize_entry("description", description)?;
        }
        all.serialize_entry("source", &self.source)?;
        all.serialize_entry("epsilon", &self.epsilon)?;
        if let Some(delta) = &self.delta {
            all.serialize_entry("delta", delta)?;
        }
        for (index, (asking, questions)) in self.questions.iter().enumerate() {
            if index == 0 || !questions.is_empty() {
                all.serialize_entry(asking.plural, questions)?;
            }
        }
        if !self.requirements.is_empty() {
            all.serialize_entry("requirements", &self.requirements)?;
        }
        all.end()
    }
}

impl<'de> Deserialize<'de> for Outline {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Words {
            title: String,
            description: Option<String>,
            source: String,
            epsilon: f64,
            delta: Option<f64>,
            #[serde(default)]
            requirements: Vec<Requirement>,
        }
        let mut all = Map::deserialize(deserializer)?;
        let mut questions = Vec::new();
        for (index, asking) in Asking::all().enumerate() {
            let of_kind = match all.remove(asking.plural) {
                Some(listed) => serde_json::from_value(listed).map_err(D::Error::custom)?,
                None if index == 0 => return Err(D::Error::missing_field(asking.plural)),
                None => Vec::new(),
            };
            questions.push((asking, of_kind));
        }
        let words = serde_json::from_value(Value::Object(all)).map_err(D::Error::custom)?;
        let Words { title, description, source, epsilon, delta, requirements } = words;
        Ok(Self { title, description, source, epsilon, delta, questions, requirements })
    }
}
