//! What is said above a release.

use crate::html;

/// What is said above a release: what was paid for it, or what was found when it was verified.
#[derive(Clone, Debug, Default)]
pub(crate) enum Note {
    #[default]
    Nothing,
    /// What was paid, for a release of this run.
    Paid(String),
    /// What was verified of a document that was opened, with the names of the parts.
    Verified(Vec<(&'static str, String)>),
}

impl Note {
    pub(crate) fn html(&self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Paid(paid) => format!("<p class=\"paid\" role=\"status\">{}</p>", html::text(paid)),
            Self::Verified(found) => format!(
                "<section class=\"card\" id=\"verified\" role=\"status\"><h2>Verified</h2>{}</section>",
                html::facts(found)
            ),
        }
    }
}
