//! What was agreed before anything was drawn: the plan that a charge belongs to.

use posterity_ledger::StoredRelease;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::digest::digest_of;

/// The plan of a charge. A ledger holds it beside the question, which is the law alone: the same question with other
/// readings or requirements is answered from the ledger, and this tells what was agreed when it was first asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Agreed {
    /// The SHA-256 of the whole plan: its words and all requests.
    pub plan: String,
    /// What the answers must be like, each as the plan says it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub requirements: Vec<Value>,
}

impl Agreed {
    /// The plan of these words, with these requests, of which these requirements are a part.
    #[must_use]
    pub fn new(words: &Value, requests: &[Value], requirements: Vec<Value>) -> Self {
        Self { plan: digest_of(json!({ "words": words, "requests": requests })), requirements }
    }

    /// The plan that a ledger holds beside a charge, if there was one.
    #[must_use]
    pub fn of(stored: &StoredRelease) -> Option<Self> {
        #[derive(Deserialize)]
        struct Peek {
            agreed: Option<Agreed>,
        }
        serde_json::from_str::<Peek>(&stored.document).ok()?.agreed
    }
}
