//! What was paid, in words.

use posterity::Payment;
use posterity::meaning::uncounted;
use posterity::number::{left, spent};

/// What was paid for the answer to one question, or for several answers together. The exact amounts are in the ledger.
///
/// ```
/// use posterity::Payment;
/// use posterity_present::payment;
/// let charged = Payment::Charged { epsilon: "1/3".parse()?, delta: "0".parse()?, remaining: "2/3".parse()? };
/// assert_eq!(payment(&charged, false), "charged epsilon 0.333334; 0.666666 is left");
/// assert_eq!(payment(&charged, true), "charged epsilon 0.333334 for all questions; 0.666666 is left");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn payment(payment: &Payment, several: bool) -> String {
    match payment {
        Payment::Nothing => uncounted().to_owned(),
        Payment::Recalled { drawn } => format!(
            "the ledger holds the {}, drawn at {drawn}; nothing was charged. The data may have changed since",
            if several { "answers to this plan" } else { "answer to this question" }
        ),
        Payment::Charged { epsilon, delta, remaining } => format!(
            "charged epsilon {}{}{}; {} is left",
            spent(epsilon),
            if delta.is_zero() { String::new() } else { format!(" and delta {}", spent(delta)) },
            if several { " for all questions" } else { "" },
            left(remaining)
        ),
        Payment::ChargedRho { rho, epsilon, remaining } => format!(
            "charged rho {}{}{}; epsilon {} is left for another release",
            spent(rho),
            epsilon.as_ref().map(|epsilon| format!(" and epsilon {}", spent(epsilon))).unwrap_or_default(),
            if several { " for all questions" } else { "" },
            left(remaining)
        ),
    }
}
