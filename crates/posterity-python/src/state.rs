//! A release as text from which it can be made again, for pickles.

use posterity::core::mechanism::{GlobalSensitivity, Spec};
use posterity::core::model::{Delta, Epsilon, Gamma, Setting};
use posterity::ledger::Amount;
use posterity::{Payment, Request};
use serde::{Deserialize, Serialize};

use crate::error::Failure;
use crate::release::Release;

/// The document, and what it does not say.
#[derive(Serialize, Deserialize)]
struct State {
    document: posterity::Release,
    /// Exactly; the document has the nearest number.
    epsilon: String,
    consistent: bool,
    published_sensitivity: bool,
    /// What was charged and what was left.
    charged: Option<(String, String)>,
    recalled: bool,
    unused: Vec<String>,
}

const UNREADABLE: Failure = Failure::Internal { what: "the stored release cannot be read by this version" };

/// A release as text.
pub(crate) fn store(release: &Release) -> Result<String, Failure> {
    let Release { release, request, payment, unused, .. } = release;
    let epsilon = Amount::from_rational(request.setting.epsilon().rational().clone());
    let state = State {
        document: release.clone(),
        epsilon: epsilon.map_err(|_| UNREADABLE)?.to_string(),
        consistent: request.spec.consistent,
        published_sensitivity: request.spec.global == GlobalSensitivity::Published,
        charged: match payment {
            Payment::Charged { epsilon, remaining } => Some((epsilon.to_string(), remaining.to_string())),
            Payment::Nothing | Payment::Recalled => None,
        },
        recalled: *payment == Payment::Recalled,
        unused: unused.clone(),
    };
    serde_json::to_string(&state).map_err(|_| UNREADABLE)
}

/// The release that a text stands for.
pub(crate) fn restore(text: &str) -> Result<Release, Failure> {
    let state: State = serde_json::from_str(text).map_err(|_| UNREADABLE)?;
    let amount = |text: &str| text.parse::<Amount>().map_err(|_| UNREADABLE);
    let document = &state.document;
    let epsilon =
        Epsilon::from_rational(amount(&state.epsilon)?.rational().clone()).map_err(|_| UNREADABLE)?;
    let setting = Setting::new(document.prior.clone(), document.n, epsilon).map_err(|_| UNREADABLE)?;
    let mut spec = Spec {
        consistent: state.consistent,
        global: if state.published_sensitivity {
            GlobalSensitivity::Published
        } else {
            GlobalSensitivity::Exact
        },
        ..Spec::new(document.mechanism.parse().map_err(|_| UNREADABLE)?)
    };
    if let Some(gamma) = document.gamma {
        spec.gamma = Gamma::new(gamma).map_err(|_| UNREADABLE)?;
    }
    if spec.delta_used().is_some() {
        spec.delta = Delta::new(document.delta).map_err(|_| UNREADABLE)?;
    }
    let request = Request {
        decoder: document.decoder,
        level: document.posterior.level,
        ..Request::new(setting, spec, document.calibration)
    };
    let payment = match &state.charged {
        Some((epsilon, remaining)) => {
            Payment::Charged { epsilon: amount(epsilon)?, remaining: amount(remaining)? }
        }
        None if state.recalled => Payment::Recalled,
        None => Payment::Nothing,
    };
    Ok(Release::new(state.document, request, payment, state.unused))
}
