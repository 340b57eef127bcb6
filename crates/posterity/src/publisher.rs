//! From counts to a release.

use posterity_core::mechanism::{Guarantee, Name, ReleaseError, Spec, SpecError};
use posterity_core::model::{Categories, Counts, LevelError, PriorError, Setting};
use posterity_core::sampler::{BitSource, SeededBits};
use thiserror::Error;

use crate::release::{GuaranteeStatement, Posterior, Release};
use crate::system_bits::SystemBits;

/// All that is public about a release.
#[derive(Clone, Debug)]
pub struct Request {
    /// Prior, number of records and budget.
    pub setting: Setting,
    /// The mechanism.
    pub spec: Spec,
    /// The names of the categories.
    pub categories: Categories,
    /// The probability of the reported intervals.
    pub level: f64,
    /// Whether a mechanism without a proven guarantee may be used; its release is marked not private.
    pub allow_unproven: bool,
}

/// Where the randomness comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Randomness {
    /// The operating system.
    System,
    /// A seed that anyone may know: for experiments. The release is marked not private.
    Seed(u64),
}

/// Why nothing was released. Says nothing about the data.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PublishError {
    /// The mechanism promises nothing, and that was not asked for.
    #[error("{mechanism} has no proven privacy guarantee, because {reason}")]
    Unproven {
        /// The mechanism.
        mechanism: Name,
        /// Why nothing is proven.
        reason: &'static str,
    },
    /// The names do not fit the prior.
    #[error(
        "there are {categories} category names for {prior} prior parameters; give one name per parameter"
    )]
    Names {
        /// How many names there are.
        categories: usize,
        /// How many parameters the prior has.
        prior: usize,
    },
    /// The mechanism does not go with the setting.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The interval level is no probability.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// The draw failed.
    #[error(transparent)]
    Release(#[from] ReleaseError),
    /// The released counts do not fit the prior; cannot happen for counts from a mechanism.
    #[error(transparent)]
    Posterior(#[from] PriorError),
}

/// Draws once and writes the release document.
///
/// Everything that can be refused is refused before the draw.
///
/// # Errors
/// [`PublishError`]; then nothing was released.
pub fn publish(request: &Request, counts: &Counts, randomness: Randomness) -> Result<Release, PublishError> {
    let Request { setting, spec, categories, level, allow_unproven } = request;
    if categories.names().len() != setting.k() {
        return Err(PublishError::Names { categories: categories.names().len(), prior: setting.k() });
    }
    if !(*level > 0.0 && *level < 1.0) {
        return Err(LevelError { value: *level }.into());
    }
    let mechanism = spec.build(setting.clone())?;
    let guarantee = mechanism.guarantee();
    if let Guarantee::None { reason } = guarantee
        && !allow_unproven
    {
        return Err(PublishError::Unproven { mechanism: spec.name, reason });
    }
    let mut system;
    let mut seeded;
    let bits: &mut dyn BitSource = match randomness {
        Randomness::System => {
            system = SystemBits::new();
            &mut system
        }
        Randomness::Seed(seed) => {
            seeded = SeededBits::new(seed);
            &mut seeded
        }
    };
    let released = mechanism.release(counts, bits)?;
    let parameters = setting.prior().posterior(&released)?;
    let proven = matches!(guarantee, Guarantee::Pure { .. });
    let seed = match randomness {
        Randomness::System => None,
        Randomness::Seed(seed) => Some(seed),
    };
    Ok(Release {
        mechanism: spec.name.to_string(),
        prior: setting.prior().clone(),
        n: setting.n(),
        epsilon: setting.epsilon().to_f64(),
        delta: if spec.name == Name::Mh { spec.delta.value() } else { 0.0 },
        gamma: (spec.name == Name::Ehds).then(|| spec.gamma.value()),
        guarantee: GuaranteeStatement::new(spec.name, &guarantee),
        posterior: Posterior {
            categories: categories.clone(),
            mean: parameters.mean(),
            intervals: parameters.intervals(*level)?,
            level: *level,
            parameters,
        },
        private: proven && seed.is_none(),
        notes: notes(proven, seed),
        seed,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

fn notes(proven: bool, seed: Option<u64>) -> Vec<String> {
    let mut notes = vec![
        "The intervals are those of the released posterior. They do not include the privacy noise, so they cover the \
         truth less often than their level says; the smaller n and epsilon, the less often."
            .to_owned(),
    ];
    if let Some(seed) = seed {
        notes.push(format!("Drawn from seed {seed}: anyone can repeat the noise, so nothing is protected."));
    }
    if !proven {
        notes.push("The mechanism has no proven guarantee: do not publish this as private.".to_owned());
    }
    notes
}

#[cfg(test)]
mod tests {
    use posterity_core::model::{Epsilon, Prior};

    use super::*;
    use crate::release::Promise;

    fn request(name: Name) -> Request {
        let prior = Prior::uniform(2).expect("valid");
        Request {
            setting: Setting::new(prior, 90, Epsilon::from_f64(1.0).expect("positive")).expect("valid"),
            spec: Spec::new(name),
            categories: Categories::new(vec!["yes".into(), "no".into()]).expect("valid"),
            level: 0.95,
            allow_unproven: false,
        }
    }

    fn counts() -> Counts {
        Counts::new(vec![48, 42]).expect("valid")
    }

    #[test]
    fn only_a_proven_mechanism_with_the_systems_randomness_is_private() {
        for name in Name::ALL {
            let proven = !matches!(name, Name::Ehdl | Name::Mh);
            let request = Request { allow_unproven: true, ..request(name) };
            let system = publish(&request, &counts(), Randomness::System).expect("released");
            assert_eq!(system.private, proven, "{name}");
            let seeded = publish(&request, &counts(), Randomness::Seed(1)).expect("released");
            assert!(!seeded.private, "{name}");
            assert_eq!(seeded.guarantee.kind == Promise::Pure, proven, "{name}");
        }
    }

    #[test]
    fn unproven_mechanisms_are_refused() {
        for name in [Name::Ehdl, Name::Mh] {
            let error = publish(&request(name), &counts(), Randomness::System).expect_err("refused");
            assert!(matches!(error, PublishError::Unproven { .. }), "{error}");
        }
    }

    #[test]
    fn a_seed_repeats_and_the_system_does_not() {
        let request = Request { setting: wide(), ..request(Name::Geometric) };
        let draw =
            |randomness| publish(&request, &counts(), randomness).expect("released").posterior.parameters;
        assert_eq!(draw(Randomness::Seed(4)), draw(Randomness::Seed(4)));
        // Noise of scale 100 clipped to 0..=90 has 91 outcomes: 40 draws that all agree have probability below 1e-9.
        let first = draw(Randomness::System);
        assert!((0..40).any(|_| draw(Randomness::System) != first));
    }

    fn wide() -> Setting {
        let epsilon = "0.01".parse().expect("positive");
        Setting::new(Prior::uniform(2).expect("valid"), 90, epsilon).expect("valid")
    }

    /// The document survives a round trip, and holds no private number: the same request on other data with the same
    /// released counts gives the same document.
    #[test]
    fn the_document_depends_on_the_data_only_through_the_released_counts() {
        let request = request(Name::Geometric);
        let documents: Vec<Release> = (0..200)
            .flat_map(|seed| [vec![48, 42], vec![47, 43]].map(|counts| (seed, counts)))
            .map(|(seed, counts)| {
                let counts = Counts::new(counts).expect("valid");
                let release = publish(&request, &counts, Randomness::Seed(seed)).expect("released");
                Release { seed: None, notes: vec![], ..release }
            })
            .collect();
        let mut by_parameters = std::collections::HashMap::new();
        for document in documents {
            let text = serde_json::to_string(&document).expect("serialises");
            assert_eq!(serde_json::from_str::<Release>(&text).expect("reads back"), document);
            let key = format!("{:?}", document.posterior.parameters);
            assert_eq!(*by_parameters.entry(key).or_insert_with(|| text.clone()), text);
        }
    }

    #[test]
    fn bad_requests_are_refused() {
        let three = Categories::numbered(3).expect("valid");
        let names =
            publish(&Request { categories: three, ..request(Name::Ehds) }, &counts(), Randomness::System);
        assert_eq!(names, Err(PublishError::Names { categories: 3, prior: 2 }));
        for level in [0.0, 1.0, f64::NAN] {
            let error = publish(&Request { level, ..request(Name::Ehds) }, &counts(), Randomness::System);
            assert!(matches!(error, Err(PublishError::Level(_))), "{level}");
        }
        let other = Counts::new(vec![1, 2]).expect("valid");
        assert!(matches!(
            publish(&request(Name::Ehds), &other, Randomness::System),
            Err(PublishError::Release(_))
        ));
    }
}
