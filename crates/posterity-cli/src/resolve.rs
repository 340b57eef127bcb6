//! From raw arguments to checked values.

use posterity_core::mechanism::{GlobalSensitivity, Mechanism, Name, Spec};
use posterity_core::model::{Counts, Delta, Gamma, MAX_TOTAL, Prior, Setting};

use crate::args::{GlobalChoice, Inputs};
use crate::failure::Failure;

/// One mechanism and one data set.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) counts: Counts,
    pub(crate) setting: Setting,
    pub(crate) spec: Spec,
}

impl Resolved {
    /// Checks the arguments against each other.
    pub(crate) fn new(inputs: &Inputs) -> Result<Self, Failure> {
        let counts =
            Counts::new(parse_counts(&inputs.counts)?).map_err(|error| Failure::usage("--counts", error))?;
        let prior = match &inputs.prior {
            Some(prior) => prior.clone(),
            None => Prior::uniform(counts.len()).map_err(|error| Failure::usage("--prior", error))?,
        };
        let setting = Setting::new(prior, counts.total(), inputs.epsilon.clone())
            .map_err(|error| Failure::usage("--counts", error))?;
        setting.check(&counts).map_err(|error| Failure::usage("--prior", error))?;
        let global = match inputs.global_sensitivity {
            Some(GlobalChoice::Published) => GlobalSensitivity::Published,
            Some(GlobalChoice::Exact) | None => GlobalSensitivity::Exact,
        };
        let spec = Spec {
            name: inputs.mechanism,
            gamma: inputs.gamma.unwrap_or(Gamma::ONE),
            delta: inputs.delta.unwrap_or(Delta::RESEARCH),
            global,
            consistent: inputs.consistent,
        };
        note_unused(inputs);
        Ok(Self { counts, setting, spec })
    }

    /// The mechanism, or why it must not be made.
    pub(crate) fn mechanism(&self) -> Result<Box<dyn Mechanism>, Failure> {
        self.spec.build(self.setting.clone()).map_err(Failure::refused)
    }
}

/// A mechanism that does not have a parameter ignores it; the user should know.
fn note_unused(inputs: &Inputs) {
    let name = inputs.mechanism;
    let noisy = matches!(name, Name::Geometric | Name::Lshist | Name::Lsdim);
    let unused = [
        ("--gamma", inputs.gamma.is_some() && name != Name::Ehds),
        ("--delta", inputs.delta.is_some() && name != Name::Mh),
        ("--global-sensitivity", inputs.global_sensitivity.is_some() && name != Name::Ehd),
        ("--consistent", inputs.consistent && !noisy),
    ];
    for (flag, _) in unused.into_iter().filter(|(_, unused)| *unused) {
        eprintln!("note: {name} does not use {flag}");
    }
}

/// Counts are private, so an error shows only what is not a count.
fn parse_counts(text: &str) -> Result<Vec<u64>, Failure> {
    let mut counts = Vec::new();
    for (index, item) in text.split(',').enumerate() {
        let item = item.trim();
        let position = index + 1;
        if item.is_empty() || !item.bytes().all(|byte| byte.is_ascii_digit()) {
            let why = format!(
                "count {position} is {item:?}; give whole numbers, zero or more, separated by commas"
            );
            return Err(Failure::usage("--counts", why));
        }
        let count = item.parse().map_err(|_| {
            Failure::usage(
                "--counts",
                format!("count {position} is larger than {MAX_TOTAL}, the most this version takes"),
            )
        })?;
        counts.push(count);
    }
    Ok(counts)
}
