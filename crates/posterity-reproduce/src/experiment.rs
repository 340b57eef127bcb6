//! The definition of an experiment.

use serde::Deserialize;

use crate::check::Check;
use crate::claim::Claim;
use crate::error::ReproduceError;
use crate::kinds::{self, ExperimentKind, Procedure, with_all_kinds};
use crate::quantifier::Quantifier;

/// An experiment: what is computed, and which claims it decides. It is read from a TOML file (docs/reproduce.md).
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    name: String,
    title: String,
    reading: String,
    group: Group,
    seed: u64,
    claims: Vec<Claim>,
    kind: ExperimentKind,
}

/// The parts of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    /// How much one record can move a posterior.
    Sensitivity,
    /// Accuracy by exact laws.
    AccuracyExact,
    /// Accuracy by simulation, as published.
    AccuracySampled,
    /// The exact privacy loss.
    Privacy,
    /// What other distances are worth as scores.
    Scores,
    /// Results that the research does not have.
    Beyond,
}

impl Group {
    /// All parts, in order.
    pub const ALL: [Self; 6] = [
        Self::Sensitivity,
        Self::AccuracyExact,
        Self::AccuracySampled,
        Self::Privacy,
        Self::Scores,
        Self::Beyond,
    ];

    /// The heading in the report.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Sensitivity => "Sensitivity",
            Self::AccuracyExact => "Accuracy, exact",
            Self::AccuracySampled => "Accuracy, sampled",
            Self::Privacy => "Privacy",
            Self::Scores => "Distances as scores",
            Self::Beyond => "Beyond the research",
        }
    }
}

macro_rules! file {
    ($($name:ident::$kind:ident,)*) => {
        /// The file as it is written. Exactly one of the kinds is given.
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            title: String,
            #[serde(default)]
            reading: String,
            group: Group,
            #[serde(default)]
            seed: u64,
            claim: Vec<Claim>,
            $($name: Option<kinds::$kind>,)*
        }

        impl File {
            /// Takes out the kinds that are given.
            fn take_kinds(&mut self) -> Vec<ExperimentKind> {
                let all = [$(self.$name.take().map(ExperimentKind::$kind),)*];
                all.into_iter().flatten().collect()
            }
        }
    };
}

with_all_kinds!(file);

impl Experiment {
    /// Reads a definition; `name` is the name of its file without the extension.
    ///
    /// # Errors
    /// [`ReproduceError::Definition`] names the file, the key and the remedy.
    pub fn from_toml(name: &str, text: &str) -> Result<Self, ReproduceError> {
        let wrong = |why: String| ReproduceError::Definition { file: format!("{name}.toml"), why };
        let mut file: File =
            toml::from_str(text).map_err(|error| wrong(error.to_string().trim_end().to_owned()))?;
        let all = ExperimentKind::NAMES.join(", ");
        let mut kinds = file.take_kinds().into_iter();
        let kind = match (kinds.next(), kinds.next()) {
            (Some(kind), None) => kind,
            (None, _) => return Err(wrong(format!("no table says what to compute; add one of {all}"))),
            (Some(_), Some(_)) => {
                return Err(wrong(format!("several tables say what to compute; keep one of {all}")));
            }
        };
        kind.procedure().check().map_err(&wrong)?;
        if file.claim.is_empty() {
            return Err(wrong("it decides no claim; add a table [[claim]]".to_owned()));
        }
        for (index, claim) in file.claim.iter().enumerate() {
            let about = |why: String| wrong(format!("claim {:?}: {why}", claim.id));
            if file.claim[..index].iter().any(|other| other.id == claim.id) {
                return Err(about("the id is used twice; give each claim its own".to_owned()));
            }
            if claim.holds.is_empty() {
                return Err(about("it has no checks; add [[claim.holds]]".to_owned()));
            }
            if claim.quantifier == Quantifier::OnAverage && !claim.holds.iter().all(Check::compares_numbers) {
                let remedy = "use below, up-to, near, value, at-most or at-least, or another quantifier";
                return Err(about(format!("averages are compared number by number; {remedy}")));
            }
            if claim.instead.is_empty() != claim.instead_holds.is_empty() {
                let remedy = "give both instead, a sentence, and instead_holds, its checks, or neither";
                return Err(about(format!("a correction needs numbers; {remedy}")));
            }
        }
        Ok(Self {
            name: name.to_owned(),
            title: file.title,
            reading: file.reading,
            group: file.group,
            seed: file.seed,
            claims: file.claim,
            kind,
        })
    }

    /// The name of its files.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it shows.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// How to read its figure.
    #[must_use]
    pub fn reading(&self) -> &str {
        &self.reading
    }

    /// The part of the report that it belongs to.
    #[must_use]
    pub fn group(&self) -> Group {
        self.group
    }

    /// The seed of its random numbers.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The claims that it decides.
    #[must_use]
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }

    pub(crate) fn procedure(&self) -> &dyn Procedure {
        self.kind.procedure()
    }
}
