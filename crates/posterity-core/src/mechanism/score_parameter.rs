//! The parameter `score` of the exponential mechanisms.

use super::{Arguments, Form, Parameter, SpecError, Value};
use crate::score::{EXAMPLES, Scoring};

/// What candidates are scored by.
pub(super) const SCORE: Parameter = Parameter {
    name: "score",
    form: Form::Text("SCORE", EXAMPLES),
    help: "What the exponential mechanisms score candidates by: hellinger, angle, tv (two categories), squared-hellinger, \
           chernoff:L (0 < L < 1), kl, reverse-kl or counts [default: hellinger]",
};

/// The score that was given, or the Hellinger distance.
pub(super) fn read_score(arguments: &Arguments<'_>) -> Result<Scoring, SpecError> {
    Ok(arguments.value(&SCORE, str::parse::<Scoring>)?.unwrap_or_default())
}

/// The score as an argument, unless it is the Hellinger distance, which is not written.
pub(super) fn score_argument(scoring: Scoring) -> Option<(&'static str, Value)> {
    (!scoring.is_hellinger()).then(|| (SCORE.name, Value::Text(scoring.to_string())))
}
