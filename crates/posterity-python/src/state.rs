//! A release as text from which it can be made again, for pickles.

use posterity::mathematics::model::Setting;
use posterity::{Amount, Document, Epsilon, Payment, Request, Spec, Terms};
use serde::{Deserialize, Serialize};

use crate::error::Failure;

/// The document, and what it does not say.
#[derive(Serialize, Deserialize)]
struct State {
    document: Document,
    /// The mechanism with all its parameters; the document has its name.
    mechanism: Spec,
    /// The exact epsilon; the document has the nearest number.
    epsilon: String,
    /// What was charged and what was left.
    charged: Option<(String, String)>,
    recalled: bool,
    unused: Vec<String>,
}

/// What a release is made of.
pub(crate) struct Parts {
    pub(crate) document: Document,
    pub(crate) request: Request,
    pub(crate) payment: Payment,
    pub(crate) unused: Vec<String>,
}

const UNREADABLE: Failure = Failure::Internal { what: "the stored release cannot be read by this version" };

/// A release as text.
pub(crate) fn store(
    document: &Document,
    request: &Request,
    payment: &Payment,
    unused: &[String],
) -> Result<String, Failure> {
    let epsilon = Amount::from_rational(request.setting().epsilon().rational().clone());
    let state = State {
        document: document.clone(),
        mechanism: request.spec().clone(),
        epsilon: epsilon.map_err(|_| UNREADABLE)?.to_string(),
        charged: match payment {
            Payment::Charged { epsilon, remaining } => Some((epsilon.to_string(), remaining.to_string())),
            Payment::Nothing | Payment::Recalled => None,
        },
        recalled: *payment == Payment::Recalled,
        unused: unused.to_vec(),
    };
    serde_json::to_string(&state).map_err(|_| UNREADABLE)
}

/// The parts of the release that a text stands for.
pub(crate) fn restore(text: &str) -> Result<Parts, Failure> {
    let State { document, mechanism, epsilon, charged, recalled, unused } =
        serde_json::from_str(text).map_err(|_| UNREADABLE)?;
    let amount = |text: &str| text.parse::<Amount>().map_err(|_| UNREADABLE);
    let epsilon = Epsilon::from_rational(amount(&epsilon)?.rational().clone()).map_err(|_| UNREADABLE)?;
    let setting =
        Setting::new(document.prior.clone(), document.n, epsilon.clone()).map_err(|_| UNREADABLE)?;
    let (decoder, level) = (Some(document.decoder), document.posterior.level);
    let terms = Terms { spec: mechanism, decoder, level, ..Terms::new(epsilon) };
    let request = terms.request_for(setting, &|_| ()).map_err(|_| UNREADABLE)?;
    let payment = match &charged {
        Some((epsilon, remaining)) => {
            Payment::Charged { epsilon: amount(epsilon)?, remaining: amount(remaining)? }
        }
        None if recalled => Payment::Recalled,
        None => Payment::Nothing,
    };
    Ok(Parts { document, request, payment, unused })
}
