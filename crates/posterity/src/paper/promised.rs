//! What a release promises, as numbers.

use posterity_core::mechanism::{Basis, Guarantee};
use posterity_core::model::{Adjacency, Epsilon};
use posterity_ledger::Amount;
use serde::{Deserialize, Serialize};

/// The promise of a release: to whom, and how much. Nothing may be promised at all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Form", into = "Form")]
pub struct Promised {
    adjacency: Adjacency,
    unit: String,
    bound: Option<Bound>,
}

/// How much is promised.
#[derive(Clone, Debug, PartialEq)]
struct Bound {
    epsilon: Epsilon,
    delta: Amount,
    /// What the release is charged as, where that is zero-concentrated privacy, from which epsilon and delta follow.
    rho: Option<Amount>,
    basis: Basis,
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
    rho: Option<String>,
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
            Guarantee::Pure { epsilon, basis } => {
                Some(Bound { epsilon: epsilon.clone(), delta: Amount::ZERO, rho: None, basis: *basis })
            }
            Guarantee::None { .. } => None,
        };
        Self { adjacency, unit: unit.unwrap_or("record").to_owned(), bound }.unless_seeded(seed)
    }

    /// A proven promise with a delta, and with the rho that it follows from, if it is one of zero-concentrated privacy.
    pub(crate) fn approximate(
        (epsilon, delta, rho): (Epsilon, Amount, Option<Amount>),
        adjacency: Adjacency,
        unit: Option<&str>,
        seed: Option<u64>,
    ) -> Self {
        let bound = Some(Bound { epsilon, delta, rho, basis: Basis::Proof });
        Self { adjacency, unit: unit.unwrap_or("record").to_owned(), bound }.unless_seeded(seed)
    }

    /// Nothing, if the draw is that of a seed.
    fn unless_seeded(self, seed: Option<u64>) -> Self {
        Self { bound: self.bound.filter(|_| seed.is_none()), ..self }
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
        self.bound.as_ref().map(|bound| &bound.epsilon)
    }

    /// The promised delta; none if nothing is promised.
    #[must_use]
    pub fn delta(&self) -> Option<&Amount> {
        self.bound.as_ref().map(|bound| &bound.delta)
    }

    /// The promised rho, where the promise is one of zero-concentrated privacy.
    #[must_use]
    pub fn rho(&self) -> Option<&Amount> {
        self.bound.as_ref()?.rho.as_ref()
    }

    /// How the promise is known.
    pub(crate) fn basis(&self) -> Option<Basis> {
        self.bound.as_ref().map(|bound| bound.basis)
    }
}

impl TryFrom<Form> for Promised {
    type Error = String;

    fn try_from(form: Form) -> Result<Self, String> {
        let Form { adjacency, unit, epsilon, delta, rho, basis } = form;
        let bound = match (epsilon, delta, basis) {
            (None, None, None) if rho.is_none() => None,
            (Some(epsilon), Some(delta), Some(basis)) => {
                let basis = match basis {
                    Known::Proof => Basis::Proof,
                    Known::Audit => Basis::Audit,
                };
                let epsilon = epsilon.parse().map_err(|error| format!("{error}"))?;
                let rho = rho.as_deref().map(exact).transpose()?;
                Some(Bound { epsilon, delta: below_one(&delta)?, rho, basis })
            }
            _ => return Err("a promise has epsilon, delta and a basis, or none of them".to_owned()),
        };
        Ok(Self { adjacency, unit, bound })
    }
}

impl From<Promised> for Form {
    fn from(promised: Promised) -> Self {
        let Promised { adjacency, unit, bound } = promised;
        let Some(Bound { epsilon, delta, rho, basis }) = bound else {
            return Self { adjacency, unit, epsilon: None, delta: None, rho: None, basis: None };
        };
        let basis = match basis {
            Basis::Proof => Known::Proof,
            Basis::Audit => Known::Audit,
        };
        Self {
            adjacency,
            unit,
            epsilon: Some(epsilon.rational().to_string()),
            delta: Some(delta.rational().to_string()),
            rho: rho.map(|rho| rho.rational().to_string()),
            basis: Some(basis),
        }
    }
}

/// An amount as it is written: there is one text for each.
fn exact(text: &str) -> Result<Amount, String> {
    let amount: Amount = text.parse().map_err(|error| format!("{error}"))?;
    if amount.rational().to_string() == text {
        Ok(amount)
    } else {
        Err(format!("{text} is not a fraction in lowest terms"))
    }
}

/// A probability below one.
fn below_one(text: &str) -> Result<Amount, String> {
    let delta = exact(text)?;
    if delta < Amount::ONE { Ok(delta) } else { Err(format!("delta is {text}; it is below 1")) }
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
        let (epsilon, delta) = ("1".parse().expect("positive"), "1e-9".parse().expect("small"));
        let approximate = Promised::approximate((epsilon, delta, None), Adjacency::AddRemove, None, None);
        let text = serde_json::to_string(&approximate).expect("serialises");
        assert!(text.contains(r#""delta":"1/1000000000""#), "{text}");
        assert_eq!(serde_json::from_str::<Promised>(&text).expect("reads"), approximate);
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
            r#"{"adjacency":"replace","unit":"record","epsilon":"1","delta":"1","basis":"proof"}"#,
            r#"{"adjacency":"replace","unit":"record","epsilon":"1","delta":"-1/2","basis":"proof"}"#,
            r#"{"adjacency":"replace","unit":"record","epsilon":"-1","delta":"0","basis":"proof"}"#,
            r#"{"adjacency":"none","unit":"record"}"#,
            r#"{"adjacency":"replace","unit":"record","rho":"1"}"#,
        ] {
            assert!(serde_json::from_str::<Promised>(text).is_err(), "{text}");
        }
    }
}
