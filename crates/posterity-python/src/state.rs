//! A document from a file, and a release as text from which it can be made again, for pickles.

use std::path::Path;

use posterity::{Amount, Payment, Publication};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::Failure;

/// The document, and what it does not say.
#[derive(Serialize, Deserialize)]
struct State<D> {
    document: D,
    /// The epsilon that was charged, and what was left.
    charged: Option<(String, String)>,
    /// The delta that was charged, if there was one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    delta: Option<String>,
    /// The rho that was charged in the place of an epsilon, and the epsilon that was left.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    rho: Option<(String, String)>,
    /// When it was drawn, if it was recalled.
    recalled: Option<String>,
}

const UNREADABLE: Failure = Failure::Internal { what: "the stored release cannot be read by this version" };

/// A release as text.
pub(crate) fn store(document: &impl Serialize, payment: &Payment) -> Result<String, Failure> {
    let mut state = State { document, charged: None, delta: None, rho: None, recalled: None };
    match payment {
        Payment::Charged { epsilon, delta, remaining } => {
            state.delta = (*delta != Amount::ZERO).then(|| delta.to_string());
            state.charged = Some((epsilon.to_string(), remaining.to_string()));
        }
        Payment::ChargedRho { rho, remaining } => state.rho = Some((rho.to_string(), remaining.to_string())),
        Payment::Recalled { drawn } => state.recalled = Some(drawn.to_string()),
        Payment::Nothing => {}
    }
    serde_json::to_string(&state).map_err(|_| UNREADABLE)
}

/// The document and the payment that a text stands for.
pub(crate) fn restore<D: DeserializeOwned>(text: &str) -> Result<(D, Payment), Failure> {
    let State { document, charged, delta, rho, recalled } =
        serde_json::from_str(text).map_err(|_| UNREADABLE)?;
    let amount = |text: String| text.parse::<Amount>().map_err(|_| UNREADABLE);
    let payment = match (charged, rho, recalled) {
        (Some((epsilon, remaining)), _, _) => {
            let delta = delta.map_or(Ok(Amount::ZERO), amount)?;
            Payment::Charged { epsilon: amount(epsilon)?, delta, remaining: amount(remaining)? }
        }
        (None, Some((rho, remaining)), _) => {
            Payment::ChargedRho { rho: amount(rho)?, remaining: amount(remaining)? }
        }
        (None, None, Some(drawn)) => Payment::Recalled { drawn: drawn.parse().map_err(|_| UNREADABLE)? },
        (None, None, None) => Payment::Nothing,
    };
    Ok((document, payment))
}

/// The document in a file, of any kind, if it promises what follows from its request.
pub(crate) fn load(path: &Path) -> Result<Publication, Failure> {
    let wrong = |why: String| Failure::argument("path", why);
    let found = Publication::load(path).map_err(|error| wrong(error.to_string()))?;
    if found.promises_what_it_should() {
        Ok(found)
    } else {
        Err(wrong(
            "the document promises more or less than follows from its request; ask for the original".into(),
        ))
    }
}
