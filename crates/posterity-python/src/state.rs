//! A release as text from which it can be made again, for pickles.

use posterity::{Amount, Document, Payment};
use serde::{Deserialize, Serialize};

use crate::error::Failure;

/// The document, and what it does not say.
#[derive(Serialize, Deserialize)]
struct State {
    document: Document,
    /// What was charged and what was left.
    charged: Option<(String, String)>,
    /// When it was drawn, if it was recalled.
    recalled: Option<String>,
}

const UNREADABLE: Failure = Failure::Internal { what: "the stored release cannot be read by this version" };

/// A release as text.
pub(crate) fn store(document: &Document, payment: &Payment) -> Result<String, Failure> {
    let (charged, recalled) = match payment {
        // A release of declared categories has no delta.
        Payment::Charged { epsilon, remaining, .. } => {
            (Some((epsilon.to_string(), remaining.to_string())), None)
        }
        Payment::Recalled { drawn } => (None, Some(drawn.to_string())),
        Payment::Nothing => (None, None),
    };
    let state = State { document: document.clone(), charged, recalled };
    serde_json::to_string(&state).map_err(|_| UNREADABLE)
}

/// The document and the payment that a text stands for.
pub(crate) fn restore(text: &str) -> Result<(Document, Payment), Failure> {
    let State { document, charged, recalled } = serde_json::from_str(text).map_err(|_| UNREADABLE)?;
    let amount = |text: String| text.parse::<Amount>().map_err(|_| UNREADABLE);
    let payment = match (charged, recalled) {
        (Some((epsilon, remaining)), _) => {
            Payment::Charged { epsilon: amount(epsilon)?, delta: Amount::ZERO, remaining: amount(remaining)? }
        }
        (None, Some(drawn)) => Payment::Recalled { drawn: drawn.parse().map_err(|_| UNREADABLE)? },
        (None, None) => Payment::Nothing,
    };
    Ok((document, payment))
}
