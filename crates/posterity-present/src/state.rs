//! A release as text from which it can be made again, for programs that keep their objects in files.

use posterity::{Amount, Payment};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

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

/// A text that is no release of this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the stored release cannot be read by this version")]
pub struct StateError;

/// A release as text.
///
/// # Errors
/// [`StateError`] if the document cannot be written.
pub fn store(document: &impl Serialize, payment: &Payment) -> Result<String, StateError> {
    let mut state = State { document, charged: None, delta: None, rho: None, recalled: None };
    match payment {
        Payment::Charged { epsilon, delta, remaining } => {
            state.delta = (*delta != Amount::ZERO).then(|| delta.to_string());
            state.charged = Some((epsilon.to_string(), remaining.to_string()));
        }
        Payment::ChargedRho { rho, remaining, .. } => {
            state.rho = Some((rho.to_string(), remaining.to_string()))
        }
        Payment::Recalled { drawn } => state.recalled = Some(drawn.to_string()),
        Payment::Nothing => {}
    }
    serde_json::to_string(&state).map_err(|_| StateError)
}

/// The document and the payment that a text stands for.
///
/// ```
/// use posterity::{Document, Payment, Publisher};
/// use posterity_present::state::{restore, store};
/// let data = posterity::Data::counts([("yes", 48), ("no", 42)])?;
/// let release = Publisher::new("1".parse()?).publish(&data)?;
/// let (document, payment) = restore::<Document>(&store(release.document(), release.payment())?)?;
/// assert_eq!(document.drawn().as_slice(), release.document().drawn().as_slice());
/// assert_eq!(payment, Payment::Nothing);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`StateError`] if the text is no such document.
pub fn restore<D: DeserializeOwned>(text: &str) -> Result<(D, Payment), StateError> {
    let State { document, charged, delta, rho, recalled } =
        serde_json::from_str(text).map_err(|_| StateError)?;
    let amount = |text: String| text.parse::<Amount>().map_err(|_| StateError);
    let payment = match (charged, rho, recalled) {
        (Some((epsilon, remaining)), _, _) => {
            let delta = delta.map_or(Ok(Amount::ZERO), amount)?;
            Payment::Charged { epsilon: amount(epsilon)?, delta, remaining: amount(remaining)? }
        }
        (None, Some((rho, remaining)), _) => {
            Payment::ChargedRho { rho: amount(rho)?, epsilon: None, remaining: amount(remaining)? }
        }
        (None, None, Some(drawn)) => Payment::Recalled { drawn: drawn.parse().map_err(|_| StateError)? },
        (None, None, None) => Payment::Nothing,
    };
    Ok((document, payment))
}
