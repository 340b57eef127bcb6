//! What a release promises, as numbers.

use posterity_core::mechanism::{Basis, Guarantee};
use posterity_core::model::{Adjacency, Epsilon};
use serde::{Deserialize, Serialize};

/// The promise of a release: to whom, and how much. Nothing may be promised at all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Form", into = "Form")]
pub struct Promised {
    adjacency: Adjacency,
    unit: String,
    bound: Option<(Epsilon, Basis)>,
}

/// A promise as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    adjacency: Adjacency,
    /// `record`, or the column of the unit.
    unit: String,
    /// The exact epsilon; absent where nothing is promised.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    epsilon: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    delta: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    basis: Option<Known>,
}

/// How a promise is known, as it is written.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Known {
    Proof,
    Audit,
}

impl Promised {
    /// What a mechanism promises to each record, or to each unit. A draw from a seed promises nothing.
    pub(crate) fn new(
        guarantee: &Guarantee,
        adjacency: Adjacency,
        unit: Option<&str>,
        seed: Option<u64>,
    ) -> Self {
        let bound = match guarantee {
            Guarantee::Pure { epsilon, basis } if seed.is_none() => Some((epsilon.clone(), *basis)),
            Guarantee::Pure { .. } | Guarantee::None { .. } => None,
        };
        Self { adjacency, unit: unit.unwrap_or("record").to_owned(), bound }
    }

    /// Which data sets must look alike.
    #[must_use]
    pub fn adjacency(&self) -> Adjacency {
        self.adjacency
    }

    /// What is protected: `record`, or the column whose values are the units.
    #[must_use]
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// The promised epsilon; none if nothing is promised.
    #[must_use]
    pub fn epsilon(&self) -> Option<&Epsilon> {
        self.bound.as_ref().map(|(epsilon, _)| epsilon)
    }

    /// How the promise is known.
    pub(crate) fn basis(&self) -> Option<Basis> {
        self.bound.as_ref().map(|(_, basis)| *basis)
    }
}

impl TryFrom<Form> for Promised {
    type Error = String;

    fn try_from(form: Form) -> Result<Self, String> {
        let Form { adjacency, unit, epsilon, delta, basis } = form;
        let bound = match (epsilon, delta.as_deref(), basis) {
            (None, None, None) => None,
            (Some(epsilon), Some("0"), Some(basis)) => {
                let basis = match basis {
                    Known::Proof => Basis::Proof,
                    Known::Audit => Basis::Audit,
                };
                Some((epsilon.parse().map_err(|error| format!("{error}"))?, basis))
            }
            _ => return Err("a promise has epsilon, delta = 0 and a basis, or none of them".to_owned()),
        };
        Ok(Self { adjacency, unit, bound })
    }
}

impl From<Promised> for Form {
    fn from(promised: Promised) -> Self {
        let (epsilon, basis) = promised.bound.unzip();
        Self {
            adjacency: promised.adjacency,
            unit: promised.unit,
            delta: epsilon.is_some().then(|| "0".to_owned()),
            epsilon: epsilon.map(|epsilon| epsilon.rational().to_string()),
            basis: basis.map(|basis| match basis {
                Basis::Proof => Known::Proof,
                Basis::Audit => Known::Audit,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        let third = Guarantee::Pure { epsilon: "1/3".parse().expect("positive"), basis: Basis::Audit };
        let promised = Promised::new(&third, Adjacency::Replace, Some("patient"), None);
        let text = serde_json::to_string(&promised).expect("serialises");
        assert_eq!(
            text,
            r#"{"adjacency":"replace","unit":"patient","epsilon":"1/3","delta":"0","basis":"audit"}"#
        );
        assert_eq!(serde_json::from_str::<Promised>(&text).expect("reads"), promised);
        let seeded = Promised::new(&third, Adjacency::Replace, None, Some(7));
        let text = serde_json::to_string(&seeded).expect("serialises");
        assert_eq!(text, r#"{"adjacency":"replace","unit":"record"}"#);
        assert_eq!(serde_json::from_str::<Promised>(&text).expect("reads"), seeded);
    }

    #[test]
    fn rejects() {
        for text in [
            r#"{"adjacency":"replace","unit":"record","epsilon":"1"}"#,
            r#"{"adjacency":"replace","unit":"record","epsilon":"1","delta":"0.5","basis":"proof"}"#,
            r#"{"adjacency":"replace","unit":"record","epsilon":"-1","delta":"0","basis":"proof"}"#,
            r#"{"adjacency":"none","unit":"record"}"#,
            r#"{"adjacency":"replace","unit":"record","rho":"1"}"#,
        ] {
            assert!(serde_json::from_str::<Promised>(text).is_err(), "{text}");
        }
    }
}
