//! Values in definitions, checked by the types that the mathematics uses.

use posterity_core::accuracy::Metric;
use posterity_core::model::{Counts, Delta, Epsilon, Gamma};
use serde::Deserialize;

/// A budget. A decimal is exact: 0.1 is one tenth.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "f64")]
pub(crate) struct EpsilonValue(pub(crate) Epsilon);

impl TryFrom<f64> for EpsilonValue {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, Self::Error> {
        value
            .to_string()
            .parse()
            .map(Self)
            .map_err(|error: posterity_core::model::EpsilonError| error.to_string())
    }
}

/// The data: counts over the categories.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Vec<u64>")]
pub(crate) struct CountsValue(pub(crate) Counts);

impl TryFrom<Vec<u64>> for CountsValue {
    type Error = String;

    fn try_from(counts: Vec<u64>) -> Result<Self, Self::Error> {
        Counts::new(counts).map(Self).map_err(|error| error.to_string())
    }
}

impl CountsValue {
    /// The counts as the title of a panel.
    pub(crate) fn title(&self) -> String {
        let counts: Vec<String> = self.0.as_slice().iter().map(u64::to_string).collect();
        format!("({})", counts.join(", "))
    }
}

/// The smoothing of ehds.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "f64")]
pub(crate) struct GammaValue(pub(crate) Gamma);

impl TryFrom<f64> for GammaValue {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, Self::Error> {
        Gamma::new(value).map(Self).map_err(|error| error.to_string())
    }
}

/// The parameter of mh.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "f64")]
pub(crate) struct DeltaValue(pub(crate) Delta);

impl TryFrom<f64> for DeltaValue {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, Self::Error> {
        Delta::new(value).map(Self).map_err(|error| error.to_string())
    }
}

/// How a distance is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct MetricValue(pub(crate) Metric);

impl TryFrom<String> for MetricValue {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(Self)
    }
}

impl MetricValue {
    /// The label of an axis.
    pub(crate) fn label(self) -> &'static str {
        match self.0 {
            Metric::Hellinger => "Hellinger distance",
            Metric::L1 => "l1 distance",
            Metric::Kl => "KL divergence",
            Metric::Tv => "total variation",
        }
    }
}
