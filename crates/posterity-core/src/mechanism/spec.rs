//! Mechanisms by name.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

use super::{
    Exponential, GlobalSensitivity, Lattice, Mechanism, NoisyCounts, PublishedConstantError, ehd, ehdl, ehds,
    geometric, lattice, lsdim, lshist, lszhang, mh,
};
use crate::model::{Delta, Gamma, Setting};

/// The name of a mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "each is documented at the function of the same name")]
pub enum Name {
    Lszhang,
    Lsdim,
    Lshist,
    Ehd,
    Ehdl,
    Ehds,
    Mh,
    Geometric,
    Lattice,
}

/// There is no mechanism of that name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no mechanism {name:?}; choose one of {}", Name::ALL.map(Name::as_str).join(", "))]
pub struct UnknownName {
    /// The name.
    pub name: String,
}

impl Name {
    /// All mechanisms.
    pub const ALL: [Self; 9] = [
        Self::Lattice,
        Self::Geometric,
        Self::Lshist,
        Self::Lsdim,
        Self::Lszhang,
        Self::Ehds,
        Self::Ehd,
        Self::Ehdl,
        Self::Mh,
    ];

    /// The name as it is written everywhere.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lszhang => "lszhang",
            Self::Lsdim => "lsdim",
            Self::Lshist => "lshist",
            Self::Ehd => "ehd",
            Self::Ehdl => "ehdl",
            Self::Ehds => "ehds",
            Self::Mh => "mh",
            Self::Geometric => "geometric",
            Self::Lattice => "lattice",
        }
    }

    /// Whether it is one of the exponential mechanisms, which have a scale to calibrate.
    #[must_use]
    pub fn is_exponential(self) -> bool {
        matches!(self, Self::Ehd | Self::Ehdl | Self::Ehds | Self::Mh)
    }

    /// Whether its last count is what the others leave of n, so that there is a consistent variant.
    #[must_use]
    pub fn has_consistent_variant(self) -> bool {
        matches!(self, Self::Geometric | Self::Lshist | Self::Lsdim)
    }

    /// One line on what it does and promises.
    #[must_use]
    pub fn summary(self) -> &'static str {
        match self {
            Self::Lattice => "noise that moves records between categories, for any k; epsilon-DP",
            Self::Lszhang => "floored Laplace noise of scale 2k/epsilon on every count; epsilon-DP",
            Self::Lsdim => "floored Laplace noise of scale k/epsilon on all counts but the last; epsilon-DP",
            Self::Lshist => "floored Laplace noise of scale 1/epsilon (k = 2) or 2/epsilon; epsilon-DP",
            Self::Geometric => "two-sided geometric noise on all counts but the last; epsilon-DP",
            Self::Ehd => "exponential mechanism scaled to the global Hellinger sensitivity; epsilon-DP",
            Self::Ehds => "exponential mechanism scaled to the gamma-smooth sensitivity; epsilon-DP",
            Self::Ehdl => "exponential mechanism scaled to the local sensitivity; NOT private, a benchmark",
            Self::Mh => "exponential mechanism scaled to the beta-smooth sensitivity; NO proven guarantee",
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Name {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|name| name.as_str() == text);
        known.ok_or_else(|| UnknownName { name: text.to_owned() })
    }
}

/// A mechanism with its parameters, before it is fitted to a setting. A parameter that the mechanism does not have is
/// ignored.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Which mechanism.
    pub name: Name,
    /// For ehds.
    pub gamma: Gamma,
    /// For mh.
    pub delta: Delta,
    /// For ehd.
    pub global: GlobalSensitivity,
    /// For lsdim, lshist and geometric: cut the counts so that they sum to n.
    pub consistent: bool,
}

/// Why a mechanism cannot be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SpecError {
    /// The published constant is too small.
    #[error(transparent)]
    PublishedConstant(#[from] PublishedConstantError),
}

impl Spec {
    /// The mechanism with the parameters that the research uses.
    #[must_use]
    pub fn new(name: Name) -> Self {
        Self {
            name,
            gamma: Gamma::ONE,
            delta: Delta::RESEARCH,
            global: GlobalSensitivity::Exact,
            consistent: false,
        }
    }

    /// Gamma, if the mechanism has one.
    #[must_use]
    pub fn gamma_used(&self) -> Option<f64> {
        (self.name == Name::Ehds).then(|| self.gamma.value())
    }

    /// The parameter delta, if the mechanism has one.
    #[must_use]
    pub fn delta_used(&self) -> Option<f64> {
        (self.name == Name::Mh).then(|| self.delta.value())
    }

    /// The exponential mechanism of that name fitted to public inputs, or nothing if it is of the other family.
    ///
    /// # Errors
    /// [`SpecError`] if the two do not go together.
    pub fn build_exponential(&self, setting: Setting) -> Result<Option<Exponential>, SpecError> {
        Ok(match self.family(setting)? {
            Family::Exponential(mechanism) => Some(mechanism),
            Family::NoisyCounts(_) | Family::Lattice(_) => None,
        })
    }

    /// Fits the mechanism to public inputs.
    ///
    /// # Errors
    /// [`SpecError`] if the two do not go together.
    pub fn build(&self, setting: Setting) -> Result<Box<dyn Mechanism>, SpecError> {
        Ok(match self.family(setting)? {
            Family::Exponential(mechanism) => Box::new(mechanism),
            Family::NoisyCounts(mechanism) => Box::new(mechanism),
            Family::Lattice(mechanism) => Box::new(mechanism),
        })
    }

    fn family(&self, setting: Setting) -> Result<Family, SpecError> {
        Ok(match self.name {
            Name::Lszhang => Family::NoisyCounts(lszhang(setting)),
            Name::Lsdim => Family::NoisyCounts(lsdim(setting, self.consistent)),
            Name::Lshist => Family::NoisyCounts(lshist(setting, self.consistent)),
            Name::Lattice => Family::Lattice(lattice(setting)),
            Name::Geometric => Family::NoisyCounts(geometric(setting, self.consistent)),
            Name::Ehd => Family::Exponential(ehd(setting, self.global)?),
            Name::Ehdl => Family::Exponential(ehdl(setting)),
            Name::Ehds => Family::Exponential(ehds(setting, self.gamma)),
            Name::Mh => Family::Exponential(mh(setting, self.delta)),
        })
    }
}

/// A mechanism of any family.
enum Family {
    Lattice(Lattice),
    NoisyCounts(NoisyCounts),
    Exponential(Exponential),
}
