//! Mechanisms: from private counts to released counts.
//!
//! Every mechanism is one file: it holds the definition, the parameters, the guarantee, a summary for people and the
//! constructor, and exports them as one [`Description`]. The list below names it once; names, help texts, the grammar
//! of [`Spec`], pictures, advice, Python and the conformance tests read that list. Fitted to public inputs, a mechanism
//! is a value behind the trait [`Mechanism`], which knows its guarantee, states its exact output law and releases.
//!
//! | noise on counts | noise that keeps n | a table for small n and k | exponential, with a [score](crate::score) |
//! |---|---|---|---|
//! | [`lszhang`], [`lsdim`], [`lshist`], [`geometric`] | [`lattice`], [`simplex`] | [`Optimal`] | [`ehd`], [`ehds`]; at twice its epsilon: [`mhg`]; not private: [`ehdl`], [`mh`] |

mod arguments;
mod description;
mod drawing;
mod exponential;
mod far;
mod kept_scores;
mod law;
mod names;
mod noisy_counts;
mod parameter;
mod score_parameter;
mod space;
mod spec;
mod spec_error;
#[cfg(test)]
pub(crate) mod table;

pub use arguments::Arguments;
pub use description::{Decoding, Description};
pub use drawing::{Drawing, DrawingError, Last};
pub use exponential::{Exponential, Sensitivities};
pub(crate) use far::{FAR_COST, reach};
pub(crate) use law::costs;
pub use law::{LawError, Outcome, OutputLaw};
pub use names::{private, tunable};
pub use noisy_counts::NoisyCounts;
pub use parameter::{Form, Parameter, Value};
pub use space::{MAX_CANDIDATES, Space};
pub use spec::Tight;
pub use spec_error::SpecError;

use thiserror::Error;

use crate::confidence::Additive;
use crate::model::{Counts, Drawn, Epsilon, Released, Setting, SettingError};
use crate::noise::Evidence;
use crate::noise_aware::{NoiseAware, NoiseAwareError};
use crate::pulse::beat;
use crate::sampler::{BitSource, SourceError};
use crate::score::ScoreError;

/// Declares the files, the list and the specification of all mechanisms, from one line for each.
macro_rules! mechanisms {
    ($($file:ident::$definition:ident,)*) => {
        $(
            mod $file;
            pub use $file::*;
        )*

        /// All mechanisms, in the order in which people are shown them.
        pub static ALL: &[&Description] = &[$(&$definition::DESCRIPTION,)*];

        /// A mechanism with its parameters, before it is fitted to public inputs. A parameter that a mechanism does not
        /// have cannot be written down.
        ///
        /// ```
        /// use posterity_core::mechanism::{Spec, SpecError};
        /// let spec: Spec = "tight(ehds(gamma=0.5))".parse()?;
        /// assert_eq!(spec.to_string(), "tight(ehds(gamma=0.5))");
        /// assert!("lattice(gamma=0.5)".parse::<Spec>().is_err());
        /// # Ok::<(), SpecError>(())
        /// ```
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Spec {
            $(
                #[doc = concat!("The mechanism `", stringify!($file), "`.")]
                $definition($definition),
            )*
            /// A mechanism whose scale is set by an exact audit; made by [`Spec::tight`].
            Tight(Tight),
        }

        impl Spec {
            /// The mechanism's description; of a tight specification, that of the mechanism inside.
            #[must_use]
            pub fn description(&self) -> &'static Description {
                match self {
                    $(Self::$definition(_) => &$definition::DESCRIPTION,)*
                    Self::Tight(tight) => tight.inner().description(),
                }
            }

            fn definition(&self) -> &dyn Definition {
                match self {
                    $(Self::$definition(definition) => definition,)*
                    Self::Tight(tight) => tight,
                }
            }
        }

        $(
            impl From<$definition> for Spec {
                fn from(definition: $definition) -> Self {
                    Self::$definition(definition)
                }
            }
        )*
    };
}

mechanisms! {
    lattice::Lattice,
    simplex::Simplex,
    optimal::Optimal,
    geometric::Geometric,
    lshist::Lshist,
    lsdim::Lsdim,
    lszhang::Lszhang,
    ehds::Ehds,
    ehd::Ehd,
    ehdl::Ehdl,
    mh::Mh,
    mhg::Mhg,
}

/// A mechanism's parameters: what the value in its file knows.
trait Definition {
    /// The parameters with their values: all numbers and words, and the flags that are set.
    fn arguments(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    /// The mechanism for these public inputs.
    fn fit(&self, setting: Setting) -> Result<Box<dyn Mechanism>, FitError>;

    /// What it draws, and how that becomes released counts.
    fn drawing(&self) -> Drawing {
        Drawing::Candidate
    }

    /// What it promises if it is given this epsilon and is private.
    fn promised(&self, epsilon: &Epsilon) -> Epsilon {
        epsilon.clone()
    }

    /// The mechanism with the same promise that advice names in its place, because every release of it is expected
    /// nearer to the truth.
    fn advised(&self) -> Option<Spec> {
        None
    }

    /// Whether advice considers it here.
    fn suits_advice(&self, _setting: &Setting) -> bool {
        true
    }
}

/// Why a mechanism cannot be fitted to public inputs.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FitError {
    /// The published constant is too small.
    #[error(transparent)]
    PublishedConstant(#[from] PublishedConstantError),
    /// The published constant is a Hellinger distance.
    #[error(
        "the published global sensitivity is that of the score hellinger, and the score is {score}; leave out \
         global-sensitivity=published or the score"
    )]
    PublishedScore {
        /// The score.
        score: &'static str,
    },
    /// The score does not exist for these public inputs.
    #[error(transparent)]
    Score(#[from] ScoreError),
    /// The best gamma is known for tight calibration only.
    #[error("auto is for tight calibration; write tight(ehds(gamma=auto))")]
    AutoGamma,
    /// A tight scale is found by an audit.
    #[error("a tight scale is found by an audit of all data sets; fit it with calibrate::fit")]
    NeedsAudit,
    /// The mechanism publishes n, or depends on it.
    #[error(
        "{mechanism} takes the number of records for public, and it is private here; take geometric, or adjacency replace"
    )]
    PublicN {
        /// The mechanism.
        mechanism: String,
    },
    /// There are too many numbers to find before anything can be released.
    #[error(
        "the mechanism {mechanism} takes at most {max_variables} variables and {max_candidates} candidates, and this size \
         has {variables:.3e} variables or more and {candidates:.3e} candidates; take fewer records or categories, or the \
         mechanism lattice, which takes any number"
    )]
    TooLarge {
        /// The mechanism.
        mechanism: &'static str,
        /// A lower bound on the number of variables.
        variables: f64,
        /// How many are allowed.
        max_variables: usize,
        /// The number of candidates.
        candidates: f64,
        /// How many are allowed.
        max_candidates: usize,
    },
    /// The solver stopped too far from the optimum.
    #[error(
        "the solver of the mechanism optimal stopped ({status}) at an expected distance of {value}, where {lower} may be \
         possible; take an epsilon nearer to 1, or the mechanism lattice"
    )]
    Unsolved {
        /// The status that the solver reports.
        status: String,
        /// No mechanism has a smaller expected distance.
        lower: f64,
        /// The expected distance of what was found.
        value: f64,
    },
    /// Weights did not pass the exact check of privacy. Nothing is drawn from them.
    #[error(
        "the weights of the mechanism {mechanism} were refused, because {reason}; take the mechanism lattice"
    )]
    Unverified {
        /// The mechanism.
        mechanism: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// Some weights of `simplex` would be negative.
    #[error(
        "the mechanism simplex has no positive weights for {k} categories, {n} records and epsilon {epsilon}; take a larger \
         epsilon, or the mechanism lattice"
    )]
    NoPositiveWeights {
        /// The number of categories.
        k: usize,
        /// The number of records.
        n: u64,
        /// The budget.
        epsilon: f64,
    },
    /// The build has no solver.
    #[error(
        "this build has no solver for the mechanism optimal; build it with the feature limit, or take the mechanism lattice"
    )]
    NoSolver,
}

impl FitError {
    /// Whether the mechanism exists, but not for these public inputs or not in this build: another one can take its
    /// place.
    #[must_use]
    pub fn refuses_setting(&self) -> bool {
        matches!(
            self,
            Self::TooLarge { .. }
                | Self::PublicN { .. }
                | Self::Score(_)
                | Self::Unsolved { .. }
                | Self::Unverified { .. }
                | Self::NoPositiveWeights { .. }
                | Self::NoSolver
        )
    }
}

/// A rule that turns private counts into released counts at random: it draws, and what is released follows from the
/// draw.
pub trait Mechanism: std::fmt::Debug + Send + Sync {
    /// The facts of the mechanism.
    fn description(&self) -> &'static Description;

    /// The public inputs that it was made for.
    fn setting(&self) -> &Setting;

    /// What it promises to every record.
    fn guarantee(&self) -> Guarantee;

    /// The set of its outcomes.
    fn space(&self) -> Space;

    /// The logarithms of the probabilities of all outcomes at given counts, in the order of [`Mechanism::space`]: the
    /// law of what [`Mechanism::release`] really draws. Look at the size of the space first.
    ///
    /// # Errors
    /// [`SettingError`] if the counts do not fit the setting.
    fn ln_probabilities(&self, counts: &Counts) -> Result<Vec<f64>, SettingError>;

    /// What it draws, and how that becomes released counts; the same as [`Spec::drawing`].
    fn drawing(&self) -> Drawing {
        Drawing::Candidate
    }

    /// One draw, as it is. The guarantee is one of the draw, so it holds for all that follows from it.
    ///
    /// # Errors
    /// [`ReleaseError`] if the counts do not fit the setting or the random source fails.
    fn draw(&self, counts: &Counts, bits: &mut dyn BitSource) -> Result<Drawn, ReleaseError>;

    /// Several independent draws, as an experiment needs them: what can be prepared once is prepared once.
    ///
    /// # Errors
    /// As [`Mechanism::draw`].
    fn draw_many(
        &self,
        counts: &Counts,
        number: usize,
        bits: &mut dyn BitSource,
    ) -> Result<Vec<Drawn>, ReleaseError> {
        let one = |_| {
            beat();
            self.draw(counts, bits)
        };
        (0..number).map(one).collect()
    }

    /// The released counts of one draw, which need not sum to n.
    ///
    /// # Errors
    /// As [`Mechanism::draw`].
    fn release(&self, counts: &Counts, bits: &mut dyn BitSource) -> Result<Released, ReleaseError> {
        Ok(self.drawing().released(&self.draw(counts, bits)?, self.setting().n()))
    }

    /// The released counts of several independent draws.
    ///
    /// # Errors
    /// As [`Mechanism::draw`].
    fn release_many(
        &self,
        counts: &Counts,
        number: usize,
        bits: &mut dyn BitSource,
    ) -> Result<Vec<Released>, ReleaseError> {
        let drawn = self.draw_many(counts, number, bits)?;
        Ok(drawn.iter().map(|one| self.drawing().released(one, self.setting().n())).collect())
    }

    /// The noise that it adds to the counts, if that is all it does before anything is clipped.
    fn additive(&self) -> Option<Additive> {
        None
    }

    /// The likelihood of its releases, if that is a product over the categories. Exponential mechanisms have none,
    /// since their noise depends on all counts at once.
    fn likelihood(&self) -> Option<&dyn Likelihood> {
        None
    }

    /// The likelihood of its releases, if that is known but not a product over the categories.
    fn joint_likelihood(&self) -> Option<&dyn JointLikelihood> {
        None
    }

    /// Whether the likelihood of its releases is known in one way or the other.
    fn has_likelihood(&self) -> bool {
        self.likelihood().is_some() || self.joint_likelihood().is_some()
    }

    /// The mechanism as one whose scale can be set by an audit, if it is one.
    fn tunable(&self) -> Option<&Exponential> {
        None
    }

    /// The law at given counts: every outcome with its probability and its distance from the truth.
    ///
    /// # Errors
    /// [`LawError`] if the counts do not fit the setting or there are more than `limit` outcomes.
    fn law(&self, counts: &Counts, limit: u64) -> Result<OutputLaw, LawError> {
        let (setting, space) = (self.setting(), self.space());
        let outcomes = space.size(setting.k(), setting.n());
        if outcomes > limit as f64 {
            return Err(LawError::TooLarge { outcomes, limit });
        }
        Ok(OutputLaw::new(setting, space, counts.as_slice(), &self.ln_probabilities(counts)?))
    }

    /// The name of the mechanism.
    fn name(&self) -> &'static str {
        self.description().name
    }
}

/// What counts with noise say about the true ones.
pub trait Likelihood {
    /// The likelihood of the true counts, given an outcome of the mechanism: one of [`Mechanism::space`], whose counts may
    /// be clipped. Analyses that list all outcomes use it.
    fn evidence(&self, released: &Released) -> Evidence;

    /// The likelihood of the true counts, given a draw. Where clipping loses something, a draw says more than the counts
    /// that are released of it.
    fn evidence_of_draw(&self, drawn: &Drawn) -> Evidence;
}

/// What released counts say about all true counts at once.
pub trait JointLikelihood {
    /// The posterior given an outcome of the mechanism.
    ///
    /// # Errors
    /// [`NoiseAwareError`] if there are too many data sets to list, or the outcome is not one of the mechanism.
    fn posterior(&self, released: &Released) -> Result<NoiseAware, NoiseAwareError>;

    /// Computes what all outcomes need. Otherwise the first call of [`JointLikelihood::posterior`] does it. If several
    /// threads are the first, each of them does.
    fn prepare(&self) {}
}

/// What a mechanism promises.
#[derive(Clone, Debug, PartialEq)]
pub enum Guarantee {
    /// Replacing one record changes no outcome's probability by more than a factor `exp(epsilon)`.
    Pure {
        /// The bound.
        epsilon: Epsilon,
        /// How that is known.
        basis: Basis,
    },
    /// Nothing is proven.
    None {
        /// Why not.
        reason: &'static str,
    },
}

/// How a guarantee is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// A proof for all priors and data sizes.
    Proof,
    /// An exact audit of all data sets of this size under this prior.
    Audit,
}

impl Guarantee {
    /// A proven bound: the whole budget of the setting.
    #[must_use]
    pub fn proven(setting: &Setting) -> Self {
        Self::Pure { epsilon: setting.epsilon().clone(), basis: Basis::Proof }
    }
}

/// Why a release failed. Says nothing about the data.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ReleaseError {
    /// The counts do not fit.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// No random bits.
    #[error(transparent)]
    Source(#[from] SourceError),
}
