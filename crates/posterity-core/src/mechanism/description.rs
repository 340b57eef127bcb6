//! What there is to know about a mechanism, for people and for programs.

use std::fmt;

use serde::{Serialize, Serializer};

use super::Spec;
use super::arguments::Arguments;
use super::parameter::Parameter;
use super::spec_error::SpecError;

/// The facts of a mechanism. Each mechanism's file defines one, and [`ALL`](super::ALL) lists them.
#[derive(Clone)]
pub struct Description {
    /// The name as it is written everywhere.
    pub name: &'static str,
    /// One line on what it does and promises.
    pub summary: &'static str,
    /// Whether its guarantee is proven.
    pub private: bool,
    /// The page that has the proof, or says why there is none.
    pub proof: &'static str,
    /// Its parameters, in the order in which they are written.
    pub parameters: &'static [Parameter],
    /// Whether its scale can be set by an audit: whether `tight(..)` can be written.
    pub tunable: bool,
    /// Whether exchanging two categories exchanges their noise, and nothing else.
    pub exchangeable: bool,
    /// Whether the prior can change what it draws. Where it cannot, the same draw can be read with another prior.
    pub uses_prior: bool,
    /// Whether its releases can be decoded: whether their likelihood is known.
    pub decodable: bool,
    /// How its releases become a posterior.
    pub decoding: Decoding,
    /// The specification with the parameters that it has unless told otherwise.
    pub usual: fn() -> Spec,
    /// Reads its parameters.
    pub read: fn(&Arguments<'_>) -> Result<Spec, SpecError>,
}

/// How the releases of a mechanism become a posterior, unless someone asks for another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decoding {
    /// They are taken as they are, as in the research.
    AsPublished,
    /// They are taken as they are; advice also tries the best decoder.
    AdviceTries,
    /// They are taken as they are, as in the research; comparisons of few candidates also show the best decoder.
    ComparisonShows,
    /// They are decoded by the best decoder.
    Best,
}

impl Description {
    /// How the mechanism draws, which is the first half of its summary. The second half says what is promised.
    ///
    /// ```
    /// use posterity_core::mechanism::Mh;
    /// assert_eq!(Mh::DESCRIPTION.way(), "exponential mechanism scaled to the beta-smooth sensitivity");
    /// ```
    #[must_use]
    pub fn way(&self) -> &'static str {
        self.summary.split_once("; ").map_or(self.summary, |(way, _)| way)
    }

    /// The specification with the parameters that the mechanism has unless told otherwise.
    #[must_use]
    pub fn spec(&self) -> Spec {
        (self.usual)()
    }

    /// The parameter of that name.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }
}

/// Names are unique.
impl PartialEq for Description {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Description {}

impl std::hash::Hash for Description {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

/// The name stands for all of it.
impl fmt::Debug for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A description is written as its name.
impl Serialize for Description {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}
