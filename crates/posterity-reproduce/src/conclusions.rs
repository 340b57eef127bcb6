//! The conclusions of the research, one by one.

use serde::Deserialize;

use crate::claim::Decision;
use crate::error::ReproduceError;
use crate::run::ExperimentResult;
use crate::verdict::Verdict;

/// All conclusions.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conclusions {
    /// In the order of the report.
    #[serde(rename = "conclusion")]
    pub all: Vec<Conclusion>,
}

/// A conclusion, and the claims that decide it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conclusion {
    /// What is concluded.
    pub text: String,
    /// Where it is concluded.
    pub source: String,
    /// The claims that decide it, as `experiment/id`: with the law and the distance of the definitions.
    pub decided_by: Vec<String>,
    /// The claims that decide it with the distance of the published pictures.
    #[serde(default)]
    pub as_drawn: Vec<String>,
    /// Why there are none.
    #[serde(default)]
    pub not_drawn: String,
    /// The claims that decide it with the law that some sections print, where one does.
    #[serde(default)]
    pub as_printed: Vec<String>,
}

impl Conclusions {
    /// Reads the list.
    ///
    /// # Errors
    /// [`ReproduceError::Definition`] names the file, the line and the key.
    pub fn from_toml(file: &str, text: &str) -> Result<Self, ReproduceError> {
        toml::from_str(text)
            .map_err(|error| ReproduceError::Definition { file: file.to_owned(), why: error.to_string() })
    }
}

impl Conclusion {
    /// The decisions of some claims, with the names of their experiments. Experiments that were not run are left out.
    #[must_use]
    pub fn decisions<'o>(
        results: &'o [ExperimentResult],
        references: &[String],
    ) -> Vec<(&'o str, &'o Decision)> {
        let find = |reference: &String| {
            let (name, id) = reference.split_once('/')?;
            let result = results.iter().find(|result| result.name == name)?;
            let decision = result.decisions.iter().find(|decision| decision.claim.id == id)?;
            Some((result.name.as_str(), decision))
        };
        references.iter().filter_map(find).collect()
    }

    /// Confirmed if all its claims are, refuted if all are, and refined if some hold and some fail, in whole or in
    /// part; otherwise undecided. None if not all its experiments were run.
    #[must_use]
    pub fn verdict(&self, results: &[ExperimentResult]) -> Option<Verdict> {
        Self::verdict_of(results, &self.decided_by)
    }

    /// The same of other claims, such as those with the distance of the pictures.
    #[must_use]
    pub fn verdict_of(results: &[ExperimentResult], references: &[String]) -> Option<Verdict> {
        let decisions = Self::decisions(results, references);
        let count = |verdict| decisions.iter().filter(|(_, one)| one.verdict == verdict).count();
        let [confirmed, refined, refuted, undecided] = Verdict::ALL.map(count);
        (decisions.len() == references.len() && !decisions.is_empty())
            .then(|| Verdict::of(confirmed + refined, refuted + refined, undecided))
    }
}
